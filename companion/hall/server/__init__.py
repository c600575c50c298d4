"""Server of the hall: stores the tables' messages in a database, for the arbiters' pages.

`store` is the database, PostgreSQL or SQLite, and `library` shares it among the pages; `receiver`
stores what arrives from the broker and confirms it; `tables` is the present state of every table;
`hall_folder` writes the files of a hall, including the broker's.

Any number of halls may share one PostgreSQL without knowing of each other: an item that one has
stored is left unchanged by the others.
"""
