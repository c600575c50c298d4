"""People at a board, tried out without the table that they are to judge."""
