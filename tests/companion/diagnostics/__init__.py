"""Diagnosis of a board: measurements and findings."""
