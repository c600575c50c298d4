"""A simulated board that sends real frames over a pseudo-terminal.

`companion.session.tabletop` moves its pieces by touch.
"""
