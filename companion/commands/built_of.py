"""What a board was built of: how that is said in a terminal, and told to the board."""

import argparse
import time
from collections.abc import Callable, Iterator
from typing import Final

from companion.commands import CommandError
from companion.commands.workbench import Workbench, sentence
from firmware_bridge.frame_text import REFUSALS, settings_in_words
from firmware_bridge.link import Connected, Event, Received, Trouble
from firmware_bridge.wire import (
    BoardKind,
    Configure,
    Configured,
    ConfigureResult,
    Geometry,
    Identify,
)

ANSWER_SECONDS: Final = 2.0
"""How long the board may take; it has to answer within one."""
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
    """Return what was said of the board; None if nothing was."""
    wish = Configure(
        _KINDS[options.kind] if options.kind else 0,
        _GEOMETRIES[options.wired] if options.wired else 0,
        options.threshold or 0,
        options.band_gap or 0,
    )
    return None if wish == Configure() else wish


def tell(bench: Workbench, wish: Configure) -> tuple[str, Connected]:
    """Tell the board what it was built of; CommandError if it does not take that.

    Returns what it goes by now, in words, and how it introduces itself with that.
    """
    bench.link.send(wish)
    answer = next(
        event.message
        for event in _events(bench)
        if isinstance(event, Received) and isinstance(event.message, Configured)
    )
    settings = settings_in_words(answer.settings)
    if answer.result is not ConfigureResult.CONFIGURED_SO:
        raise CommandError(
            f"The board does not take that, as {REFUSALS[answer.result]}; it goes on as it was: "
            f"{settings}."
        )
    bench.link.send(Identify())
    return settings, next(event for event in _events(bench) if isinstance(event, Connected))


def _events(bench: Workbench) -> Iterator[Event]:
    """What the board tells while it is waited for; CommandError when that took too long."""
    deadline = time.monotonic() + ANSWER_SECONDS
    while (left := deadline - time.monotonic()) > 0:
        event = bench.next_event(left)
        if isinstance(event, Trouble):
            raise CommandError(sentence(event))
        if event:
            yield event
    raise CommandError("The board does not answer. Flash it with “boomboard flash”.")


def _number(most: int) -> Callable[[str], int]:
    """Read a number that fits the message to the board, which knows what makes sense."""

    def number(text: str) -> int:
        if not text.isdecimal() or not 1 <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 to {most}")
        return int(text)

    return number
