"""Setups of an army: as values, as pictures in text, well-known ones, and players' own.

Nothing here depends on a screen. A setup contains ranks, so it is for one player's eyes.

Armies sealed at this computer, and the openings of their commitments.

The table receives only the commitments; each opening is kept in this package until its piece is
declared. Nothing here depends on a table or a screen.
"""
