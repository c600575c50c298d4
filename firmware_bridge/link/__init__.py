"""The connection to a board: finds its port, keeps it open, and gets it back when it is lost.

A thread of its own opens the port, asks the board who it is and passes on what it says, as events.
Nothing that happens to a cable ends that thread: every error of the port becomes a `Trouble`, and
the link goes on trying until it is stopped. This is the only package that knows pyserial.
"""

from firmware_bridge.link.events import (
    Connected,
    Event,
    OtherProtocol,
    Received,
    Searching,
    Statistics,
    Trouble,
    TroubleKind,
)
from firmware_bridge.link.ports import (
    ARDUINO_VENDORS,
    CLONE_DEVICES,
    candidates,
    find_ports,
)
from firmware_bridge.link.thread import Link

__all__ = [
    "ARDUINO_VENDORS",
    "CLONE_DEVICES",
    "Connected",
    "Event",
    "Link",
    "OtherProtocol",
    "Received",
    "Searching",
    "Statistics",
    "Trouble",
    "TroubleKind",
    "candidates",
    "find_ports",
]
