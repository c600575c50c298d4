"""Faulty builds: one altered line of code for each invariant."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import pytest

from companion.codec import to_plain
from companion.core.game_context import Step
from companion.core.game_options import BLANK, SavedState
from companion.core.inputs import AdjustClock, CommandInput
from companion.core.recovery import Cleanup
from companion.core.table import Table
from companion.devices import lamps as edge_lamps
from companion.recorder import input_codec
from companion.session.session import Session
from companion.storage import journal
from companion.storage.journal_file import JournalLock
from engine.deduction.possible_ranks import PlayerState
from engine.game.clocks import Clock
from engine.records.serialization import write_action
from tests.project.mutation import Line
from tests.soak.invariants import Invariant


@dataclass(frozen=True)
class Spoiled:
    """A faulty build, and the invariant that it breaks."""

    invariant: Invariant
    spoil: Callable[[pytest.MonkeyPatch], None]
    seed: int = 0
    """Lowest seed with which a session of ten minutes reveals the fault."""


def announce_first(patch: pytest.MonkeyPatch) -> None:
    def save_and_report(session: Any) -> None:
        events, session._unreported = session._unreported, []
        for event in events:
            for listener in session._listeners:
                listener(event)
        session._save()

    patch.setattr(Session, "_save_and_report", save_and_report)


def sync_nothing(patch: pytest.MonkeyPatch) -> None:
    function = "companion.storage.journal_file:JournalFile._prepare"
    Line(function, "synchronous = FULL", "synchronous = OFF").spoil(patch)


def give_slow_time_back(patch: pytest.MonkeyPatch) -> None:
    save_step = Session._save_step

    def spoiled(session: Any, journal: Any, unsaved: Any) -> None:
        save_step(session, journal, unsaved)
        if journal.file.connection.disk.slow_ms:
            clock = session.table.clock
            clock._state = replace(clock._state, turn=0)

    patch.setattr(Session, "_save_step", spoiled)


def forget_the_saved_state(patch: pytest.MonkeyPatch) -> None:
    def write(value: object, *kind: Any) -> Any:
        return to_plain(BLANK if isinstance(value, SavedState) else value, *kind)

    patch.setattr(journal, "to_plain", write)


def light_by_rank(patch: pytest.MonkeyPatch) -> None:
    look = edge_lamps.highlights_of

    def spoiled(table: Table) -> edge_lamps.Highlights:
        attack = table.referee.open_attack
        declared = attack.declared.values() if attack else ()
        return edge_lamps.NOTHING if any(rank.unseal() % 2 for rank in declared) else look(table)

    patch.setattr(edge_lamps, "highlights_of", spoiled)


def write_ranks_down(patch: pytest.MonkeyPatch) -> None:
    def unsealed(step: Step) -> list[dict[str, Any]]:
        return [dict(write_action(action)) for action in step.actions]

    patch.setattr(input_codec, "write_actions", unsealed)


def shuffle_anyhow(patch: pytest.MonkeyPatch) -> None:
    dice = random.Random(0)
    patch.setattr("companion.core.conversation.random.Random", lambda _: dice)


def never_clear_up(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Cleanup, "watch", lambda *_: None)


def keep_no_clock(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("companion.session.session.CLOCK_SECONDS", 1e9)


def give_time_in_a_pause(patch: pytest.MonkeyPatch) -> None:
    pause = Clock.pause

    def spoiled(clock: Any, at: float) -> None:
        pause(clock, at)
        clock._state = replace(clock._state, turn=0)

    patch.setattr(Clock, "pause", spoiled)


def lose_no_piece(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(PlayerState, "with_loss", lambda player, _: player)


def take_no_lock(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(JournalLock, "take", lambda _: None)


def break_over_a_word(patch: pytest.MonkeyPatch) -> None:
    take = Table._take_input

    def spoiled(table: Table, given: Any) -> None:
        if isinstance(given, CommandInput) and isinstance(given.what, AdjustClock):
            raise ZeroDivisionError("by hand")
        take(table, given)

    patch.setattr(Table, "_take_input", spoiled)


SPOILED: Final[Mapping[str, Spoiled]] = {
    "announced first": Spoiled(Invariant.ON_DISK, announce_first),
    "synchronous off": Spoiled(Invariant.ON_DISK, sync_nothing),
    "the saved state is forgotten": Spoiled(Invariant.REPLAYS, forget_the_saved_state, 3),
    "lamps depend on a declared rank": Spoiled(Invariant.PRIVATE, light_by_rank, 4),
    "a declared rank is written down": Spoiled(Invariant.PRIVATE, write_ranks_down),
    "tiles are shuffled without the seed": Spoiled(Invariant.REPEATS, shuffle_anyhow, 2),
    "a combat is never cleared up": Spoiled(Invariant.RECOVERABLE, never_clear_up),
    "a clock is never saved": Spoiled(Invariant.CLOCKS, keep_no_clock),
    "a pause gives time back": Spoiled(Invariant.CLOCKS, give_time_in_a_pause),
    "a slow disk gives time back": Spoiled(Invariant.CLOCKS, give_slow_time_back),
    "fallen pieces are not counted": Spoiled(Invariant.PIECES, lose_no_piece),
    "no program takes the lock": Spoiled(Invariant.ONE_PLAYER, take_no_lock),
    "a command breaks the table": Spoiled(Invariant.GOES_ON, break_over_a_word, 5),
}
