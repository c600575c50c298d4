"""Orders for the circuit boards: one zip file per board, with all files that a factory needs."""
