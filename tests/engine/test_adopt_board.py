"""Tests for adopting the actual board by agreement between the players."""

from dataclasses import replace

import pytest

from engine.board import OutOfPhaseError
from engine.board.geometry import Side, set_of, square
from engine.board.ranks import Rank, ranks_in
from engine.game import actions, rulings
from engine.game.game_state import Phase
from engine.game.referee import Referee
from engine.game.views import public_view
from engine.records.adjudication import judge_transcript
from engine.records.transcript import transcribe
from engine.rules.editions import EDITIONS
from engine.rules.rules import ViolationKind
from tests.engine.cases import each
from tests.engine.tables import BLUE, RED, SKIRMISH, Setup, Table, moment, state, way

ISF = EDITIONS["isf"]


def board(shifted: str = "", gone: str = "", to_move: Side = RED) -> actions.AdoptBoard:
    """Return the action that adopts a board. ``"e4-e5"`` means that the piece from e4 is on e5."""
    ways = tuple(actions.Relocation(*way(each)) for each in shifted.split())
    return actions.AdoptBoard(ways, squares(gone), to_move)


def squares(names: str) -> int:
    return set_of(map(square, names.split()))


def agree(
    table: Table, shifted: str = "", gone: str = "", to_move: Side = RED
) -> list[rulings.Ruling]:
    """Apply the players' agreement to accept the board as it stands.

    Return all rulings after the first, which says that the board was accepted.
    """
    action = board(shifted, gone, to_move)
    ruling, *more = table.referee.apply(action)
    assert ruling == rulings.BoardAdopted(action.shifted, action.removed, to_move)
    return more


def phase(table: Table) -> Phase:
    return table.referee.phase


def refused(
    table: Table, shifted: str = "", gone: str = "", to_move: Side = RED
) -> rulings.AdoptionRejected:
    before, done = moment(table.referee), list(table.referee.actions)
    (ruling,) = table.referee.apply(board(shifted, gone, to_move))
    assert isinstance(ruling, rulings.AdoptionRejected)
    assert rulings.refuses([ruling])
    assert (moment(table.referee), table.referee.actions) == (before, done)
    return ruling


def possible(table: Table, where: str) -> set[Rank]:
    return set(ranks_in(table.referee.position.ranks_at(square(where))))


@pytest.fixture
def table() -> Table:
    """Return a game in which both sides have moved once."""
    table = Table.of(SKIRMISH, rules=ISF)
    table.play("e4-e5 e7-e6")
    return table


# -- changes to the board


def test_pieces_move_to_agreed_squares(table: Table) -> None:
    before = table.referee.position.board
    assert not agree(table, "e5-d4 e6-e5")
    after = table.referee.position.board
    assert after.piece_at(square("d4")) == before.piece_at(square("e5"))
    assert after.piece_at(square("e5")) == before.piece_at(square("e6"))
    assert after.side_at(square("e6")) is None


def test_two_pieces_can_be_swapped(table: Table) -> None:
    before = table.referee.position.board
    agree(table, "e5-e6 e6-e5")
    after = table.referee.position.board
    assert after.side_at(square("e6")) is RED
    assert after.side_at(square("e5")) is BLUE
    assert after.piece_at(square("e6")) == before.piece_at(square("e5"))


@pytest.mark.parametrize("to_move", list(Side))
def test_agreed_side_is_to_move(table: Table, to_move: Side) -> None:
    agree(table, "f4-f5", to_move=to_move)
    assert table.referee.to_move is to_move
    assert table.referee.phase is Phase.PLAY
    own = "f5-f6" if to_move is RED else "f7-f6"
    assert isinstance(table.play(own)[0], rulings.Moved)


def test_only_the_turn_can_change(table: Table) -> None:
    agree(table, to_move=BLUE)
    assert table.referee.to_move is BLUE
    table.play("f7-f6")


def test_adoption_counts_as_a_turn_without_a_mover(table: Table) -> None:
    agree(table, "f4-f5", to_move=BLUE)
    position = table.referee.position
    assert position.plies == 3
    assert (position.last_move, position.last_combat) == (None, None)
    assert public_view(table.referee).last_move is None


