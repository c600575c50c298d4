"""Bill of materials: all third-party parts distributed to players, with their licences."""
