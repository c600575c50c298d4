"""Benchmarks of engine and table, compared with a plain implementation of the same."""
