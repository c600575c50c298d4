"""Server of the hall: stores the tables' messages in a database, for the arbiters' pages.

`store` is the database, PostgreSQL or SQLite, which is shared by the pages. `receiver` stores and
confirms messages from the broker. `tables` is the current state of every table. `hall_folder`
writes the files of a hall, including the broker's, and saves and restores all of them.

Any number of halls may share one PostgreSQL database independently: an item stored by one hall is
left unchanged by the others.
"""
