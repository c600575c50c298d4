"""Phones as private pads: what one player alone may see and say, in that player's own hand.

`Pads` is the door: the screens open and close it, show its addresses as codes, and call it once a
frame. Nothing listens on the network before `open` or after `close`, and nothing that serves pages
is imported before. docs/pads.md is for players; docs/security.md says against whom the sealing
helps, and against whom it does not.
"""

from companion.pads.host import Host
from companion.pads.pads import Pads
from companion.pads.place import Certificate, Place
from companion.pads.presence import Presence
from companion.pads.trouble import PadTrouble

__all__ = ["Certificate", "Host", "PadTrouble", "Pads", "Place", "Presence"]
