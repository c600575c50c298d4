"""Fuzz tests. Every reader must handle any input without crashing, in at most two seconds and 200
MB."""