# -- known facts


def test_relocation_reveals_nothing(table: Table) -> None:
    """No move was observed, so the piece on f6 may still be a bomb, the flag or a scout."""
    before = possible(table, "f4")
    agree(table, "f4-f6 f7-a8")
    assert possible(table, "f6") == before > {Rank.FLAG, Rank.BOMB, Rank.SCOUT}


def test_known_ranks_follow_a_relocated_piece(table: Table) -> None:
    table.play("e5xe6")
    agree(table, "e6-d8 f4-e6")
    assert possible(table, "d8") == {Rank.GENERAL}
    assert len(possible(table, "e6")) > 1


def test_removed_piece_of_known_rank_is_counted_as_captured(table: Table) -> None:
    table.play("e5xe6")
    agree(table, gone="e6", to_move=BLUE)
    view = public_view(table.referee)
    assert view.captured[RED] == (Rank.GENERAL,)
    assert view.unshown == {RED: 0, BLUE: 0}


def test_removed_piece_of_hidden_rank_is_not_counted(table: Table) -> None:
    """The board shows only that a piece is missing. The piece may have had any remaining rank."""
    agree(table, gone="f4 f7 k7")
    view = public_view(table.referee)
    assert view.captured == {RED: (), BLUE: ()}
    assert view.unshown == {RED: 1, BLUE: 2}
    assert "Blue lost: ? ?" in str(view)
    assert possible(table, "k4") > {Rank.SCOUT, Rank.MINER}


# -- impossible changes


MOUSE_HOLE = """
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


@pytest.fixture
def proved() -> Table:
    """Return a game in which all movable pieces of both sides have moved."""
    table = Table.of(MOUSE_HOLE, rules=ISF)
    table.play("e4-e5 e7-e6 f4-f5 f7-f6")
    return table


@each("place", ["a1", "b4"])
def test_bomb_or_flag_cannot_be_relocated(proved: Table, place: str) -> None:
    """Red's two unmoved pieces are the bomb and the flag, but it is unknown which is which."""
    assert possible(proved, place) == {Rank.BOMB, Rank.FLAG}
    reply = refused(proved, f"{place}-d2 e5-e4")
    assert reply == rulings.AdoptionRejected(rulings.AdoptionError.BOMB_OR_FLAG, squares(place))


def test_immobile_pieces_can_be_removed_unless_one_is_the_flag(proved: Table) -> None:
    agree(proved, gone="b4")
    assert possible(proved, "a1") == {Rank.BOMB, Rank.FLAG}
    proved.take_back()
    agree(proved, gone="a1")
    proved.take_back()


def test_known_flag_cannot_be_removed() -> None:
    drawn = MOUSE_HOLE.replace("rB", " .").replace("bB", " .")
    table = Table.of(drawn, rules=ISF)
    table.play("e4-e5 e7-e6 f4-f5 f7-f6")
    assert possible(table, "a1") == {Rank.FLAG}
    assert refused(table, gone="a1") == rulings.AdoptionRejected(
        rulings.AdoptionError.FLAG, squares("a1")
    )


def test_known_bomb_can_be_removed(proved: Table) -> None:
    proved.override("e5-b6")
    proved.play("e6-e5 b6xb7")
    agree(proved, gone="b7", to_move=RED)
    assert public_view(proved.referee).captured[BLUE] == (Rank.BOMB,)


@each(
    ("shifted", "gone", "why"),
    [
        ("e4-e3", "", "one square"),  # empty before the adoption
        ("f4-e6", "", "one square"),  # occupied by another piece
        ("f4-d5", "", "one square"),  # a lake
        ("f4-f5 f4-f6", "", "one square"),
        ("f4-f5 k4-f5", "", "one square"),
        ("f4-f5", "f4", "one square"),
        ("", "e4", "one square"),
        ("f4-f4", "", "differs from"),
        ("", "", "differs from"),
    ],
)
def test_impossible_boards_are_refused(table: Table, shifted: str, gone: str, why: str) -> None:
    with pytest.raises(OutOfPhaseError, match=why):
        table.referee.apply(board(shifted, gone))


