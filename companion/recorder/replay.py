"""Replays a trace on a new table, compares the outcomes and explains the decisions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from companion.core.events import Event, write_event
from companion.core.explanation import Explanation, Turn
from companion.core.game_context import Step
from companion.core.inputs import Input
from companion.core.state import TableState
from companion.core.table import Table
from companion.jsonl.table_process import write_accepted
from companion.recorder import input_codec
from companion.recorder.redact import stand_in
from companion.recorder.trace_files import TraceError
from companion.recorder.trace_reader import Note, Trace
from engine.board import OutOfPhaseError
from engine.board.geometry import name, names
from engine.game.actions import Action, Amend, Attack, Move
from engine.game.rulings import Ruling, refuses
from engine.records.serialization import published_name
from firmware_bridge.image import Sensed


class DecisionKind(Enum):
    """Type of a table's decision."""

    ACCEPTED = "accepted"
    """A game action was accepted."""
    REFUSED = "refused"
    """The referee has rejected an action or a move made on the board."""
    COMPLAINT = "complaint"
    """The players have to correct the board."""
    QUESTION = "question"
    """The game waits for an answer."""
    OFFER = "offer"
    """The table suggests an action that the players may have intended. The suggestion expires if it
    is not taken up.
    """


OF_EVENTS: Final = {
    "violation": DecisionKind.REFUSED,
    "contradiction": DecisionKind.REFUSED,
    "correction-refused": DecisionKind.REFUSED,
    "board-refused": DecisionKind.REFUSED,
    "board-differs": DecisionKind.COMPLAINT,
    "loss-threatens": DecisionKind.COMPLAINT,
    "clear-up": DecisionKind.COMPLAINT,
    "attack-asked": DecisionKind.QUESTION,
    "who-attacks": DecisionKind.QUESTION,
    "course-asked": DecisionKind.QUESTION,
    "rank-asked": DecisionKind.QUESTION,
    "can-you-move": DecisionKind.QUESTION,
    "attack-offered": DecisionKind.OFFER,
    "board-offered": DecisionKind.OFFER,
    "offer-draw": DecisionKind.OFFER,
    "offer-take-back": DecisionKind.OFFER,
}
"""Types of decisions, keyed by event name. No other event is a decision."""


@dataclass(frozen=True)
class Decision:
    """A table's decision, with the alternatives that the table considered."""

    at: float
    kind: DecisionKind
    action: Action | None
    """The accepted action, if any."""
    events: tuple[Event, ...]
    explanations: tuple[Explanation, ...]
    """The explanations, most likely first. Empty if recognition was not running."""
    dropped: tuple[str, ...] = ()
    """For each dropped hypothesis, how it contradicts the game."""


@dataclass(frozen=True)
class ReplayDifference:
    """The first deviation of a replay from the recording."""

    at: float
    what: str
    """``actions``, ``events``, ``private events``, ``break``, or ``sum``. ``sum`` means any other
    difference: the clock, the saved state or the next deadline differs, or an input was changed in
    the file."""
    recorded: Any
    replayed: Any


@dataclass(frozen=True)
class Replayed:
    """One replayed input."""

    note: Note
    decisions: tuple[Decision, ...] = ()
    difference: ReplayDifference | None = None
    """The first deviation of the replay. Any later deviation would be meaningless."""
    broke: str | None = None
    """The exception that the table raised for this input, if any. The exception ends the replay."""
    state: TableState | None = None
    """State of the game after the input, or None if the table raised an exception."""


def replay(trace: Trace) -> Iterator[Replayed]:
    """Replay a trace to its end, or until the table raises an exception.

    Raise TraceError if the replay cannot start.
    """
    table = _begin(trace)
    decisions = _Decisions(table)
    outcome_sum = input_codec.StepHash()
    differs = False
    for number, note in enumerate(trace.notes):
        given = _whole(table, trace, number)
        decisions.begin(given.at)
        try:
            step = table.handle(given)
        except Exception as error:  # noqa: BLE001 (a trace exists to reproduce it)
            broke = f"{type(error).__name__}: {error}"
            found = ReplayDifference(given.at, "break", None, broke) if note.is_answered else None
            yield Replayed(note, tuple(decisions.heard), None if differs else found, broke)
            return
        outcome_sum.take(given, step, table.next_deadline)
        found = None if differs else _difference(trace, note, step, str(outcome_sum))
        differs = differs or found is not None
        yield Replayed(note, tuple(decisions.heard), found, state=table.state)


