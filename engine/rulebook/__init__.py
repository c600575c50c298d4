"""What is written: the rules, our readings of them, the editions and the outcome of every combat.

Plain data. Nothing here knows a board or a game.
"""
