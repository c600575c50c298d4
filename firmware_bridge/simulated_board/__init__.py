"""A simulated board that speaks the real frames over a real pseudo-terminal.

The hand that moves its pieces by touch is `companion.session.tabletop`.
"""
