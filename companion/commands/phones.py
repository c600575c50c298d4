"""Command-line options for the connection of phones."""

import argparse
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

from companion.screens.base.phones import USUAL, Reach, Wifi

if TYPE_CHECKING:  # few games have phones
    from companion.pads import Place

_PORTS = range(65536)


def add_phones(parser: argparse.ArgumentParser) -> None:
    """Add the options that admit phones and choose their connection."""
    parser.add_argument(
        "--pads",
        nargs="?",
        type=_place,
        const="",
        metavar="ADDRESS:PORT",
        help="let phones in from the start, at this address and port of this computer, at a port "
        "alone, or without either at port 8017; else they are let in on the screen",
    )
    parser.add_argument(
        "--pads-certificate",
        nargs=3,
        metavar=("CHAIN", "KEY", "NAME"),
        help="let them come by https: the files of a certificate and its key, and the name of this "
        "computer that it was made out to",
    )
    parser.add_argument(
        "--wifi",
        nargs=2,
        metavar=("NAME", "PASSWORD"),
        help="show phones the way into this Wi-Fi first; an empty password for an open one",
    )


def reach(options: argparse.Namespace) -> Reach:
    """Return the network options for phones."""
    if options.pads is options.pads_certificate is options.wifi is None:
        return USUAL
    place = options.pads
    if options.pads_certificate:
        from companion.pads import Certificate, Place  # noqa: PLC0415

        chain, key, name = options.pads_certificate
        place = replace(place or Place(), certificate=Certificate(Path(chain), Path(key), name))
    wifi = Wifi(*options.wifi) if options.wifi else None
    return Reach(place, wifi, at_once=options.pads is not None)


def _place(text: str) -> "Place":
    from companion.pads import Place  # noqa: PLC0415

    address, _colon, port = text.rpartition(":")
    try:
        if address:
            address = str(ip_address(address.removeprefix("[").removesuffix("]")))
    except ValueError:
        address = ""
        port = "?"
    if text and not (port.isdecimal() and int(port) in _PORTS):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no address in numbers with a port, such as 192.168.1.20:8017, and no port"
        )
    usual = Place()
    return Place(address or usual.address, int(port) if port else usual.port)
