"""Fuzz tests. Every reader must handle any input without a crash, within two seconds and 200 MB."""
