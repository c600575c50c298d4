"""Two tables with identical inputs, except for ranks that are declared in private.

All public output must be identical until a rank is revealed. The two referees accept or refuse the
same declarations, so that both games continue in step.
"""

import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from companion.codec import to_plain
from companion.core import inputs
from companion.core.events import RankAsked, write_event
from companion.core.game_context import Step
from companion.core.table import Table
from companion.devices.lamps import awaited, highlights_of, squares_to_light
from companion.jsonl.table_process import write_step
from companion.reports.incident_sheet import find_incidents, incident_sheet
from companion.speech.announcer import Announcer
from companion.speech.i18n import Language
from companion.storage.game_rows import StoredNote, action_text, is_noted
from engine.board.geometry import Side, squares_in
from engine.board.ranks import Army, Rank
from engine.board.visibility import Public, Secret
from engine.game.actions import (
    Action,
    AnswerGuess,
    Attack,
    Declare,
    Infiltrate,
    Move,
    SettleDispute,
    UpholdDeclaration,
)
from engine.game.clocks import TimeControl
from engine.game.game_state import Phase
from engine.game.rulings import Combat, Infiltrated
from engine.records.transcript import transcribe
from engine.rules.editions import Edition
from firmware_bridge.image import Image
from tests.companion.core.random_inputs import RandomInputs, carried
from tests.companion.core.short_game import begun

MIXED: Final = Army(
    "mixed",
    {
        **dict.fromkeys(Rank, 0),
        **dict.fromkeys((Rank.FLAG, Rank.BOMB, Rank.MARSHAL, Rank.COLONEL), 1),
        **dict.fromkeys((Rank.SERGEANT, Rank.SCOUT, Rank.INFILTRATOR), 1),
    },
)
"""Army in which several ranks beat most others.

A silent defender that has won may therefore have any of several ranks.
"""
CONTROL: Final = TimeControl("short", each=300, delay=4, whole=500, setup=30)
SEED: Final = 5
"""Seed of both tables, so that both show the rank tiles in the same order."""
INPUTS: Final = 40
ANYTHING: Final = 0.25
"""Probability of choosing an arbitrary input."""
RESTED: Final = 2.5
"""Time after which a turn is ruled on, in seconds."""


class LeakError(AssertionError):
    """Public output depends on a rank that has not been revealed yet."""


def public(table: Table, step: Step, at: float, announcer: Announcer) -> str:
    """Return everything public that can be seen or heard after a step."""
    return "\n".join(_public(table, step, at, announcer))


def _public(table: Table, step: Step, at: float, announcer: Announcer) -> Iterator[str]:
    line = write_step(table, at, step)
    line["events"] = [event for event in line["events"] if event["to"] == "all"]
    line["asks"] = [_seen_by_all(ask) for ask in line["asks"] if ask["what"] != "insist"]
    yield json.dumps(line, sort_keys=True)
    shared = [event for event in step.events if isinstance(event, Public)]
    yield from (announcer.sentence(event) for event in shared)
    yield from (json.dumps(write_event(event)) for event in shared if is_noted(event))
    yield f"{[len(action_text(each)) for each in step.actions]} {to_plain(step.saved)}"
    yield f"{table.view!r} {table.state!r} {step.clock} {table.shown_clock}"
    lit = squares_to_light(highlights_of(table))
    yield f"{sorted(awaited(table), key=str)} {lit:x} {table.observed} {table.explanations}"
    talk = table.conversation
    yield f"{talk.declared} {talk.can_withdraw} {talk.can_take_back} {talk.can_allow_move}"
    yield f"{table.adoption.claim} {table.adoption.offer} {table.adoption.is_open}"
    if step.actions:
        movers = [*squares_in(table.view.board.of(table.view.to_move))]
        yield " ".join(f"{table.ways(each):x}" for each in movers[:3])


def _seen_by_all(ask: dict[str, object]) -> dict[str, object]:
    """Return the public fields of a question. The possible ranks are not public."""
    return ask if ask["what"] != "rank" else {each: ask[each] for each in ("to", "what")}