def test_piece_can_move_to_the_square_of_a_removed_one(table: Table) -> None:
    agree(table, "e5-e6", gone="e6")
    assert table.referee.position.board.side_at(square("e6")) is RED


# -- repetition


def test_adoption_resets_repetition() -> None:
    table = Table.of(SKIRMISH, limit=3)
    table.play("e4-e5 k7-k6 e5-e4 k6-k7 e4-e5 k7-k6")
    forbidden = table.referee.find_violation(*way("e5 e4"))
    assert forbidden
    assert forbidden.fault is ViolationKind.TO_AND_FRO
    agree(table, "f4-g4", to_move=RED)
    assert table.referee.find_violation(*way("e5 e4")) is None


def test_adoption_frees_a_touched_piece() -> None:
    table = Table.of(SKIRMISH, rules=replace(ISF, touch_move=True))
    table.referee.apply(actions.Touch(square("e4")))
    agree(table, "f4-g4")
    table.play("k4-k5")


# -- endings after players have accepted a board


def test_adoption_without_movable_pieces_loses(proved: Table) -> None:
    (over,) = agree(proved, gone="e6 f6")
    assert isinstance(over, rulings.GameOver)
    assert (over.winner, over.reason) == (RED, rulings.Reason.NO_MOVABLE_PIECE)
    proved.take_back()
    assert proved.referee.phase is Phase.PLAY


def test_adoption_without_movable_pieces_on_both_sides_is_a_draw(proved: Table) -> None:
    (over,) = agree(proved, gone="e5 f5 e6 f6")
    assert isinstance(over, rulings.GameOver)
    assert over.winner is None


def test_mobility_is_checked_after_adoption() -> None:
    """After the board is accepted as it stands, the referee checks again which sides can move."""
    table = Table.of(SKIRMISH, rules=ISF)
    table.referee.apply(actions.ClaimStalemate())
    table.referee.apply(actions.AnswerStalemate(able=True))
    assert phase(table) is Phase.SHOWING
    agree(table, "f7-f6", to_move=RED)
    assert phase(table) is Phase.PLAY


# -- take-backs


def test_adoption_can_be_taken_back(table: Table) -> None:
    before = moment(table.referee)
    agree(table, "e5-d4 e6-e5", gone="f7", to_move=BLUE)
    table.play("e5-e6")
    table.take_back()
    table.take_back()
    assert moment(table.referee) == before
    assert table.referee.in_force[-1] == actions.Move(*way("e7 e6"))


def test_adoption_ends_amending(table: Table) -> None:
    agree(table, "f4-f5")
    with pytest.raises(OutOfPhaseError, match="the piece that was just set down"):
        table.referee.apply(actions.Amend(*way("f5 f6")))


def test_adoption_is_replayed(table: Table) -> None:
    agree(table, "e5-d4 e6-e5", gone="f7", to_move=BLUE)
    table.referee.apply(actions.TakeBack())
    agree(table, "f4-f5", to_move=RED)
    piece, other = (table.referee.position.board.piece_at(square(n)) for n in ("f5", "k4"))
    table.referee.apply(actions.Correct(actions.SwapCorrection(piece, other)))
    again = Referee.replay(table.referee.edition, table.referee.actions)
    assert state(again) == state(table.referee)


# -- adjudication after players have accepted a board


def test_relocated_bomb_is_revealed_later() -> None:
    """The rank was unknown when both sides agreed that the piece from b4 was on b5."""
    setup = Setup.parse(SKIRMISH)
    edition = replace(ISF, army=setup.army)
    taken: list[actions.Action] = [
        setup.placing,
        actions.Move(*way("e4 e5")),
        board("b4-b5", to_move=RED),
    ]
    timed = [(float(at), action) for at, action in enumerate(taken)]
    assert not judge_transcript(transcribe(edition, timed), edition).violations
    transcript = transcribe(edition, timed, ranks=setup.ranks)
    verdict = judge_transcript(transcript, edition)
    assert [each.fault for each in verdict.violations] == [ViolationKind.IMMOBILE]
    assert verdict.ply == 2
    assert verdict.violations[0].squares == squares("b4")
