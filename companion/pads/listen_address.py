"""Addresses of pads, and the addresses at which phones can reach this computer."""

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
"""A reserved address without a host; no packet is sent to it."""
_GET_ADDRESS: Final = 0x8915
"""Linux's SIOCGIFADDR."""


def write_token(token: bytes) -> str:
    """Encode 128 bits as characters that are valid in a web address."""
    return base64.urlsafe_b64encode(token).decode().rstrip("=")


def read_token(text: object) -> bytes:
    """Decode the output of `write_token`; ValueError if it is malformed."""
    if isinstance(text, str) and len(text) == TOKEN and text.isascii():
        try:
            token = base64.b64decode(text + "==", altchars=b"-_", validate=True)
        except binascii.Error:
            token = b""
        if len(token) == SECRET:
            return token
    raise ValueError("a token is 22 letters of base64url")


def write_secret(side: Side, secret: bytes) -> str:
    """Return the address fragment that gives a seat."""
    return LETTERS[side] + write_token(secret)


def origin(place: ListenAddress, port: int) -> str:
    """Return the scheme, name and port by which phones reach this computer.

    OSError if the computer is not in any network.
    """
    if place.certificate:
        return f"https://{place.certificate.host}:{port}"
    address = own_address() if place.address == EVERYWHERE else place.address
    return f"http://[{address}]:{port}" if ":" in address else f"http://{address}:{port}"


def own_address() -> str:
    """Return this computer's address in its network; OSError if it has no network.

    This is the source address of the default route. A computer that is only an access point for its
    phones has no default route. Then the result is the first address other than loopback.
    """
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(_SOMEWHERE)  # selects a route and sends nothing
            return str(probe.getsockname()[0])
    except OSError:
        found = (address_of(interface) for _, interface in socket.if_nameindex())
        for address in found:
            if address and not ipaddress.ip_address(address).is_loopback:
                return address
        raise


def address_of(interface: str) -> str:
    """Return the address of a network interface, empty if it has no address."""
    asked = struct.pack("256s", interface.encode())
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            answered = fcntl.ioctl(probe.fileno(), _GET_ADDRESS, asked)
        except OSError:
            return ""
    return socket.inet_ntoa(answered[20:24])
