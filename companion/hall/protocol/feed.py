"""Creates the items of a game one by one from the rows of its journal.

The actions are replayed, and only the referee's `Public` events are published. A declared rank is
known to this module, but is published only with the combat that reveals it. The seed of the game is
not published either, because it determines where on the screen each rank was when it was declared.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Final, Union, get_args

from companion.codec import Tag
from companion.core.events import (
    BoardConnected,
    BoardDiffers,
    BoardDisconnected,
    LossWarning,
    Restored,
    read_public_event,
    write_event,
)
from companion.core.inputs import AnswerCall, CallArbiter, Pause, Resume, WithdrawCall
from companion.hall.protocol.feed_item import Began, Item, ItemSeals, Stands
from companion.storage.game_rows import Note
from companion.storage.journal_tail import ActionRow, GameStarted, Row
from engine.board.geometry import Side
from engine.board.visibility import Public
from engine.game.actions import Forfeit
from engine.game.clocks import ClockState, Limit, TimeControl
from engine.game.game_state import Phase
from engine.game.referee import Referee
from engine.game.rulings import Ruling
from engine.records.serialization import write_control, write_edition
from engine.records.transcript import SealedResult, seals_after
from engine.rules.rules import Violation
from firmware_bridge.image import Image


class Feed:
    """The public feed of one game."""

    def __init__(self, begun: GameStarted) -> None:
        self._begun = begun
        self._referee = Referee.waiting(begun.edition)
        self._number = 0
        self._clock = ClockState()
        self._wrong = Stands.NOTHING
        """A rule violation or a disturbed board, until it is resolved."""
        self._has_board, self._is_paused = True, False
        self._call: CallArbiter | None = None
        self._seals: SealedResult | None = None

    def begin(self) -> Item:
        """Return the first item, with the players and the rules."""
        begun = self._begun
        began = Began(
            begun.at, write_edition(begun.edition), write_control(begun.control), begun.players
        )
        return self._item(0.0, (), began)

    def take(self, row: Row) -> Item:
        """Return the item for the next row; OutOfPhaseError if the row does not fit the game."""
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


def _left(control: TimeControl, clock: ClockState) -> dict[str, float]:
    """Return the seconds left on each clock in use."""
    left = {}
    for limit in Limit:
        allowed = control.allowed(limit)
        if allowed is not None:
            turn = clock.turn if limit in clock.counting else 0
            left[limit.value] = round(allowed - clock.used[limit] - turn, 1)
    return left


# From the public events, the hall can announce a table's game in any language.

_RULINGS: Final = tuple(kind for kind in get_args(Ruling) if issubclass(kind, Public))
_NOTES: Final = get_args(Note)
_EVENT: Final = Annotated[Union[*_RULINGS, *_NOTES], Tag("event")]


def read_event(plain: Mapping[str, Any]) -> Public:
    """Decode a public event; ValueError if it is malformed or not public."""
    event: Public = read_public_event(plain, _EVENT)
    return event
