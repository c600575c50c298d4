"""Hardware and sound: the live board, its lamps and a Pi's panel, speech, USB drives and systemd.

All modules are public. They connect the table with the ports and pins that `firmware_bridge` opens,
and contain no game logic.
"""
