"""Files of a hall: the broker's configuration, a file for each table, and the hall file.

`boomboard hall broker-config` writes these files. If it is run again in the same folder, it keeps
keys, passwords and codes, and adds new tables and arbiters. `renew` and `revoke` change individual
codes and passwords.

Another computer can take over a hall from its backup. A backup is a single ZIP archive that
contains the hall's configuration (with keys, passwords and hashed codes), the database as JSON
lines that either database system can load, the tournament, and the certificates. A backup is as
secret as the hall's folder.
"""

import base64
import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

from nacl.signing import SigningKey

from companion.codec import from_plain, to_plain
from companion.hall.protocol import messages
from companion.hall.protocol.broker import Broker, join_address
from companion.hall.publisher.hall_file import HallFile, write_hall_file
from companion.hall.server.store import Store, StoredRow
from companion.jsonl.untrusted import read_object
from companion.storage.atomic_file import sync_folder, write_atomically

NAME: Final = "hall.json"
BROKER: Final = "mosquitto.conf"
_ROUNDS: Final = 101
"""Number of hash iterations for a password: Mosquitto's default. This small number suffices because
the passwords are random and cannot be found in a word list."""
_CODE_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""Alphabet of the codes, without characters that are easily confused."""
_CODE_LENGTH: Final = 8


@dataclass(frozen=True)
class BrokerListener:
    """Address and certificate of the broker's listener."""

    host: str
    """Host name or IP address at which the tables reach the broker."""
    port: int
    certificate: str = ""
    """Path of the broker's certificate. This path, `key` and `authority` (the CA certificate) are
    all empty if the broker runs on the same computer as its tables."""
    key: str = ""
    authority: str = ""

    @property
    def is_encrypted(self) -> bool:
        return bool(self.certificate)


THIS_COMPUTER: Final = BrokerListener("127.0.0.1", 1883)


@dataclass
class Hall:
    """Configuration and secrets of a hall."""

    listening: BrokerListener
    signing_key: str
    """Private key that signs orders, in hexadecimal."""
    passwords: Mapping[str, str] = field(default_factory=dict)
    """Broker passwords of the tables and the hall's own programs, keyed by user name."""
    tables: tuple[str, ...] = ()
    arbiters: Mapping[str, str] = field(default_factory=dict)
    """Names of the arbiters, keyed by the hash of their code."""

    @property
    def key(self) -> SigningKey:
        return SigningKey(bytes.fromhex(self.signing_key))

    def broker(self, user: str) -> Broker:
        """Return the broker's address with a user's credentials."""
        scheme = "mqtts" if self.listening.is_encrypted else "mqtt"
        address = f"{scheme}://{join_address(self.listening.host, self.listening.port)}"
        authority = self.listening.authority
        trusted = Path(authority).read_text(encoding="utf-8") if authority else ""
        return Broker(address, user, self.passwords[user], trusted)

    def table_file(self, table: str) -> HallFile:
        return HallFile(table, self.broker(table), self.key.verify_key.encode().hex())


def read_hall(folder: Path) -> Hall:
    """Read the hall file in a folder.

    Raise OSError if the file cannot be read, and ValueError if it is malformed.
    """
    try:
        return parse_hall((folder / NAME).read_bytes())
    except ValueError as error:
        raise ValueError(f"{folder / NAME} is not a hall file ({error})") from error


def parse_hall(content: bytes) -> Hall:
    """Parse the content of a hall file. Raise ValueError if the content is malformed."""
    hall: Hall = from_plain(read_object(content), Hall, "the file")
    return hall


