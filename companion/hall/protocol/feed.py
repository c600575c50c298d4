"""Creates the public feed of a game from the rows of its journal.

Each item contains the public events of one row and the state of the game after that row, so a page
needs only the state in the latest item.

The actions are replayed, and only the referee's `Public` events are published. Although this module
knows the declared ranks, it publishes a rank only with the combat that reveals it. It does not
publish the seed of the game, because the seed reveals where each rank's tile appears on the screen.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, Final, TypeAlias, Union, get_args

from companion.codec import Form, Named, Tag, checked, from_plain, limited, one_of, to_plain
from companion.core.events import (
    BoardConnected,
    BoardDiffers,
    BoardDisconnected,
    LossWarning,
    Restored,
    read_public_event,
    write_event,
)
from companion.core.game_options import read_call, write_call
from companion.core.inputs import AnswerCall, CallArbiter, Pause, Resume, WithdrawCall
from companion.jsonl.untrusted import read_object
from companion.storage.game_rows import Note, PlayerNames
from companion.storage.journal_tail import ActionRow, GameStarted, Row
from engine.board.geometry import Side
from engine.board.visibility import Public
from engine.game.actions import Forfeit
from engine.game.clocks import Clock, ClockState, Limit, TimeControl
from engine.game.game_state import Phase
from engine.game.referee import Referee
from engine.game.rulings import Ruling
from engine.records.serialization import write_control, write_edition
from engine.records.transcript import SealedResult, SealState, seals_after
from engine.rules.rules import Violation
from firmware_bridge.image import Image

LAST_NUMBER: Final = 2**31 - 1
"""Largest integer that fits into an integer column of both database systems."""
MOST_SECONDS: Final = 1e11
"""Maximum absolute value of a clock reading or time, in seconds."""
MOST_BYTES: Final = 16 * 2**10
"""Maximum size of an item, in bytes. The longest real item reports all squares of a board that the
players have accepted. It is a quarter of this size."""


class Stands(Enum):
    """Reasons why a game cannot continue, most serious first."""

    DISPUTE = "dispute"
    VIOLATION = "violation"
    DISTURBED = "disturbed"
    NO_BOARD = "no-board"
    NOTHING = "nothing"


def _is_seconds(value: float) -> bool:
    return abs(value) <= MOST_SECONDS


Seconds: TypeAlias = Annotated[
    float, checked(float, _is_seconds, "a number of seconds", "numbers of seconds")
]
_Limit: TypeAlias = Annotated[str, one_of(*(limit.value for limit in Limit))]
_Call: TypeAlias = Annotated[
    CallArbiter | None, Form("red, blue, both or an empty string", "calls", read_call, write_call)
]


@dataclass(frozen=True)
class Began:
    """Facts about a game that are known when it starts."""

    at: str
    edition: Mapping[str, Any]
    control: Mapping[str, Any]
    players: PlayerNames


@dataclass(frozen=True)
class ItemSeals:
    """The sealed armies of a game."""

    words: Annotated[str, checked(str, lambda words: len(words) <= 80, "at most 80 characters")]
    """Four words and a code that identify the seals with which the game began."""
    red: Annotated[SealState | None, Named(omits_default=True)] = None
    """State of Red's seals, or None if Red has not sealed its army. `blue` is the same for Blue."""
    blue: Annotated[SealState | None, Named(omits_default=True)] = None

    @property
    def states(self) -> Mapping[Side, SealState]:
        """State of the seals of each side that has sealed its army."""
        found = {Side.RED: self.red, Side.BLUE: self.blue}
        return {side: state for side, state in found.items() if state}


@dataclass(frozen=True)
class Item:
    """The public content of a journal row. The annotations define the format."""

    number: Annotated[int, limited(1, LAST_NUMBER)]
    """Sequence number of the item within its game, starting at 1 and without gaps."""
    at: Seconds
    """Time on the table's clock, in seconds."""
    events: tuple[Mapping[str, Any], ...]
    """Public events, encoded as by `boomboard table`. An older hall may not know all of them."""
    board: Annotated[str, checked(str, lambda board: len(board) == 100, "100 characters")]
    phase: Phase
    to_move: Side
    plies: Annotated[int, limited(0, LAST_NUMBER)]
    stands: Stands
    is_paused: Annotated[bool, Named("paused")]
    """Whether the game is paused. If play is also blocked for a more serious reason, `stands` gives
    it."""
    call: _Call
    """The pending call for an arbiter, or None."""
    left: Mapping[_Limit, Seconds]
    """Seconds left on each clock in use."""
    running: tuple[_Limit, ...]
    outcome: Mapping[str, Any] | None
    """Result of the game as an encoded event, or None while the game is in progress."""
    began: Began | None = None
    """Facts about the game, contained only in the first item."""
    seals: Annotated[ItemSeals | None, Named(omits_default=True)] = None
    """Seals of the armies, contained in all items from the placement of the armies onwards."""

    @property
    def is_over(self) -> bool:
        return self.outcome is not None


