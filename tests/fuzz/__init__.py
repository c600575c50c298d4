"""Fuzz tests: every reader handles arbitrary input without a crash, in two seconds and 200 MB."""