def make_hall(
    folder: Path,
    listening: BrokerListener | None,
    tables: Sequence[str],
    programs: Sequence[str],
    arbiters: Sequence[str],
) -> Mapping[str, str]:
    """Write all files of a hall, and return the codes of the new arbiters, which are not stored.

    If `listening` is None, an existing hall keeps its address and certificate. Raise OSError if a
    file cannot be read or written, and ValueError for an invalid name.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        hall = read_hall(folder)
        hall.listening = listening or hall.listening
    except FileNotFoundError:
        hall = Hall(listening or THIS_COMPUTER, SigningKey.generate().encode().hex())
    added = (messages.check_name(table) for table in tables if table not in hall.tables)
    hall.tables = (*hall.tables, *added)
    return write_hall(folder, hall, programs, arbiters)


def renew(folder: Path, names: Sequence[str]) -> Mapping[str, str]:
    """Replace the codes of arbiters and the passwords of tables and programs.

    Return the new codes. Raise OSError if a file cannot be read or written, and ValueError for an
    unknown name.
    """
    hall = read_hall(folder)
    users, arbiters = [*hall.passwords], [each for each in hall.arbiters.values() if each in names]
    _remove(hall, names)
    return write_hall(folder, hall, users, arbiters)


def revoke(folder: Path, names: Sequence[str]) -> None:
    """Remove arbiters, tables and programs. Raise the same errors as `renew`."""
    hall = read_hall(folder)
    _remove(hall, names)
    removed = [table for table in hall.tables if table in names]
    hall.tables = tuple(table for table in hall.tables if table not in names)
    write_hall(folder, hall)
    for table in removed:
        (folder / f"{table}.json").unlink(missing_ok=True)


def _remove(hall: Hall, names: Sequence[str]) -> None:
    """Remove codes and passwords. Raise ValueError for a name that has neither."""
    for name in names:
        if name not in hall.passwords and name not in hall.arbiters.values():
            raise ValueError(f"there is no arbiter or table called {name!r}")
    hall.passwords = {user: word for user, word in hall.passwords.items() if user not in names}
    hall.arbiters = {code: name for code, name in hall.arbiters.items() if name not in names}


def write_hall(
    folder: Path, hall: Hall, programs: Sequence[str] = (), arbiters: Sequence[str] = ()
) -> Mapping[str, str]:
    """Generate the missing passwords and codes, and write all files.

    `programs` are broker users in addition to the tables. Return the new codes. Raise OSError if
    a file cannot be written, and ValueError for an invalid name.
    """
    users = (*hall.tables, *map(messages.check_name, programs))
    drawn = {user: secrets.token_urlsafe(24) for user in users if user not in hall.passwords}
    hall.passwords = {**hall.passwords, **drawn}
    codes = {name: _draw_code() for name in arbiters if name not in hall.arbiters.values()}
    hashes = {hash_code(code, hall.signing_key): name for name, code in codes.items()}
    hall.arbiters = {**hall.arbiters, **hashes}
    write_atomically(folder / NAME, json.dumps(to_plain(hall), indent=2) + "\n")
    _write_broker(folder, hall)
    for table in hall.tables:
        write_atomically(folder / f"{table}.json", write_hall_file(hall.table_file(table)))
    return codes


class ArbiterCodes:
    """The arbiters' names, keyed by the hash of their code. Reloaded when the hall file changes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen: tuple[int, int] | None = None
        self._codes: Mapping[str, str] = {}

    def __call__(self) -> Mapping[str, str]:
        """Return the current codes, or the last known codes if the file cannot be read."""
        try:
            stat = (self._folder / NAME).stat()
            seen = stat.st_ino, stat.st_mtime_ns
            if seen != self._seen:
                self._codes, self._seen = read_hall(self._folder).arbiters, seen
        except (OSError, ValueError):
            return self._codes
        return self._codes


def hash_code(code: str, salt: str) -> str:
    """Return a slow hash of an arbiter's code.

    Hashing takes 4 MB of memory and about 12 ms. A slower hash would allow strangers who try codes
    to delay an arbiter's sign-in. It would not protect the hall better, because the file with the
    hashes also contains the signing key.
    """
    letters = "".join(letter for letter in code.lower() if letter in _CODE_LETTERS)
    return hashlib.scrypt(letters.encode(), salt=salt.encode(), n=2**12, r=8, p=1).hex()


def _draw_code() -> str:
    letters = "".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH))
    return f"{letters[:4]}-{letters[4:]}"


# -- broker files


def _write_broker(folder: Path, hall: Hall) -> None:
    folder = folder.resolve()
    programs = [user for user in hall.passwords if user not in hall.tables]
    users = "".join(f"{user}:{_hash(word)}\n" for user, word in hall.passwords.items())
    write_atomically(folder / "passwords", users)
    write_atomically(folder / "access", _access(programs))
    write_atomically(folder / BROKER, _configuration(folder, hall.listening))


def _configuration(folder: Path, listening: BrokerListener) -> str:
    loopback = "::1" if listening.host == "::1" else "127.0.0.1"
    lines = [
        "# Mosquitto's configuration for this hall, written by “boomboard hall broker-config”.",
        f"listener {listening.port} {'' if listening.is_encrypted else loopback}".rstrip(),
        "allow_anonymous false",
        "# The client ID is the user name, so that no user can take over another's connection.",
        "use_username_as_clientid true",
        f"password_file {folder / 'passwords'}",
        f"acl_file {folder / 'access'}",
        "# If the broker loses messages, the tables send them again.",
        "persistence false",
        "max_queued_messages 10000",
        "max_packet_size 65536",
    ]
    if listening.is_encrypted:
        lines += [
            f"certfile {Path(listening.certificate).resolve()}",
            f"keyfile {Path(listening.key).resolve()}",
            "tls_version tlsv1.2",
        ]
    return "\n".join(lines) + "\n"


