"""Tests for watchdog notifications. A real socket receives them, as systemd would."""

import os
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.devices.watchdog import SystemdNotifier

EIGHT_SECONDS = "8000000"


class Systemd:
    """Receives the notifications and controls the clock."""

    def __init__(self, address: str) -> None:
        self.now = 100.0
        self.name = address
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
        self._started: list[SystemdNotifier] = []
        self._socket.bind(address.replace("@", "\0", 1) if address.startswith("@") else address)

    def start(self, **environment: str) -> SystemdNotifier:
        started = SystemdNotifier({"NOTIFY_SOCKET": self.name, **environment}, lambda: self.now)
        self._started.append(started)
        return started

    def heard(self) -> list[str]:
        sent = []
        while True:
            try:
                sent.append(self._socket.recv(100).decode())
            except BlockingIOError:
                return sent

    def close(self) -> None:
        for each in self._started:
            each.close()
        self._socket.close()


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[Systemd]:
    with closing(Systemd(str(tmp_path / "notify"))) as systemd:
        yield systemd


def test_first_heartbeat_reports_ready(systemd: Systemd) -> None:
    supervisor = systemd.start(WATCHDOG_USEC=EIGHT_SECONDS)
    assert systemd.heard() == []
    supervisor.ping()
    assert systemd.heard() == ["READY=1", "WATCHDOG_USEC=20000000", "WATCHDOG=1"]


def test_first_picture_may_take_long(systemd: Systemd) -> None:
    supervisor = systemd.start(WATCHDOG_USEC=EIGHT_SECONDS)
    supervisor.ping()
    systemd.now += 15  # the first frame is drawn
    systemd.heard()
    supervisor.ping()
    assert systemd.heard() == ["WATCHDOG_USEC=8000000", "WATCHDOG=1"]
    systemd.now += 2
    supervisor.ping()
    assert systemd.heard() == ["WATCHDOG=1"]


def test_longer_timeout_is_kept(systemd: Systemd) -> None:
    supervisor = systemd.start(WATCHDOG_USEC="90000000")
    supervisor.ping()
    assert "WATCHDOG_USEC=90000000" in systemd.heard()


def test_heartbeat_interval(systemd: Systemd) -> None:
    supervisor = systemd.start(WATCHDOG_USEC=EIGHT_SECONDS)
    for _ in range(81):  # 0.1 s per ping: 8.1 s in total
        supervisor.ping()
        systemd.now += 0.1
    assert systemd.heard().count("WATCHDOG=1") in (4, 5)


def test_frozen_program_sends_no_heartbeat(systemd: Systemd) -> None:
    supervisor = systemd.start(WATCHDOG_USEC=EIGHT_SECONDS)
    supervisor.ping()
    systemd.heard()
    systemd.now += 60
    assert systemd.heard() == []


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"WATCHDOG_USEC": "soon"},
        {"WATCHDOG_USEC": EIGHT_SECONDS, "WATCHDOG_PID": str(os.getppid())},
    ],
)
def test_no_heartbeat_unless_requested(systemd: Systemd, environment: dict[str, str]) -> None:
    supervisor = systemd.start(**environment)
    for _ in range(3):
        supervisor.ping()
        systemd.now += 60
    assert systemd.heard() == ["READY=1"]


def test_stopping_is_reported(systemd: Systemd) -> None:
    supervisor = systemd.start()
    supervisor.close()
    assert systemd.heard() == ["STOPPING=1"]
    supervisor.close()
    assert systemd.heard() == []


def test_abstract_socket() -> None:
    with closing(Systemd(f"@boomboard-test-{os.getpid()}")) as systemd:
        systemd.start().ping()
        assert systemd.heard() == ["READY=1"]


def test_unreachable_supervisor_does_not_block(systemd: Systemd, tmp_path: Path) -> None:
    supervisor = systemd.start(WATCHDOG_USEC="4")
    for _ in range(10_000):  # more than the socket buffer can hold
        supervisor.ping()
        systemd.now += 1
    systemd.close()
    supervisor.ping()
    lost = SystemdNotifier({"NOTIFY_SOCKET": str(tmp_path / "nobody")}, lambda: 0.0)
    lost.ping()
    lost.close()


def test_no_supervisor() -> None:
    for environment in ({}, {"NOTIFY_SOCKET": ""}, {"NOTIFY_SOCKET": "vsock:2:1234"}):
        supervisor = SystemdNotifier(environment, lambda: 0.0)
        supervisor.ping()
        supervisor.close()
