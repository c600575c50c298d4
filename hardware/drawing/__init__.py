"""Drawing sheet and lamp wiring for the documentation and the circuit boards."""
