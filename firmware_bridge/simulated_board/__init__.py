"""A simulated board that sends real frames over a pseudo-terminal.

`companion.session.tabletop` lets players move its pieces by touch.
"""
