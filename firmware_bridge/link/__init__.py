"""Finds a board's port, keeps it open, and reconnects when the connection is lost.

A separate thread opens the port, identifies the board and passes on its messages as events. Every
port error is reported as a `LinkError`, and the link then retries until it is stopped. This is the
only package that uses pyserial.
"""

from firmware_bridge.link.connection import (
    Connected,
    Event,
    LinkError,
    LinkErrorKind,
    MessageReceived,
    OtherProtocol,
    Searching,
    Statistics,
)
from firmware_bridge.link.ports import (
    ARDUINO_VENDORS,
    CLONE_DEVICES,
    PortSearch,
    candidates,
    find_ports,
    stable_name,
)
from firmware_bridge.link.reader import BoardLink

__all__ = [
    "ARDUINO_VENDORS",
    "CLONE_DEVICES",
    "BoardLink",
    "Connected",
    "Event",
    "LinkError",
    "LinkErrorKind",
    "MessageReceived",
    "OtherProtocol",
    "PortSearch",
    "Searching",
    "Statistics",
    "candidates",
    "find_ports",
    "stable_name",
]
