"""The program at the table: referees, stores, announces, shows and simulates games."""
