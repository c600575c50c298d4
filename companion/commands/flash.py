"""Write the firmware into the board over its USB cable, with avrdude.

Without a file, what comes with the program is written: it is the same for every board. What the
board was built of it has kept, or is told by “boomboard calibrate”. It is told beforehand what will
be written, and asked of the board what it has. Exit code: 0 the firmware is in the board, 2 it is
not.
"""

import argparse
import subprocess
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from shutil import which
from typing import Final

from companion.commands import CommandError
from companion.commands.workbench import sentence
from companion.maintenance.firmware import (
    BUILT,
    SHIPPED,
    Firmware,
    built_at,
    is_stale,
    is_whole,
)
from firmware_bridge.frame_text import GEOMETRIES, KINDS, firmware_in_words
from firmware_bridge.link import Connected, Event, Link, Trouble, TroubleKind, find_ports
from firmware_bridge.wire import Hello

HELLO_SECONDS: Final = 3.0
"""How long the board may take to say what it is: it starts anew when its port is opened."""
OLD_SPEED: Final = 57_600
"""Of the boot loader on Nanos sold until 2018, and on clones to this day."""
SPEEDS: Final = (115_200, OLD_SPEED)
"""Of the boot loaders on a Nano, that of today first."""
ATTEMPTS: Final = 3
"""How often avrdude calls a boot loader, six seconds each; its own ten are too many, twice."""

