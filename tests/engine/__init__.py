"""Tests for the engine in game terms: boards drawn as text, games as lists of moves."""
