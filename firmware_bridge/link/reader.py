"""Thread that opens ports, passes on messages, and retries until it is stopped."""

import logging
import time
from collections.abc import Callable
from dataclasses import replace
from queue import SimpleQueue
from threading import Event as Flag
from threading import Thread, current_thread
from typing import Final, Self, TypeVar

import serial

from firmware_bridge.link.connection import (
    Connected,
    Connection,
    Event,
    LinkError,
    LinkErrorKind,
    Searching,
    Statistics,
)
from firmware_bridge.link.ports import (
    PORT_ERRORS,
    PortReader,
    PortSearch,
    Sender,
    close_after,
    close_port,
    open_port,
)
from firmware_bridge.wire import Encoder, HostCommand

STOP_SECONDS: Final = 0.25
"""Maximum time, in seconds, that `BoardLink.stop` waits for the thread."""

_logger = logging.getLogger(__name__)
_Item = TypeVar("_Item")


class BoardLink:
    """Listens to a board in a separate thread and calls `on_event` from that thread.

    If `port` is None, the link tries the ports that `search` returns until a board replies. An
    adapter without a board is tried only once. The link retries after `retry_seconds`. A board must
    identify itself within `hello_seconds`, and its frames must then be at most `silent_seconds`
    apart.

    `record` is called from the same thread with all received bytes, including bytes from ports on
    which no board is found and bytes that do not form a frame.

    An exception in `on_event` or `record` is logged, and the link continues. A link can be started
    only once: use it in a ``with`` statement, or call `start` and `stop`.
    """

    THREAD: Final = "board link"
    """Name of the thread that communicates with the board."""

    def __init__(
        self,
        on_event: Callable[[Event], None],
        port: str | None = None,
        *,
        retry_seconds: float = 1.0,
        hello_seconds: float = 3.0,
        silent_seconds: float = 1.0,
        search: PortSearch | None = None,
        record: Callable[[bytes], None] | None = None,
    ) -> None:
        self.statistics = Statistics()
        self._on_event = on_event
        self._record = record
        self._retry_seconds = retry_seconds
        self._hello_seconds = hello_seconds
        self._silent_seconds = silent_seconds
        self._search = (search or PortSearch()) if port is None else None
        self._port = port
        self._connection: Connection | None = None
        """Protocol state of the open port. Only the reader thread writes it; any thread may read
        it.
        """
        self._commands: SimpleQueue[HostCommand] = SimpleQueue()
        """Commands from other threads that are waiting to be sent."""
        self._before: set[tuple[LinkErrorKind, str | None]] = set()
        """Errors of the previous round of attempts."""
        self._now: set[tuple[LinkErrorKind, str | None]] = set()
        """Errors of the current round so far."""
        self._stopping = Flag()
        self._thread = Thread(target=self._run, name=self.THREAD, daemon=True)

    def start(self) -> None:
        """Start searching for a board and return immediately."""
        self._thread.start()

    def stop(self) -> None:
        """Close the port and end the thread within 0.3 seconds. No event follows.

        Commands already queued for a connected board are still transmitted.
        """
        self._stopping.set()
        if self._thread.is_alive() and self._thread is not current_thread():
            self._thread.join(STOP_SECONDS)

    def send(self, command: HostCommand) -> bool:
        """Send a command to the connected board and return immediately. Any thread may call this.

        Returns False and sends nothing between a `LinkError` and the next `Connected`. Only a reply
        proves that the board has received the command. Raises LocalProtocolError if the command
        cannot be encoded.
        """
        connection = self._connection
        if connection is None or not connection.is_connected:
            return False
        Encoder().encode(command)  # any LocalProtocolError reaches the caller
        self._commands.put(command)
        return True

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _run(self) -> None:
        self._emit(Searching())
        while not self._stopping.is_set():
            self._now = set()
            self._try_every_port()
            self._before = self._now
            self._stopping.wait(self._retry_seconds)

    def _try_every_port(self) -> None:
        if self._port is not None:
            self._try(self._port)
            return
        assert self._search
        try:
            ports, detail = self._search.present(), "no USB adapter of a board is plugged in"
        except OSError as error:  # the adapter was unplugged during the search
            ports, detail = [], str(error)
        if not ports:
            self._report(LinkError(LinkErrorKind.NO_BOARD, None, detail))
        for port in ports:
            if self._search.is_rejected(port):
                self._now |= {each for each in self._before if each[1] == port}
            elif self._try(port) in _WITHOUT_BOARD:
                self._search.reject(port)

    def _try(self, port: str) -> LinkErrorKind | None:
        """Serve one port until it fails, then report the error and return its kind."""
        error = self._serve(port)
        if error is None:
            return None
        self._report(error)
        return error.kind

    def _serve(self, port: str) -> LinkError | None:
        """Serve one port. Return the error if the port fails, or None when the link is stopped."""
        line = open_port(port)
        if isinstance(line, LinkError):
            return line
        try:
            return self._communicate(line, port)
        except serial.SerialTimeoutException as error:
            return LinkError(LinkErrorKind.NO_ANSWER, port, str(error))
        except PORT_ERRORS as error:
            return LinkError(LinkErrorKind.UNPLUGGED, port, str(error))
        finally:
            self._connection = None
            close_port(line)

    def _communicate(self, line: serial.Serial, port: str) -> LinkError | None:
        silent = (LinkErrorKind.SILENT, port) in self._before
        connection = Connection(port, self.statistics, silent, time.monotonic())
        self._connection = connection
        sender, receiver = Sender(line), PortReader(line)
        while not self._stopping.is_set():
            now = time.monotonic()
            sender.send(self._unsent(connection, now), now)
            data = receiver.receive()
            if data:
                self._notify(self._record, data)
            for event in connection.receive(data, time.monotonic()):
                self._emit(event)
            error = connection.error(time.monotonic(), self._hello_seconds, self._silent_seconds)
            if error:
                return error
        if connection.is_connected:
            now = time.monotonic()
            sender.send(self._unsent(connection, now), now)
            close_after(line)
        return None

    def _unsent(self, connection: Connection, now: float) -> bytes:
        """Queue commands from other threads, and return the bytes to send.

        If the board has been disconnected in the meantime and has not identified itself again, the
        commands are discarded.
        """
        while not self._commands.empty():  # no other thread takes commands from the queue
            connection.send(self._commands.get_nowait())
        return connection.bytes_to_send(now)

    def _report(self, error: LinkError) -> None:
        cause = _FOLLOWS_FROM.get(error.kind)
        for kind, port in self._before:
            again = (kind, port) == (error.kind, error.port)
            if again or (kind is cause and error.port in (port, None)):
                self._now.add((kind, port))
                return
        self._now.add((error.kind, error.port))
        self._emit(error)

    def _emit(self, event: Event) -> None:
        if isinstance(event, Connected):
            self._before.clear()
            self._now.clear()
            if self._search:
                self._search.remember(event.port)
                event = replace(event, others=self._others(event.port))
        self._notify(self._on_event, event)

    def _others(self, port: str) -> tuple[str, ...]:
        assert self._search
        try:
            ports = self._search.present()
        except OSError:
            return ()
        return tuple(each for each in ports if each != port and not self._search.is_rejected(each))

    def _notify(self, listener: Callable[[_Item], None] | None, item: _Item) -> None:
        if not listener or self._stopping.is_set():
            return
        try:
            listener(item)
        except Exception:
            _logger.exception("a callback of the link failed at %s", item)


_WITHOUT_BOARD: Final = frozenset({LinkErrorKind.NO_ANSWER, LinkErrorKind.GARBAGE})
"""Errors which suggest that the adapter belongs to another kind of device."""
_FOLLOWS_FROM: Final = {
    LinkErrorKind.NO_SUCH_PORT: LinkErrorKind.UNPLUGGED,
    LinkErrorKind.NO_BOARD: LinkErrorKind.UNPLUGGED,
    LinkErrorKind.NO_ANSWER: LinkErrorKind.SILENT,
}
"""For each error, an earlier error that would explain it."""
