"""Stores the tables' messages in a database, for the pages of the hall.

`store` is the database, PostgreSQL or SQLite, which is shared by the pages. `receiver` stores and
confirms messages from the broker. `tables` is the current state of every table. `hall_folder`
writes the files of a hall, including the broker's, and saves and restores all of them.

Several halls may share one PostgreSQL database. None changes an item that another one has stored.
"""
