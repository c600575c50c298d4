"""Phones as pads, which show a player's private information and send the player's commands.

`Pads` is the entry point: the screens open and close it, show its addresses as QR codes, and call
it once per frame. Nothing listens on the network before `open` or after `close`, and no web server
code is imported before `open`. docs/pads.md is the manual for players. docs/security.md describes
which attackers the encryption protects against, and which it does not.
"""

from companion.pads.pads import Pads
from companion.pads.protocols import Certificate, ListenAddress, PadErrorKind, PadHost, Presence

__all__ = ["Certificate", "ListenAddress", "PadErrorKind", "PadHost", "Pads", "Presence"]
