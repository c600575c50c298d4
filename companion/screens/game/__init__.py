"""The screens of a game, from the start to the end.

Only the root makes them; `base.due_screen` says which of them is due. The others may use what the
start says of the board.
"""