def _begin(trace: Trace) -> Table:
    beginning = trace.beginning()
    try:
        return beginning.table()
    except OutOfPhaseError as error:
        raise TraceError(
            f"{trace.path} continues a game whose actions cannot be replayed; use the version of "
            f"Boomboard that wrote it ({trace.program})."
        ) from error


def _whole(table: Table, trace: Trace, number: int) -> Input:
    """Return an input, with a redacted rank replaced by one that gives the same outcome.

    Raise TraceError if the recorded combat is malformed.
    """
    notes = trace.notes
    given = notes[number].given
    if not isinstance(given, input_codec.Sealed):
        return given
    later = (notes[each] for each in range(number, len(notes)))
    try:
        return given.with_rank(stand_in(table, given, later))
    except (ValueError, TypeError, LookupError) as error:
        raise trace.damage_at(notes[number]) from error


def _difference(trace: Trace, note: Note, step: Step, reached: str) -> ReplayDifference | None:
    """Return the difference between an input's outcome and the recorded one, if any."""
    at = note.given.at
    if not note.is_answered:
        return ReplayDifference(at, "break", "the table raised an exception", None)
    compared: list[tuple[str, Sequence[Mapping[str, Any]], Sequence[Mapping[str, Any]]]] = [
        ("actions", note.actions, input_codec.write_actions(step)),
        ("events", note.events, input_codec.write_public(step.events)),
    ]
    if not trace.is_stripped:
        compared.append(("private events", note.private, input_codec.write_private(step.events)))
    for what, recorded, replayed in compared:
        if list(recorded) != list(replayed):
            return ReplayDifference(at, what, list(recorded), list(replayed))
    if note.sum is not None and note.sum != reached:
        return ReplayDifference(at, "sum", note.sum, reached)
    return None


class _Decisions:
    """Observer that collects a table's decisions during one input."""

    def __init__(self, table: Table) -> None:
        self.heard: list[Decision] = []
        self._table = table
        self._at = 0.0
        table.observe(self)

    def begin(self, at: float) -> None:
        """Clear the decisions, and use `at` as the time of any further decisions."""
        self.heard, self._at = [], max(at, self._at)

    def on_action(self, action: Action, rulings: tuple[Ruling, ...]) -> None:
        if not refuses(rulings):
            self._note(DecisionKind.ACCEPTED, action, rulings, self._table.explanations)

    def on_events(self, events: tuple[Event, ...]) -> None:
        for event in events:
            kind = OF_EVENTS.get(published_name(type(event)))
            if kind:
                is_read = self._table.referee.phase.is_turn
                explanations = self._table.explanations if is_read else ()
                self._note(kind, None, (event,), explanations)

    def _note(
        self,
        kind: DecisionKind,
        action: Action | None,
        events: tuple[Event, ...],
        explanations: tuple[Explanation, ...],
    ) -> None:
        dropped = self._table.dropped if explanations else ()
        self.heard.append(Decision(self._at, kind, action, events, explanations, dropped))


# Short descriptions of decisions, for the output of the command and for timelines.


def headline(decision: Decision) -> str:
    """Return a decision on a single line: ``accepted: e4-e5``, ``question: rank-asked red``."""
    if decision.action:
        return f"{decision.kind.value}: {action_text(write_accepted(decision.action))}"
    event = write_event(decision.events[0])
    if event["event"] == "contradiction":
        return f"{decision.kind.value}: {event['to']}'s declaration (private)"
    who = f" {event['to']}" if event["to"] != "all" else ""
    return f"{decision.kind.value}: {event_text(event)}{who}"