@dataclass
class StoredGame:
    """Journal data from which the incident sheet is made. The sheet is public during the game."""

    edition: Edition
    actions: list[tuple[float, Action]]
    notes: list[StoredNote] = field(default_factory=list)

    def add(self, at: float, step: Step) -> None:
        noted = [event for event in step.events if is_noted(event)]
        self.notes += [StoredNote(len(self.actions), at, each, step.clock) for each in noted]
        self.actions += [(at, action) for action in step.actions]

    def sheet(self, language: Language) -> str:
        game = transcribe(self.edition, self.actions, CONTROL)
        return incident_sheet(game, find_incidents(game, notes=self.notes), language)


@dataclass
class TablePair:
    """Two tables that receive the same inputs."""

    one: Table
    other: Table
    chance: random.Random
    announcer: Announcer
    kept: tuple[StoredGame, StoredGame]
    at: float = 0.0
    done: Counter[str] = field(default_factory=Counter)
    """Number of comparisons, keyed by input name. A separate count includes only the comparisons
    made while ranks were hidden.
    """
    hidden: int = 0
    """Number of declarations so far that differ between the tables."""

    @classmethod
    def of(cls, edition: Edition, seed: int, announcer: Announcer) -> "TablePair":
        """Resume a game in which pieces have moved towards each other."""
        chance = random.Random(seed)
        histories = cls.histories(edition, chance)
        one, other = (Table(edition, SEED, each, control=CONTROL) for each in histories)
        kept = (StoredGame(edition, [(0, action) for action in each]) for each in histories)
        return cls(one, other, chance, announcer, (next(kept), next(kept)))

    @classmethod
    def histories(
        cls, edition: Edition, chance: random.Random
    ) -> tuple[Sequence[Action], Sequence[Action]]:
        """Return the past actions of both tables."""
        actions = begun(edition, chance, chance.randrange(30)).actions
        return actions, actions

    def play(self, count: int = INPUTS) -> None:
        """Give random inputs until a rank that differs between the tables is revealed."""
        anybody = RandomInputs(self.one, self.chance.randrange(2**32))
        anybody.at = self.at
        self.give(inputs.BoardFound(self.at, sees_colours=True))
        for _ in range(count):
            if self.one.referee.outcome:
                return
            if not all(self.give(given) for given in self._ideas(anybody)):
                return

    def _ideas(self, anybody: RandomInputs) -> Iterator[inputs.Input]:
        """Yield inputs, most of which lead towards a combat."""
        if self.chance.random() < ANYTHING:
            anybody.at = self.at + self.chance.choice([0, 0.02, 0.2, 1, 3])
            yield anybody.chance.choice([anybody.touch, anybody.sees, anybody.time])()
            return
        table, at = self.one, self.at + 1
        if not table.is_connected:
            yield inputs.BoardFound(at, sees_colours=True)
        elif table.is_paused:
            yield inputs.CommandInput(at, inputs.Resume())
        elif question := table.conversation.question:
            yield inputs.CommandInput(
                at, Declare(Secret(question.owner, self.chance.choice(question.tiles)))
            )
        elif table.referee.phase is Phase.GUESS:
            yield inputs.CommandInput(at, AnswerGuess(self.chance.random() < 0.3))
        elif table.referee.phase is Phase.DISPUTE:
            yield inputs.CommandInput(at, SettleDispute(self.chance.random() < 0.5))
        elif table.state.waits_for_board or table.observed != table.expected:
            yield from self._stand(table.expected, at)
        elif turns := [t for t in table.referee.legal_moves() if not isinstance(t, Infiltrate)]:
            yield from self._turn(turns, at)
        else:
            yield inputs.CommandInput(at, inputs.OfferUndo(self.chance.choice([*Side])))

    def _turn(self, turns: list[Move | Attack], at: float) -> Iterator[inputs.Input]:
        """Yield an attack entered on the screen, or the images of a turn made by hand."""
        attacks = [turn for turn in turns if isinstance(turn, Attack)]
        if attacks and self.chance.random() < 0.8:
            yield inputs.CommandInput(at, self.chance.choice(attacks))
            return
        forward = 1 if self.one.referee.to_move is Side.RED else -1
        tried = self.chance.choices(turns, k=3)
        turn = max(tried, key=lambda each: (each.target - each.source) * forward)
        yield from self._stand(carried(self.one.expected, turn.source, turn.target), at)

    def _stand(self, image: Image, at: float) -> Iterator[inputs.Input]:
        """Yield an image. Then let enough time pass for the table to rule on the turn."""
        yield inputs.BoardSeen(at, image)
        yield inputs.TimePassed(at + RESTED)

    def give(self, given: inputs.Input) -> bool:
        """Give both tables the same input, and compare their public output.

        Return False once a rank that differs between the tables has been revealed. Raise LeakError
        if the public output differs before then.
        """
        both = self.both(given)
        self.at = max(self.at, given.at)
        steps = self.take(self.one, both[0]), self.take(self.other, both[1])
        for kept, step in zip(self.kept, steps, strict=True):
            kept.add(self.at, step)
        one, other = (
            public(table, step, self.at, self.announcer)
            for table, step in zip((self.one, self.other), steps, strict=True)
        )
        self.hidden += both[0] != both[1] and bool(steps[0].actions)
        self.done[
            type(given.what).__name__ if isinstance(given, inputs.CommandInput) else "Input"
        ] += 1
        self.done["while ranks were hidden"] += bool(self.hidden)
        if one != other:
            if self.hidden and _may_reveal(steps):
                self.done["revealed"] += 1
                return False
            pairs = zip(one.split("\n"), other.split("\n"), strict=False)
            raise LeakError(
                f"the sessions differ after {given}:\n"
                + "\n".join(next(p for p in pairs if p[0] != p[1]))
            )
        if both[0] != both[1]:
            self._read_sheets()
        return True

    def both(self, given: inputs.Input) -> tuple[inputs.Input, inputs.Input]:
        if isinstance(given, inputs.CommandInput) and isinstance(
            given.what, Declare | UpholdDeclaration
        ):
            return self._in_private(given, given.what)
        return given, given

    def take(self, table: Table, given: inputs.Input) -> Step:
        """Pass an input to one of the tables. Subclasses may also observe the steps."""
        return table.handle(given)

    def _read_sheets(self) -> None:
        """Compare the incident sheets, which are public during the game."""
        one, other = (kept.sheet(self.announcer.language) for kept in self.kept)
        self.done["sheets"] += 1
        if one != other:
            raise LeakError(f"{one}\n{other}")

    def _in_private(
        self, given: inputs.CommandInput, what: Declare | UpholdDeclaration
    ) -> tuple[inputs.CommandInput, inputs.CommandInput]:
        """Return a command for each table, such that both referees accept it or both refuse it."""
        one, other = (Secret(what.rank.owner, rank) for rank in self.ranks(what))
        return replace(given, what=replace(what, rank=one)), replace(
            given, what=replace(what, rank=other)
        )

    def ranks(self, what: Declare | UpholdDeclaration) -> tuple[Rank, Rank]:
        """Choose the rank to declare at each table."""
        rank = what.rank.unseal()
        talks = self.one.conversation, self.other.conversation
        found = [talk.contradiction for talk in talks]
        if isinstance(what, UpholdDeclaration) and found[0] and found[1]:
            insists = rank is found[0].proof.rank
            return rank, found[1].proof.rank if insists else rank
        one, other = (talk.question for talk in talks)
        if not (one and other):
            return rank, rank
        if rank not in one.tiles:
            return rank, self.chance.choice([r for r in Rank if r not in other.tiles] or [rank])
        if not self.one.referee.edition.silent_defence:
            return rank, self.chance.choice(other.tiles)
        if not self.one.conversation.declared:
            return rank, rank if rank in other.tiles else other.tiles[0]
        silent, otherwise = _unnamed(self.one, one), _unnamed(self.other, other)
        if not (silent and otherwise):
            return rank, self.chance.choice(other.tiles)
        return self.chance.choice(silent), self.chance.choice(otherwise)


def _unnamed(table: Table, question: RankAsked) -> list[Rank]:
    """Return the ranks with which the defender would win without being revealed."""
    return [rank for rank in question.tiles if _stays_unnamed(table, question.owner, rank)]


def _stays_unnamed(table: Table, owner: Side, rank: Rank) -> bool:
    """Whether a defender with this rank would win without being revealed."""
    rulings = table.referee.copy().apply(Declare(Secret(owner, rank)))
    return any(isinstance(each, Combat) and each.defender is None for each in rulings)


def _may_reveal(steps: tuple[Step, Step]) -> bool:
    """Whether the events include the result of a combat or guess."""
    return any(isinstance(event, Combat | Infiltrated) for step in steps for event in step.events)
