"""Hardware and sound: the live board, the voice, the lamps at the board's edges, a Pi's panel.

From outside use all of them. They connect the table with the ports and pins that `firmware_bridge`
opens; none of them decides anything about a game.
"""
