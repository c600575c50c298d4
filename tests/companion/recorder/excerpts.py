"""Excerpts from games played by simulated hands. Each begins shortly before a certain event.

`make cases` extracts the excerpts again. If the simulated hands no longer play the same game, the
old trace is kept.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from companion.core.game_context import Step
from companion.core.game_options import GameOptions
from companion.core.inputs import BoardFound, Input
from companion.jsonl.table_process import TableProcess
from engine.game.actions import Action
from engine.game.clocks import NO_CLOCK, ClockState
from engine.rules.editions import DEFAULT
from tests.hands.match import Match
from tests.hands.profiles import PROFILES


class Notes:
    def __init__(self) -> None:
        self.given: list[Input] = []
        self.steps: list[Step] = []

    def hear(self, given: Input) -> None:
        self.given.append(given)

    def note(self, step: Step, due: float | None) -> None:
        self.steps.append(step)


@dataclass(frozen=True)
class CutOut:
    """Part of a game between two times, in seconds. The position at `begin` must be settled."""

    hands: str
    seed: int
    game: int
    begin: float
    end: float

    def cut(self) -> tuple[GameOptions, list[Input]]:
        """Play the game. Return what a table needs to repeat the part from `begin` to `end`.

        These are the options with which the table resumes at `begin`, and the inputs up to `end`.
        """
        notes = Notes()
        process = TableProcess(DEFAULT, self.seed, NO_CLOCK, notes)
        Match(PROFILES[self.hands], DEFAULT, process, str(self.seed), self.game).play()
        before = len(list(takewhile(lambda given: given.at < self.begin, notes.given)))
        actions: list[Action] = []
        clock: ClockState | None = None
        for step in notes.steps[:before]:
            actions += step.actions
            clock = step.clock
        saved = notes.steps[before - 1].saved
        beginning = GameOptions(DEFAULT, self.seed, NO_CLOCK, tuple(actions), clock, saved)
        sees_colours = PROFILES[self.hands].sees_colours
        found = BoardFound(self.begin, sees_colours=sees_colours)
        after = takewhile(lambda given: given.at <= self.end, notes.given[before:])
        return beginning, [found, *after]


CUT_OUTS: Final[Mapping[str, CutOut]] = {
    "attack-withdrawn-for-ever": CutOut("blitz", 500, 20, 175.0, 187.0),
    "target-shoved-after-hovering": CutOut("normal", 300, 34, 399.5, 411.5),
    "answered-while-a-run-is-asked-about": CutOut("clumsy", 300, 19, 1079.8, 1092.0),
}
