"""Ranks declared at a terminal are visible only to their owner, and appear in no log."""

import os
import pty
import signal
import termios
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TextIO

import pytest

from companion.terminal.private_prompt import open_console, private_console
from engine.board.geometry import square
from engine.board.ranks import Rank
from engine.rules.editions import EDITIONS
from tests.companion.terminal import at_terminal


def test_declared_rank_is_wiped(driver: at_terminal.TerminalDriver) -> None:
    type_, move, choose = driver.type, driver.move, driver.choose
    seen: list[str] = []

    def note_and_confirm() -> None:
        seen.append(driver.echoed())
        type_("y")()

    output = driver.play(
        ("Red 40, Blue 40", type_("ready red")),
        ("Red is ready", type_("ready blue")),
        ("Red to move", move("e4", "e5")),
        ("Blue to move", move("e7", "e6")),
        ("Red to move", type_("attack e5 e6")),
        ("Red: take the keyboard", type_("")),
        ("Type your rank", lambda: (driver.echoed(), choose(Rank.CAPTAIN)())),
        ("captain?", note_and_confirm),
        ("Red has declared", type_("quit")),
    )
    assert seen == [""]
    private = output.index("Type your rank"), output.index(at_terminal.WIPE)
    assert private[0] < private[1]
    assert "captain" not in output[private[1] :]


def attack_between(driver: at_terminal.TerminalDriver, attacker: Rank, defender: Rank) -> str:
    """Play an attack in which both sides hesitate and Blue opens a menu. Return the output."""
    type_, choose = driver.type, driver.choose
    return driver.play(
        *at_terminal.beginning(driver),
        ("Red to move", type_("attack e5 e6")),
        ("Red: take the keyboard", type_("")),
        ("Type your rank", choose(attacker)),
        ("Type y for yes", type_("n")),
        ("Type your rank", choose(attacker)),
        ("Type y for yes", type_("y")),
        ("Blue: take the keyboard", type_("")),
        ("Type your rank", type_("0")),
        ("Type your rank", type_("99")),
        ("Type one of these ranks", type_("F")),
        ("Type y for yes", type_("n")),
        ("Type your rank", choose(defender)),
        ("Type y for yes", type_("y")),
        ("Blue has declared", type_("quit")),
    )


def test_logs_do_not_depend_on_hidden_ranks(
    tmp_path: Path,
) -> None:
    logs = []
    for game, ranks in enumerate([(Rank.CAPTAIN, Rank.MINER), (Rank.SPY, Rank.MARSHAL)]):
        with ExitStack() as opened:
            driver = at_terminal.TerminalDriver(tmp_path / f"{game}.sqlite", opened, is_logged=True)
            driver.set_up()
            log = attack_between(driver, *ranks).splitlines()
            # The number of pieces in the first image depends on thread timing.
            logs.append([line for line in log if not line.startswith("Pieces set up")])
        assert at_terminal.WIPE in driver.terminal.getvalue()
    first, other = logs
    reveal = next(number for number, line in enumerate(first) if "Red: captain" in line)
    assert first[reveal] != other[reveal]
    assert first[:reveal] == other[:reveal]
    assert first[reveal - 1] == "Blue has declared."
    assert not any("\x1b" in line for line in first)


def test_log_omits_refuted_declarations(sit_down: at_terminal.SitDown) -> None:
    driver = sit_down(is_logged=True)
    type_ = driver.type
    output = driver.play(
        *at_terminal.captain_attacks(driver),
        ("Type your rank", type_("0")),
        ("Type your rank", type_("B")),
        ("bomb?", type_("y")),
        ("Blue: take the keyboard", type_("")),
        ("type: insist", lambda: None),
        ("Type your rank", type_("insist")),
        ("Type: counts", type_("quit")),
    )
    since = output[output.index("Red: take the keyboard") :]
    assert "bomb" not in since
    assert "captain" not in since


