"""Tests for converting actions to plain data and back, as stored in journals and files."""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board.board import Piece
from engine.board.geometry import ALL, SQUARES, Side, set_of
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.deduction.commitment import ArmyCommitment, Opening
from engine.game import actions
from engine.records.serialization import read_action, read_edition, write_action, write_edition
from engine.rules.editions import EDITIONS, Edition
from tests.engine.cases import each
from tests.engine.examples import examples

squares, sides = st.sampled_from(SQUARES), st.sampled_from(Side)
square_sets = st.integers(0, ALL)
mistakes: st.SearchStrategy[actions.Correction] = st.one_of(
    st.builds(actions.RankCorrection, squares, st.sampled_from(Rank)),
    st.builds(actions.SwapCorrection, squares, squares),
    st.builds(actions.NotAScout, squares),
)
salts = st.integers(0, 2**128 - 1).map("{:032x}".format)
openings = st.builds(Opening, st.sampled_from(Rank), salts)
armies = st.dictionaries(squares, openings)


def _sealed_armies(
    red: Mapping[Piece, Opening], blue: Mapping[Piece, Opening]
) -> actions.PlaceArmies:
    armies = {Side.RED: red, Side.BLUE: blue}
    commitments = {side: ArmyCommitment.of(side, army) for side, army in armies.items()}
    return actions.PlaceArmies(set_of(red), set_of(blue), commitments)


any_action: st.SearchStrategy[actions.Action] = st.one_of(
    st.builds(actions.PlaceArmies, square_sets, square_sets),
    st.builds(_sealed_armies, armies, armies),
    st.builds(
        actions.PlaceArmies,
        square_sets,
        square_sets,
        ranks=st.dictionaries(squares, st.sampled_from(Rank)),
    ),
    st.builds(actions.Move, squares, squares),
    st.builds(actions.Attack, squares, squares),
    st.builds(actions.Amend, squares, squares),
    st.builds(actions.Touch, squares, st.booleans()),
    st.builds(actions.Override, squares, squares),
    st.builds(actions.Correct, mistakes),
    st.builds(
        actions.AdoptBoard,
        st.lists(st.builds(actions.Relocation, squares, squares)).map(tuple),
        square_sets,
        sides,
    ),
    st.builds(actions.Infiltrate, squares, squares, st.sampled_from(Rank)),
    st.builds(actions.AnswerGuess, st.booleans()),
    st.builds(actions.AnswerGuess, st.booleans(), st.builds(Secret, sides, openings)),
    st.builds(actions.Declare, st.builds(Secret, sides, st.sampled_from(Rank))),
    st.builds(
        *(actions.Declare, st.builds(Secret, sides, st.sampled_from(Rank))),
        st.builds(Secret, st.just(Side.RED), salts),
    ).filter(lambda declaration: declaration.rank.owner is Side.RED),
    st.builds(actions.BreakSeals, sides),
    st.builds(actions.OpenArmy, sides, armies),
    st.builds(actions.UpholdDeclaration, st.builds(Secret, sides, st.sampled_from(Rank))),
    st.builds(actions.SettleDispute, st.booleans()),
    st.builds(actions.Resign, sides),
    st.builds(actions.Forfeit, st.none() | sides),
    st.builds(actions.AnswerStalemate, st.booleans()),
    st.builds(actions.TimeExpired, st.none() | sides),
    st.sampled_from(
        [
            actions.WithdrawAttack(),
            actions.ClaimStalemate(),
            actions.AgreeDraw(),
            actions.TakeBack(),
            actions.FreeTouched(),
        ]
    ),
)


@given(any_action)
@examples(100)
def test_serialization_round_trip(action: actions.Action) -> None:
    written = write_action(action)

    assert read_action(written) == action
    assert read_action(json.loads(json.dumps(written))) == action
    assert all(isinstance(text, str) for pair in written.items() for text in pair)


