"""Write the firmware into the board over its USB cable, with avrdude.

Exit code: 0 the firmware is in the board, 2 it is not.
"""

import argparse
import subprocess
from pathlib import Path
from shutil import which
from typing import Final

from companion.commands import CommandError
from companion.workshop.bench import sentence
from firmware_bridge.link import find_ports, try_port

BUILT: Final = Path(__file__).parents[2] / "hardware" / "firmware" / "build" / "boomboard.hex"
"""Where “make firmware” leaves it."""
SPEEDS: Final = (115_200, 57_600)
"""Of the boot loader on a Nano: the one of today first, then the one of Nanos sold until 2018."""
ATTEMPTS: Final = 3
"""How often avrdude calls a boot loader, six seconds each; its own ten are too many, twice."""

_OUT_OF_SYNC: Final = ("not in sync", "not responding", "getsync")
_MISMATCH: Final = ("verification mismatch", "verification error")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options."""
    parser.add_argument("--port", metavar="PORT", help="the serial port of the board")
    parser.add_argument(
        "hex",
        nargs="?",
        type=Path,
        default=BUILT,
        metavar="HEX",
        help="the firmware as an Intel hex file (default: what “make firmware” has built)",
    )


def run(options: argparse.Namespace) -> int:
    """Flash the board."""
    avrdude = which("avrdude")
    if not avrdude:
        raise CommandError(
            "avrdude is not installed; install it with “sudo apt install avrdude” and flash again."
        )
    _check_file(options.hex)
    port = options.port or _only_port()
    trouble = try_port(port)
    if trouble:
        raise CommandError(f"{sentence(trouble)} Then flash again.")
    for speed in SPEEDS:
        print(f"Writing {options.hex.name} to the board on {port}, at {speed} baud.", flush=True)
        said = _write(avrdude, port, speed, options.hex)
        if said is None:
            print(
                "The firmware is in the board and was read back without a fault. Look at it with "
                "“boomboard doctor”."
            )
            return 0
        if not any(sign in said for sign in _OUT_OF_SYNC):
            raise CommandError(_why(said, port))
        print("The boot loader does not answer at this speed.", flush=True)
    raise CommandError(
        f"No boot loader answers on {port}. Unplug the board and plug it in again; look whether "
        "this is the board; if it is new and empty, burn the boot loader of an Arduino Nano first."
    )


def _check_file(path: Path) -> None:
    try:
        with path.open("rb") as file:
            start = file.read(1)
    except OSError as error:
        if path == BUILT:
            way_out = "build it with “make firmware”, or name a .hex file"
        else:
            way_out = "name another .hex file"
        raise CommandError(f"{path} cannot be read ({error.strerror}); {way_out}.") from error
    if start != b":":
        raise CommandError(f"{path} is no Intel hex file; name one that “make firmware” has built.")


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
