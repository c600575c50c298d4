"""The complete hand-movement campaign: its games, its limits and its report."""
