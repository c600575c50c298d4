"""Write the firmware to the board over USB, with avrdude.

The board keeps its configuration. The old and the new firmware versions are shown before anything
is written.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from typing import Final

from companion.commands import CommandError
from companion.commands.doctor import sentence
from companion.diagnostics import firmware_update
from firmware_bridge.capture import GEOMETRIES, KINDS, firmware_in_words
from firmware_bridge.link import BoardLink, Connected, Event, LinkError, find_ports
from firmware_bridge.wire import Hello

HELLO_SECONDS: Final = 3.0
"""Timeout for the board's identification message, in seconds. Opening the port restarts the
board, which delays the message."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", metavar="PORT", help="the serial port of the board")
    parser.add_argument(
        "--anyway",
        action="store_true",
        help="write the firmware even if it is not Boomboard's, or is older than the board's "
        "firmware or its own sources",
    )
    parser.add_argument(
        "hex",
        nargs="?",
        type=Path,
        metavar="HEX",
        help="an Intel hex file (default: the firmware that comes with this program)",
    )


def run(options: argparse.Namespace) -> int:
    try:
        return _flash(options)
    except firmware_update.FlashError as error:
        detail = f" ({error.detail})" if error.detail else ""
        raise CommandError(f"{error.text()}{detail}") from error


def _flash(options: argparse.Namespace) -> int:
    avrdude = firmware_update.find_avrdude()
    named = _read(options.hex) if options.hex else None
    port = options.port or _only_port()
    hello = _ask(port)
    path = options.hex or firmware_update.shipped()
    firmware = named if options.hex else _read(path)
    origin = (
        f"built {firmware_update.built_at(path)} ({path.name})"
        if options.hex
        else "which came with Boomboard"
    )
    print(f"To be written: {firmware or 'a program that is not Boomboard’s'}, {origin}.")
    print(f"In the board on {port} now: {_on_board(hello)}.")
    doubts = list(_doubts(path, firmware, hello))
    if doubts and not options.anyway:
        raise CommandError(" ".join([*doubts, "Add --anyway to write it anyway."]))
    _write(avrdude, port, path)
    return 0


def _read(path: Path) -> firmware_update.Firmware | None:
    """Return the version of Boomboard's firmware in a hex file, or None for other firmware."""
    try:
        return firmware_update.Firmware.in_hex(path.read_text(encoding="ascii"))
    except OSError as error:
        raise CommandError(
            f"{path} cannot be read ({error.strerror}); choose another .hex file, or omit it "
            "to write the firmware that comes with Boomboard."
        ) from error
    except ValueError as error:
        raise CommandError(
            f"{path} is not an Intel hex file; choose one that “make firmware” has built, or omit "
            "it to write the firmware that comes with Boomboard."
        ) from error


def _ask(port: str) -> Hello | None:
    """Return the board's identification message, or None if the board does not send one.

    Raise CommandError if the board cannot be reached.
    """
    events: SimpleQueue[Event] = SimpleQueue()
    with BoardLink(events.put, port, hello_seconds=HELLO_SECONDS):
        while True:
            event = events.get()
            if isinstance(event, Connected):
                return event.hello
            if isinstance(event, LinkError):
                break
    if event.kind not in firmware_update.FLASHABLE:
        raise CommandError(f"{sentence(event)} Then flash again.")
    return None


def _on_board(hello: Hello | None) -> str:
    if not hello:
        return "no firmware that identifies itself, as on a new board"
    return f"{firmware_in_words(hello)}, {KINDS[hello.kind]}, {GEOMETRIES[hello.geometry]}"


def _doubts(
    path: Path, firmware: firmware_update.Firmware | None, hello: Hello | None
) -> Iterator[str]:
    """Yield each reason not to write this firmware to this board."""
    if not firmware:
        yield f"{path} is not firmware for this board; choose one that “make firmware” has built."
    if path.resolve() == firmware_update.BUILT.resolve() and firmware_update.is_stale(path):
        yield "The firmware's sources have changed since it was built; run “make firmware” first."
    if firmware and hello and firmware.version < hello.firmware:
        yield "The firmware on the board is newer than this one."


def _write(avrdude: str, port: str, path: Path) -> None:
    """Write the file, showing progress. Raise CommandError if writing fails."""
    speed = firmware_update.flash(
        avrdude, port, path, lambda output: print(output, end="", flush=True)
    )
    print("The firmware was written and verified. Check the board with “boomboard doctor”.")
    if speed == firmware_update.OLD_SPEED:
        print(
            "The board has the old boot loader of clones and of Nanos sold until 2018. If it ever "
            "stops sending and its LED blinks fast, unplug it."
        )


def _only_port() -> str:
    ports = find_ports()
    if not ports:
        raise CommandError(
            "No board is plugged in. Plug in its USB cable and flash again. If it is plugged in, "
            "try another cable, because some carry no data."
        )
    if len(ports) > 1:
        raise CommandError(
            f"The board may be at any of several ports: {', '.join(ports)}. Choose one with --port."
        )
    return ports[0]
