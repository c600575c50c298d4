from collections.abc import Callable

import pytest

from engine.board.geometry import Side, names, square
from firmware_bridge.simulated_board.board import ImpossibleError, SimulatedBoard
from firmware_bridge.simulated_board.hands import CARRY_MS, REACH_MS, SECOND_MS, Hands

A4, A5, A6 = map(square, ("a4", "a5", "a6"))


class Film:
    """Records each wait in milliseconds, with the squares that are red and blue during the wait."""

    def __init__(self, board: SimulatedBoard) -> None:
        self.board = board
        self.scenes: list[tuple[int, str, str]] = []

    def pass_time(self, milliseconds: int) -> None:
        image = self.board.image()
        self.scenes.append((milliseconds, names(image.red), names(image.blue)))

    def end(self) -> list[tuple[int, str, str]]:
        self.pass_time(0)
        return self.scenes


@pytest.fixture
def film(board: SimulatedBoard) -> Film:
    board.stand(Side.RED, A4)
    board.stand(Side.BLUE, A5)
    return Film(board)


@pytest.fixture
def hands(film: Film) -> Hands:
    return Hands(film.board, film.pass_time)


def test_simple_move(hands: Hands, film: Film) -> None:
    hands.move(A5, A6)
    assert film.end() == [(REACH_MS, "a4", "a5"), (CARRY_MS, "a4", ""), (0, "a4", "a6")]


def test_piece_lifted_and_put_back(hands: Hands, film: Film) -> None:
    hands.lift(A4)
    hands.put_back()
    assert film.end() == [(REACH_MS, "a4", "a5"), (CARRY_MS, "", "a5"), (0, "a4", "a5")]


def test_pieces_go_back_in_reverse_order(hands: Hands, film: Film) -> None:
    own, other = hands.lift(A4), hands.lift(A5)
    assert hands.held == (own, other)
    hands.put_back()
    assert len(hands.held) == 0
    assert film.end()[-2:] == [(CARRY_MS, "", "a5"), (0, "a4", "a5")]
    assert film.board.at(A4) is own


def test_tap_is_invisible(hands: Hands, film: Film) -> None:
    hands.lift(A4)
    hands.tap(A5)
    assert film.end() == [(REACH_MS, "a4", "a5"), (CARRY_MS, "", "a5"), (0, "", "a5")]
    with pytest.raises(ImpossibleError, match="no piece to tap on a6"):
        hands.tap(A6)


def test_attack_with_both_pieces_in_hand(hands: Hands, film: Film) -> None:
    hands.attack_in_hand(A4, A5)
    own, other = hands.held
    hands.set_aside(other)
    hands.place(A5)
    assert film.board.at(A5) is own
    assert film.end() == [
        (REACH_MS, "a4", "a5"),
        (SECOND_MS, "", "a5"),
        (CARRY_MS, "", ""),
        (0, "a5", ""),
    ]


def test_attack_onto_the_square(hands: Hands, film: Film) -> None:
    taken = film.board.at(A5)
    hands.attack_set_down(A4, A5)
    assert hands.held == (taken,)
    assert film.end() == [
        (REACH_MS, "a4", "a5"),
        (SECOND_MS, "", "a5"),
        (CARRY_MS, "", ""),
        (0, "a5", ""),
    ]


def test_which_piece_must_be_clear(hands: Hands, film: Film) -> None:
    with pytest.raises(ImpossibleError, match=r"in hand \(nothing\); found no choice"):
        hands.place(A6)
    hands.attack_in_hand(A4, A5)
    with pytest.raises(
        ImpossibleError, match=r"in hand \(red piece, blue piece\); found no choice"
    ):
        hands.place(A6)
    own, other = hands.held
    hands.place(A6, other)
    with pytest.raises(ImpossibleError, match=r"in hand \(red piece\); found blue piece"):
        hands.set_aside(other)
    assert hands.held == (own,)


@pytest.mark.parametrize(
    "gesture",
    [
        lambda hands: hands.lift(A6),
        lambda hands: hands.tap(A5),
        lambda hands: hands.put_back() or hands.set_aside(),
    ],
)
def test_impossible_hand_movements(
    hands: Hands, film: Film, gesture: Callable[[Hands], None]
) -> None:
    before = film.board.image()
    with pytest.raises(ImpossibleError):
        gesture(hands)
    assert film.board.image() == before


def test_piece_stays_in_hand_over_an_occupied_square(hands: Hands, film: Film) -> None:
    own = hands.lift(A4)
    with pytest.raises(ImpossibleError, match="a5 is occupied"):
        hands.place(A5)
    assert hands.held == (own,)
