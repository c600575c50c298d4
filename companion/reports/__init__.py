"""Reports on games: score sheets, incident sheets, diagrams of positions, and replays.

All modules are public. Incident sheets contain only public ranks. All other reports reveal every
known rank, so they must not be shown during the game.
"""
