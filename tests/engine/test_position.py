"""Tests for positions as immutable values: equality, hashing and printing."""

import random
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from engine.board import board_text
from engine.board.geometry import SQUARES
from engine.board.ranks import SYMBOLS
from engine.game import position_updates
from engine.game.actions import Move, TakeBack
from engine.game.position import Position
from engine.game.referee import Referee
from engine.rules.editions import EDITIONS, Edition
from tests.engine.cases import each
from tests.engine.examples import editions, examples
from tests.engine.games import shuffled
from tests.engine.tables import BLUE, RED, SKIRMISH, Table

ISF = EDITIONS["isf"]


def after(moves: str, *, rules: Edition = ISF) -> Position:
    table = Table.of(SKIRMISH, rules=rules)
    table.play(moves)
    return table.referee.position


# -- equality


@each(
    ("one", "other"),
    [
        ("", ""),
        ("e4-e5 e7-e6", "e4-e5 e7-e6"),
        ("e4-e5 e7-e6 e5xe6", "e4-e5 e7-e6 e5xe6"),
        # moves in a different order, but with the same last moves and equally long runs
        ("e4-e5 b7-b6 f4-f5 e7-e6 i4-i5 f7-f6", "f4-f5 e7-e6 e4-e5 b7-b6 i4-i5 f7-f6"),
        ("b4-b5 k7-k6 e4-e5 k6-k7 f4-f5 b7-b6", "e4-e5 k7-k6 b4-b5 k6-k7 f4-f5 b7-b6"),
    ],
)
def test_transposed_positions_are_equal(one: str, other: str) -> None:
    assert after(one) == after(other)
    assert hash(after(one)) == hash(after(other))
    assert len({after(one), after(other)}) == 1


@each(
    ("one", "other", "why"),
    [
        ("e4-e5", "f4-f5", "other pieces stand elsewhere"),
        ("e4-e5", "e4-e5 e7-e6", "the other side is to move"),
        ("e4-e5 k7-k6 e5-e4 k6-k7", "", "all stand as at first, but two pieces have moved"),
        (
            "k4-k6 b7-b6 k6-k4 b6-b7 e4-e5",
            "k4-k5 b7-b6 k5-k4 b6-b7 e4-e5",
            "everybody knows a scout more",
        ),
        (
            "e4-e5 b7-b6 e5-e4 b6-b7 e4-e5 e7-e6",
            "e4-e5 b7-b6 f4-f5 b6-b7 f5-f4 e7-e6",
            "one may not go back once more",
        ),
        ("e4-e5 e7-e6 e5xe6", "e4-e5 f7-f6 e5-e6 k7-k6 e6xe7", "others have fallen"),
    ],
)
def test_positions_with_other_futures_differ(one: str, other: str, why: str) -> None:
    assert after(one) != after(other), why


def test_other_edition_is_another_position() -> None:
    assert after("e4-e5") != after("e4-e5", rules=EDITIONS["gravopedia-2006"])


def test_position_equals_no_other_type() -> None:
    assert after("") != "a position"
    assert after("") != after("").board


def test_positions_are_hashable() -> None:
    """Positions can be stored in a set, as in search programs. Undoing turns leads back to equal
    positions."""
    table, been = Table.of(SKIRMISH, rules=ISF), set()
    for move in ["e4-e5", "e7-e6", "e5xe6", "k7-k5"]:
        been.add(table.referee.position)
        table.play(move)
    assert table.referee.position not in been

    for _ in range(4):
        table.take_back()
        assert table.referee.position in been


# -- printed


def test_position_prints_proved_ranks() -> None:
    position = after("e4-e5 e7-e6 e5xe6 k7-k5")

    assert str(position) == (
        "10 b?  .  .  .  .  .  .  .  .  .\n"
        " 9  .  .  .  .  .  .  .  .  .  .\n"
        " 8  .  .  .  .  .  .  .  .  .  .\n"
        " 7  . b?  .  .  . b?  .  . b?  .\n"
        " 6  .  .  ~  ~ r9  .  ~  ~  .  .\n"
        " 5  .  .  ~  ~  .  .  ~  ~  . b2\n"
        " 4  . r?  .  .  . r?  .  . r? r?\n"
        " 3  .  .  .  .  .  .  .  .  .  .\n"
        " 2  .  .  .  .  .  .  .  .  .  .\n"
        " 1 r?  .  .  .  .  .  .  .  .  .\n"
        "    a  b  c  d  e  f  g  h  i  k"
    )
    assert repr(position) == "<Position after 4 plies, red to move>"


@editions
@given(seed=st.integers(0, 2**32 - 1), plies=st.integers(0, 60))
@examples(4)
def test_printed_position_matches_the_board(edition: Edition, seed: int, plies: int) -> None:
    referee = played(edition, seed, plies)
    position = referee.position

    drawn = board_text.read(str(position))

    assert str(referee) == str(position)
    for place in SQUARES:
        side = position.board.side_at(place)
        if side is None:
            assert place not in drawn
            continue
        colour, symbol = drawn[place][0], drawn[place][1:]
        assert colour == side.value[0]
        ranks = position.ranks_at(place)
        assert ranks == 1 << SYMBOLS[symbol] if symbol != "?" else ranks.bit_count() > 1


def played(edition: Edition, seed: int, plies: int) -> Referee:
    """Play a random game with known ranks and every kind of turn."""
    chance = random.Random(seed)
    setup = shuffled(edition.army, chance)
    referee = Referee.waiting(edition, known=setup.ranks)
    referee.apply(setup.placing)
    for _ in range(plies):
        turns = referee.legal_moves()
        if not turns:
            break
        referee.apply(chance.choice(turns))
    return referee


# -- immutability


def test_position_is_immutable() -> None:
    table = Table.of(SKIRMISH, rules=ISF)
    table.play("e4-e5 e7-e6")
    position = table.referee.position
    kept, drawn, legal = after("e4-e5 e7-e6"), str(position), position.legal_moves()

    table.play("e5xe6 k7xk4 f4-f5")
    table.take_back()

    assert position == kept
    assert (str(position), position.legal_moves()) == (drawn, legal)


def test_position_without_a_referee() -> None:
    """Positions that are derived from the same position, as in a search, are independent of each
    other."""
    begun = after("e4-e5 e7-e6")
    turns = [turn for turn in begun.legal_moves() if isinstance(turn, Move)]

    after_each = [position_updates.after_turn(begun, turn) for turn in turns]

    assert len(set(after_each)) == len(turns)
    assert begun == after("e4-e5 e7-e6")
    for turn, position in zip(turns, after_each, strict=True):
        assert position == after(f"e4-e5 e7-e6 {turn}")
        assert position.to_move is BLUE
    assert begun.to_move is RED


@editions
@given(seed=st.integers(0, 2**32 - 1), plies=st.integers(1, 40))
@examples(4)
def test_copy_is_independent(edition: Edition, seed: int, plies: int) -> None:
    game = played(edition, seed, plies)
    position, actions = game.position, list(game.actions)

    other = game.copy()
    for _ in range(3):
        if other.position.plies:
            other.apply(TakeBack())
    for _ in range(5):
        if turns := other.legal_moves():
            other.apply(turns[0])

    assert (game.position, game.actions) == (position, actions)


def test_equal_editions_give_equal_positions() -> None:
    table = Table.of(SKIRMISH, rules=replace(ISF, two_squares_limit=3))

    assert table.referee.position == after("")
