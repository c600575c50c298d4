"""While guests attack, the game, the phones and an arbiter's sign-in continue to work."""

import http.client
import json
import os
import signal
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

import pytest

from companion.pads import Pads, Presence
from companion.pads.server_link import DESCRIPTORS, ServerProcess
from companion.speech.i18n import Language
from engine.board.geometry import Side
from tests.campaigns import Campaign, slow_after_first
from tests.companion.pads.pad_driver import HERE, PadDriver
from tests.companion.pads.phone import GoneError, Phone
from tests.companion.web.certificates import make_certificate

SECONDS: Final = Campaign("guest", part=2, whole=600)
"""Total duration of the attacks, in seconds. Half of the attacks come from one address, and half
from 250 addresses."""
FRAME: Final = 0.02
FRAME_PART: Final = 0.01
"""CPU time that phones may use per frame, in seconds."""
MOST_GROWTH: Final = 30 * 1024
"""Maximum memory growth of a process, in KB."""
KINDS: Final = 9
WAITING: Final = 10.0
"""Maximum response time, in seconds."""
PHONES: Final = {Side.RED: "127.0.1.2", Side.BLUE: "127.0.1.3"}
"""Address of each phone. Unlike a browser, `Phone` opens a connection for each command, so two
phones at one address would exceed the limit of ten new connections per second and address."""
COMMANDS: Final = ("call-arbiter", "withdraw-call")
ERRORS: Final = (OSError, GoneError, http.client.HTTPException)


class Player(threading.Thread):
    """Player whose phone repeatedly calls the arbiter and withdraws the call."""

    def __init__(self, phone: Phone, ended: threading.Event) -> None:
        super().__init__(name=f"{phone.side}")
        self.phone, self._ended = phone, ended
        self.taken: list[float] = []
        """Time from each command to its result, in seconds."""
        self.breaks: list[float] = []
        """Duration of each interruption, in seconds."""
        self._offers: dict[str, Any] = {}

    def run(self) -> None:
        while not self._ended.wait(0.1):
            begun = time.monotonic()
            try:
                self._step()
            except ERRORS:
                if self._ended.is_set():
                    return
                self._return()
                self.breaks.append(time.monotonic() - begun)

    def _step(self) -> None:
        what = next((each for each in COMMANDS if each in self._offers), "")
        if not what:
            self._look()  # no command is offered while the opponent's call is pending
            return
        begun = time.monotonic()
        assert self.phone.choose(self._offers[what])["taken"]
        while what in self._offers:
            self._look()
        self.taken.append(time.monotonic() - begun)
        for recorded in (self.phone.bodies, self.phone.answers, self.phone.frames):
            recorded.clear()

    def _look(self) -> None:
        offers = self.phone.look()["offers"]
        self._offers = {each["say"]["do"]: each for each in offers}

    def _return(self) -> None:
        """Reopen the page, as its script does."""
        self._offers = {}
        while not self._ended.wait(0.2):
            try:
                self.phone.resume()
                self.phone.listen()
            except ERRORS:
                continue
            return


@dataclass
class Arbiter:
    """Arbiter who repeatedly signs in with a new browser."""

    port: int
    code: str
    taken: list[float] = field(default_factory=list)
    """Duration of each sign-in, in seconds."""

    def work(self, ended: threading.Event) -> None:
        while not ended.wait(0.5):
            begun = time.monotonic()
            while not ended.is_set() and not self.signs_in():
                pass
            self.taken.append(time.monotonic() - begun)

    def signs_in(self) -> bool:
        context = ssl._create_unverified_context()
        line = http.client.HTTPSConnection(
            "127.0.0.1",
            self.port,
            context=context,
            source_address=("127.0.1.1", 0),
            timeout=WAITING,
        )
        headers = {"Origin": f"https://127.0.0.1:{self.port}"}
        with closing(line):
            try:
                line.request("POST", "/sign-in", urlencode({"code": self.code}), headers)
                # Five attempts per minute are allowed. After that, 429 is expected.
                return line.getresponse().status in (303, 429)
            except (OSError, http.client.HTTPException):
                return False


def memory_of(pid: int) -> int:
    """Return the resident memory of a process, in KB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def descriptors_of(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))


@contextmanager
def process(module: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", f"tests.companion.{module}", *map(str, arguments)]
    started = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        yield started
    finally:
        if started.poll() is None:
            started.terminate()
            started.communicate()


@dataclass
class Figures:
    addresses: int
    attacks: int = 0
    frames: list[float] = field(default_factory=list)
    """CPU time used by the phones in each frame, in seconds."""
    commands: list[float] = field(default_factory=list)
    breaks: list[float] = field(default_factory=list)
    sign_ins: list[float] = field(default_factory=list)
    grown: dict[str, int] = field(default_factory=dict)
    """Memory growth of each process, in KB."""
    presence: set[Presence] = field(default_factory=set)
    descriptors: int = 0
    """Maximum number of open files in the phones' web server."""

    def __str__(self) -> str:
        frame, half, most = (
            percentile(each, n) * 1000
            for each, n in ((self.frames, 99), (self.commands, 50), (self.commands, 99))
        )
        parts = (
            f"{self.addresses} addresses, {self.attacks} attacks",
            f"{len(self.frames)} frames, of which phones took {frame:.2f} ms (p99)",
            f"{len(self.commands)} commands in {half:.0f} ms (p50) and {most:.0f} ms (p99)",
            f"{len(self.breaks)} lost connections, the longest {max([0.0, *self.breaks]):.1f} s",
            f"{len(self.sign_ins)} sign-ins in at most {max(self.sign_ins):.1f} s",
            f"growth in KB {self.grown}",
            f"{self.descriptors} descriptors",
        )
        return "; ".join(parts)