_FLASHABLE: Final = (TroubleKind.NO_ANSWER, TroubleKind.GARBAGE, TroubleKind.WRONG_FIRMWARE)
"""What flashing may mend; all else keeps avrdude from the board too."""
_OUT_OF_SYNC: Final = ("not in sync", "not responding", "getsync")
_MISMATCH: Final = ("verification mismatch", "verification error")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options."""
    parser.add_argument("--port", metavar="PORT", help="the serial port of the board")
    parser.add_argument(
        "--anyway",
        action="store_true",
        help="write it also if it is older than the board's or than its sources, or not ours",
    )
    parser.add_argument(
        "hex",
        nargs="?",
        type=Path,
        metavar="HEX",
        help="the firmware as an Intel hex file (default: what comes with the program)",
    )


def run(options: argparse.Namespace) -> int:
    """Flash the board."""
    avrdude = which("avrdude")
    if not avrdude:
        raise CommandError(
            "avrdude is not installed; install it with “sudo apt install avrdude” and flash again."
        )
    named = _read(options.hex) if options.hex else None
    port = options.port or _only_port()
    hello = _ask(port)
    path = options.hex or _shipped()
    firmware = named if options.hex else _read(path)
    whence = f"built {built_at(path)} ({path.name})" if options.hex else "which came with Boomboard"
    print(f"To be written: {firmware or 'a program that is not ours'}, {whence}.")
    print(f"In the board on {port} now: {_on_board(hello)}.")
    doubts = list(_doubts(path, firmware, hello))
    if doubts and not options.anyway:
        raise CommandError(" ".join([*doubts, "To write it all the same, say --anyway."]))
    _write_at_its_speed(avrdude, port, path)
    return 0


def _shipped() -> Path:
    """Return the hex file that came with the program."""
    path = SHIPPED
    try:
        if is_whole(path):
            return path
    except OSError as error:
        raise CommandError(
            f"{path} cannot be read ({error.strerror}); install Boomboard again."
        ) from error
    raise CommandError(f"{path} is not as it came with Boomboard; install Boomboard again.")


def _read(path: Path) -> Firmware | None:
    """Return what a hex file says that it is, None if it is some other program."""
    try:
        return Firmware.in_hex(path.read_text(encoding="ascii"))
    except OSError as error:
        raise CommandError(
            f"{path} cannot be read ({error.strerror}); name another .hex file, or none for what "
            "comes with Boomboard."
        ) from error
    except ValueError as error:
        raise CommandError(
            f"{path} is no Intel hex file; name one that “make firmware” has built, or none for "
            "what comes with Boomboard."
        ) from error


def _ask(port: str) -> Hello | None:
    """Let the board say what it is; None if it cannot, CommandError if nothing can reach it."""
    told: SimpleQueue[Event] = SimpleQueue()
    with Link(told.put, port, hello_seconds=HELLO_SECONDS):
        while True:
            event = told.get()
            if isinstance(event, Connected):
                return event.hello
            if isinstance(event, Trouble):
                break
    if event.kind not in _FLASHABLE:
        raise CommandError(f"{sentence(event)} Then flash again.")
    return None


def _on_board(hello: Hello | None) -> str:
    if not hello:
        return "nothing that says what it is, as in a new one"
    return f"{firmware_in_words(hello)}, which {KINDS[hello.kind]}, {GEOMETRIES[hello.geometry]}"


def _doubts(path: Path, firmware: Firmware | None, hello: Hello | None) -> Iterator[str]:
    """Say what speaks against writing this firmware into this board."""
    if not firmware:
        yield f"{path} is no firmware of this board; name one that “make firmware” has built."
    if path == BUILT and is_stale(path):
        yield "The firmware was changed after it was built; run “make firmware” first."
    if firmware and hello and firmware.version < hello.firmware:
        yield "The board has a newer firmware than this."


def _write_at_its_speed(avrdude: str, port: str, path: Path) -> None:
    """Write at the speed that the boot loader answers to; CommandError if that fails."""
    for speed in SPEEDS:
        print(f"Writing it at {speed} baud.", flush=True)
        said = _write(avrdude, port, speed, path)
        if said is None:
            print(
                "The firmware is in the board and was read back without a fault. Look at it with "
                "“boomboard doctor”."
            )
            if speed == OLD_SPEED:
                print(
                    "Its boot loader is the old one, of Nanos sold until 2018 and of clones: if "
                    "the board ever falls silent and its LED blinks fast, cut its power."
                )
            return
        if not any(sign in said for sign in _OUT_OF_SYNC):
            raise CommandError(_why(said, port))
        print("The boot loader does not answer at this speed.", flush=True)
    raise CommandError(
        f"No boot loader answers on {port}. Unplug the board and plug it in again; look whether "
        "this is the board; if it is new and empty, burn the boot loader of an Arduino Nano first."
    )


def _only_port() -> str:
    ports = find_ports()
    if not ports:
        raise CommandError(
            "No board is plugged in. Plug its USB cable in and flash again; if it is, try another "
            "cable, since some carry no data."
        )
    if len(ports) > 1:
        raise CommandError(
            f"There are several ports that may be the board: {', '.join(ports)}. Say which with "
            "--port."
        )
    return ports[0]


def _why(said: str, port: str) -> str:
    """Return a sentence for what avrdude says."""
    if any(sign in said for sign in _MISMATCH):
        return (
            "What was read back is not what was written. Flash again with another USB cable and "
            "without a hub; if it fails again, the microcontroller is worn out."
        )
    last = next((line for line in reversed(said.splitlines()) if "error" in line), said.strip())
    return f"avrdude could not write to {port} ({last}). Unplug the board and flash again."


def _write(avrdude: str, port: str, speed: int, path: Path) -> str | None:
    """Let avrdude write and verify, and show its progress. Returns its complaints, None if well."""
    command = [
        avrdude,
        *("-p", "atmega328p"),
        *("-c", "arduino"),
        *("-x", f"attempts={ATTEMPTS}"),
        *("-b", str(speed)),
        *("-P", port),
        "-D",  # a boot loader erases by the page
        *("-U", f"flash:w:{path}:i"),
    ]
    said: list[str] = []
    # avrdude draws its progress on the error stream, a sign at a time and without ends of lines.
    with subprocess.Popen(  # noqa: S603 (what is run was found by its name, and gets no shell)
        command, stderr=subprocess.PIPE, bufsize=0
    ) as process:
        assert process.stderr
        while part := process.stderr.read(64):
            said.append(part.decode(errors="replace"))
            print(said[-1], end="", flush=True)
    return None if process.returncode == 0 else "".join(said)
