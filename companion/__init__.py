"""The program at the table. It referees, stores, announces, shows and simulates games."""
