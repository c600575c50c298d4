"""Armies that are sealed at this computer, and what opens their seals.

The table gets the commitments and nothing else; each opening stays in this room until its piece is
declared. Nothing here knows a table or a screen.
"""
