"""Actions as plain data, for journals and files."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.actions import (
    Action,
    AgreeDraw,
    CannotMove,
    Declare,
    Move,
    OpenAttack,
    PlaceArmies,
    Resign,
    WithdrawAttack,
)
from engine.notation import read_action, write_action
from engine.ranks import Rank
from engine.secrecy import Secret
from engine.sides import Side
from engine.squares import ALL, SQUARES
from tests.engine.examples import examples

squares, sides = st.sampled_from(SQUARES), st.sampled_from(Side)
square_sets = st.integers(0, ALL)
actions: st.SearchStrategy[Action] = st.one_of(
    st.builds(PlaceArmies, square_sets, square_sets),
    st.builds(Move, squares, squares),
    st.builds(OpenAttack, squares, squares),
    st.builds(Declare, st.builds(Secret, sides, st.sampled_from(Rank))),
    st.builds(Resign, sides),
    st.sampled_from([WithdrawAttack(), CannotMove(), AgreeDraw()]),
)


@given(actions)
@examples(150)
def test_what_is_written_reads_back(action: Action) -> None:
    written = write_action(action)

    assert read_action(written) == action
    assert read_action(json.loads(json.dumps(written))) == action
    assert all(isinstance(text, str) for pair in written.items() for text in pair)


@pytest.mark.parametrize(
    ("action", "plain"),
    [
        (Move(34, 44), {"do": "move", "source": "e4", "target": "e5"}),
        (OpenAttack(44, 99), {"do": "attack", "source": "e5", "target": "k10"}),
        (PlaceArmies(0b11, 1 << 99), {"do": "place-armies", "red": "a1 b1", "blue": "k10"}),
        (
            Declare(Secret(Side.BLUE, Rank.MARSHAL)),
            {"do": "declare", "side": "blue", "rank": "marshal"},
        ),
        (Resign(Side.RED), {"do": "resign", "side": "red"}),
        (WithdrawAttack(), {"do": "withdraw-attack"}),
        (CannotMove(), {"do": "cannot-move"}),
        (AgreeDraw(), {"do": "agree-draw"}),
    ],
)
def test_how_it_is_written(action: Action, plain: dict[str, str]) -> None:
    assert write_action(action) == plain
    assert read_action(plain) == action


@pytest.mark.parametrize(
    ("plain", "said"),
    [
        ({}, "'do' is missing"),
        ({"do": "castle"}, "no action is called 'castle'"),
        ({"do": None}, "'do' is a NoneType"),
        ({"do": "move", "source": "e4"}, "'target' is missing"),
        ({"do": "move", "source": "e4", "target": "j5"}, "'j5'"),
        ({"do": "move", "source": "e4", "target": 44}, "'target' is a int"),
        ({"do": "attack", "source": "", "target": "e5"}, "''"),
        ({"do": "attack", "source": None, "target": "e5"}, "'source' is a NoneType"),
        ({"do": "place-armies", "red": "a1"}, "'blue' is missing"),
        ({"do": "place-armies", "red": "a1 a1x", "blue": ""}, "'a1x'"),
        ({"do": "place-armies", "red": 3, "blue": ""}, "'red' is a int"),
        ({"do": "place-armies", "red": ["a1"], "blue": ""}, "'red' is a list"),
        ({"do": "declare", "side": "red"}, "'rank' is missing"),
        ({"do": "declare", "rank": "spy"}, "'side' is missing"),
        ({"do": "declare", "side": "green", "rank": "spy"}, "'green'"),
        ({"do": "declare", "side": "red", "rank": "king"}, "'KING'|'king'"),
        ({"do": "declare", "side": "red", "rank": 10}, "'rank' is a int"),
        ({"do": "declare", "side": ["red"], "rank": "spy"}, "'side' is a list"),
        ({"do": "resign"}, "'side' is missing"),
        ({"do": "resign", "side": "RED"}, "'RED'"),
    ],
)
def test_bad_data_is_refused_by_name(plain: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_action(plain)


@pytest.mark.parametrize(
    "damage", [{"side": None}, {"side": "green"}, {"side": 1}, {"do": "clare"}, {"do": None}]
)
def test_a_damaged_declaration_is_refused_without_its_rank(damage: dict[str, Any]) -> None:
    plain = write_action(Declare(Secret(Side.RED, Rank.MARSHAL))) | damage
    missing = {key: text for key, text in plain.items() if text is not None}

    for spoiled in (plain, missing):
        with pytest.raises(ValueError, match="is") as refused:
            read_action(spoiled)
        assert "marshal" not in str(refused.value).lower()


anything = st.none() | st.integers() | st.text(max_size=5) | st.lists(st.text(max_size=2))
KEYS = ["do", "source", "target", "red", "blue", "side", "rank"]
NAMES = ["place-armies", "move", "attack", "withdraw-attack", "declare", "cannot-move", "resign"]


@given(
    st.dictionaries(st.sampled_from(KEYS), anything | st.sampled_from(["e4", "red", "spy"])),
    st.sampled_from(NAMES),
)
@examples(300)
def test_whatever_is_read_is_an_action_or_a_value_error(plain: dict[str, Any], do: str) -> None:
    with suppress(ValueError):
        assert write_action(read_action({**plain, "do": do}))["do"] == do
