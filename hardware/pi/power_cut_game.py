"""Plays a game on an emulated appliance, and interrupts it with a power cut. Afterwards, the game
must be restored.

Simulated hands play the game. The plies announced to the players are compared with the saved plies.
"""

import re
from collections.abc import Callable
from typing import Final

from hardware.pi.checks import AS_COMPANION, GAMES, CheckError
from hardware.pi.shell import Shell, ShellError

Plies = dict[int, str]
"""Plies of a game, keyed by number; each is a pair of squares such as "e4-e5"."""

SAMPLE = "/opt/boomboard/current/companion/samples/classic-2004.xml"
RECORD = "/run/short.xml"
"""Game record that the simulated hands replay. To save time, it contains only the first forty plies
of the sample."""

_PLY: Final = re.compile(r" *(\d+)/\d+  ")
_MOVE: Final = re.compile(r" *(\d+)/\d+  (?:Red|Blue): ([a-k]\d+) to ([a-k]\d+)\.$")
_ATTACK: Final = re.compile(r" *(\d+)/\d+  ([a-k]\d+) attacks ([a-k]\d+)\.$")
_GOES_ON: Final = re.compile(r"The interrupted game continues after (\d+) (?:ply|plies)\.$")
_KEPT: Final = re.compile(r" *(\d+)  .* (\d+)  not over$")


def play_until_cut_off(shell: Shell, plies: int, pull_the_plug: Callable[[], object]) -> Plies:
    """Make simulated hands play with the companion's permissions, and cut the power during the
    game.

    Args:
        shell: A shell on the computer. It ends when the power is cut.
        plies: Number of plies that are announced before the power is cut.
        pull_the_plug: Called to cut the power while the hands keep playing.

    Returns:
        All plies announced to the players, up to the last line of output.
    """
    shell.ask("systemctl stop boomboard")
    play = _write_record(shell)
    announced: Plies = {}
    counted, is_cut_off = 0, False
    try:
        # The output is piped through cat, because the program prints a bar before every line on a
        # terminal.
        for line in shell.lines(f"{play} --new | cat"):
            if move := _MOVE.match(line):
                announced[int(move[1])] = f"{move[2]}-{move[3]}"
            elif attack := _ATTACK.match(line):
                announced[int(attack[1]) + 1] = f"{attack[2]}-{attack[3]}"
            if ply := _PLY.match(line):
                counted = int(ply[1])
            if counted >= plies and not is_cut_off:
                pull_the_plug()
                is_cut_off = True
    except ShellError:
        if not is_cut_off:
            raise
    else:
        raise CheckError(f"The game ended after {counted} plies.")
    # An attack is announced when it begins, but counted when it is decided.
    if unannounced := [ply for ply in range(1, counted + 1) if ply not in announced]:
        raise CheckError(f"Ply {unannounced[0]} was not announced.")
    return {ply: announced[ply] for ply in range(1, counted + 1)}


def the_game_is_saved(shell: Shell, announced: Plies) -> str:
    """Check that all announced plies of the interrupted game were saved. Further plies may also
    have been saved."""
    _, kept = _interrupted_game(shell)
    if kept < len(announced):
        raise CheckError(f"{len(announced)} plies were announced, but {kept} are saved.")
    return f"{len(announced)} plies were announced, {kept} are saved"


def the_game_resumes(shell: Shell, announced: Plies) -> str:
    """Check that the game resumes where it was interrupted, is played to its end, and contains the
    announced plies."""
    number, kept = _interrupted_game(shell)
    shell.ask("systemctl stop boomboard")
    play = _write_record(shell)
    first, *others = shell.ask(f"{play} | cat").splitlines()
    shell.ask("systemctl start boomboard")
    goes_on = _GOES_ON.match(first)
    if not goes_on or int(goes_on[1]) != kept:
        raise CheckError(
            f"{kept} plies are saved, but the game does not resume after them: {first}"
        )
    sheet = shell.ask(f"{AS_COMPANION} boomboard games show {number} --data {GAMES}")
    played = _plies(sheet)
    for ply, squares in announced.items():
        if played.get(ply) != squares:
            raise CheckError(f"Ply {ply} was {squares}, but {played.get(ply, 'nothing')} is saved.")
    end = f"after {len(played)} plies: {others[-1].strip().split('  ', 1)[-1]}"
    return f"all {len(announced)} plies are those announced, and it ends {end}"


def _write_record(shell: Shell) -> str:
    """Write the game record and return the command with which simulated players replay the recorded
    game."""
    shell.ask(f'sed \'/<move id="41"/,/<move id="206"/d\' {SAMPLE} >{RECORD}')
    return f"{AS_COMPANION} boomboard referee --game {RECORD} --data {GAMES}"


def _interrupted_game(shell: Shell) -> tuple[int, int]:
    """Return the latest game's number, and how many plies it has. The game must not be over."""
    listed = shell.ask(f"{AS_COMPANION} boomboard games list --data {GAMES}").splitlines()
    match = _KEPT.match(listed[-1])
    if not match:
        raise CheckError(f"The interrupted game is missing: {listed[-1]}")
    return int(match[1]), int(match[2])


def _plies(sheet: str) -> Plies:
    """Read the plies from a score sheet, on which each line contains one ply by Red and one by
    Blue."""
    lines = "\n".join(re.findall(r"^ *\d+\. (.*)$", sheet, re.MULTILINE))
    squares = re.findall(r"([a-k]\d+)[-x]([a-k]\d+)", lines)
    return {ply: f"{one}-{other}" for ply, (one, other) in enumerate(squares, start=1)}
