"""Setups of an army: as values, as pictures in text, well-known ones, and players' own.

Nothing here depends on a screen. A setup contains ranks, so it is for one player's eyes.
"""