def percentile(found: list[float], percent: int) -> float:
    return quantiles(found, n=100)[percent - 1]


class AttackedGame:
    """A game with both phones, and a hall with an arbiter. Both are under attack."""

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        driver = PadDriver.begun()
        assert isinstance(driver, PadDriver)
        driver.is_in_hall = True
        self._driver, self._start = driver, time.monotonic() - driver.now
        self.pads = Pads(driver, lambda _: Language("en"), driver.clock)
        stack.callback(self.pads.close)
        self.pads.open(HERE)
        made = make_certificate(folder)
        hall = stack.enter_context(process("hall.tls_hall", folder / "hall", made.chain, made.key))
        assert hall.stdout
        report = json.loads(hall.stdout.readline())
        self.ports = urlsplit(self.pads.spectators_address).port, report["port"]
        self._ended = threading.Event()
        self.arbiter = Arbiter(report["port"], report["code"])
        self.players = []
        for side in Side:
            phone = Phone(self.pads.address(side), timeout=WAITING, source=PHONES[side])
            stack.callback(phone.leave)
            phone.join()
            phone.listen()
            self.players.append(Player(phone, self._ended))
        work = threading.Thread(target=self.arbiter.work, args=(self._ended,))
        self._threads = [*self.players, work]
        assert self.pads._link
        assert isinstance(self.pads._link._server, ServerProcess)
        self._server = self.pads._link._server.pid
        self._pids = {"game": os.getpid(), "pads": self._server, "hall": hall.pid}

    def play(self, seconds: float, figures: Figures) -> None:
        """Play for some time, then stop the threads."""
        assert self.arbiter.signs_in()  # comes first, because hashing a code uses memory
        before = {name: memory_of(pid) for name, pid in self._pids.items()}
        for thread in self._threads:
            thread.start()
        end = time.monotonic() + seconds
        while time.monotonic() < end or not self._all_have_succeeded():
            figures.frames.append(self._frame())
            assert self.pads.is_open
            if len(figures.frames) % 25 == 0:
                self._driver.forget()
                self._driver.steps.clear()
                for name, pid in self._pids.items():
                    grown = memory_of(pid) - before[name]
                    figures.grown[name] = max(figures.grown.get(name, 0), grown)
                count = descriptors_of(self._server)
                figures.descriptors = max(figures.descriptors, count)
        figures.presence = {self.pads.presence(side) for side in Side}
        self._ended.set()
        for side in Side:  # the players wait until their streams end
            self.pads.renew(side)
        while any(thread.is_alive() for thread in self._threads):
            self._frame()
        for player in self.players:
            figures.commands += player.taken
            figures.breaks += player.breaks
        figures.sign_ins = self.arbiter.taken

    def _all_have_succeeded(self) -> bool:
        return all(len(player.taken) > 1 for player in self.players) and bool(self.arbiter.taken)

    def _frame(self) -> float:
        self._driver.now = time.monotonic() - self._start
        begun = time.thread_time()
        self.pads.tick()
        taken = time.thread_time() - begun
        time.sleep(FRAME)
        return taken


@SECONDS
@pytest.mark.parametrize("addresses", slow_after_first("variants", [250, 1]))
def test_guests_who_attack(
    addresses: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = Figures(addresses)
    with ExitStack() as stack:
        game = AttackedGame(stack, tmp_path)
        guests = stack.enter_context(process("web.hostile_guests", *game.ports, addresses, 1))
        game.play(SECONDS.size / 2, figures)
        guests.send_signal(signal.SIGTERM)
        attacks = json.loads(guests.communicate()[0])
    figures.attacks = sum(attacks.values())
    with capsys.disabled():
        print(f"\n{figures}")  # noqa: T201 (for docs/reliability.md)
    assert len(attacks) == KINDS
    assert figures.presence == {Presence.HERE}
    assert percentile(figures.frames, 99) < FRAME_PART
    assert all(player.taken for player in game.players)
    assert percentile(figures.commands, 99) < WAITING
    assert max(figures.sign_ins) < WAITING
    assert max(figures.grown.values()) < MOST_GROWTH
    assert figures.descriptors < DESCRIPTORS
