"""Run a hall of boards: the broker's files and the arbiters' pages.

A table takes part with its file: "boomboard play --hall FILE". See docs/hall.md for all steps.
"""

import argparse
import logging
from pathlib import Path
from typing import Final

from companion.commands import CommandError, counting, hall_packages

_PAGES: Final = "127.0.0.1:8300"
_LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    doings = parser.add_subparsers(metavar="DO", required=True)
    written = doings.add_parser("broker-config", help="write the files of a hall into a folder")
    _add_folder(written)
    written.add_argument(
        "--tables", type=counting, default=10, metavar="N", help="(default: %(default)s)"
    )
    written.add_argument(
        "--halls",
        type=counting,
        default=1,
        metavar="N",
        help="number of “serve” processes (default: %(default)s)",
    )
    written.add_argument(
        "--arbiter",
        action="append",
        default=[],
        metavar="NAME",
        help="an arbiter, who gets a code for the pages; repeatable",
    )
    written.add_argument(
        "--revoke",
        action="append",
        default=[],
        metavar="NAME",
        help="revoke the code or password of an arbiter or table; repeatable",
    )
    _add_listen(written, "127.0.0.1:1883", "the broker's address")
    _add_certificate(written)
    written.add_argument(
        "--ca", metavar="FILE", default="", help="the authority that signed the certificate"
    )
    written.set_defaults(do=_write)
    served = doings.add_parser(
        "serve", help="store what the tables report, and show it to arbiters"
    )
    _add_folder(served)
    served.add_argument(
        "--database",
        metavar="ADDRESS",
        help="postgresql://…, or a file (default: hall.sqlite in the folder)",
    )
    served.add_argument(
        "--as",
        dest="program",
        default="hall",
        metavar="NAME",
        help="name of this process, if several share a database: hall, hall-2 … "
        "(default: %(default)s)",
    )
    _add_listen(served, _PAGES, "the address of the pages")
    _add_certificate(served)
    served.add_argument(
        "--tournament",
        type=Path,
        metavar="FILE",
        help="also show this tournament, and enter the tables’ results",
    )
    served.set_defaults(do=_serve)
    rehearsed = doings.add_parser(
        "rehearse", help="try it out: a hall of simulated tables on this computer"
    )
    rehearsed.add_argument(
        "--tables", type=counting, default=10, metavar="N", help="(default: %(default)s)"
    )
    _add_listen(rehearsed, _PAGES, "the address of the pages")
    rehearsed.set_defaults(do=_rehearse, certificate="", key="")


def run(options: argparse.Namespace) -> int:
    options.do(options)
    return 0


def _add_folder(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the folder of the hall")


def _add_listen(parser: argparse.ArgumentParser, default: str, text: str) -> None:
    parser.add_argument(
        "--listen",
        type=_address,
        default=default,
        metavar="HOST:PORT",
        help=f"{text} (default: %(default)s)",
    )


def _add_certificate(parser: argparse.ArgumentParser) -> None:
    for option, text in (("certificate", "the certificate for TLS"), ("key", "and its key")):
        parser.add_argument(f"--{option}", metavar="FILE", default="", help=text)


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 2**16:
        raise argparse.ArgumentTypeError(f"{text!r} is not HOST:PORT, such as 127.0.0.1:8300")
    return host.strip("[]"), int(port)


def _check_encrypted(options: argparse.Namespace) -> None:
    """Raise CommandError for an unencrypted connection over a network."""
    if bool(options.certificate) != bool(options.key):
        raise CommandError("--certificate and --key belong together; give both.")
    if options.listen[0] not in _LOOPBACK and not options.certificate:
        raise CommandError(
            "Over a network, passwords and codes must be encrypted: give --certificate and --key, "
            "or listen at 127.0.0.1."
        )


def _write(options: argparse.Namespace) -> None:
    """Write the files of a hall, and print the new codes."""
    from companion.hall.server.hall_folder import BrokerListener, make_hall  # noqa: PLC0415 (few need it)

    _check_encrypted(options)
    host, port = options.listen
    listening = BrokerListener(host, port, options.certificate, options.key, options.ca)
    tables = [f"table-{number}" for number in range(1, options.tables + 1)]
    programs = ["hall", *(f"hall-{number}" for number in range(2, options.halls + 1))]
    try:
        codes = make_hall(
            options.folder, listening, tables, programs, options.arbiter, options.revoke
        )
    except (OSError, ValueError) as error:
        raise CommandError(
            f"The files of a hall cannot be written to {options.folder}: {error}."
        ) from error
    for name, code in codes.items():
        print(f"{name}'s code: {code}")
    print(f"Start the broker with “mosquitto -c {options.folder / 'mosquitto.conf'}”.")
    if options.revoke:
        print("Restart the broker, so that revoked passwords are no longer valid.")
    print(f"Give each table only its own file, such as {options.folder / 'table-1.json'}.")


def _serve(options: argparse.Namespace) -> None:
    with hall_packages():
        from companion.hall.console.console import WebServerOptions, serve  # noqa: PLC0415
        from companion.hall.server.hall_folder import read_hall  # noqa: PLC0415 (few need it)

    _check_encrypted(options)
    try:
        hall = read_hall(options.folder)
    except (OSError, ValueError) as error:
        raise CommandError(
            f"{options.folder} is not the folder of a hall: {error}. Create one with “boomboard "
            "hall broker-config”."
        ) from error
    if options.program not in hall.passwords:
        raise CommandError(
            f"There is no hall called {options.program}; create it with “boomboard hall "
            "broker-config --halls N”."
        )
    logging.basicConfig(format="%(levelname)s %(message)s")
    scheme = "https" if options.certificate else "http"
    host, port = options.listen
    print(f"The arbiters' pages: {scheme}://{host}:{port}", flush=True)
    database = options.database or str(options.folder / "hall.sqlite")
    listening = WebServerOptions(host, port, options.certificate, options.key)
    try:
        serve(options.folder, hall, options.program, database, listening, options.tournament)
    except OSError as error:
        raise CommandError(
            f"Cannot listen at {host}:{port}: {error.strerror}. Choose another address with "
            "--listen."
        ) from error


def _rehearse(options: argparse.Namespace) -> None:
    """Open a hall of simulated tables as a rehearsal."""
    with hall_packages():
        from companion.hall.console.console import WebServerOptions  # noqa: PLC0415
        from companion.hall.demo import NoBrokerError, rehearse  # noqa: PLC0415 (few need it)

    _check_encrypted(options)
    host, port = options.listen

    def report(code: str) -> None:
        print(f"Open http://{host}:{port} and sign in with {code}. Ctrl+C ends it.", flush=True)

    try:
        rehearse(options.tables, WebServerOptions(host, port), report)
    except NoBrokerError as error:
        raise CommandError(str(error)) from error
