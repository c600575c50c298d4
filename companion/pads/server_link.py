"""The phones' web server as a process, and the game's end of the channel to it.

The server runs in a separate process, so that neither phones nor strangers can use up the game's
memory, CPU time or file descriptors. Both ends exchange lines of JSON over a Unix socket. The game
sends

- ``{"seat": SIDE, "number": N, "secret": TOKEN, "token": TOKEN}``: the seat is for a phone with
  this secret or, if `token` is not empty, for the phone that had the seat in an earlier server
- ``{"pad": SIDE, "text": VIEW, "at": SECONDS}``: a player's view, and the time on the table's
  clock
- ``{"everybody": VIEW, "delay": SECONDS, "at": SECONDS}``: the spectators' view
- ``{"sheets": {LANGUAGE: TEXT}, "stories": {LANGUAGE: TEXT}}``: texts about the previous game
- ``{"read": SIDE, "number": N, "count": M}``: M messages have been read
- ``{"ready": true}``: the server may accept connections

and the server sends

- ``{"taken": TOKEN, "side": SIDE, "number": N}``: a phone has taken the seat
- ``{"say": COMMAND, "side": SIDE, "number": N}``: a player's command
- ``{"presence": STATE, "heard": BOOL, "side": SIDE, "number": N}``: whether the phone receives
  views, and whether it has just sent a message

N numbers the secrets of the seat, so that messages from a phone that has lost its seat can be
dropped.

The game never waits for the server. If the server is slow, only the latest message of each type is
kept for it. If the server sends anything unexpected, it is stopped. If it stops by itself, `Pads`
starts another server, and both phones keep their seats.
"""

import asyncio
import json
import logging
import math
import os
import resource
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from companion.jsonl.untrusted import read_object
from companion.pads.encryption import SECRET, UP_SIZE
from companion.pads.listen_address import read_token, write_secret, write_token
from companion.pads.pad_hub import WAITING
from companion.pads.protocols import PATIENCE, Certificate, Presence
from engine.board.geometry import Side

MOST_LINE: Final = 8 * UP_SIZE
"""Maximum size of a message from the server, in bytes. JSON may escape each byte of a command."""
READ_AT_ONCE: Final = 65_536
"""Maximum number of bytes read per screen frame."""
MOST_UNREAD: Final = 4 * WAITING
"""Maximum number of player commands between two screen frames. A correct server sends at most
`WAITING` per player."""


class Server(Protocol):
    """A running server, as a process or in a thread."""

    @property
    def is_running(self) -> bool:
        """Whether the server is running."""

    def stop(self) -> None:
        """End the server, whose channel has already been closed. The port is then free."""


StartServer = Callable[[socket.socket, socket.socket, Certificate | None], Server]
"""Starts a server with its end of the channel and its listening socket. The caller closes both."""


@dataclass(frozen=True)
class SeatKeys:
    """Credentials for a seat, which outlive the server."""

    secret: bytes
    """Secret in the seat's address."""
    token: bytes = b""
    """Token of the phone that has the seat, or empty."""


