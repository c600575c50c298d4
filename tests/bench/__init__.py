"""Benchmarks of the engine and the table, compared with a plain implementation."""
