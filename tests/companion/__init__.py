"""Tests of the table and the modules around it, in the language of the game."""
