"""What the board allows: who stands where, how pieces go, and both repetition rules.

Nothing here knows what is proved of a piece: where ranks matter, they are handed in.
"""
