"""Army setups: data types, text diagrams, well-known setups, and players' own setups.

A setup contains ranks, so only its player may see it.

The package also stores the openings of the armies sealed on this computer. The table receives only
the commitments. It receives the opening of a piece when the piece's rank is declared.
"""
