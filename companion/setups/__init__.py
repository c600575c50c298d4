"""Army setups: data types, text diagrams, well-known setups, and players' own setups.

A setup contains ranks, so only its player may see it.

The package also stores the keys that open the seals of armies sealed on this computer. The table
receives only the commitments. It receives the key for a piece when the piece's rank is declared.
"""
