"""Reports on games: score sheets, incident sheets, pictures of positions, replays.

All modules are public. All reports except the incidents reveal every known rank, so they must not
be shown during the game.
"""
