"""Setups of an army: values, pictures in text, well-known setups, and players' own setups.

A setup contains ranks, so only its player may see it.

The package also stores the openings of the armies sealed at this computer. The table receives only
the commitments, and each opening when its piece is declared.
"""
