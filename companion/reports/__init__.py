"""Reports on games: score sheets, incident sheets, pictures of positions, replays.

All modules are public. Except for the incidents they reveal every known rank, so they must not be
shown during the game.
"""
