"""Addresses of the pads' pages, and this computer's addresses as seen by phones."""

import base64
import binascii
import fcntl
import ipaddress
import socket
import struct
from typing import Final

from companion.pads.encryption import SECRET
from companion.pads.protocols import EVERYWHERE, ListenAddress
from engine.board.geometry import Side

TOKEN: Final = 22
"""Number of characters that encode 128 bits."""
LETTERS: Final = {Side.RED: "r", Side.BLUE: "b"}
_SOMEWHERE: Final = ("192.0.2.1", 9)
"""Address reserved for documentation and used by no host. No packet is sent to it."""
_GET_ADDRESS: Final = 0x8915
"""Linux's ioctl request SIOCGIFADDR."""


def write_token(token: bytes) -> str:
    """Encode 128 bits as URL-safe characters."""
    return base64.urlsafe_b64encode(token).decode().rstrip("=")


def read_token(text: object) -> bytes:
    """Decode the output of `write_token`. Raise ValueError if the text is malformed."""
    if isinstance(text, str) and len(text) == TOKEN and text.isascii():
        try:
            token = base64.b64decode(text + "==", altchars=b"-_", validate=True)
        except binascii.Error:
            token = b""
        if len(token) == SECRET:
            return token
    raise ValueError("expected a token of 22 base64url characters, found something else")


def write_secret(side: Side, secret: bytes) -> str:
    """Return the address fragment that gives a phone a seat."""
    return LETTERS[side] + write_token(secret)


def origin(place: ListenAddress, port: int) -> str:
    """Return the origin (scheme, host and port) at which phones reach this computer.

    Raise OSError if the computer is not connected to a network.
    """
    if place.certificate:
        return f"https://{place.certificate.host}:{port}"
    address = own_address() if place.address == EVERYWHERE else place.address
    return f"http://[{address}]:{port}" if ":" in address else f"http://{address}:{port}"


def own_address() -> str:
    """Return this computer's address on its network.

    The result is the source address of the default route. A computer that is only an access point
    for phones has no default route, so its first non-loopback address is returned. Raise OSError if
    the computer has no network.
    """
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(_SOMEWHERE)  # this selects a route but sends nothing
            return str(probe.getsockname()[0])
    except OSError:
        found = (address_of(interface) for _, interface in socket.if_nameindex())
        for address in found:
            if address and not ipaddress.ip_address(address).is_loopback:
                return address
        raise


def address_of(interface: str) -> str:
    """Return the address of a network interface, or an empty string if it has no address."""
    asked = struct.pack("256s", interface.encode())
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            answered = fcntl.ioctl(probe.fileno(), _GET_ADDRESS, asked)
        except OSError:
            return ""
    return socket.inet_ntoa(answered[20:24])
