"""In the hall: what the tables tell is kept in a database, and stands ready for the arbiters.

`store` is the database, PostgreSQL or SQLite, and `library` the same for pages; `receiver` takes
what comes from the broker into it and confirms; `tables` is what is known of every table at this
moment; `hall_folder` writes the files of a hall, the broker's among them.

Any number of halls may share one PostgreSQL, each behind the others' backs: what one has kept
already the next leaves as it is.
"""
