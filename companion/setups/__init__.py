"""Setups of an army: values, pictures in text, well-known setups, and players' own setups.

A setup contains ranks, so only its player may see it.

The package also keeps the armies sealed at this computer, with the openings of their commitments.

The table receives only the commitments. Each opening is kept in this package until its piece is
declared. Nothing in this package depends on a table or a screen.
"""
