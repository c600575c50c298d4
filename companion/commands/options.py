"""Options for halls, traces, phones and captures that several commands share."""

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

import platformdirs

from companion.commands import CommandError, hall_packages, reason_of
from companion.ui.base.pads import USUAL, NetworkOptions, Wifi

if TYPE_CHECKING:
    from companion.hall.publisher.uplink import HallUplink
    from companion.pads import ListenAddress
    from companion.recorder.recorder import Recorder


def add_hall(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--hall",
        metavar="FILE",
        help="report the game to the hall named in this hall file or mqtts://TABLE@HOST:PORT#KEY",
    )


@contextmanager
def taking_part(named: str | None, games: Path, origin: str) -> Iterator["HallUplink | None"]:
    """Report the saved games from `origin` to the hall, if a hall was given."""
    if named is None:
        yield None
        return
    with hall_packages():
        from companion.hall.publisher import hall_file  # noqa: PLC0415
        from companion.hall.publisher.uplink import HallUplink  # noqa: PLC0415 (opens a port)

    try:
        if named.startswith(hall_file.SCHEME):
            hall = hall_file.read_hall_address(named, os.environ)
        else:
            hall = hall_file.read_hall_file(Path(named))
        line = HallUplink(hall, games, origin)
    except (hall_file.HallAddressError, hall_file.HallFileError) as error:
        raise CommandError(str(error)) from error
    except (OSError, ValueError) as error:  # from TLS
        where = "this computer" if named.startswith(hall_file.SCHEME) else named
        raise CommandError(
            f"The certificate in {where} cannot be used ({reason_of(error)})."
        ) from error
    line.start()
    try:
        yield line
    finally:
        line.close()


def add_trace(parser: argparse.ArgumentParser) -> None:
    """Add the option for recording all of the table's inputs with a flight recorder."""
    parser.add_argument(
        "--trace",
        nargs="?",
        type=Path,
        const=platformdirs.user_data_path("boomboard") / "traces",
        metavar="FOLDER",
        help="record all inputs, including declared ranks, for “boomboard trace” (default folder: "
        "%(const)s)",
    )


@contextmanager
def tracing(folder: Path | None) -> "Iterator[Recorder | None]":
    """Record a trace in `folder`, unless it is None. The recorder's errors are printed."""
    if folder is None:
        yield None
        return
    from companion.recorder.recorder import Recorder  # noqa: PLC0415

    with Recorder(folder, _warn) as recorder:
        yield recorder


def _warn(sentence: str) -> None:
    print(f"boomboard: {sentence}", file=sys.stderr, flush=True)


# Phones.

_PORTS = range(65536)
WIFI_PASSWORD: Final = "BOOMBOARD_WIFI_PASSWORD"  # noqa: S105 (the variable's name)
"""Environment variable for the password. If it were given on the command line, every user of the
computer could read it."""


def add_phones(parser: argparse.ArgumentParser) -> None:
    """Add the options that let phones connect and choose how they connect."""
    parser.add_argument(
        "--pads",
        nargs="?",
        type=_place,
        const="",
        metavar="ADDRESS:PORT",
        help="admit phones from the start, at this address and port or only port (default: 8017)",
    )
    parser.add_argument(
        "--pads-certificate",
        nargs=3,
        metavar=("CHAIN", "KEY", "NAME"),
        help="serve phones over https: certificate, key, and the name for which it was issued",
    )
    parser.add_argument(
        "--wifi",
        nargs="+",
        metavar="NAME",
        help=f"first show a code for this Wi-Fi; its password, if any, is in {WIFI_PASSWORD}",
    )


def reach(options: argparse.Namespace) -> NetworkOptions:
    if options.pads is options.pads_certificate is options.wifi is None:
        return USUAL
    place = options.pads
    if options.pads_certificate:
        from companion.pads import Certificate, ListenAddress  # noqa: PLC0415

        chain, key, name = options.pads_certificate
        place = replace(
            place or ListenAddress(), certificate=Certificate(Path(chain), Path(key), name)
        )
    return NetworkOptions(place, _wifi(options.wifi), at_once=options.pads is not None)


def _wifi(given: list[str] | None) -> Wifi | None:
    if not given:
        return None
    if len(given) > 1:
        raise CommandError(
            "Every user of this computer can read a password on a command line. Give --wifi only "
            f"the name, and set the environment variable {WIFI_PASSWORD} to the password."
        )
    return Wifi(given[0], os.environ.get(WIFI_PASSWORD, ""))


def _place(text: str) -> "ListenAddress":
    from companion.pads import ListenAddress  # noqa: PLC0415

    address, _colon, port = text.rpartition(":")
    try:
        if address:
            host = ip_address(address.removeprefix("[").removesuffix("]"))
            address = str(host)
            # The phones' code contains an IPv4 address if all interfaces are used.
            port = "?" if host.version == 6 and host.is_unspecified else port
    except ValueError:
        address = ""
        port = "?"
    if text and not (port.isdecimal() and int(port) in _PORTS):
        raise argparse.ArgumentTypeError(
            f"{text!r} is neither a numeric address with a port, such as 192.168.1.20:8017, nor a "
            "port"
        )
    usual = ListenAddress()
    return ListenAddress(address or usual.address, int(port) if port else usual.port)


# Captures.

Record: TypeAlias = Callable[[bytes], None]
"""A function that receives the bytes in the order in which they arrive."""


@contextmanager
def recording(path: Path | None) -> Iterator[Record | None]:
    """Save every byte from the board to a new file, for diagnosing line errors.

    If `path` is None, nothing is saved. The name of the file is printed at the end. An empty file
    is deleted. Raise CommandError if the file cannot be created or the capture is incomplete.
    """
    if path is None:
        yield None
        return
    capture = _Capture(path)
    try:
        yield capture.write
    finally:
        capture.close()
    if capture.failure:
        raise CommandError(
            f"The capture in {path} is incomplete ({capture.failure.strerror}); choose a file on "
            "another disk with --capture."
        )


class _Capture:
    def __init__(self, path: Path) -> None:
        self.failure: OSError | None = None
        """The write error that ended the capture, if any."""
        self._path = path
        self._bytes = 0
        try:
            self._file = path.open("xb")
        except FileExistsError as error:
            raise CommandError(
                f"{path} already exists; choose another file with --capture."
            ) from error
        except OSError as error:
            raise CommandError(
                f"{path} cannot be written ({error.strerror}); choose another file with --capture."
            ) from error

    def write(self, data: bytes) -> None:
        """Write some bytes, and flush them so that they survive a crash of this program.

        After an error, nothing more is written, because a gap in the file would look like line
        errors.
        """
        if self.failure:
            return
        try:
            self._file.write(data)
            self._file.flush()
        except OSError as error:
            self.failure = error
        self._bytes += len(data)

    def close(self) -> None:
        with suppress(OSError):  # the failure has already been reported
            self._file.close()
        if not self._bytes:
            self._path.unlink(missing_ok=True)
        elif not self.failure:
            print(
                f"Everything that the board has sent is in {self._path}; “boomboard decode "
                f"{self._path}” reads it.",
                file=sys.stderr,
            )
