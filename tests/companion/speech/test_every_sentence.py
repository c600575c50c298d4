"""Check all the announcer's sentences in every language."""

import re
from collections.abc import Iterator
from dataclasses import fields
from itertools import product
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from companion.core import events
from companion.core.inputs import AdjustClock
from companion.core.state import TAKEN_BACK
from companion.speech import small_texts
from companion.speech.announcer import Announcer
from companion.speech.i18n import Language, codes
from companion.storage.errors import StorageError, StorageErrorKind
from companion.storage.journal_provider import UNUSABLE, QuarantinedFile
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.board.visibility import Public
from engine.deduction.possible_ranks import Evidence, Proof
from engine.game import rulings
from engine.game.actions import (
    Amend,
    Correction,
    Move,
    NotAScout,
    RankCorrection,
    Relocation,
    SwapCorrection,
)
from engine.game.clocks import TimeControl
from engine.rules.movement import resolve
from engine.rules.rules import Citation, Interpretation, Rule, Violation, ViolationKind
from engine.rules.setup import Placed
from firmware_bridge.image import Image, ImageDifference
from firmware_bridge.link import LinkError, LinkErrorKind, OtherProtocol
from tests.companion.core.table_driver import TableDriver

FOR_MAKERS = "b'Grbl' instead of frames"
"""Error detail that is not meant for players."""
SILENT = {events.AttackSuggested, events.Lifted, events.SensorFlickering, events.SetDown}
E5, E6 = square("e5"), square("e6")
CITATIONS = [Citation("ISF 2015", rule, "7.1") for rule in Rule]
CITATIONS += [
    Citation(book, Rule.ENDING, reading=each) for each in Interpretation for book in ("ISF", "")
]
PROOFS = [
    Proof(ground, rank, count=6, other=other, ply=7)
    for ground in Evidence
    for rank in Rank
    for other in (Rank.FLAG, Rank.INFILTRATOR)
]
VALUES: dict[Any, list[Any]] = {
    int: [E5],
    str: ["Mia"],
    bool: [False, True],
    bool | None: [None, False, True],
    tuple[int, ...]: [(), (E5, E6)],
    tuple[Placed, ...]: [(Placed(E5, Side.RED, Rank.FLAG),)],
    Side: [*Side],
    Side | None: [None, *Side],
    tuple[Side, ...]: [()],
    Rank: [*Rank],
    rulings.Reason: [*rulings.Reason],
    rulings.AdoptionError: [*rulings.AdoptionError],
    Citation: CITATIONS,
    Citation | None: [None, *CITATIONS],
    ImageDifference: [ImageDifference(1 << E5, 3 << E6)],
    Image: [Image(1 << E6, 2 << E6)],
    tuple[Relocation, ...]: [(), (Relocation(E5, E6),)],
    tuple[str, ...]: [("e5-f5",), ("e4xe6", "e4-e5 f7xf5"), (TAKEN_BACK, "e5-e6")],
    Violation: [Violation(ViolationKind.TOO_FAR, 3, CITATIONS[0])],
}
"""Example values for every type of field."""


