"""Encodes the lines of a trace as plain data, one JSON object per line.

The first line has `trace` (the version, 1), `program`, `begun`, `stripped` (whether secrets were
removed), `after` (the file that this one continues, which a replay needs in the same folder),
`board` and `faint` as in ``boomboard table``, `game` (`edition`, `seed`, `control`, `clock`,
`saved`), and the `actions` of a resumed game. The last line has `end`. Every other line is an input
with the time `at` and one of

- `board`: the squares that have changed, ``{"e4": "."}``, with `moments` and `faint`; `found`,
  `lost`, `time`, `feels`: as in ``boomboard table``
- `same`, instead of `at`: the times of frames without changes and effects; `faint` is as before
- `complains`: the square whose sensor fails, or null for the supply; `dying`
- `do`: an action as in docs/records.md; `say`: a command with its `side`
- `doubt`: a square that is `doubted` or not; `pause`: true if it begins, false if it ends;
  `give-time`: the seconds for a `side`; `call-arbiter`, `withdraw-call`: the side; `answer-call`;
  `attacker`, `choose`, `no-attack`, `read`; `believe`: the side of `accept-board`, with `to_move`
- `seal`: `declare` or `insist`, with its `side`

and with its outcome: `actions` and `events` as in ``boomboard table``, and `sum`, a checksum of all
inputs and outputs so far, missing if the table failed. Private information is in separate lines,
under `sealed`, which contain nothing else. A trace is redacted by removing these lines.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from companion.codec import to_plain
from companion.core.game_context import Step
from companion.core.game_options import GameOptions, SavedState
from companion.core.inputs import BoardSeen, Input
from companion.jsonl.requests import write_details
from companion.jsonl.responses import write_accepted
from companion.recorder.input_codec import encode_input, write_secret
from companion.recorder.step_hash import StepHash, write_actions, write_private, write_public
from engine.board.geometry import Side
from engine.board.ranks import Rank
from engine.game.actions import Action, Declare, UpholdDeclaration
from engine.game.clocks import ClockState, TimeControl
from engine.game.referee import Referee
from engine.game.rulings import Combat
from engine.records.serialization import read_action, write_action, write_rank
from engine.rules.editions import Edition
from firmware_bridge.image import Image

# Declared ranks of a game that a later combat has revealed to everyone.


def encode_public(edition: Edition, actions: Sequence[Action]) -> list[dict[str, Any]]:
    """Encode the public part of accepted actions, with ranks that combats have revealed.

    A declared rank that was undone or never revealed stays secret.
    """
    referee = Referee.waiting(edition)
    told = [write_accepted(action) for action in actions]
    declared: dict[Side, int] = {}
    for number, action in enumerate(actions):
        if isinstance(action, Declare | UpholdDeclaration):
            declared[action.rank.owner] = number
        for ruling in referee.apply(action):
            if isinstance(ruling, Combat):
                for side, rank in shown_by(ruling).items():
                    if side in declared:
                        told[declared[side]] = _with_rank(told[declared[side]], rank)
        if not referee.open_attack:
            declared = {}
    return told


def shown_by(combat: Combat) -> dict[Side, Rank]:
    """Return the ranks that a combat reveals, without a rank that stays undeclared."""
    ranks = {combat.side: combat.attacker, combat.side.other: combat.defender}
    return {side: rank for side, rank in ranks.items() if rank is not None}


def _with_rank(plain: dict[str, Any], rank: Rank) -> dict[str, Any]:
    return {key: value for key, value in plain.items() if key != "sealed"} | {
        "rank": write_rank(rank)
    }


# The initial state of a table; the actions are separate, since they contain ranks.


@dataclass(frozen=True)
class RecordedStart:
    """An initial state without its actions."""

    edition: Edition
    seed: int
    control: TimeControl
    clock: ClockState | None
    saved: SavedState

    @classmethod
    def of(cls, options: GameOptions) -> "RecordedStart":
        saved = options.saved
        return cls(options.edition, options.seed, options.control, options.clock, saved)

    def with_actions(self, actions: Sequence[Mapping[str, Any]]) -> GameOptions:
        """Add the actions with which the game is resumed; ValueError if they are malformed."""
        taken = tuple(map(read_action, actions))
        return GameOptions(self.edition, self.seed, self.control, taken, self.clock, self.saved)


Line: TypeAlias = Mapping[str, Any]
FORMAT: Final = 1
"""Version of the line format."""
MOST_ALIKE: Final = 100
"""Maximum number of frames that share a line."""


@dataclass(frozen=True)
class InputOutcome:
    """Outcome of an input."""

    step: Step
    due: float | None
    """Time at which the table wants to be called again, or None."""


class TraceLines:
    """Encodes the inputs and outcomes of a table as lines, for one game."""

    def __init__(self, beginning: GameOptions, program: str, begun: str) -> None:
        """Start a trace; `program` is the writing version, `begun` the start time in UTC."""
        self._options = beginning
        self._program, self._begun = program, begun
        self._sum = StepHash()
        self._given: Input | None = None
        """The input whose outcome is pending."""
        self._shown = BoardSeen(0.0, Image())
        """The latest frame."""
        self._alike: list[float] = []
        """Times of the frames that share the line under construction."""

    def header(self, after: str | None) -> list[Line]:
        """Return the first lines of a file; `after` names the file that it continues."""
        actions = self._options.actions
        told = encode_public(self._options.edition, actions)
        head = {
            "trace": FORMAT,
            "program": self._program,
            "begun": self._begun,
            "after": after,
            "stripped": False,
            "board": self._shown.image.tokens,
            **write_details((), self._shown.faint),
            "game": to_plain(RecordedStart.of(self._options)),
            "actions": told,
        }
        whole = [write_action(action) for action in actions]
        return [head] if told == whole else [head, {"sealed": {"actions": whole}}]

    def begin_input(self, given: Input) -> Iterator[Line]:
        """Take an input; yield the previous input if it has no outcome because the table failed."""
        yield from self.flush_failed()
        self._given = given

    def end_input(self, noted: InputOutcome) -> Iterator[Line]:
        """Take the outcome of the input; yield finished lines."""
        given, self._given = self._given, None
        assert given, "expected an input before its outcome"
        is_alike = isinstance(given, BoardSeen) and given == replace(self._shown, at=given.at)
        if not is_alike or noted.step.actions or noted.step.events:
            yield from self.flush()
            yield from self._write(given, noted)
            return
        self._sum.take(given, noted.step, noted.due)
        self._alike.append(given.at)
        if len(self._alike) == MOST_ALIKE:
            yield from self.flush()

    def flush(self) -> Iterator[Line]:
        """Yield the unfinished line of shared frames, if there is one."""
        if self._alike:
            yield {"same": self._alike, "sum": str(self._sum)}
            self._alike = []

    def flush_failed(self) -> Iterator[Line]:
        """Yield the input for which the table raised an exception, if there is one."""
        if self._given:
            yield from self.flush()
            yield encode_input(self._given, self._shown.image)
            yield from _seal(self._given, None)
            self._given = None

    def _write(self, given: Input, noted: InputOutcome) -> Iterator[Line]:
        self._sum.take(given, noted.step, noted.due)
        line = encode_input(given, self._shown.image)
        if noted.step.actions:
            line["actions"] = write_actions(noted.step)
        if told := write_public(noted.step.events):
            line["events"] = told
        line["sum"] = str(self._sum)
        yield line
        yield from _seal(given, noted.step)
        if isinstance(given, BoardSeen):
            self._shown = replace(given, moments=())


def _seal(given: Input, step: Step | None) -> Iterator[Line]:
    """Yield the line with the private part, if there is one."""
    sealed: dict[str, Any] = {**write_secret(given)}
    if step and (told := write_private(step.events)):
        sealed["events"] = told
    if sealed:
        yield {"sealed": sealed}
