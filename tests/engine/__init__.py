"""Tests for the engine in game terms: boards as pictures, games as lists of moves."""