def action_text(plain: Mapping[str, Any]) -> str:
    """Return an accepted action as a short text: ``e4-e5``, ``declare red``."""
    if "source" in plain:
        joint = "x" if plain["do"] == "attack" else "-"
        way = f"{plain['source']}{joint}{plain['target']}"
        return way if plain["do"] in ("move", "attack") else f"{plain['do']} {way}"
    rest = [plain[key] for key in ("side", "square", "mistake") if key in plain]
    if plain["do"] == "place-armies":
        rest = []
    return " ".join([plain["do"], *rest])


def event_text(plain: Mapping[str, Any]) -> str:
    """Return a decision's event as a short text: ``course-asked e4-e5 or e4-e6``."""
    kind = plain["event"]
    if kind == "violation":
        return f"{plain['fault']} {' '.join(plain['squares'])}"
    if "source" in plain:
        return f"{kind} {plain['source']}x{plain['target']}"
    ways = plain.get("courses") or plain.get("attacks")
    if ways:
        return f"{kind} {' or '.join(ways)}"
    if "difference" in plain:
        off = dict.fromkeys(plain["difference"]["missing"] + plain["difference"]["surplus"])
        return f"{kind} {' '.join(off)}"
    return " ".join([kind, *(plain[key] for key in ("side", "awaited", "square") if key in plain)])


_SHOWN = {Sensed.RED: "a red piece", Sensed.BLUE: "a blue piece"}


def explain_in_words(explanation: Explanation, start: float) -> str:
    """Return an explanation as text. Its times are relative to `start`."""
    parts = [*_turns(explanation, start), *_left(explanation, start)]
    return "; ".join(parts) or "no piece has moved"


def why_unlikely(explanation: Explanation) -> str:
    """Return the arguments against an explanation, or an empty string."""
    amiss, rushed, early, unusualness, counts = explanation.cost
    against = [
        f"misplaced or unexplained pieces {amiss:g}" if amiss else "",
        f"{rushed:g} turns faster than a hand" if rushed else "",
        f"an answer {early:.2f} s too early" if early else "",
        f"unusual movements {unusualness:g}" if unusualness else "",
        "a very short stop is counted as a placement" if counts else "",
    ]
    return ", ".join(filter(None, against))


def write_explanation(explanation: Explanation) -> dict[str, Any]:
    """Encode an explanation as plain data."""
    amiss, rushed, early, unusualness, counts = explanation.cost
    return {
        "turns": [turn_text(turn) for turn in explanation.turns],
        "wrong": [f"{name(each.source)}-{name(each.target)}" for each in explanation.wrong],
        "held": [name(each.source) for each in explanation.held],
        "strays": [name(each.square) for each in explanation.hypothesis.unexplained],
        "phantoms": names(explanation.hypothesis.phantom_squares).split(),
        "cost": {
            "amiss": amiss,
            "rushed": rushed,
            "early": early,
            "oddity": unusualness,
            "counts": bool(counts),
        },
    }


def turn_text(turn: Turn) -> str:
    """Return a turn in notation."""
    return str((Attack if turn.is_attack else Move)(*turn.way))


def _turns(explanation: Explanation, start: float) -> Iterator[str]:
    for turn in explanation.turns:
        lifted, released = turn.lifted - start, turn.released - start
        kind = ", an attack that ends the previous turn" if isinstance(turn.action, Amend) else ""
        yield f"{turn_text(turn)} (lifted {lifted:.2f} s, released {released:.2f} s{kind})"


def _left(explanation: Explanation, start: float) -> Iterator[str]:
    for wrong in explanation.wrong:
        fault = wrong.violation.fault.name.lower().replace("_", " ")
        yield f"{name(wrong.source)} is misplaced on {name(wrong.target)} ({fault})"
    for held in explanation.held:
        where = "covered" if held.covered else "in a hand"
        yield f"{name(held.source)} has been {where} since {held.lifted.by - start:.2f} s"
    for stray in explanation.hypothesis.unexplained:
        what = _SHOWN.get(stray.shows, "a piece")
        since = stray.since.by - start
        yield f"{what} of unknown origin has been on {name(stray.square)} since {since:.2f} s"
    if explanation.hypothesis.phantom_squares:
        yield f"a piece appeared briefly on {names(explanation.hypothesis.phantom_squares)}"
