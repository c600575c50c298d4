"""The companion program, which referees, saves, announces, displays and simulates games."""