@each(
    ("action", "plain"),
    [
        (actions.Move(34, 44), {"do": "move", "source": "e4", "target": "e5"}),
        (actions.Attack(44, 99), {"do": "attack", "source": "e5", "target": "k10"}),
        (actions.PlaceArmies(0b11, 1 << 99), {"do": "place-armies", "red": "a1 b1", "blue": "k10"}),
        (
            actions.PlaceArmies(0b11, 1 << 99, ranks={1: Rank.BOMB, 0: Rank.FLAG}),
            {"do": "place-armies", "red": "a1 b1", "blue": "k10", "ranks": "a1:flag b1:bomb"},
        ),
        (
            actions.Declare(Secret(Side.BLUE, Rank.MARSHAL)),
            {"do": "declare", "side": "blue", "rank": "marshal"},
        ),
        (actions.Resign(Side.RED), {"do": "resign", "side": "red"}),
        (actions.Amend(44, 54), {"do": "amend", "source": "e5", "target": "e6"}),
        (actions.Touch(34), {"do": "touch", "square": "e4"}),
        (actions.Touch(34, carried=True), {"do": "touch", "square": "e4", "carried": "yes"}),
        (actions.FreeTouched(), {"do": "free-touched"}),
        (actions.WithdrawAttack(), {"do": "withdraw-attack"}),
        (actions.ClaimStalemate(), {"do": "cannot-move"}),
        (actions.AnswerStalemate(able=True), {"do": "answer-cannot-move", "able": "yes"}),
        (actions.AnswerStalemate(able=False), {"do": "answer-cannot-move", "able": "no"}),
        (actions.AgreeDraw(), {"do": "agree-draw"}),
        (
            actions.UpholdDeclaration(Secret(Side.RED, Rank.INFILTRATOR)),
            {"do": "insist", "side": "red", "rank": "infiltrator"},
        ),
        (actions.SettleDispute(accepted=True), {"do": "settle-dispute", "accepted": "yes"}),
        (actions.SettleDispute(accepted=False), {"do": "settle-dispute", "accepted": "no"}),
        (
            actions.Infiltrate(70, 90, Rank.FLAG),
            {"do": "infiltrate", "source": "a8", "target": "a10", "guess": "flag"},
        ),
        (actions.AnswerGuess(right=True), {"do": "answer-guess", "right": "yes"}),
        (actions.AnswerGuess(right=False), {"do": "answer-guess", "right": "no"}),
        (
            actions.Correct(actions.RankCorrection(34, Rank.SPY)),
            {"do": "correct", "mistake": "wrong-rank", "piece": "e4", "rank": "spy"},
        ),
        (
            actions.Correct(actions.SwapCorrection(34, 35)),
            {"do": "correct", "mistake": "exchanged", "piece": "e4", "other": "f4"},
        ),
        (
            actions.Correct(actions.NotAScout(34)),
            {"do": "correct", "mistake": "no-long-move", "piece": "e4"},
        ),
        (actions.Override(1, 81), {"do": "override", "source": "b1", "target": "b9"}),
        (
            actions.AdoptBoard(
                (actions.Relocation(34, 44), actions.Relocation(44, 34)), 0b11, Side.BLUE
            ),
            {"do": "accept-board", "shifted": "e4-e5 e5-e4", "removed": "a1 b1", "to_move": "blue"},
        ),
        (
            actions.AdoptBoard((), 0, Side.RED),
            {"do": "accept-board", "shifted": "", "removed": "", "to_move": "red"},
        ),
        (actions.TakeBack(), {"do": "take-back"}),
        (actions.TimeExpired(Side.BLUE), {"do": "run-out", "side": "blue"}),
        (actions.TimeExpired(None), {"do": "run-out", "side": "both"}),
        (actions.Forfeit(Side.RED), {"do": "forfeit", "side": "red"}),
        (actions.Forfeit(None), {"do": "forfeit", "side": "both"}),
    ],
)
def test_serialized_form(action: actions.Action, plain: dict[str, str]) -> None:
    assert write_action(action) == plain
    assert read_action(plain) == action


