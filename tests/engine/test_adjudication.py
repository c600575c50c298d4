"""Tests for the adjudication of records: a real game, and random games with one illegal move."""

import random
from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from engine.board.geometry import set_of, square
from engine.board.ranks import ORIGINAL
from engine.game.actions import Attack
from engine.game.referee import Referee
from engine.game.rulings import Combat, GameOver, Reason
from engine.records.adjudication import Verdict, judge, to_action
from engine.records.record import Record
from engine.rules.editions import Edition, TwoSquaresForm
from engine.rules.rules import Rule, Violation, ViolationKind
from tests import reference
from tests.engine.adjudication_cases import ISF, only, record_of, setup_of, turns_of, with_moves
from tests.engine.cases import in_every_edition
from tests.engine.examples import editions, examples
from tests.engine.games import Game, shuffled
from tests.engine.tables import BLUE


@in_every_edition
def test_real_game_is_legal(record: Record, edition: Edition) -> None:
    verdict = judge(record, edition)

    assert verdict == Verdict(plies=206, outcome=GameOver(BLUE, Reason.FORFEIT))


@in_every_edition
def test_every_combat_of_the_real_game(record: Record, edition: Edition) -> None:
    game = setup_of(record).reference_game(edition.two_squares_limit)
    referee = Referee.waiting(edition, known=record.ranks)
    referee.apply(setup_of(record).placing)
    fought: list[tuple[str, str, str | None]] = []
    expected: list[tuple[str, str, str | None]] = []
    remains = {"attacker-wins": "attacker", "defender-wins": "defender", "both-fall": "nobody"}

    for move, turn in zip(record.moves, turns_of(record), strict=True):
        ranks = [game.standing[place].rank for place in turn if place in game.standing]
        result = game.play(*turn)
        if result:
            expected.append((ranks[0], ranks[1], result))
        action = to_action(move, referee.position)
        combat = referee.apply(action)[-1]
        assert isinstance(combat, Combat) == isinstance(action, Attack) == bool(result)
        if isinstance(combat, Combat):
            assert combat.defender is not None
            ranks = [combat.attacker.name.lower(), combat.defender.name.lower()]
            fought.append((ranks[0], ranks[1], remains[combat.result.value]))

    assert fought == expected
    results = Counter(result for _, _, result in fought)
    assert results == {"defender": 16, "attacker": 8, "nobody": 4}


@in_every_edition
def test_start_of_real_game_is_legal(record: Record, edition: Edition) -> None:
    turns = turns_of(record)

    for plies in (0, 1, 2, 50, 205):
        verdict = judge(with_moves(record, turns[:plies]), edition)
        assert (verdict.violations, verdict.plies) == ((), plies)


def test_missing_result_is_none(record: Record) -> None:
    assert judge(replace(record, result=None), ISF).outcome is None


@editions
@given(st.integers(0, 2**32 - 1), st.integers(1, 120), st.data())
@examples(2)
def test_random_game_is_legal_until_the_corrupted_move(
    edition: Edition, seed: int, plies: int, data: st.DataObject
) -> None:
    chance = random.Random(seed)
    edition = edition.with_army("original")
    game = Game(shuffled(ORIGINAL, chance), edition, chance)
    game.play(plies)
    record = record_of(game.setup, game.turns)
    verdict = judge(record, edition)
    assert (verdict.violations, verdict.plies) == ((), len(game.turns))

    spoiled = data.draw(st.integers(0, len(game.turns) - 1))
    before = game.setup.reference_game(
        edition.two_squares_limit,
        edition.more_squares,
        by_borders=edition.recurrence is TwoSquaresForm.SAME_BORDER,
    )
    for turn in game.turns[:spoiled]:
        before.play(*turn)
    wrong = chance.choice(reference.SQUARES), chance.choice(reference.SQUARES)
    broken = before.broken_rules(*wrong)
    turns = [*game.turns[:spoiled], wrong, *game.turns[spoiled + 1 :]]
    verdict = judge(record_of(game.setup, turns), edition)
    if broken:
        ply, _, rule = only(verdict)
        assert ply == spoiled + 1
        assert rule.value in broken
    else:
        assert verdict.ply != spoiled + 1


def test_the_verdict_is_about_the_first_illegal_ply(record: Record) -> None:
    turns = turns_of(record)
    turns[100] = turns[50] = ("a1", "b2")

    assert judge(with_moves(record, turns), ISF).ply == 51


def test_violations_match_live_rulings(record: Record) -> None:
    verdict = judge(with_moves(record, [("e4", "e5"), ("e4", "e5")]), ISF)

    squares = set_of(map(square, ("e4", "e5")))
    assert verdict.violations == (
        Violation(ViolationKind.NO_PIECE, squares, ISF.cite(Rule.MOVEMENT)),
    )