def _access(programs: Sequence[str]) -> str:
    """Return the broker's access list. A table may use its own topics, and the hall all topics."""
    lines = ["# The topics that each user may read and write."]
    for program in programs:
        lines.append(f"user {program}")
        lines += [
            f"topic read {messages.topic('+', what)}"
            for what in (messages.ITEMS, messages.PRESENCE, messages.ANSWERS)
        ]
        lines += [
            f"topic write {messages.topic('+', what)}"
            for what in (messages.RECEIVED, messages.ORDERS)
        ]
    own = [
        f"pattern write {messages.topic('%u', what)}"
        for what in (messages.ITEMS, messages.PRESENCE, messages.ANSWERS)
    ]
    own += [
        f"pattern read {messages.topic('%u', what)}"
        for what in (messages.RECEIVED, messages.ORDERS)
    ]
    return "\n".join([*lines, *own]) + "\n"


def _hash(password: str) -> str:
    """Hash a password in the format of Mosquitto's password file."""
    salt = secrets.token_bytes(12)
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, _ROUNDS)
    parts = (base64.b64encode(each).decode() for each in (salt, digest))
    return f"$7${_ROUNDS}${'$'.join(parts)}"


TOURNAMENT: Final = "tournament.jsonl"
_DATABASE: Final = "database.jsonl"
_FILES: Final = "files/"
"""Folder of the further files, in the archive and in a restored hall. The hall's own folder could
already contain files with the same names."""
_CERTIFICATES: Final = ("certificate", "key", "authority")
"""Fields of `BrokerListener` that contain paths."""


class BackupError(Exception):
    """The backup is unusable. The message is a clause that gives the reason."""


def back_up(
    folder: Path, database: str, file: Path, tournament: Path | None, more: Sequence[Path]
) -> None:
    """Back up a hall, which may be running.

    `more` lists further files, such as the certificate of the web pages. Their names must differ,
    because `restore` writes them into one folder. Raise OSError, ValueError or DatabaseError if
    something cannot be read or written.
    """
    hall = read_hall(folder)
    further = {path.name: path for path in more}
    if len(further) < len(more):
        raise ValueError("two of the further files have the same name; rename one of them")
    new = file.with_name(f"{file.name}.new")
    new.unlink(missing_ok=True)
    descriptor = os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "wb") as raw:
        with ZipFile(raw, "w", ZIP_DEFLATED) as archive:
            archive.write(folder / NAME, NAME)
            for field in _CERTIFICATES:
                if path := getattr(hall.listening, field):
                    archive.write(path, f"{field}.pem")
            if tournament:
                archive.write(tournament, TOURNAMENT)
            for name, path in further.items():
                archive.write(path, _FILES + name)
            with archive.open(_DATABASE, "w") as lines, closing(Store(database)) as store:
                for row in store.rows():
                    lines.write(json.dumps(row).encode() + b"\n")
        raw.flush()
        os.fsync(raw.fileno())
    new.replace(file)
    sync_folder(file.absolute().parent)


def restore(file: Path, folder: Path, database: str, address: tuple[str, int] | None) -> None:
    """Write the files of a hall to a new folder, and fill an empty database.

    `address` is the broker's new host and port, or None to keep the old ones. On failure, the
    folder is removed, and OSError, BackupError or DatabaseError is raised.
    """
    folder.mkdir(mode=0o700, parents=True)
    try:
        with ZipFile(file) as archive:
            _write_files(archive, folder, address)
            with closing(Store(database)) as store:
                store.load(_read_rows(archive))
    except BaseException as error:
        shutil.rmtree(folder)
        if isinstance(error, BadZipFile | KeyError | ValueError):
            raise BackupError(f"it is not a backup of a hall ({error})") from error
        raise


def _write_files(archive: ZipFile, folder: Path, address: tuple[str, int] | None) -> None:
    hall = parse_hall(archive.read(NAME))
    host, port = address or (hall.listening.host, hall.listening.port)
    paths = {field: f"{field}.pem" for field in _CERTIFICATES if getattr(hall.listening, field)}
    for name in paths.values():
        _write(folder / name, archive.read(name))
    absolute = {field: str((folder / name).resolve()) for field, name in paths.items()}
    hall.listening = BrokerListener(host, port, **absolute)
    write_hall(folder, hall)
    (folder / _FILES).mkdir(mode=0o700)
    for name in archive.namelist():
        if name == TOURNAMENT:
            _write(folder / TOURNAMENT, archive.read(name))
        elif name.startswith(_FILES):
            _write(folder / _FILES / Path(name).name, archive.read(name))


def _write(path: Path, content: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _read_rows(archive: ZipFile) -> Iterator[StoredRow]:
    with archive.open(_DATABASE) as lines:
        for line in lines:
            table, row = json.loads(line)
            yield str(table), list(row)
