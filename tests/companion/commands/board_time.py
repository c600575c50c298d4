"""Simulated time for ``boomboard doctor``.

Whenever doctor reads and no data has arrived, the simulated board advances by one frame. Each
second of the report therefore covers exactly fifty frames, however busy the computer is.
"""

from queue import Empty
from threading import Semaphore
from types import SimpleNamespace

import pytest

from companion.commands import doctor
from companion.commands.doctor import ConnectedBoard
from firmware_bridge.link import BoardLink, Connected, Event
from firmware_bridge.simulated_board.port import FirmwareModel, SimulatedPort
from firmware_bridge.wire import STATE_INTERVAL_MS, HostCommand, RequestRaw


class BoardTime:
    """Advances the simulated board's time whenever the doctor command reads from it."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._ms = 0
        self._port: SimulatedPort | None = None
        self._heard = Semaphore(0)
        """Semaphore that is released for each query received by the board."""
        self._asked = 0
        """Number of queries that may not have reached the board yet."""
        self._is_connected = False
        self._watch_over(patch)
        patch.setattr(doctor, "time", SimpleNamespace(monotonic=lambda: self._ms / 1000))

    def _watch_over(self, patch: pytest.MonkeyPatch) -> None:
        send, answers = BoardLink.send, FirmwareModel.answer

        def run(port: SimulatedPort) -> None:
            self._port = port

        def ask(link: BoardLink, command: HostCommand) -> bool:
            is_sent = send(link, command)
            self._asked += is_sent and isinstance(command, RequestRaw)
            return is_sent

        def answer(firmware_model: FirmwareModel, command: HostCommand) -> object:
            if isinstance(command, RequestRaw):
                self._heard.release()
            return answers(firmware_model, command)

        patch.setattr(SimulatedPort, "run", run)
        patch.setattr(BoardLink, "send", ask)
        patch.setattr(FirmwareModel, "answer", answer)
        patch.setattr(ConnectedBoard, "next_event", lambda board, _: self._next_event(board))

    def _next_event(self, board: ConnectedBoard) -> Event:
        """Return the next event, advancing the board if none has arrived."""
        if not self._is_connected:
            event = board._events.get()
            self._is_connected = isinstance(event, Connected)
            return event
        for _ in range(self._asked):
            self._heard.acquire()
        self._asked = 0
        try:
            return board._events.get_nowait()
        except Empty:
            assert self._port
            self._port.advance(STATE_INTERVAL_MS)
            self._ms += STATE_INTERVAL_MS
            return board._events.get()