def write_item(item: Item) -> str:
    """Encode an item as one line of JSON. Equal items give equal lines."""
    return json.dumps(to_plain(item), separators=(",", ":"), sort_keys=True)


def read_item(text: str | bytes) -> Item:
    """Decode a line from `write_item`. Raise ValueError if the line is malformed."""
    if len(text) > MOST_BYTES:
        raise ValueError("the item is too long")
    item: Item = from_plain(read_object(text), Item, "the item")
    return item


class Feed:
    """The public feed of one game."""

    def __init__(self, begun: GameStarted) -> None:
        self._begun = begun
        self._referee = Referee.waiting(begun.edition)
        self._number = 0
        self._clock = ClockState()
        self._wrong = Stands.NOTHING
        """The unresolved problem (`VIOLATION` or `DISTURBED`), or `NOTHING` if there is none."""
        self._has_board, self._is_paused = True, False
        self._call: CallArbiter | None = None
        self._seals: SealedResult | None = None

    def begin(self) -> Item:
        """Return the first item, which contains the players and the rules."""
        begun = self._begun
        began = Began(
            begun.at, write_edition(begun.edition), write_control(begun.control), begun.players
        )
        return self._item(0.0, (), began)

    def take(self, row: Row) -> Item:
        """Return the item for the next row.

        Raise OutOfPhaseError if the row does not fit the state of the game.
        """
        self._clock = row.clock
        if isinstance(row, ActionRow):
            rulings = self._referee.apply(row.action)
            self._seals = seals_after(self._seals, row.action, rulings)
            self._wrong = Stands.NOTHING
            self._is_paused = self._is_paused and not isinstance(row.action, Forfeit)
            return self._item(row.at, rulings)
        self._follow(row.note)
        return self._item(row.at, [row.note])

    def _follow(self, note: Note) -> None:
        match note:
            case Violation():
                self._wrong = Stands.VIOLATION
            case BoardDiffers() | LossWarning():
                self._wrong = Stands.DISTURBED
            case Restored():
                self._wrong = Stands.NOTHING
            case BoardConnected() | BoardDisconnected():
                self._has_board = isinstance(note, BoardConnected)
            case Pause() | Resume():
                self._is_paused = isinstance(note, Pause)
            case CallArbiter():
                self._call = note
            case WithdrawCall() | AnswerCall():
                self._call = None

    def _item(
        self,
        at: float,
        events: Iterable[Ruling | Note],
        began: Began | None = None,
    ) -> Item:
        self._number += 1
        referee = self._referee
        board = referee.position.board
        outcome = referee.outcome
        control = self._begun.control.under(referee.edition.handicap)
        return Item(
            number=self._number,
            at=at,
            events=tuple(write_event(event) for event in events if isinstance(event, Public)),
            board=Image(board.of(Side.RED), board.of(Side.BLUE)).tokens,
            phase=referee.phase,
            to_move=referee.to_move,
            plies=referee.plies,
            stands=self._stands,
            is_paused=self._is_paused and outcome is None,
            call=self._call,
            left=_left(control, self._clock),
            running=self._running,
            outcome=write_event(outcome) if outcome else None,
            began=began,
            seals=_seals(self._seals),
        )

    @property
    def _running(self) -> tuple[str, ...]:
        """The clocks that run until the next item."""
        is_stopped = self._is_paused or self._stands not in (Stands.NOTHING, Stands.VIOLATION)
        runs = self._referee.phase.is_turn and not is_stopped
        return tuple(limit.value for limit in self._clock.counting) if runs else ()

    @property
    def _stands(self) -> Stands:
        match self._referee.phase:
            case Phase.OVER:
                return Stands.NOTHING
            case Phase.DISPUTE:
                return Stands.DISPUTE
        if self._wrong is not Stands.NOTHING:
            return self._wrong
        return Stands.NOTHING if self._has_board else Stands.NO_BOARD


def _seals(result: SealedResult | None) -> ItemSeals | None:
    if result is None:
        return None
    states = {side: each.state for side, each in result.sides.items()}
    return ItemSeals(str(result.words), states.get(Side.RED), states.get(Side.BLUE))


def _left(control: TimeControl, state: ClockState) -> dict[str, float]:
    clock = Clock(control, state)  # paused, so the timestamps below do not matter
    left = {
        Limit.SETUP: clock.setup_left(0.0),
        Limit.RED: clock.remaining(Side.RED, 0.0),
        Limit.BLUE: clock.remaining(Side.BLUE, 0.0),
        Limit.WHOLE: clock.whole_left(0.0),
    }
    return {limit.value: round(time, 1) for limit, time in left.items() if time is not None}


# The hall announces a game in any language, based on the game's public events.

_RULINGS: Final = tuple(kind for kind in get_args(Ruling) if issubclass(kind, Public))
_NOTES: Final = get_args(Note)
_EVENT: Final = Annotated[Union[*_RULINGS, *_NOTES], Tag("event")]


def read_event(plain: Mapping[str, Any]) -> Public:
    """Decode a public event. Raise ValueError if the event is malformed or not public."""
    event: Public = read_public_event(plain, _EVENT)
    return event