class PadLink:
    """The game's end of the channel to the server."""

    def __init__(
        self,
        start: StartServer,
        listener: socket.socket,
        certificate: Certificate | None,
        draw: Callable[[int], bytes],
        clock: Callable[[], float],
        seats: Mapping[Side, SeatKeys] | None = None,
    ) -> None:
        """Start a server with two free seats, or with the `seats` of an earlier server.

        The server accepts no connections until `accept` is called.
        """
        self._draw, self._clock = draw, clock
        self._channel, other_end = socket.socketpair()
        self._channel.setblocking(False)
        self.seats: dict[Side, SeatKeys] = {}
        self._numbers = dict.fromkeys(Side, 0)
        self._texts: dict[Side | None, bytes] = {}
        self.changes: dict[Side | None, int] = {None: 0, **dict.fromkeys(Side, 0)}
        """Number of different views so far, for each player and for spectators."""
        self._about_previous: object = None
        self._presence = dict.fromkeys(Side, Presence.ABSENT)
        self._heard_at = dict.fromkeys(Side, -math.inf)
        self._commands: list[tuple[Side, Mapping[str, Any]]] = []
        self._heard = b""
        self._is_broken = False
        self.has_misbehaved = False
        """Whether the server was stopped because it sent something unexpected."""
        self._unsent: dict[str, bytes] = {}
        self._partial = b""
        with other_end, listener:
            self._server = start(other_end, listener, certificate)
        for side in Side:
            self._assign(side, seats[side] if seats else SeatKeys(draw(SECRET)))

    @property
    def is_running(self) -> bool:
        """Whether the server is running and behaves as expected."""
        return self._server.is_running and not self._is_broken

    def accept(self) -> None:
        """Start accepting connections. All views must have been sent beforehand."""
        self._send("ready", {"ready": True})

    def stop(self) -> None:
        """End the server. The port is then free."""
        self._channel.close()
        self._server.stop()

    def code(self, side: Side) -> str:
        """Return the fragment of a seat's address."""
        return write_secret(side, self.seats[side].secret)

    def renew(self, side: Side) -> None:
        """Give a seat a new secret. Its phone is disconnected."""
        self._assign(side, SeatKeys(self._draw(SECRET)))

    def _assign(self, side: Side, keys: SeatKeys) -> None:
        self.seats[side] = keys
        self._numbers[side] += 1
        self._presence[side] = Presence.ABSENT
        self._heard_at[side] = -math.inf
        self._commands = [each for each in self._commands if each[0] is not side]
        self._unsent.pop(f"read {side.value}", None)
        message = {
            "seat": side.value,
            "number": self._numbers[side],
            "secret": write_token(keys.secret),
            "token": write_token(keys.token) if keys.token else "",
        }
        self._send(f"seat {side.value}", message)

    def presence(self, side: Side) -> Presence:
        """Return the presence of a side's phone. A silent phone is `Presence.AWAY`."""
        self._receive()
        is_silent = self._clock() - self._heard_at[side] >= PATIENCE
        presence = self._presence[side]
        return Presence.AWAY if presence is Presence.HERE and is_silent else presence

    def take(self) -> list[tuple[Side, Mapping[str, Any]]]:
        """Return the players' commands that have arrived since the last call."""
        self._receive()
        commands, self._commands = self._commands, []
        for side in Side:
            if count := sum(each is side for each, _ in commands):
                self._confirm(side, count)
        self._flush()
        return commands

    def show(self, side: Side, text: bytes) -> None:
        if self._is_new(side, text):
            message = {"pad": side.value, "text": text.decode(), "at": float(self._clock())}
            self._send(f"pad {side.value}", message)

    def show_everybody(self, text: bytes, delay: float) -> None:
        """Set the spectators' view, which lags `delay` seconds behind the game."""
        if self._is_new(None, text):
            at = float(self._clock())
            message = {"everybody": text.decode(), "delay": float(delay), "at": at}
            self._send("everybody", message)

    def show_previous(self, sheets: Mapping[str, str], stories: Mapping[str, bytes]) -> None:
        """Set the score sheets and stories of the previous game, keyed by language."""
        if self._about_previous != (sheets, stories):
            self._about_previous = sheets, stories
            texts = {code: text.decode() for code, text in stories.items()}
            self._send("previous", {"sheets": dict(sheets), "stories": texts})

    def _is_new(self, viewer: Side | None, text: bytes) -> bool:
        is_new = self._texts.get(viewer) != text
        self._texts[viewer] = text
        self.changes[viewer] += is_new
        return is_new

    # -- to the server

    def _confirm(self, side: Side, count: int) -> None:
        """Report how many commands have been read.

        If an earlier report has not been sent yet, its count is added.
        """
        kind, number = f"read {side.value}", self._numbers[side]
        if unsent := self._unsent.get(kind):
            count += json.loads(unsent)["count"]
        self._send(kind, {"read": side.value, "number": number, "count": count})

    def _send(self, kind: str, message: Mapping[str, Any]) -> None:
        self._unsent.pop(kind, None)
        self._unsent[kind] = json.dumps(message).encode() + b"\n"
        self._flush()

    def _flush(self) -> None:
        """Send as much as the channel can take without blocking."""
        try:
            while self._partial or self._unsent:
                if not self._partial:
                    self._partial = self._unsent.pop(next(iter(self._unsent)))
                self._partial = self._partial[self._channel.send(self._partial) :]
        except BlockingIOError:
            return
        except OSError:
            self._is_broken = True

    # -- from the server

    def _receive(self) -> None:
        if self._is_broken:
            return
        try:
            received = self._channel.recv(READ_AT_ONCE)
        except BlockingIOError:
            return
        except OSError:
            received = b""
        *lines, self._heard = (self._heard + received).split(b"\n")
        try:
            for line in lines:
                self._take(read_object(line))
            if len(self._heard) > MOST_LINE or len(self._commands) > MOST_UNREAD:
                raise ValueError("the server has sent too much data")
        except (ValueError, TypeError):
            self._is_broken = self.has_misbehaved = True
        if not received:
            self._is_broken = True

    def _take(self, message: Mapping[str, Any]) -> None:
        match message:
            case {"say": dict(command), "side": side, "number": number}:
                if number == self._numbers[Side(side)]:
                    self._commands.append((Side(side), command))
            case {"taken": str(token), "side": side, "number": number}:
                if number == self._numbers[Side(side)]:
                    secret = self.seats[Side(side)].secret
                    self.seats[Side(side)] = SeatKeys(secret, read_token(token))
            case {"presence": presence, "heard": bool(heard), "side": side, "number": number}:
                if number == self._numbers[Side(side)]:
                    self._presence[Side(side)] = Presence(presence)
                    if heard:
                        self._heard_at[Side(side)] = self._clock()
            case _:
                raise ValueError("the server has sent an unknown message")


