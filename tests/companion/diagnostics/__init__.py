"""Tests for the diagnosis of a board: measurements and findings."""
