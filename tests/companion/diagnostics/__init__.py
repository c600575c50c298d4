"""Diagnosing a board on the workbench: measurements and the faults derived from them."""
