"""Fuzz tests. Every reader must handle any input without crashing, within two seconds and 200
MB."""
