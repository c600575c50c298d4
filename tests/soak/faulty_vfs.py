"""SQLite VFS that can make every change to a file fail.

SQLite accesses files through a function table, its “VFS” (https://sqlite.org/vfs.html). This VFS
calls a disk object before each change. For everything else, it uses the system's VFS.
"""

import _sqlite3
import ctypes
import sqlite3
from collections.abc import Callable
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_void_p
from itertools import count
from pathlib import Path
from typing import Any, Final, Protocol
from urllib.parse import quote

OK: Final = 0
"""SQLite's success code. All other codes are errors."""
_HEAD: Final = ("version", "file_size", "path_size")
_numbers: Final = count(1)


class VfsRegistry(Protocol):
    """Callbacks for file changes. Each returns 0, or an error code that prevents the change."""

    def write(self, path: Path, at: int, data: bytes) -> int:
        """Called before bytes are written at an offset."""

    def truncate(self, path: Path, size: int) -> int:
        """Called before a file is truncated."""

    def sync(self, path: Path) -> int:
        """Called before a file is synced."""

    def delete(self, path: Path) -> int:
        """Called before a file is deleted."""


_Close = CFUNCTYPE(c_int, c_void_p)
_Write = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
_Truncate = CFUNCTYPE(c_int, c_void_p, c_int64)
_Sync = CFUNCTYPE(c_int, c_void_p, c_int)
_Open = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p)
_Delete = CFUNCTYPE(c_int, c_void_p, c_char_p, c_int)


class _Methods(Structure):
    """The methods of an open file: ``sqlite3_io_methods``, version 3."""

    _fields_ = (
        ("version", c_int),
        ("close", _Close),
        ("read", c_void_p),
        ("write", _Write),
        ("truncate", _Truncate),
        ("sync", _Sync),
        ("others", c_void_p * 13),
    )


class _File(Structure):
    _fields_ = (("methods", POINTER(_Methods)),)


class _Vfs(Structure):
    """SQLite's file access: ``sqlite3_vfs``, version 3."""

    _fields_ = (
        *((name, c_int) for name in _HEAD),
        ("next", c_void_p),
        ("name", c_char_p),
        ("data", c_void_p),
        ("open", _Open),
        ("delete", _Delete),
        ("others", c_void_p * 13),
    )


class FaultyVfs:
    """Opens databases and passes every change to a disk object first."""

    def __init__(self, disk: VfsRegistry) -> None:
        """Register the VFS with Python's SQLite library."""
        self._disk = disk
        self._library = ctypes.CDLL(_sqlite3.__file__)
        self._library.sqlite3_vfs_find.restype = POINTER(_Vfs)
        self._system = self._library.sqlite3_vfs_find(None)
        self._name = f"boomboard-{next(_numbers)}"
        self._vfs = _Vfs.from_buffer_copy(self._system.contents)
        self._vfs.next, self._vfs.name = None, self._name.encode()
        self._vfs.open, self._vfs.delete = _Open(self._open), _Delete(self._delete)
        self._tables: dict[int, _Methods] = {}
        self._files: dict[int, tuple[Path, Any]] = {}
        """Paths of the open files, with the methods of the system's VFS."""
        # The VFS must exist as long as it is registered with SQLite.
        _doors.append(self)
        self._library.sqlite3_vfs_register(ctypes.byref(self._vfs), 0)

    def close(self) -> None:
        """Unregister the VFS, unless a file is still open."""
        if not self._files:
            self._library.sqlite3_vfs_unregister(ctypes.byref(self._vfs))
            _doors.remove(self)

    def connect(
        self, path: Path, factory: Callable[..., sqlite3.Connection], **options: Any
    ) -> sqlite3.Connection:
        address = f"file:{quote(str(path))}?vfs={self._name}"
        return factory(address, uri=True, **options)

    def _open(self, _vfs: int, name: int, file: int, flags: int, got: int) -> int:
        code: int = self._system.contents.open(
            ctypes.addressof(self._system.contents), name, file, flags, got
        )
        opened = _File.from_address(file)
        if code == OK and name and opened.methods:
            path = Path(ctypes.string_at(name).decode())
            methods = opened.methods.contents
            self._files[file] = path, methods
            opened.methods = ctypes.pointer(self._methods_for(methods))
        return code

    def _methods_for(self, methods: _Methods) -> _Methods:
        """Return a file's methods.

        Those that change the file first call the simulated disk, which can make them fail.
        """
        address = ctypes.addressof(methods)
        if address not in self._tables:
            table = _Methods.from_buffer_copy(methods)
            table.close, table.write = _Close(self._close), _Write(self._write)
            table.truncate, table.sync = _Truncate(self._truncate), _Sync(self._sync)
            self._tables[address] = table
        return self._tables[address]

    def _close(self, file: int) -> int:
        _, methods = self._files.pop(file)
        return int(methods.close(file))

    def _write(self, file: int, data: int, length: int, at: int) -> int:
        path, methods = self._files[file]
        code = self._disk.write(path, at, ctypes.string_at(data, length))
        return code or int(methods.write(file, data, length, at))

    def _truncate(self, file: int, size: int) -> int:
        path, methods = self._files[file]
        return self._disk.truncate(path, size) or int(methods.truncate(file, size))

    def _sync(self, file: int, _flags: int) -> int:
        """Report the sync to the simulated disk, but do not actually sync."""
        return self._disk.sync(self._files[file][0])

    def _delete(self, _vfs: int, name: bytes, is_synced: int) -> int:
        path = Path(name.decode())
        system = ctypes.addressof(self._system.contents)
        return self._disk.delete(path) or int(self._system.contents.delete(system, name, is_synced))


_doors: Final[list[FaultyVfs]] = []
