"""Tests for the checks that a game survives a power cut. The checks run in a real shell."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from hardware.pi import checks, power_cut_game
from hardware.pi.checks import GAMES, CheckError
from hardware.pi.shell import Shell, ShellError

ROOT = Path(__file__).parents[2]
MOVES = {1: "e4-e5", 2: "f7-f6", 3: "e5-e4", 4: "e7-e4"}
LINES = """\
  0/206  Both armies are ready. Red begins.
  1/206  Red: e4 to e5.
  1/206  Blue to move.
  2/206  Blue: f7 to f6.
  3/206  Red: e5 to e4.
  3/206  Does e7 attack e4?
  3/206  e7 attacks e4.
  4/206  Red has declared.
  4/206  Blue: scout. Red: major. Red wins the combat."""
LISTED = """\
no.  begun             rules          plies  end
  1  2026-11-23 14:20  original-1992     91  Red wins (resignation)
  2  2026-11-23 15:01  original-1992      4  not over"""
SHEET = """\
10  b?  b?  b?  b?  b6  b?  b?  b?  b?  b?
     a   b   c   d   e   f   g   h   i   k

     Red           Blue
  1. e4-e5         f7-f6
  2. e5-e4         e7xe4 (2<7)
  3. e3xe6 (2<6)"""


@dataclass
class Machine:
    """Shell that is killed, with all its processes, when the power is cut."""

    shell: Shell
    process: "subprocess.Popen[bytes]"

    def pull_the_plug(self) -> None:
        os.killpg(self.process.pid, signal.SIGKILL)

    def has(self, *, play: str = "", listed: str = LISTED, sheet: str = SHEET) -> None:
        """Replace the program with one that prints the given text for each command."""
        self.shell.ask(
            "runuser() { case $* in "
            f"*list*) echo '{listed}';; *show*) echo '{sheet}';; *) echo '{play}';; esac; }}"
        )

    def has_program(self, data: Path) -> None:
        """Use the real program with its games in the folder `data`."""
        program = f"{sys.executable} -m companion"
        self.shell.ask(f"boomboard() {{ {program} $(echo \"$@\" | sed 's,{GAMES},{data},'); }}")
        self.shell.ask('runuser() { shift 3; "$@"; }')


@pytest.fixture(autouse=True)
def _record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        power_cut_game, "SAMPLE", str(ROOT / "companion" / "samples" / "classic-2004.xml")
    )
    monkeypatch.setattr(power_cut_game, "RECORD", str(tmp_path / "short.xml"))


@pytest.fixture
def machines() -> Iterator[Callable[[], Machine]]:
    """Yield a function that starts one machine after another."""
    with ExitStack() as running:

        def start() -> Machine:
            ours, theirs = socket.socketpair()
            running.enter_context(ours)
            with theirs:
                end = theirs.fileno()
                process = subprocess.Popen(
                    ["sh"], stdin=end, stdout=end, stderr=end, start_new_session=True
                )
            running.enter_context(process)
            running.callback(process.kill)
            machine = Machine(Shell(running.enter_context(ours.makefile("rwb"))), process)
            machine.shell.ask("systemctl() { :; }")
            return machine

        yield start


@pytest.fixture
def machine(machines: Callable[[], Machine]) -> Machine:
    return machines()


def test_announced_plies_survive_a_power_cut(
    machines: Callable[[], Machine], tmp_path: Path
) -> None:
    before = machines()
    before.has_program(tmp_path)
    announced = power_cut_game.play_until_cut_off(before.shell, 4, before.pull_the_plug)
    assert {ply: announced[ply] for ply in MOVES} == MOVES
    after = machines()
    after.has_program(tmp_path)
    assert power_cut_game.the_game_is_saved(after.shell, announced).startswith(
        f"{len(announced)} plies were announced, "
    )


def test_plies_until_the_power_cut_count(machine: Machine) -> None:
    later = "  5/206  Red: f4 to f5.\n  5/206  Blue to move.\n  5/206  b8 att"
    machine.shell.ask(f"runuser() {{ echo '{LINES}'; echo '{later}'; sleep 60; }}")
    announced = power_cut_game.play_until_cut_off(machine.shell, 2, machine.pull_the_plug)
    assert announced == MOVES | {5: "f4-f5"}


def test_early_end_is_detected(machine: Machine) -> None:
    machine.has(play=LINES)
    with pytest.raises(CheckError, match="ended after 4 plies"):
        power_cut_game.play_until_cut_off(machine.shell, 20, machine.pull_the_plug)


def test_unexpected_shutdown_is_detected(machine: Machine) -> None:
    machine.shell.ask("runuser() { echo '  1/206  Red: e4 to e5.'; kill -9 $$; }")
    with pytest.raises(ShellError, match="the computer has stopped"):
        power_cut_game.play_until_cut_off(machine.shell, 20, machine.pull_the_plug)


def test_shutdown_may_precede_the_answer(machine: Machine) -> None:
    machine.shell.ask("runuser() { kill -9 $$; }")
    checks.switch_off(machine.shell)


def test_missing_power_off_permission_is_detected(machine: Machine) -> None:
    machine.shell.ask("runuser() { echo 'Interactive authentication required.'; }")
    with pytest.raises(CheckError, match="cannot switch the computer off: Interactive"):
        checks.switch_off(machine.shell)


def test_unannounced_ply_is_detected(machine: Machine) -> None:
    lines = LINES.replace("Blue: f7 to f6.", "Red to move.")
    machine.shell.ask(f"runuser() {{ echo '{lines}'; sleep 60; }}")
    with pytest.raises(CheckError, match=r"Ply 2 was not announced\."):
        power_cut_game.play_until_cut_off(machine.shell, 3, machine.pull_the_plug)


def test_lost_plies_are_detected(machine: Machine) -> None:
    machine.has()
    assert (
        power_cut_game.the_game_is_saved(machine.shell, MOVES)
        == "4 plies were announced, 4 are saved"
    )
    with pytest.raises(CheckError, match="5 plies were announced, but 4 are saved"):
        power_cut_game.the_game_is_saved(machine.shell, MOVES | {5: "e3-e6"})
    machine.has(listed=LISTED.replace("not over", "draw"))
    with pytest.raises(CheckError, match="The interrupted game is missing"):
        power_cut_game.the_game_is_saved(machine.shell, MOVES)


def test_resumed_game_has_the_announced_plies(machine: Machine) -> None:
    goes_on = "The interrupted game continues after 4 plies.\n  5/5  Red wins: (498)"
    machine.has(play=goes_on)
    shown = power_cut_game.the_game_resumes(machine.shell, MOVES)
    assert shown == "all 4 plies are those announced, and it ends after 5 plies: Red wins: (498)"
    with pytest.raises(CheckError, match=r"Ply 5 was e3-e7, but e3-e6 is saved\."):
        power_cut_game.the_game_resumes(machine.shell, MOVES | {5: "e3-e7"})
    with pytest.raises(CheckError, match=r"Ply 6 was a6-a7, but nothing is saved\."):
        power_cut_game.the_game_resumes(machine.shell, MOVES | {6: "a6-a7"})
    machine.has(play=goes_on.replace("4", "3"))
    with pytest.raises(CheckError, match="4 plies are saved, but the game does not resume after"):
        power_cut_game.the_game_resumes(machine.shell, MOVES)
