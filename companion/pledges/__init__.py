"""Armies that are sealed at this computer, and what opens their seals.

The table is given commitments and nothing else; what opens them stays in this room until its piece
is declared. Nothing here knows a table or a screen.
"""
