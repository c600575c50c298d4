"""The bill of materials: everything by others that comes to a player, and its licence."""
