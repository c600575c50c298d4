"""The bill of materials: all third-party parts shipped to a player, with their licences."""