@each(
    ("plain", "expected"),
    [
        ({}, "no action is called ''"),
        ({"do": "castle"}, "no action is called 'castle'"),
        ({"do": None}, '"do" must be a string'),
        ({"do": "move", "source": "e4"}, '"target" must be the name of a square.*nothing'),
        ({"do": "move", "source": "e4", "target": "j5"}, '"target" of "move" must be'),
        ({"do": "move", "source": "e4", "target": 44}, '"target" must be a string'),
        ({"do": "attack", "source": "", "target": "e5"}, '"source" of "attack" must be'),
        ({"do": "attack", "source": None, "target": "e5"}, '"source" must be a string'),
        ({"do": "place-armies", "red": "a1"}, '"blue" must be names of squares.*nothing'),
        (
            {"do": "place-armies", "red": "a1 a1x", "blue": ""},
            '"red" must be names of squares.*another',
        ),
        ({"do": "place-armies", "red": 3, "blue": ""}, '"red" must be a string'),
        ({"do": "place-armies", "red": ["a1"], "blue": ""}, '"red" must be a string'),
        ({"do": "declare", "side": "red"}, '"rank" must be the name of a rank.*'),
        ({"do": "declare", "rank": "spy"}, '"rank" must be the name of a rank.*'),
        ({"do": "declare", "side": "green", "rank": "spy"}, '"rank" of "declare" must be'),
        ({"do": "declare", "side": "red", "rank": "king"}, '"rank" of "declare" must be'),
        ({"do": "declare", "side": "red", "rank": 10}, '"rank" must be a string'),
        ({"do": "declare", "side": ["red"], "rank": "spy"}, '"side" must be a string'),
        ({"do": "resign"}, '"side" must be red or blue.*nothing'),
        ({"do": "resign", "side": "RED"}, '"side" must be red or blue.*another string'),
        ({"do": "resign", "side": "both"}, '"side" must be red or blue.*another string'),
        ({"do": "forfeit", "side": "nobody"}, '"side" must be red, blue or both.*another string'),
        ({"do": "run-out"}, '"side" must be red, blue or both.*nothing'),
        ({"do": "run-out", "side": "nobody"}, '"side" must be red, blue or both.*another string'),
        ({"do": "settle-dispute"}, '"accepted" must be yes or no.*nothing'),
        (
            {"do": "settle-dispute", "accepted": "maybe"},
            '"accepted" must be yes or no.*another string',
        ),
        ({"do": "settle-dispute", "accepted": True}, '"accepted" must be a string'),
        ({"do": "answer-guess", "right": "true"}, '"right" must be yes or no.*another string'),
        (
            {"do": "infiltrate", "source": "a8", "target": "a10"},
            '"guess" must be the name of a rank.*nothing',
        ),
        (
            {"do": "override", "source": "a8", "target": "a11"},
            '"target" must be the name of a square.*another string',
        ),
        ({"do": "correct", "piece": "e4"}, '"mistake" must be one of wrong-rank, exchanged.*'),
        ({"do": "correct", "mistake": "colour", "piece": "e4"}, '"mistake" must be one of.*'),
        (
            {"do": "correct", "mistake": "exchanged", "piece": "e4"},
            '"other" must be the name of a square.*nothing',
        ),
        ({"do": "touch"}, '"square" must be the name of a square.*nothing'),
        ({"do": "declare", "side": "red", "rank": "spy", "salt": "00"}, "a salt of 32"),
        (
            {"do": "place-armies", "red": "a1", "blue": "a7", "red_sealed": "00"},
            '"red_sealed" must be commitments.*',
        ),
        (
            {"do": "place-armies", "red": "a1", "blue": "a7", "red_sealed": ""},
            '"red_sealed" must be commitments.*',
        ),
        ({"do": "break-seals"}, '"side" must be red or blue.*nothing'),
        (
            {"do": "prove-army", "side": "red", "army": "a1:flag"},
            '"army" must be openings by square.*',
        ),
        (
            {"do": "answer-cannot-move", "able": "perhaps"},
            '"able" must be yes or no.*another string',
        ),
    ],
)
def test_bad_data_names_its_field(plain: dict[str, Any], expected: str) -> None:
    with pytest.raises(ValueError, match=re.sub(r'^("\w+") must', r"\1 of .* must", expected)):
        read_action(plain)


@each("kind", [actions.Declare, actions.UpholdDeclaration])
@each("damage", [{"side": None}, {"side": "green"}, {"side": 1}, {"do": "clare"}, {"do": None}])
def test_damaged_declaration_error_hides_the_rank(
    damage: dict[str, Any], kind: type[actions.Declare | actions.UpholdDeclaration]
) -> None:
    plain = write_action(kind(Secret(Side.RED, Rank.MARSHAL))) | damage
    missing = {key: text for key, text in plain.items() if text is not None}

    for spoiled in (plain, missing):
        with pytest.raises(ValueError, match=r"must be|is called") as refused:
            read_action(spoiled)
        assert "marshal" not in str(refused.value).lower()


anything = st.none() | st.integers() | st.text(max_size=5) | st.lists(st.text(max_size=2))
KEYS = ["do", "source", "target", "red", "blue", "side", "rank", "guess", "right", "accepted"]
KEYS += ["mistake", "piece", "other", "square", "able", "shifted", "removed", "to_move"]
WORDS = ["e4", "e4-e5", "red", "both", "spy", "yes", "wrong-rank", "exchanged", "no-long-move"]
NAMES = ["place-armies", "move", "attack", "amend", "touch", "withdraw-attack", "declare"]
NAMES += ["insist", "settle-dispute", "infiltrate", "answer-guess", "override", "correct"]
NAMES += ["take-back", "cannot-move", "answer-cannot-move", "resign", "agree-draw", "run-out"]
NAMES += ["free-touched", "forfeit", "accept-board", "break-seals", "prove-army"]


@given(
    st.dictionaries(st.sampled_from(KEYS), anything | st.sampled_from(WORDS)),
    st.sampled_from(NAMES),
)
@examples(80)
def test_random_data_gives_an_action_or_value_error(plain: dict[str, Any], do: str) -> None:
    with suppress(ValueError):
        assert write_action(read_action({**plain, "do": do}))["do"] == do


