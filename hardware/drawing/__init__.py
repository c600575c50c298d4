"""SVG drawing sheet and lamp wiring, used by the documentation and the circuit boards."""
