"""Finished games, on paper and page by page: score sheets, pictures of positions, replays.

Public: a `snapshot` of a position, its `diagram` and that as a `png`, the `score_sheet`, and the
`replay`. They reveal every known rank, so they must not be shown during the game.
"""
