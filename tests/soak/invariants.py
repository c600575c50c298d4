"""The program's guarantees, each with a name, and their checks."""

import json
import math
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from enum import Enum
from pathlib import Path
from typing import Any, Final

from companion.core.game_context import Step
from companion.core.inputs import AdjustClock, CommandInput, Input
from companion.core.table import Table
from companion.devices import lamps as edge_lamps
from companion.recorder import input_codec
from companion.session.session import Session
from companion.speech.announcer import Announcer
from companion.storage.journal import Journal, SavedGame
from engine.board.geometry import Side
from engine.board.visibility import Private, Public
from engine.game.actions import AdoptBoard
from engine.game.clocks import ClockState, Limit
from engine.game.game_state import Phase
from engine.game.referee import Referee
from engine.records.serialization import read_action
from tests.soak.faulty_disk import Disk


class Invariant(Enum):
    """Guarantee that is checked after every step."""

    ON_DISK = "announced actions are on disk"
    REPLAYS = "the journal reproduces the game"
    PRIVATE = "nothing private becomes public"
    REPEATS = "the same inputs give the same outcome"
    RECOVERABLE = "no state is a dead end"
    CLOCKS = "clocks gain no time"
    PIECES = "no piece appears or disappears"
    ONE_PLAYER = "only one program plays a game"
    GOES_ON = "the program does not crash"


class BrokenInvariantError(Exception):
    """Raised if a guarantee is violated. The message says what was observed."""

    def __init__(self, invariant: Invariant, seen: str) -> None:
        super().__init__(f"{invariant.value}: {seen}")
        self.invariant, self.seen = invariant, seen


def require(invariant: Invariant, holds: object, seen: str) -> None:
    """Raise BrokenInvariantError unless a condition holds."""
    if not holds:
        raise BrokenInvariantError(invariant, seen)


# Clocks: neither a step nor a power cut may give a side more time.

SLACK: Final = 3.0
"""Tolerance in seconds. Thinking time ends when the piece is released. The table rules on the turn
only when the board has been stable for a while, and may amend the ruling for two seconds."""
GIVEN_BACK: Final = 2.0
"""Maximum thinking time that a player may get back after a power cut, in seconds."""
SILENCE: Final = 1.0
"""Additional tolerance in seconds. Frames may have been missed before the program noticed a
disconnection."""


def used(clock: ClockState) -> Mapping[Limit, float]:
    """Return how much of each time limit has been used, in seconds."""
    total = dict(clock.used)
    for limit in clock.counting:
        total[limit] += clock.turn
    if clock.waiting is not None and clock.interrupted:
        for limit in (clock.interrupted, Limit.WHOLE):
            total[limit] += clock.waiting
    return total


