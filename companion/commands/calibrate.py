"""Teach a board its sensors and its pieces, step by step.

Nothing is changed before the last step: whoever stops earlier, at whatever time, keeps the
calibration that was in use. With --simulate, simulated hands do what is asked for. Exit code: 0 the
board is calibrated, 2 it is not.
"""

import argparse
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Final

from rich.console import Console

from companion.commands import CommandError
from companion.workshop.bench import Workbench, add_board, sentence, workbench
from companion.workshop.maker import Maker
from companion.workshop.watch import where
from engine import picture
from engine.sides import Side
from engine.squares import Square, SquareSet, name, names, squares_in
from firmware_bridge.link import Connected, Received, Trouble
from firmware_bridge.wire import Identify, Learn, Learned, LearnResult, LearnStep

ANSWER_SECONDS: Final = 3.0
"""How long to wait for an answer that has to come within one."""

_TASKS: Final = {
    LearnStep.EMPTY: "Take everything off the board.",
    LearnStep.ARMIES: "Set up both armies: 40 red pieces on rows 1 to 4, 40 blue ones on rows 7 to "
    "10. Which piece stands where does not matter.",
}
_REFUSALS: Final = {
    LearnResult.OCCUPIED: "Something is felt on {squares}. Take it off. If nothing stands there, "
    "its sensor rests too far off: ask “boomboard doctor”.",
    LearnResult.WEAK: "Weak: the magnets on {squares}. Set these pieces on the middle of their "
    "squares, or exchange their magnets.",
    LearnResult.FLIPPED: "The wrong way round: the magnets on {squares}. Red pieces have the north "
    "pole up, blue ones the south pole; turn these magnets over.",
    LearnResult.MISSING: "Nothing is felt on {squares}: no piece there, a piece without a magnet, "
    "or a dead sensor. Exchange these pieces for ones that are felt elsewhere.",
}
_DEAD: Final = (
    "Still nothing is felt on {square} (multiplexer {multiplexer}, input {input}). If a piece "
    "stands there that is felt elsewhere, the sensor is dead. Check its three joints and its wire; "
    "if they are good, exchange the sensor. Until then the board cannot be calibrated: end with "
    "Control-C."
)
_MARKS: Final = {
    LearnResult.OCCUPIED: "o",
    LearnResult.WEAK: "w",
    LearnResult.FLIPPED: "f",
    LearnResult.MISSING: "n",
}
_MEANINGS: Final = {
    LearnStep.EMPTY: "o something is felt",
    LearnStep.ARMIES: "r b well, w weak, f the wrong way round, n nothing is felt",
}
_STARTED_ANEW: Final = (
    "The board started anew and has lost what it had learned. Begin anew; if that happens again, "
    "ask “boomboard doctor”."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options."""
    add_board(parser)


def run(options: argparse.Namespace) -> int:
    """Lead through the calibration."""
    console = Console(highlight=False, markup=False)
    with workbench(options) as bench:
        connected = bench.connect()
        console.print(f"The board on {connected.port} is there. Control-C ends this at any time.")
        _calibrate(Calibrator(bench), console, Maker(bench.virtual) if bench.virtual else None)
    return 0


def _calibrate(calibrator: "Calibrator", console: Console, maker: Maker | None) -> None:
    try:
        for number, step in enumerate(_TASKS, start=1):
            _take(step, number, calibrator, console, maker)
    except (CommandError, KeyboardInterrupt):
        calibrator.forget()
        console.print("\nNothing was changed.")
        raise
    try:
        calibrator.take(LearnStep.SAVE)
    except (CommandError, KeyboardInterrupt):
        console.print("\nWhether it was saved, “boomboard doctor” can tell.")
        raise
    console.print(
        f"Saved: calibration {calibrator.checksum():04X} is in use. Look at the board with "
        "“boomboard doctor”, then play with “boomboard play”."
    )


def _take(
    step: LearnStep, number: int, calibrator: "Calibrator", console: Console, maker: Maker | None
) -> None:
    """Ask for one step until it is done well."""
    console.print(f"\nStep {number} of {len(_TASKS)}. {_TASKS[step]}")
    refused: Mapping[LearnResult, SquareSet] = {}
    while True:
        _wait_for_enter(console)
        if maker:
            maker.do(step, refused)
        before, refused = refused, calibrator.take(step)
        if not refused:
            console.print("Done.")
            return
        console.print(_drawn(step, refused))
        for complaint in _complaints(before, refused):
            console.print(complaint)


def _wait_for_enter(console: Console) -> None:
    try:
        console.input("Then press Enter. ")
    except EOFError as error:
        raise CommandError("Nobody presses Enter; calibrate in a terminal.") from error


def _complaints(
    before: Mapping[LearnResult, SquareSet], refused: Mapping[LearnResult, SquareSet]
) -> Iterator[str]:
    """Say what is wrong and what to do, and more of where that has not helped."""
    dead = before.get(LearnResult.MISSING, 0) & refused.get(LearnResult.MISSING, 0)
    for result, squares in refused.items():
        if fresh := squares & ~dead:
            yield _REFUSALS[result].format(squares=names(fresh).replace(" ", ", "))
    for square in squares_in(dead):
        multiplexer, channel = where(square)
        yield _DEAD.format(square=name(square), multiplexer=multiplexer, input=channel)


def _drawn(step: LearnStep, refused: Mapping[LearnResult, SquareSet]) -> str:
    """Draw the board with what is wrong on it."""

    def token(square: Square) -> str | None:
        for result, squares in refused.items():
            if squares >> square & 1:
                return _MARKS[result]
        if step is LearnStep.ARMIES:
            return next((side.value[0] for side in Side if side.home >> square & 1), None)
        return None

    return f"{picture.draw(token)}\n   {_MEANINGS[step]}"


class Calibrator:
    """Says the steps to the board and waits for its answer; CommandError if it fails to come."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench

    def take(self, step: LearnStep) -> Mapping[LearnResult, SquareSet]:
        """Take a step and return why it was refused, by square; nothing if it is done."""
        self._drain()
        self._bench.ask(Learn(step))  # if the board has just gone, that is what is heard next
        answer = self._hear(step, ANSWER_SECONDS)
        if not answer:
            raise CommandError("The board does not answer. Flash it with “boomboard flash”.")
        if LearnResult.OUT_OF_ORDER in answer.results:
            raise CommandError(_STARTED_ANEW)
        return {} if LearnResult.DONE in answer.results else answer.results

    def forget(self) -> None:
        """Let the board forget what was not saved, if it is still there."""
        with suppress(CommandError):
            if self._bench.ask(Learn(LearnStep.ABORT)):
                self._hear(LearnStep.ABORT, ANSWER_SECONDS)

    def checksum(self) -> int:
        """Ask the board which calibration is in use."""
        deadline = time.monotonic() + ANSWER_SECONDS
        self._bench.ask(Identify())
        while time.monotonic() < deadline:
            event = self._bench.next_event(deadline - time.monotonic())
            if isinstance(event, Connected) and event.hello.calibration:
                return event.hello.calibration
        raise CommandError("The board does not say that it is calibrated. Ask “boomboard doctor”.")

    def _hear(self, step: LearnStep, seconds: float) -> Learned | None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            event = self._bench.next_event(deadline - time.monotonic())
            match event:
                case Received(Learned() as answer) if answer.step is step:
                    return answer
                case Trouble():
                    raise CommandError(f"{sentence(event)} Then begin anew.")
        return None

    def _drain(self) -> None:
        """Take in what came while somebody was busy with the pieces."""
        trouble = None
        while event := self._bench.next_event(0):
            if isinstance(event, Trouble):
                trouble = event
            elif isinstance(event, Connected):
                raise CommandError(_STARTED_ANEW)
        if trouble:
            raise CommandError(f"{sentence(trouble)} Then begin anew.")
