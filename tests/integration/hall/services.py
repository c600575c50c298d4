"""Mosquitto and PostgreSQL servers as processes."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import psycopg

MOSQUITTO: Final = "/usr/sbin/mosquitto"
SERVER_USER: Final = "postgres"
"""User account for PostgreSQL, which refuses to run as root."""


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def wait_until(holds: Callable[[], object], seconds: float = 60) -> None:
    """Wait until `holds` returns a true value. Raise TimeoutError if the time limit expires
    first."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise TimeoutError("the condition was not met in time")
        time.sleep(0.01)


def listens(port: int) -> bool:
    with socket.socket() as trial:
        return trial.connect_ex(("127.0.0.1", port)) == 0


class Broker:
    """Mosquitto with a hall's configuration."""

    def __init__(self, folder: Path, port: int) -> None:
        self._folder, self._port = folder, port
        self.start()

    def start(self) -> None:
        """Start the broker and wait until it accepts connections."""
        command = [MOSQUITTO, "-c", str(self._folder / "mosquitto.conf")]
        if os.geteuid() == 0:
            # Without this setting, Mosquitto would switch to a user that cannot read the hall's
            # files.
            lines = (self._folder / "mosquitto.conf").read_text()
            configuration = self._folder / "as-root.conf"
            configuration.write_text(f"user root\n{lines}")
            command[-1] = str(configuration)
        with (self._folder / "mosquitto.log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        wait_until(lambda: listens(self._port))

    def kill(self) -> None:
        """Kill the broker with SIGKILL, as in a power cut."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    @property
    def pid(self) -> int:
        return self._process.pid

    def processes(self) -> list[int]:
        return [self.pid]


class Postgres:
    """PostgreSQL cluster in a temporary folder."""

    def __init__(self) -> None:
        self._programs = max(Path("/usr/lib/postgresql").glob("*/bin"))
        self._folder = Path(tempfile.mkdtemp(prefix="boomboard-postgres-"))
        self._user = SERVER_USER if os.geteuid() == 0 else None
        if self._user:
            shutil.chown(self._folder, self._user)
        self.port = free_port()
        self._run("initdb", "-D", "data", "-A", "trust", "-U", "hall", "--encoding=UTF8")
        self.start()

    @property
    def address(self) -> str:
        """The cluster's URL, in the form passed to a hall."""
        return f"postgresql://hall@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        """Start the cluster and wait until it accepts connections."""
        options = (
            "-p",
            str(self.port),
            "-k",
            str(self._folder),
            "-c",
            "listen_addresses=127.0.0.1",
        )
        # Start the server as a child process, so that its exit status can be collected. Otherwise,
        # it would remain a zombie and seem to be alive.
        self._server = self._begin("postgres", "-D", "data", *options)
        wait_until(self._takes_connections)

    def kill(self) -> None:
        """Kill all processes of the cluster with SIGKILL, as in a power cut."""
        for each in self.processes():
            os.kill(each, signal.SIGKILL)
        self._server.wait()

    def processes(self) -> list[int]:
        pid = self._server.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [pid, *map(int, children)]

    def remove(self) -> None:
        self._server.send_signal(signal.SIGQUIT)
        self._server.wait()
        shutil.rmtree(self._folder)

    def _takes_connections(self) -> bool:
        try:
            psycopg.connect(self.address).close()
        except psycopg.OperationalError:
            return False
        return True

    def _run(self, program: str, *arguments: str) -> None:
        if self._begin(program, *arguments).wait():
            raise RuntimeError((self._folder / "programs.log").read_text())

    def _begin(self, program: str, *arguments: str) -> subprocess.Popen[bytes]:
        user = pwd.getpwnam(self._user) if self._user else None
        with (self._folder / "programs.log").open("ab") as log:
            return subprocess.Popen(
                [self._programs / program, *arguments],
                cwd=self._folder,
                user=user.pw_uid if user else None,
                group=user.pw_gid if user else None,
                extra_groups=[] if user else None,
                stdout=log,
                stderr=log,
            )
