"""Orders of the circuit boards: one zip per board with everything that a factory asks for."""
