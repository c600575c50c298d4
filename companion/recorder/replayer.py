"""Replay of a trace on a new table: compares the outcomes and shows the reasons."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.recorder.decision_kinds import OF_EVENTS, DecisionKind
from companion.recorder.given_lines import Sealed
from companion.recorder.outcome_sum import (
    OutcomeSum,
    write_actions_told,
    write_private,
    write_public,
)
from companion.recorder.packed_lines import TraceError
from companion.recorder.stand_ins import stand_in
from companion.recorder.trace_reader import Note, Trace
from companion.table import Step, Table
from companion.table.events import Event
from companion.table.inputs import Input
from companion.table.process.event_writer import event_name
from companion.table.state import State
from companion.table.story import Story
from engine.game.actions import Action
from engine.game.game_state import OutOfPhaseError
from engine.game.rulings import Ruling, refuses


@dataclass(frozen=True)
class Decision:
    """A decision of the table, with the alternatives that it considered."""

    at: float
    kind: DecisionKind
    action: Action | None
    """The accepted action, or None."""
    events: tuple[Event, ...]
    """The events of the decision."""
    stories: tuple[Story, ...]
    """The explanations considered, the likeliest first; empty if no moves were being recognised."""
    dropped: tuple[str, ...] = ()
    """Reasons for dropped hypotheses: they contradict the game."""


@dataclass(frozen=True)
class Difference:
    """The first deviation of a replay from the recording."""

    at: float
    what: str
    """``actions``, ``events``, ``private events``, ``break``, or ``sum`` for all the rest: the
    clock, the saved state, the next deadline; or an input that was changed in the file."""
    recorded: Any
    replayed: Any


@dataclass(frozen=True)
class Replayed:
    """One input, replayed."""

    note: Note
    decisions: tuple[Decision, ...] = ()
    difference: Difference | None = None
    """The first one of the replay: later ones would mean nothing."""
    broke: str | None = None
    """The exception that the table raised for this input, the last one of the replay."""
    state: State | None = None
    """State of the game afterwards; None if the table raised an exception."""


def replay(trace: Trace) -> Iterator[Replayed]:
    """Replay a trace until its end or an exception of the table; TraceError if it cannot start."""
    table = _begin(trace)
    decisions = _Decisions(table)
    outcome_sum = OutcomeSum()
    differs = False
    for number, note in enumerate(trace.notes):
        given = _whole(table, trace, number)
        decisions.begin(given.at)
        try:
            step = table.handle(given)
        except Exception as error:  # noqa: BLE001 (whatever it is, it is what the trace is for)
            broke = f"{type(error).__name__}: {error}"
            found = Difference(given.at, "break", None, broke) if note.is_answered else None
            yield Replayed(note, tuple(decisions.heard), None if differs else found, broke)
            return
        outcome_sum.take(given, step, table.due)
        found = None if differs else _difference(trace, note, step, str(outcome_sum))
        differs = differs or found is not None
        yield Replayed(note, tuple(decisions.heard), found, state=table.state)


def _begin(trace: Trace) -> Table:
    beginning = trace.beginning()
    try:
        return beginning.table()
    except OutOfPhaseError as error:
        raise TraceError(
            f"{trace.path} takes up a game whose actions cannot be followed; replay it with the "
            f"Boomboard that has written it ({trace.program})."
        ) from error


def _whole(table: Table, trace: Trace, number: int) -> Input:
    """Return an input; a redacted rank is replaced by one with the same outcome.

    TraceError if the recorded combat is malformed.
    """
    notes = trace.notes
    given = notes[number].given
    if not isinstance(given, Sealed):
        return given
    later = (notes[each] for each in range(number, len(notes)))
    try:
        return given.with_rank(stand_in(table, given, later))
    except (ValueError, TypeError, LookupError) as error:
        raise trace.damage_at(notes[number]) from error


def _difference(trace: Trace, note: Note, step: Step, reached: str) -> Difference | None:
    """Compare the outcome of an input with the recorded one."""
    at = note.given.at
    if not note.is_answered:
        return Difference(at, "break", "the table broke here", None)
    compared: list[tuple[str, Sequence[Mapping[str, Any]], Sequence[Mapping[str, Any]]]] = [
        ("actions", note.actions, write_actions_told(step)),
        ("events", note.events, write_public(step.events)),
    ]
    if not trace.is_stripped:
        compared.append(("private events", note.private, write_private(step.events)))
    for what, recorded, replayed in compared:
        if list(recorded) != list(replayed):
            return Difference(at, what, list(recorded), list(replayed))
    if note.sum is not None and note.sum != reached:
        return Difference(at, "sum", note.sum, reached)
    return None


class _Decisions:
    """Observer that collects a table's decisions during one input."""

    def __init__(self, table: Table) -> None:
        self.heard: list[Decision] = []
        self._table = table
        self._at = 0.0
        table.overhear(self)

    def begin(self, at: float) -> None:
        """Clear the decisions; those that follow have this time."""
        self.heard, self._at = [], max(at, self._at)

    def attempted(self, action: Action, rulings: tuple[Ruling, ...]) -> None:
        if not refuses(rulings):
            self._note(DecisionKind.ACCEPTED, action, rulings, self._table.stories)

    def told(self, events: tuple[Event, ...]) -> None:
        for event in events:
            kind = OF_EVENTS.get(event_name(type(event)))
            if kind:
                is_read = self._table.referee.phase.is_turn
                stories = self._table.stories if is_read else ()
                self._note(kind, None, (event,), stories)

    def _note(
        self,
        kind: DecisionKind,
        action: Action | None,
        events: tuple[Event, ...],
        stories: tuple[Story, ...],
    ) -> None:
        dropped = self._table.dropped if stories else ()
        self.heard.append(Decision(self._at, kind, action, events, stories, dropped))
