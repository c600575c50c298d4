"""The table, and all that stands around it: what keeps, tells, shows and simulates its games."""
