"""Fuzz tests: every reader handles any input without a crash, in two seconds and 200 MB."""
