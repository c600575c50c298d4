"""Diagnosing a board on the workbench: measurements and the faults found from them."""
