"""Run a hall of many boards.

A table joins with its hall file: "boomboard play --hall FILE". See docs/hall.md.
“boomboard hall ACTION --help” lists all options.
"""

import argparse
import logging
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.commands import CommandError, counting, hall_packages, reason_of

if TYPE_CHECKING:
    from companion.hall.server.hall_folder import Hall

_PAGES: Final = "127.0.0.1:8300"
_TABLES: Final = 10
"""Number of tables in a new hall, unless another number is given."""
_LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    doings = parser.add_subparsers(metavar="DO", required=True)
    written = doings.add_parser("broker-config", help="write the files of a hall into a folder")
    _add_folder(written)
    written.add_argument(
        "--tables",
        type=counting,
        metavar="N",
        help=f"number of tables (default: {_TABLES} in a new hall, otherwise unchanged)",
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
        "--listen",
        type=_address,
        metavar="HOST:PORT",
        help="the broker's address (default: unchanged, at first 127.0.0.1:1883)",
    )
    _add_certificate(written)
    written.add_argument(
        "--ca", metavar="FILE", default="", help="the authority that signed the certificate"
    )
    written.set_defaults(do=_write)
    for name, do, text in (
        ("renew", _renew, "replace the codes of arbiters and the passwords of tables"),
        ("revoke", _revoke, "remove arbiters and tables"),
    ):
        changed = doings.add_parser(name, help=text)
        _add_folder(changed)
        changed.add_argument("names", nargs="+", metavar="NAME", help="an arbiter or a table")
        changed.set_defaults(do=do)
    saved = doings.add_parser(
        "backup", help="write everything into one file, even while the hall runs"
    )
    _add_folder(saved)
    saved.add_argument("file", type=Path, metavar="FILE", help="the backup")
    saved.add_argument(
        "--with",
        dest="more",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="a further file, such as the certificate of the pages; repeatable",
    )
    restored = doings.add_parser("restore", help="continue a hall from its backup")
    restored.add_argument("file", type=Path, metavar="FILE", help="the backup")
    restored.add_argument("folder", type=Path, metavar="FOLDER", help="a new folder for the hall")
    restored.add_argument(
        "--listen",
        type=_address,
        metavar="HOST:PORT",
        help="the broker's new address (default: the old one)",
    )
    restored.set_defaults(do=_restore)
    served = doings.add_parser(
        "serve", help="store what the tables report, and show it to arbiters"
    )
    _add_folder(served)
    for each in (saved, restored, served):
        each.add_argument(
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
    for each, text in (
        (saved, "also save this tournament"),
        (served, "also show this tournament, and enter the tables’ results"),
    ):
        each.add_argument("--tournament", type=Path, metavar="FILE", help=text)
    saved.set_defaults(do=_back_up)
    served.set_defaults(do=_serve)
    rehearsed = doings.add_parser(
        "rehearse", help="try it out: a hall of simulated tables on this computer"
    )
    rehearsed.add_argument(
        "--tables", type=counting, default=_TABLES, metavar="N", help="(default: %(default)s)"
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
    for option, text in (
        ("certificate", "the certificate for TLS"),
        ("key", "the certificate's key"),
    ):
        parser.add_argument(f"--{option}", metavar="FILE", default="", help=text)


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 2**16:
        raise argparse.ArgumentTypeError(f"{text!r} is not HOST:PORT, such as 127.0.0.1:8300")
    return host.strip("[]"), int(port)


def _check_encrypted(options: argparse.Namespace) -> None:
    """Raise CommandError for an unencrypted connection over a network."""
    if bool(options.certificate) != bool(options.key):
        raise CommandError("--certificate and --key must be used together.")
    if options.listen[0] not in _LOOPBACK and not options.certificate:
        raise CommandError(
            "Over a network, passwords and codes must be encrypted: give --certificate and --key, "
            "or listen on 127.0.0.1."
        )


def _write(options: argparse.Namespace) -> None:
    from companion.hall.server.hall_folder import NAME, BrokerListener, make_hall  # noqa: PLC0415 (few need it)

    listening = None
    if options.listen:
        _check_encrypted(options)
        host, port = options.listen
        listening = BrokerListener(host, port, options.certificate, options.key, options.ca)
    elif options.certificate or options.key or options.ca:
        raise CommandError(
            "A certificate requires --listen with the address for which it is valid."
        )
    # A revoked table must not come back, so an existing hall gets only the tables asked for.
    usual = 0 if (options.folder / NAME).exists() else _TABLES
    count = usual if options.tables is None else options.tables
    tables = [f"table-{number}" for number in range(1, count + 1)]
    programs = ["hall", *(f"hall-{number}" for number in range(2, options.halls + 1))]
    try:
        codes = make_hall(options.folder, listening, tables, programs, options.arbiter)
    except (OSError, ValueError) as error:
        raise CommandError(
            f"The files of a hall cannot be written to {options.folder}: {error}."
        ) from error
    _print_codes(codes)
    print(f"Start the broker with “mosquitto -c {options.folder / 'mosquitto.conf'}”.")
    print(f"Give each table only its own file, such as {options.folder / 'table-1.json'}.")


def _print_codes(codes: Mapping[str, str]) -> None:
    for name, code in codes.items():
        print(f"{name}'s code: {code}")


def _renew(options: argparse.Namespace) -> None:
    from companion.hall.server.hall_folder import read_hall, renew  # noqa: PLC0415 (few need it)

    with _changing(options.folder):
        codes = renew(options.folder, options.names)
        hall = read_hall(options.folder)
    _print_codes(codes)
    tables = [name for name in hall.tables if name in options.names]
    if tables:
        print(f"Restart the broker, and give these tables their new files: {', '.join(tables)}.")
    for name in hall.passwords:
        if name in options.names and name not in tables:
            print(f"Restart the broker and “boomboard hall serve --as {name}”.")


def _revoke(options: argparse.Namespace) -> None:
    from companion.hall.server.hall_folder import revoke  # noqa: PLC0415 (few need it)

    with _changing(options.folder):
        revoke(options.folder, options.names)
    print("Codes are no longer valid; passwords of tables only until the broker is restarted.")


@contextmanager
def _changing(folder: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        raise CommandError(f"The hall in {folder} cannot be changed: {error}.") from error


def _back_up(options: argparse.Namespace) -> None:
    from companion.hall.server.hall_folder import back_up  # noqa: PLC0415 (few need it)
    from companion.hall.server.store import DatabaseError, is_postgresql  # noqa: PLC0415 (few need it)

    database = options.database or str(options.folder / "hall.sqlite")
    # SQLite would create a missing database, and the backup would contain no games.
    if not is_postgresql(database) and not Path(database).exists():
        raise CommandError(f"{database} does not exist; give the hall's database with --database.")
    try:
        back_up(options.folder, database, options.file, options.tournament, options.more)
    except (OSError, ValueError, DatabaseError) as error:
        raise CommandError(f"The backup cannot be written: {error}.") from error
    print(f"{options.file} contains everything, including the passwords; keep it secret.")


def _restore(options: argparse.Namespace) -> None:
    from companion.hall.server.hall_folder import BackupError, restore  # noqa: PLC0415 (few need it)
    from companion.hall.server.store import DatabaseError  # noqa: PLC0415 (few need it)

    database = options.database or str(options.folder / "hall.sqlite")
    try:
        restore(options.file, options.folder, database, options.listen)
    except (OSError, BackupError, DatabaseError) as error:
        raise CommandError(f"{options.file} cannot be restored: {error}.") from error
    print(
        f"Start the broker with “mosquitto -c {options.folder / 'mosquitto.conf'}”, and the pages"
    )
    print(f"with “boomboard hall serve {options.folder}” and the same options as before.")
    if options.listen:
        print(f"Give each table its new file, such as {options.folder / 'table-1.json'}.")


def _serve(options: argparse.Namespace) -> None:
    with hall_packages():
        from companion.hall.console.console import WebServerOptions, serve  # noqa: PLC0415
        from companion.hall.protocol.broker import join_address  # noqa: PLC0415 (few need it)
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
    _check_certificates(options, hall)
    logging.basicConfig(format="%(levelname)s %(message)s")
    scheme = "https" if options.certificate else "http"
    host, port = options.listen
    print(f"The arbiters' pages: {scheme}://{join_address(host, port)}", flush=True)
    database = options.database or str(options.folder / "hall.sqlite")
    listening = WebServerOptions(host, port, options.certificate, options.key)
    try:
        serve(options.folder, hall, options.program, database, listening, options.tournament)
    except OSError as error:
        raise CommandError(
            f"Cannot listen on {join_address(host, port)}: {error.strerror}. Choose another "
            "address with --listen."
        ) from error


def _check_certificates(options: argparse.Namespace, hall: "Hall") -> None:
    """Raise CommandError if a certificate of the broker or of the pages cannot be used."""
    from companion.hall.protocol.mqtt import tls_context  # noqa: PLC0415 (few need it)

    used = f"The broker's authority {hall.listening.authority}"
    try:
        tls_context(hall.broker(options.program))
        if options.certificate:
            used = f"The certificate {options.certificate} with the key {options.key}"
            pages = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            pages.load_cert_chain(options.certificate, options.key)
    except (OSError, ValueError) as error:
        raise CommandError(f"{used} cannot be used ({reason_of(error)}).") from error


def _rehearse(options: argparse.Namespace) -> None:
    with hall_packages():
        from companion.hall.console.console import WebServerOptions  # noqa: PLC0415
        from companion.hall.demo import NoBrokerError, rehearse  # noqa: PLC0415 (few need it)
        from companion.hall.protocol.broker import join_address  # noqa: PLC0415 (few need it)

    _check_encrypted(options)
    host, port = options.listen

    def report(code: str) -> None:
        address = f"http://{join_address(host, port)}"
        print(f"Open {address} and sign in with {code}. Ctrl+C ends it.", flush=True)

    try:
        rehearse(options.tables, WebServerOptions(host, port), report)
    except NoBrokerError as error:
        raise CommandError(str(error)) from error