def test_all_actions_are_drawn() -> None:
    """The round-trip test draws every kind of action."""
    kinds = set(get_args(actions.Action))
    assert {type(read_action(write_action(action))) for action in ONE_OF_EACH} == kinds
    assert {write_action(action)["do"] for action in ONE_OF_EACH} == set(NAMES)


ONE_OF_EACH: list[actions.Action] = [
    actions.PlaceArmies(0, 0),
    actions.Move(0, 1),
    actions.Attack(0, 1),
    actions.Amend(0, 1),
    actions.Touch(0),
    actions.FreeTouched(),
    actions.WithdrawAttack(),
    actions.Declare(Secret(Side.RED, Rank.SPY)),
    actions.UpholdDeclaration(Secret(Side.RED, Rank.SPY)),
    actions.SettleDispute(accepted=True),
    actions.Infiltrate(0, 1, Rank.SPY),
    actions.AnswerGuess(right=True),
    actions.Override(0, 1),
    actions.Correct(actions.NotAScout(0)),
    actions.AdoptBoard((), 0, Side.RED),
    actions.BreakSeals(Side.RED),
    actions.OpenArmy(Side.RED, {}),
    actions.TakeBack(),
    actions.ClaimStalemate(),
    actions.AnswerStalemate(able=True),
    actions.Resign(Side.RED),
    actions.AgreeDraw(),
    actions.TimeExpired(None),
    actions.Forfeit(Side.RED),
]


# -- editions


@st.composite
def chosen_editions(draw: st.DrawFn) -> Edition:
    """Draw a random edition, with random values for the options that players can choose."""
    edition = draw(st.sampled_from(list(EDITIONS.values())))
    return replace(
        edition.with_army(draw(st.sampled_from([army.name for army in edition.armies]))),
        two_squares_limit=draw(st.sampled_from(edition.limits or (edition.two_squares_limit,))),
        moved_bomb=draw(st.sampled_from(edition.moved_bomb_choices or (edition.moved_bomb,))),
        touch_move=draw(st.booleans()),
        sealed_armies=draw(st.booleans()),
        silent_defence=draw(st.booleans()),
        aggressor_advantage=draw(st.booleans()),
    )


@given(chosen_editions())
@examples(60)
def test_edition_round_trip(edition: Edition) -> None:
    assert read_edition(json.loads(json.dumps(write_edition(edition)))) == edition


def test_edition_id_implies_default_options() -> None:
    for edition in EDITIONS.values():
        assert read_edition({"id": edition.id}) == edition


@each(
    ("plain", "expected"),
    [
        ({}, "no edition is called None"),
        ({"id": "house-rules"}, "no edition is called 'house-rules'"),
        (
            {"id": "isf", "army": "infiltrator"},
            "ISF game rules: expected the army original or duel or barrage, found 'infiltrator'",
        ),
        (
            {"id": "compact-1992", "army": "duel"},
            "Compact Stratego 499: expected the army original, found 'duel'",
        ),
        (
            {"id": "isf", "two_squares_limit": "3"},
            "no edition allows 'two_squares_limit' to be '3'",
        ),
        (
            {"id": "isf", "two_squares_limit": True},
            "no edition allows 'two_squares_limit' to be True",
        ),
        ({"id": "isf", "silent_defence": 1}, "no edition allows 'silent_defence' to be 1"),
        ({"id": "isf", "more_squares": False}, "no edition allows 'more_squares' to be False"),
        ({"id": "isf", "touch_move": "yes"}, "no edition allows 'touch_move' to be 'yes'"),
        ({"id": "travel-2017", "moved_bomb": True}, "no edition allows 'moved_bomb' to be True"),
        ({"id": "travel-2017", "moved_bomb": "explodes"}, "'explodes'"),
        ({"id": "isf", "rulebook": "mine"}, "no edition allows 'rulebook' to be 'mine'"),
        (
            {"id": "isf", "two_squares_limit": 4},
            "ISF game rules: expected a two-squares limit of 3 or 5, found 4",
        ),
        (
            {"id": "nordic-2015", "two_squares_limit": 5},
            "Stratego with infiltrator: expected a two-squares limit of 3, found 5",
        ),
        (
            {"id": "nordic-2015", "moved_bomb": "loses"},
            "Stratego with infiltrator: expected the penalty not-allowed for a moved bomb, "
            "found 'loses'",
        ),
        (
            {"id": "travel-2017", "moved_bomb": "arbiter"},
            "Stratego Travel: expected the penalty not-allowed or loses for a moved bomb, "
            "found 'arbiter'",
        ),
    ],
)
def test_unknown_edition_is_refused(plain: dict[str, Any], expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        read_edition(plain)
