"""Match pieces to squares when the board differs from the referee's position."""

from dataclasses import replace

import pytest

from companion.core.piece_matching import BoardProposal, propose
from engine.board.geometry import Side, set_of, square
from engine.board.ranks import Rank
from engine.game.actions import Attack, Relocation
from engine.game.referee import Referee
from engine.game.rulings import AdoptionError, AdoptionRejected, refuses
from engine.rules.editions import EDITIONS
from firmware_bridge.image import Image
from tests.engine.tables import Setup, Table, declare

FEW = """
    10  bF   .   .   .   .   .   .   .   .   .
     9   .   .   .   .   .   .   .   .   .   .
     8   .   .   .   .   .   .   .   .   .   .
     7   .  bB   .   .  b5  b9   .   .   .   .
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4   .  rB   .   .  r9  r5   .   .   .   .
     3   .   .   .   .   .   .   .   .   .   .
     2   .   .   .   .   .   .   .   .   .   .
     1  rF   .   .   .   .   .   .   .   .   .
         a   b   c   d   e   f   g   h   i   k
"""


def claim(shifted: str = "", gone: str = "") -> BoardProposal:
    ways = (each.split("-") for each in shifted.split())
    shifts = (Relocation(square(source), square(target)) for source, target in ways)
    return BoardProposal(tuple(shifts), squares(gone))


def squares(names: str) -> int:
    return set_of(map(square, names.split()))


def read(drawn: str, table: Table | None = None) -> object:
    """Compare an image with `FEW`, or with the position of `table`. Return the proposal."""
    table = table or Table.of(FEW)
    return propose(table.referee.position, Image.parse(drawn))


def seen(changes: dict[str, str], before: str = FEW) -> str:
    pieces = Setup.parse(before).pieces
    tokens = {place: side.value[0] for place, (side, _) in pieces.items()}
    tokens |= {square(place): token for place, token in changes.items()}
    red, blue, unknown = (
        set_of(place for place, token in tokens.items() if token == sign) for sign in "rb?"
    )
    return str(Image(red, blue, unknown))


def test_correct_board_has_no_differences() -> None:
    assert read(seen({})) is None


def test_missing_and_new_piece_are_matched() -> None:
    drawn = """
    10  b  .  .  .  .  .  .  .  .  .
     9  .  .  .  .  .  .  .  .  .  .
     8  .  .  .  .  .  .  .  .  .  .
     7  .  b  .  .  b  b  .  .  .  .
     6  .  .  ~  ~  .  .  ~  ~  .  r
     5  .  .  ~  ~  .  .  ~  ~  .  .
     4  .  r  .  .  .  r  .  .  .  .
     3  .  .  .  .  .  .  .  .  .  .
     2  .  .  .  .  .  .  .  .  .  .
     1  r  .  .  .  .  .  .  .  .  .
        a  b  c  d  e  f  g  h  i  k
    """
    assert read(drawn) == claim("e4-k6")


def test_missing_piece() -> None:
    assert read(seen({"e7": "."})) == claim(gone="e7")


def test_pieces_are_matched_to_near_squares() -> None:
    assert read(seen({"e4": ".", "f4": ".", "e5": "r", "f6": "r"})) == claim("e4-e5 f4-f6")


def test_removed_piece_is_the_furthest() -> None:
    assert read(seen({"a1": ".", "f4": ".", "f5": "r"})) == claim("f4-f5", gone="a1")


def test_pieces_of_both_sides_are_swapped() -> None:
    assert read(seen({"f4": "b", "f7": "r"})) == claim("f4-f7 f7-f4")


def test_piece_on_a_captured_square() -> None:
    assert read(seen({"e4": ".", "e7": "r"})) == claim("e4-e7", gone="e7")


def test_surplus_piece_is_reported() -> None:
    assert read(seen({"k5": "r"})) == AdoptionRejected(AdoptionError.TOO_MANY, squares("k5"))


def test_further_new_piece_is_surplus() -> None:
    result = read(seen({"e4": ".", "e5": "r", "k9": "r"}))
    assert result == AdoptionRejected(AdoptionError.TOO_MANY, squares("k9"))


def test_other_colour_does_not_replace_a_piece() -> None:
    assert read(seen({"e4": ".", "e5": "b"})) == AdoptionRejected(
        AdoptionError.TOO_MANY, squares("e5")
    )


def test_no_piece_on_a_lake() -> None:
    assert read(seen({"e4": ".", "d5": "r"})) == AdoptionRejected(
        AdoptionError.TOO_MANY, squares("d5")
    )


def test_nearest_piece_without_colours() -> None:
    result = dict.fromkeys(("a1", "b4", "b7", "a10", "e5", "f4", "e6", "f7"), "?")
    assert read(seen({"e4": ".", "e7": ".", **result})) == claim("e4-e5 e7-e6")


def test_surplus_piece_without_colours() -> None:
    result = dict.fromkeys(("a1", "b4", "b7", "a10", "e4", "f4", "e7", "f7"), "?")
    refused = AdoptionRejected(AdoptionError.TOO_MANY, squares("k5"))
    assert read(seen({**result, "k5": "?"})) == refused


@pytest.fixture
def proved() -> Table:
    """Game in which all movable pieces of both sides have moved one square forward."""
    table = Table.of(FEW)
    table.play("e4-e5 e7-e6 f4-f5 f7-f6")
    return table


AFTER = {"e4": ".", "f4": ".", "e7": ".", "f7": ".", "e5": "r", "f5": "r", "e6": "b", "f6": "b"}


def test_immobile_piece_is_not_relocated(proved: Table) -> None:
    """b5 is next to b4, but b4 is known to be a bomb or the flag."""
    result = read(seen({**AFTER, "b4": ".", "f5": ".", "b5": "r"}), proved)
    assert result == claim("f5-b5", gone="b4")


def test_relocated_immobile_piece_is_reported(proved: Table) -> None:
    result = read(seen({**AFTER, "b4": ".", "b5": "r"}), proved)
    assert result == AdoptionRejected(AdoptionError.BOMB_OR_FLAG, squares("b4"))


def test_known_flag_is_not_missing() -> None:
    few = FEW.replace("rB", " .").replace("bB", " .")
    table = Table.of(few)
    table.play("e4-e5 e7-e6 f4-f5 f7-f6")
    result = read(seen({**AFTER, "a1": "."}, few), table)
    assert result == AdoptionRejected(AdoptionError.FLAG, squares("a1"))


def test_sealed_ranks_do_not_affect_matching() -> None:
    """If the proposal depended on secret ranks, it would reveal which piece is a bomb."""
    result = [read(seen(SEALED), won_by(rank)) for rank in (Rank.BOMB, Rank.GENERAL)]
    assert result[0] == result[1] == claim("b7-b8")


SEALED = {"f4": ".", "f7": ".", "f8": "b", "b7": ".", "b8": "b"}


def won_by(rank: Rank) -> Table:
    """Return a game in which Red's lieutenant has lost to b7. The rank of b7 stays secret."""
    setup = Setup.parse(FEW)
    edition = replace(EDITIONS["isf"], army=setup.army, silent_defence=True)
    table = Table(setup, Referee.waiting(edition))
    table.referee.apply(setup.placing)
    table.override("f4-b6")
    table.play("f7-f8")
    table.referee.apply(Attack(square("b6"), square("b7")))
    for declaration in (declare(Side.RED, Rank.LIEUTENANT), declare(Side.BLUE, rank)):
        assert not refuses(table.referee.apply(declaration))
    assert table.referee.position.ranks_at(square("b7")) == 1 << Rank.BOMB | 1 << Rank.GENERAL
    return table
