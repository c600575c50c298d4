"""Games that are over, on paper and page by page: score sheets, pictures of positions, replays.

All may be used from outside: a `snapshot` of a position, its `diagram` and that as a `png`, the
`score_sheet`, and the `replay`. They tell every rank that is known, so they are nothing for the
time of the game.
"""
