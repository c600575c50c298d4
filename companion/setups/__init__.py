"""Setups of an army: as values, as pictures in text, known ones, and those that players keep.

Nothing here knows a screen. A setup holds ranks, so it is for one player's eyes.
"""
