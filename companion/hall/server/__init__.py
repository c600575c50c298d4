"""Stores the tables' messages in a database, for the pages of the hall.

`store` is the database, PostgreSQL or SQLite, which the pages share. `receiver` stores and confirms
messages from the broker. `tables` holds the current state of every table. `hall_folder` writes the
files of a hall, including the broker's, and backs up and restores all of them.

Several halls may share one PostgreSQL database. No hall changes an item that another hall has
stored.
"""
