"""Simulated people at a board, tested without the table that they are meant to test."""
