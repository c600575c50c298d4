"""The live board, its lamps, the Pi's panel, speech, USB drives and systemd.

All modules are public. They connect the table to the ports and pins that `firmware_bridge` opens,
and contain no game logic.
"""