def every(event: type[Any]) -> Iterator[Public]:
    """Yield events of the given type, at least one for each sentence that can announce it."""
    if event is rulings.Combat:
        for attacker, defender in product(Rank, Rank):
            yield rulings.Combat(Side.RED, E5, E6, attacker, defender, resolve(attacker, defender))
        both = Rank.INFILTRATOR, Rank.SPY
        for reading in Interpretation:
            yield rulings.Combat(Side.RED, E5, E6, *both, resolve(*both), reading)
        yield rulings.Combat(Side.BLUE, E5, E6, Rank.MINER, None, resolve(Rank.MINER, Rank.MARSHAL))
    elif event is rulings.Corrected:
        mistakes: list[Correction] = [RankCorrection(E5, rank) for rank in Rank]
        for mistake in (*mistakes, SwapCorrection(E5, E6), NotAScout(E5)):
            for changed in (0, 1 << square("a1")):
                yield rulings.Corrected(mistake, (E5, E6), changed)
    elif event is rulings.CorrectionRefused:
        for proof in PROOFS:
            yield rulings.CorrectionRefused(E5, proof, CITATIONS[0])
    elif event is Violation:
        for fault, side in product(ViolationKind, Side):
            yield Violation(fault, 3, CITATIONS[0], 3, side)
    elif event is AdjustClock:
        for side, seconds in product(Side, (60, 310, -10)):
            yield AdjustClock(side, seconds)
    elif event is events.PieceBetweenSquares:
        for squares in ((E5,), (E5, E6), (E5, square("f5"), E6, square("f6"))):
            yield events.PieceBetweenSquares(squares)
    elif event is events.SetupSeen:
        for astray in ((), (E5,), (square("a1"), square("k10"))):
            yield events.SetupSeen(40, 39, astray)
    else:
        hints = get_type_hints(event)
        for values in product(*(VALUES[hints[each.name]] for each in fields(event))):
            yield event(*values)


@pytest.mark.parametrize("code", codes())
class TestInEveryLanguage:
    def test_public_events_have_sentences(self, code: str) -> None:
        announcer = Announcer(Language(code))
        for event in get_args(events.Event):
            if issubclass(event, Public):
                for each in every(event):
                    sentence = announcer.sentence(each)
                    assert bool(sentence) != (event in SILENT), each
                    assert "{" not in sentence, each

    def test_private_events_have_sentences(self, code: str) -> None:
        announcer = Announcer(Language(code))
        for proof in PROOFS:
            contradiction = rulings.Contradiction(
                Side.RED, proof, Citation("ISF", proof.ground.rule)
            )
            assert announcer.rules.private_word(contradiction).endswith(
                announcer.rules.proof(contradiction)
            )

    def test_device_errors_have_sentences(self, code: str) -> None:
        language = Language(code)
        for kind in LinkErrorKind:
            assert small_texts.link_error_text(
                LinkError(kind, "/dev/ttyUSB0", FOR_MAKERS), language
            )
        for error in StorageErrorKind:
            assert small_texts.storage_error_text(
                StorageError(Path("/games"), error, "a word"), language
            )
        for error in UNUSABLE:
            assert "/games-aside" in small_texts.quarantine_text(
                QuarantinedFile(error, Path("/games-aside")), language
            )

    def test_link_errors_in_players_words(self, code: str) -> None:
        language = Language(code)
        details = get_args(get_type_hints(LinkError)["detail"])
        for kind, detail in product(LinkErrorKind, details):
            error = FOR_MAKERS if detail is str else detail(theirs=9, ours=1)
            words = small_texts.link_error_text(LinkError(kind, "a port", error), language)
            assert str(error) not in words
            assert "{" not in words
            numbers = ["9", "1"] if detail is OtherProtocol else []
            assert re.findall(r"\d+", words) == numbers
            english = small_texts.link_error_text(LinkError(kind, "a port", error), Language("en"))
            assert (words == english) == (code == "en")

    @pytest.mark.parametrize("clock", ["none", "20", "10+5,whole=60,setup=5", "none,whole=20"])
    def test_clock_sentences(self, code: str, clock: str) -> None:
        assert small_texts.time_allowed(TimeControl.parse(clock), Language(code))


def test_longest_time_without_an_attack() -> None:
    """A scout that is set down, and moves on into an attack, has attacked."""
    table = TableDriver.begun()
    table.play("a4-a5 e7-e6 b4-b5 e6-e5")
    peaceful = small_texts.facts(table.table.view, table.table.referee.in_force, Language("en"))
    assert peaceful[-1] == "Longest time without an attack: 4 moves"
    moves = [Move(square(one), square(two)) for one, two in (("a4", "a5"), ("c9", "c8"))]
    scout = Move(square("b4"), square("b6")), Amend(square("b6"), square("b7"))
    told = small_texts.facts(
        table.table.view, [*moves, *scout, Move(square("c8"), square("c9"))], Language("en")
    )
    assert told[-1] == "Longest time without an attack: 2 moves"
