"""Backup of a whole hall in one file, from which another computer can continue the evening.

The file is a ZIP archive: the hall's configuration with keys, passwords and hashes of codes, the
database as lines of JSON, whichever database system holds it, the tournament, and the
certificates. It is as secret as the hall's folder.
"""

import json
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

from companion.hall.server.hall_folder import (
    NAME,
    BrokerListener,
    parse_hall,
    read_hall,
    write_hall,
)
from companion.hall.server.store import Store, StoredRow
from companion.storage.atomic_file import sync_folder

TOURNAMENT: Final = "tournament.jsonl"
_DATABASE: Final = "database.jsonl"
_FILES: Final = "files/"
_CERTIFICATES: Final = ("certificate", "key", "authority")
"""The fields of `BrokerListener` that are paths."""


class BackupError(Exception):
    """An unusable backup; the message is a clause that gives the reason."""


def back_up(
    folder: Path, database: str, file: Path, tournament: Path | None, more: Iterable[Path]
) -> None:
    """Write the backup of a hall, also while the hall is running.

    `more` are further files, such as the certificate of the pages. OSError, ValueError or
    DatabaseError if something cannot be read or written.
    """
    hall = read_hall(folder)
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
            for path in more:
                archive.write(path, _FILES + path.name)
            with archive.open(_DATABASE, "w") as lines, closing(Store(database)) as store:
                for row in store.rows():
                    lines.write(json.dumps(row).encode() + b"\n")
        raw.flush()
        os.fsync(raw.fileno())
    new.replace(file)
    sync_folder(file.absolute().parent)


def restore(file: Path, folder: Path, database: str, address: tuple[str, int] | None) -> None:
    """Write the files of a hall into a new folder, and fill an empty database.

    `address` is the broker's new host and port, or None if it keeps them. OSError, BackupError or
    DatabaseError if that fails; the folder is removed then.
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
    for name in archive.namelist():
        if name == TOURNAMENT or name.startswith(_FILES):
            _write(folder / Path(name).name, archive.read(name))


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
