"""Orders for the circuit boards: one zip file per board, with all the files that a factory
needs."""
