"""Bill of materials: all third-party parts that are distributed to players, with their licences."""
