"""External programs that speak the protocol of braathwaate/strategoevaluator.

The league acts as the protocol's manager. Red is at the top of the board and moves first.
"""

import os
import select
import shlex
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from companion.opponent.manager_protocol import (
    LETTERS,
    OUTCOMES,
    RANKS,
    ProtocolError,
    parse_squares,
)
from engine import Referee
from engine.board.geometry import LAKES, SQUARES, WIDTH, Side, Square
from engine.board.ranks import ORIGINAL, Rank
from engine.game.actions import Attack, Move, Turn
from engine.game.rulings import Combat

_PATIENCE: Final = 30.0
"""Time limit for an answer, in seconds. The original manager allows only 2 s, but this computer may
be busy."""


class ProgramError(Exception):
    """The program has exited, has not answered in time, or has given an invalid answer."""

    def __init__(self, side: Side, fault: str) -> None:
        super().__init__(fault)
        self.side = side


class ExternalContestant:
    """External process that plays one side."""

    def __init__(self, command: str, side: Side) -> None:
        self._side, self._buffer = side, b""
        try:
            self._process = subprocess.Popen(
                shlex.split(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except (OSError, ValueError, IndexError) as error:
            sys.exit(f"Cannot start the program {command!r}: {error}")
        self.heard = "START"
        try:
            self.setup: Mapping[Square, Rank] = self._read_setup()
        except ProgramError:
            self.close()
            raise

    def _read_setup(self) -> dict[Square, Rank]:
        self._send(f"{self._side.name} opponent {WIDTH} {WIDTH}")
        rows = [self._read() for _ in range(4)]
        if [len(row) for row in rows] != [WIDTH] * 4:
            raise ProgramError(self._side, f"expected four rows of {WIDTH} pieces, found {rows}")
        if sorted("".join(rows)) != sorted(LETTERS[rank] for rank in ORIGINAL.pieces):
            raise ProgramError(self._side, f"expected the pieces of an army, found {rows}")
        first = 0 if self._side is Side.RED else 6
        return {
            WIDTH * (first + y) + x: RANKS[letter]
            for y, row in enumerate(rows)
            for x, letter in enumerate(row)
        }

    def choose(self, referee: Referee) -> Turn | None:
        self._send(self.heard)
        for row in self._picture(referee):
            self._send(row)
        answer = self._read()
        if answer.startswith("SURRENDER"):
            return None
        return parse_turn(answer, referee)

    def hear(self, line: str, *, own: bool) -> None:
        """Record the outcome of a turn. If the program made the turn itself (`own`), also send the
        outcome to the program."""
        self.heard = line
        if own:
            self._send(line)

    def close(self) -> None:
        with suppress(ProgramError):
            self._send("QUIT")
        try:
            self._process.wait(1)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                with suppress(BrokenPipeError):
                    pipe.close()

    def _picture(self, referee: Referee) -> list[str]:
        position = referee.position
        tokens = []
        for square in SQUARES:
            side = position.board.side_at(square)
            if side is None:
                tokens.append("+" if LAKES >> square & 1 else ".")
            elif side is self._side:
                tokens.append(LETTERS[self.setup[position.pieces[square]]])
            else:
                tokens.append("#")
        return ["".join(tokens[at : at + WIDTH]) for at in range(0, len(SQUARES), WIDTH)]

    def _send(self, line: str) -> None:
        assert self._process.stdin
        try:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except OSError as error:
            raise ProgramError(self._side, "the program has exited") from error

    def _read(self) -> str:
        assert self._process.stdout
        until = time.monotonic() + _PATIENCE
        while b"\n" not in self._buffer:
            ready, *_ = select.select([self._process.stdout], [], [], until - time.monotonic())
            got = os.read(self._process.stdout.fileno(), 4096) if ready else b""
            if not got:
                raise ProgramError(self._side, "no answer")
            self._buffer += got
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line.decode(errors="replace").strip()


def parse_turn(answer: str, referee: Referee) -> Turn:
    """Parse a turn such as ``0 3 DOWN 2``. Raise ProgramError if it is malformed."""
    try:
        source, target, _ = parse_squares(answer.split())
    except ProtocolError as error:
        raise ProgramError(referee.to_move, str(error)) from error
    enemy = referee.position.enemy >> target & 1
    return Attack(source, target) if enemy else Move(source, target)


def format_outcome(combat: Combat | None, referee: Referee) -> str:
    """Format the outcome of the last turn as the manager does."""
    if referee.outcome and referee.outcome.winner is not None:
        flag = combat is not None and combat.defender is Rank.FLAG
        return "VICTORY_FLAG" if flag else "VICTORY_ATTRITION"
    if combat is None:
        return "OK"
    assert combat.defender is not None
    return f"{OUTCOMES[combat.result]} {LETTERS[combat.attacker]} {LETTERS[combat.defender]}"