class ClockInvariant:
    """Checks a table's clock after every input."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._before = used(table.shown_clock)
        self._limits = [each for each in Limit if table.clock.control.allowed(each) is not None]
        self._shown_at = self._heard_at = self._waited_at = -math.inf

    def note(self, given: Input, step: Step) -> None:
        """Check that no clock has gained time through the input, except by an adjustment of the
        clock or within a tolerance."""
        self._shown_at, self._heard_at = self._heard_at, given.at
        if not (self._limits and step.is_news):
            return
        now, before = used(step.clock), self._before
        self._before = now
        match given:
            case CommandInput(what=AdjustClock()):
                return
        allowed = SLACK + (self._table.clock.control.delay if step.actions else 0)
        for limit in self._limits:
            gained = before[limit] - now[limit]
            require(
                Invariant.CLOCKS,
                gained <= allowed,
                f"{limit.value} has {gained:.1f} seconds more than before this step",
            )

    def wait(self, at: float) -> None:
        """Record that a save failed at time `at`, so the clock was not saved."""
        self._waited_at = at

    def check_after_plug(self, after: ClockState, *, silent: bool, saving: bool) -> None:
        """Check that a power cut gives the players hardly any time back.

        If a save was unfinished, a player may also get back the time since the clock was last
        displayed. The reason is that a save blocks the program, and the program learns only
        afterwards for how long.
        """
        if self._heard_at - self._waited_at <= GIVEN_BACK:
            return  # the clock could not be saved
        allowed = GIVEN_BACK + (SILENCE if silent else 0)
        if saving:
            allowed += self._heard_at - self._shown_at
        before, now = used(self._table.shown_clock), used(after)
        for limit in self._limits:
            gained = before[limit] - now[limit]
            require(
                Invariant.CLOCKS,
                gained <= allowed,
                f"the power cut has given {limit.value} {gained:.1f} seconds back",
            )


# Saved games: everything that has been announced is on disk, and the game can be replayed from the
# disk. At every announcement, a second reader replays the file, and its result must match the
# table.

_ACTIONS = "SELECT action FROM action WHERE game = ? AND number > ? ORDER BY number"


class SavedGamesInvariant:
    """Tracks a session on disk."""

    def __init__(self, path: Path, session: Session) -> None:
        self._path, self._session = path, session
        self._reader: sqlite3.Connection | None = None
        self._mirror = Referee.waiting(session.table.referee.edition)
        self.announced = 0
        """Number of actions at the latest announcement."""

    @property
    def may_be_over(self) -> bool:
        """Whether it is correct if there is no unfinished game on the disk."""
        is_over = self._session.table.referee.outcome or self._mirror.outcome
        return is_over is not None or not self.announced

    def close(self) -> None:
        if self._reader:
            self._reader.close()
            self._reader = None

    def check_saved(self) -> None:
        """Check, when something is announced, that all accepted actions are on disk."""
        session, referee = self._session, self._session.table.referee
        accepted = len(referee.actions)
        if not session.is_persistent or accepted == self.announced:
            return
        self.announced = accepted
        self._read()
        on_disk = len(self._mirror.actions)
        require(
            Invariant.ON_DISK,
            on_disk == accepted,
            f"{accepted} actions were accepted before an announcement, but {on_disk} are on disk",
        )
        check_same_game(self._mirror, referee)

    def _read(self) -> None:
        if self._reader is None:
            self._reader = sqlite3.connect(self._path, isolation_level=None)
        at = self._session.number, len(self._mirror.actions)
        for (action,) in self._reader.execute(_ACTIONS, at).fetchall():
            self._mirror.apply(read_action(json.loads(action)))


def check_same_game(kept: Referee, played: Referee) -> None:
    """Check that the saved game leads to the current state."""
    same = (
        list(kept.actions) == list(played.actions)
        and kept.phase is played.phase
        and kept.position == played.position
        and kept.outcome == played.outcome
    )
    require(Invariant.REPLAYS, same, f"the saved game differs after {len(played.actions)} actions")


def check_same_table(kept: Table, played: Table) -> None:
    """Check that a resumed table has the same state as the previous one."""
    check_same_game(kept.referee, played.referee)
    require(
        Invariant.REPLAYS,
        kept.saved == played.saved,
        f"{kept.saved} is saved, not {played.saved}",
    )
    ours, theirs = kept.conversation, played.conversation
    require(Invariant.REPLAYS, ours.question == theirs.question, "a different rank is asked for")
    words = [(ours.private_word(side), theirs.private_word(side)) for side in Side]
    require(Invariant.REPLAYS, all(a == b for a, b in words), "a refuted declaration is lost")


def read_saved(disk: Disk) -> SavedGame | None:
    """Read the unfinished game, as another process would."""
    with closing(Journal(disk.path, connect=disk.connect_beside)) as journal:
        journal.file.check()
        return journal.unfinished()


# Pieces: the pieces on the board and the captured pieces together make up the whole army.


def check_pieces(table: Table) -> None:
    """Check the number of pieces in the public view.

    Only an agreement can remove a piece without revealing its rank.
    """
    view = table.view
    if view.phase is Phase.SETUP:
        return
    agreed: int | None = None
    for side in Side:
        standing, fallen = view.board.of(side).bit_count(), len(view.captured[side])
        missing = view.edition.army_of(side).size - standing - fallen
        if missing and agreed is None:
            agreed = sum(
                action.removed.bit_count()
                for action in table.referee.in_force
                if isinstance(action, AdoptBoard)
            )
        require(
            Invariant.PIECES,
            missing == view.unshown[side] and 0 <= missing <= (agreed or 0),
            f"{standing} pieces of {side.value} stand, {fallen} have fallen, {missing} are missing",
        )


# Comparison of all observable output of two tables


def check_alike(
    invariant: Invariant,
    one: tuple[Table, Step],
    other: tuple[Table, Step],
    announcer: Announcer,
    eyes: tuple[Side, ...],
) -> None:
    """Compare the public output of two tables, and their private output for the given sides."""
    ours, theirs = (_observable(table, step, announcer, eyes) for table, step in (one, other))
    for what, seen in ours.items():
        if seen != theirs[what]:
            raise BrokenInvariantError(invariant, f"{what}: {seen!r} differs from {theirs[what]!r}")


def _observable(
    table: Table, step: Step, announcer: Announcer, eyes: tuple[Side, ...]
) -> dict[str, Any]:
    private = [event for event in step.events if isinstance(event, Private)]
    talk = table.conversation
    return {
        "lamps": edge_lamps.squares_to_light(edge_lamps.highlights_of(table)),
        "told": input_codec.write_public(step.events),
        "said": [announcer.sentence(each) for each in step.events if isinstance(each, Public)],
        "written": input_codec.write_actions(step),
        "seen": (table.view, table.state, table.required_image, table.ready),
        "offered": (talk.draw_offer, talk.take_back_offer, talk.declared),
        "clock": (step.clock, table.next_deadline),
        "saved": step.saved,
        "private": [event for event in private if event.owner in eyes],
    }
