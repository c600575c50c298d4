"""Several processes share the same games, but only one plays at a time.

Each process resumes or begins a game, and saves and prints actions until it exits or is killed. The
next process recovers every action already printed. A process that starts while another one is
playing exits with a one-sentence message.

The processes run freely, or step by step in an order that depends on the seed.
"""

import json
import os
import random
import signal
import socket
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from companion.session.session import Session
from companion.storage.errors import JournalError, StorageError
from companion.storage.journal import Journal
from companion.storage.journal_file import JournalLock
from companion.storage.journal_provider import JournalProvider
from engine.board.geometry import Side, square
from engine.game.actions import Action, Move, PlaceArmies
from engine.game.clocks import NO_CLOCK, ClockState
from engine.rules.editions import DEFAULT
from tests.campaigns import TIMES, Campaign

PROGRAMS: Final = Campaign("programs", part=5, whole=500)
"""Number of files. Several processes open each of them."""
SENTENCE: Final = "close the other program"
STEPS: Final = ("a4-a5", "a7-a6", "b4-b5", "b7-b6", "e4-e5", "e7-e6")


def play(path: Path, output: int, wait: Callable[[], object]) -> None:
    """Play, unless another process is playing, and print each saved action.

    This function runs in a separate process. It calls `wait` before every step.
    """

    def emit(word: object) -> None:
        os.write(output, f"{json.dumps(word)}\n".encode())

    wait()
    try:
        with closing(JournalProvider(path)) as journals:
            journal = journals.journal()
            kept = journal.unfinished()
            wait()
            if kept:
                session = Session.resume(journal, kept)
                game, done = kept.id, len(session.table.referee.actions)
            else:
                game, done = journal.begin(DEFAULT, 1, NO_CLOCK), 0
            emit(["plays", game, done])
            actions: list[Action] = [
                PlaceArmies(Side.RED.home, Side.BLUE.home),
                *(Move(*map(square, step.split("-"))) for step in STEPS),
            ]
            for number, action in list(enumerate(actions, 1))[done:]:
                wait()
                journal.append(game, float(number), [action], None, ClockState())
                emit(["kept", game, number])
    except JournalError as error:
        emit(["refused", str(error)])


def start(path: Path, output: int, wait: Callable[[], object]) -> int:
    child = os.fork()
    if child == 0:
        try:
            play(path, output, wait)
            os._exit(0)
        finally:
            os._exit(1)
    return child


def read_lines(reading: int) -> list[list[Any]]:
    with open(reading) as lines:
        return [json.loads(line) for line in lines]


def one_run(path: Path, seed: int) -> list[list[Any]]:
    """Start processes at random times, and often kill one of them. Return their output."""
    chance = random.Random(seed)
    reading, writing = os.pipe()
    coming = [chance.uniform(0, 0.01) for _ in range(chance.choice([2, 2, 3]))]
    # This test is about random timing, so it may sleep.
    children = [start(path, writing, partial(time.sleep, after)) for after in coming]
    os.close(writing)
    if chance.random() < 0.7:
        time.sleep(chance.uniform(0, 0.03))
        os.kill(chance.choice(children), signal.SIGKILL)
    ends = [os.waitpid(child, 0)[1] for child in children]
    assert all(end in (0, signal.SIGKILL) for end in ends), ends
    return read_lines(reading)


class InTurns:
    """Process that waits before every step until it is released."""

    def __init__(self, path: Path, output: int) -> None:
        self._here, there = socket.socketpair()
        with there:
            self._child = start(path, output, partial(self._await, there))
        self._here.recv(1)

    @staticmethod
    def _await(there: socket.socket) -> None:
        there.send(b".")
        there.recv(1)

    def go_on(self) -> bool:
        """Let the process run until it waits again. Return False if the process has ended."""
        self._here.send(b".")
        return self._here.recv(1) != b"" or self._end()

    def kill(self) -> None:
        os.kill(self._child, signal.SIGKILL)
        self._end()

    def _end(self) -> bool:
        self._here.close()
        assert os.waitpid(self._child, 0)[1] in (0, signal.SIGKILL)
        return False


def run_in_turns(path: Path, seed: int) -> list[list[Any]]:
    """Run processes step by step in an order that depends on the seed. Return their output."""
    chance = random.Random(seed)
    reading, writing = os.pipe()
    playing = [InTurns(path, writing) for _ in range(chance.choice([2, 2, 3]))]
    os.close(writing)
    while playing:
        program = chance.choice(playing)
        if chance.random() < 0.05:
            program.kill()
            playing.remove(program)
        elif not program.go_on():
            playing.remove(program)
    return read_lines(reading)


def check(path: Path, lines: list[list[Any]]) -> None:
    """Check that no printed action was saved twice or lost, and that no file was quarantined."""
    kept = [(word[1], word[2]) for word in lines if word[0] == "kept"]
    assert len(set(kept)) == len(kept), "two processes saved the same action"
    for word in lines:
        assert word[0] != "refused" or SENTENCE in str(word[1]), word
        assert word[0] != "refused" or "\n" not in str(word[1])
    with closing(Journal(path)) as journal:
        journal.file.check()
        numbers = [game.number for game in journal.games()]
        there = {number: len(journal.transcript(number).entries) for number in numbers}
        assert all(number <= there[game] for game, number in kept), (kept, there)
        journal.play()
    assert [each.name for each in path.parent.glob("*-*-*.sqlite")] == [], "no file is quarantined"


@PROGRAMS
def test_only_one_process_plays(memory: Path) -> None:
    refused = 0
    for seed in range(PROGRAMS.size):
        path = memory / f"{seed}" / "games.sqlite"
        lines: list[list[Any]] = []
        for again in range(2):
            lines += one_run(path, 2 * seed + again)
        refused += sum(word[0] == "refused" for word in lines)
        try:
            check(path, lines)
        except BaseException as error:
            error.add_note(f"seed {seed}: {lines}")
            raise
    assert refused or not TIMES, "in a short campaign no process may have been refused"


def play_many_in_turns(folder: Path) -> list[list[Any]]:
    everything: list[list[Any]] = []
    for seed in range(20):
        path = folder / f"{seed}" / "games.sqlite"
        lines = run_in_turns(path, seed)
        check(path, lines)
        everything += lines
    return everything


def test_process_between_two_actions_is_refused(memory: Path) -> None:
    lines = play_many_in_turns(memory)

    assert sum(word[0] == "refused" for word in lines) >= 10
    assert sum(word[0] == "kept" for word in lines) >= 20


def test_processes_conflict_without_the_lock(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(JournalLock, "take", lambda _: None)
    with pytest.raises((AssertionError, StorageError)):
        play_many_in_turns(memory)
