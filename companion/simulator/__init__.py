"""Simulations of what happens at a table, whose truth the simulation alone knows."""
