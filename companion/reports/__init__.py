"""Reports on games: score sheets, incident sheets, pictures of positions, replays.

All modules are public. Incident sheets contain only public ranks. All other reports reveal every
known rank, so they must not be shown during the game.
"""
