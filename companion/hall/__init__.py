"""A hall of boards: many tables tell one place what happens at them, and arbiters answer there."""
