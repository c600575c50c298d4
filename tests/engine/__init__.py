"""Tests for the engine. Boards are drawn as text, and games are written as lists of moves."""