class TestPrivateAudio:
    @pytest.fixture
    def terminal(self) -> Iterator[tuple[int, TextIO]]:
        """Yield a descriptor from which to read, and the terminal that writes to it."""
        reader, descriptor = pty.openpty()
        with os.fdopen(descriptor, "w") as terminal:
            yield reader, terminal
        os.close(reader)

    def test_curtain_on_a_terminal_screen(self, terminal: tuple[int, TextIO]) -> None:
        screen = open_console(terminal[1])
        with open(os.devnull) as pipe, private_console(screen, pipe) as private:
            assert private is screen

    def test_curtain_at_the_keyboard_terminal(
        self, terminal: tuple[int, TextIO], tmp_path: Path
    ) -> None:
        reader, keyboard = terminal
        with (tmp_path / "log").open("w+") as log:
            with private_console(open_console(log), keyboard) as private:
                assert private
                private.print("marshal?")
            assert os.read(reader, 100).split() == [b"marshal?"]
            log.seek(0)
            assert log.read() == ""

    def test_no_curtain_without_a_terminal(self, tmp_path: Path) -> None:
        with (
            (tmp_path / "log").open("w") as log,
            open(os.devnull) as pipe,
            private_console(open_console(log), pipe) as private,
        ):
            assert private is None


@pytest.mark.parametrize("last", ["no attack", "quit"])
def test_leaving_the_curtain_wipes_it(driver: at_terminal.TerminalDriver, last: str) -> None:
    type_ = driver.type
    end = {"no attack": [("No attack, then", type_("quit"))], "quit": []}[last]
    output = driver.play(
        *at_terminal.beginning(driver),
        ("Red to move", type_("attack e5 e6")),
        ("Red: take the keyboard", type_("")),
        ("Type your rank", lambda: (driver.echoed(), type_(last)())),
        *end,
    )
    assert output.index("Type your rank") < output.index(at_terminal.WIPE)
    assert "marshal" not in output[output.index(at_terminal.WIPE) :]
    assert ("quit" in driver.echoed()) == (last != "quit"), "the keyboard is echoed again"


def test_impossible_answer_is_refused_privately(sit_down: at_terminal.SitDown) -> None:
    driver = sit_down(replace(EDITIONS["nordic-2015"], silent_defence=True))
    type_, choose = driver.type, driver.choose
    moves = ["e4-e5", "e7-e6", "k4-k5", "e6-f6", "e5-e6", "f6-f5", "e6-e7", "k7-k6"]
    turns = [
        (f"{'Blue' if n % 2 else 'Red'} to move", driver.move(*move.split("-")))
        for n, move in enumerate(moves)
    ]
    output = driver.play(
        *at_terminal.beginning(driver)[:2],
        *turns,
        ("Red to move", type_("attack f4 f5")),
        ("Red: take the keyboard", type_("")),
        ("Type your rank", choose(Rank.CAPTAIN)),
        ("captain?", type_("y")),
        ("Blue: take the keyboard", type_("")),
        ("Type your rank", choose(Rank.GENERAL)),
        ("general?", type_("y")),
        ("Remove the piece from f4", lambda: driver.simulated.take_away(square("f4"))),
        ("Blue to move", driver.move("a7", "a6")),
        ("Red to move", type_("infiltrate e7 e8 general")),
        ("Blue, type: right · wrong", type_("right")),
        ("Blue: take the keyboard. Red: look away", type_("")),
        ("All your pieces of this rank are already known", lambda: None),
        ("your answer cannot be true", type_("perhaps")),
        ("Type: right · wrong", type_("wrong")),
        ("Wrong.", type_("quit")),
    )
    refused = output.index("All your pieces")
    assert at_terminal.WIPE in output[refused : output.index("Wrong.", refused)]


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGHUP])
def test_killed_program_wipes_the_curtain(
    driver: at_terminal.TerminalDriver, end: signal.Signals
) -> None:
    def stop() -> None:
        driver.echoed()
        os.kill(os.getpid(), end)

    with pytest.raises(SystemExit) as ended:
        driver.play(
            *at_terminal.beginning(driver),
            ("Red to move", driver.type("attack e5 e6")),
            ("Red: take the keyboard", driver.type("")),
            ("Type your rank", stop),
        )
    assert ended.value.code == 128 + end
    output = driver.screen.getvalue()
    assert output.index("Type your rank") < output.index(at_terminal.WIPE)
    assert "marshal" not in output[output.index(at_terminal.WIPE) :]
    assert termios.tcgetattr(driver._hand)[3] & termios.ECHO, "the keyboard is echoed again"
    assert signal.getsignal(end) is signal.SIG_DFL
