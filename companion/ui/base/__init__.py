"""Shared parts of all screens: the host of the games at a board, the stage and the base class.

All packages above may use them; code outside the screens only `board_host` and `mouse`.
"""
