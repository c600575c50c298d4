"""Build settings of a board: options and texts for a terminal, and sending them to the board."""

import argparse
import time
from collections.abc import Callable
from typing import Final

from companion.commands import CommandError
from companion.commands.workbench import Workbench
from companion.maintenance.built_of import Answer, Telling
from firmware_bridge.capture import settings_in_words
from firmware_bridge.link import Connected
from firmware_bridge.wire import BoardKind, Configure, Geometry

LOOK_SECONDS: Final = 0.1
"""Time to listen before the next check for an overdue answer, in seconds."""
_KINDS: Final = {"colours": BoardKind.COLOURS, "switches": BoardKind.PRESENCE}
_GEOMETRIES: Final = {"hand": Geometry.BY_HAND, "tiles": Geometry.TILES}
_MOST_BYTE: Final = 0xFF
_MOST_WORD: Final = 0xFFFF


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Describe the options."""
    told = parser.add_argument_group(
        "what the board was built of", "said once; the board keeps it, also when it is flashed"
    )
    told.add_argument(
        "--kind", choices=_KINDS, help="sensors that tell colours, or switches that do not"
    )
    told.add_argument("--wired", choices=_GEOMETRIES, help="by hand, or on tiles")
    told.add_argument(
        "--band-gap", type=_number(_MOST_WORD), metavar="MV", help="the chip's reference, measured"
    )
    told.add_argument(
        "--threshold",
        type=_number(_MOST_BYTE),
        metavar="PERCENT",
        help="from this share of a piece it counts as there",
    )


def wish_of(options: argparse.Namespace) -> Configure | None:
    """Return the build settings that were given as options, or None."""
    wish = Configure(
        _KINDS[options.kind] if options.kind else 0,
        _GEOMETRIES[options.wired] if options.wired else 0,
        options.threshold or 0,
        options.band_gap or 0,
    )
    return None if wish == Configure() else wish


def tell(bench: Workbench, wish: Configure) -> tuple[str, Connected]:
    """Send the board its build settings; CommandError if it rejects them.

    Returns its settings in words, and its new introduction.
    """
    telling = Telling(wish, bench.link.send, time.monotonic())
    while telling.answer is Answer.AWAITED:
        event = bench.next_event(LOOK_SECONDS)
        if event:
            telling.take(event, time.monotonic())
        telling.tick(time.monotonic())
    settings = settings_in_words(telling.settings) if telling.settings else ""
    if telling.answer is Answer.REFUSED:
        raise CommandError(f"{telling.trouble} It goes by this: {settings}.")
    if telling.connected is None:
        raise CommandError(telling.trouble)
    return settings, telling.connected


def _number(most: int) -> Callable[[str], int]:
    """Return a parser of numbers that fit the message; the board checks whether they make sense."""

    def number(text: str) -> int:
        if not text.isdecimal() or not 1 <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 to {most}")
        return int(text)

    return number