DESCRIPTORS: Final = 256
"""Maximum number of file descriptors for the process: its connections, plus some for Python."""
MEMORY: Final = 256 * 2**20
"""Maximum size of the process's data, in bytes. The process needs about 50 MB."""
NICENESS: Final = 5
"""Niceness that is added to that of the game. Chosen by judgement, not measurement."""
OOM_SCORE: Final = 500
"""OOM score adjustment, so that the system ends this process before the game if memory runs out."""


class ServerProcess:
    """A running server in its own process, which ends when the game closes the channel."""

    def __init__(
        self, channel: socket.socket, listener: socket.socket, certificate: Certificate | None
    ) -> None:
        """Start a process that inherits both sockets."""
        sockets = channel.fileno(), listener.fileno()
        files = (certificate.chain, certificate.key, certificate.host) if certificate else ()
        self._process = subprocess.Popen(  # noqa: S603 (our own program)
            [sys.executable, "-P", "-m", __name__, *map(str, sockets), *map(str, files)],
            stdin=subprocess.DEVNULL,
            pass_fds=sockets,
            start_new_session=True,  # Ctrl+C must only end the game, which closes the channel
        )

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        return self._process.pid

    def stop(self) -> None:
        """Kill the process, which has nothing to save, and wait until its port is free."""
        self._process.kill()
        self._process.wait()


def main(channel: str, listener: str, *files: str) -> None:
    """Serve phones until the game closes the channel."""
    from companion.pads.service import PadService  # noqa: PLC0415 (the game does not serve phones)

    logging.basicConfig(format="%(levelname)s %(message)s")
    _restrict()
    chain, key, host = files or ("", "", "")
    service = PadService(
        socket.socket(fileno=int(channel)),
        socket.socket(fileno=int(listener)),
        Certificate(Path(chain), Path(key), host) if host else None,
        secrets.token_bytes,
        time.monotonic,
    )
    asyncio.run(service.run())


def _restrict() -> None:
    """Limit the resources that this process can take away from the game."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    with suppress(OSError):  # a container may not permit a change of niceness
        os.nice(NICENESS)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(str(OOM_SCORE), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
