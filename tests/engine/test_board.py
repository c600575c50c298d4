import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board.board import Board
from engine.board.geometry import SQUARES, Side, names, square
from engine.game import position_updates
from engine.game.position import Position
from engine.rules.editions import EDITIONS
from tests.engine.cases import each
from tests.engine.examples import examples

SKIRMISH = """
    10  .   .   .   .  bF   .   .   .   .   .
     9  .   .   .   .   .   .   .   .   .   .
     8  .   .   .   .   .   .   .   .   .   .
     7  .   .   .   .   .   .   .   .   .   .
     6  .   .   ~   ~  b?   .   ~   ~   .   .
     5  .   .   ~   ~ r10   .   ~   ~   .   .
     4  .   .   .   .   .   .   .   .   .   .
     3  .   .   .   .   .   .   .   .   .   .
     2  .   .   .   .   .   .   .   .   .   .
     1 rB   .   .   .   .   .   .   .   .   .
        a   b   c   d   e   f   g   h   i   k
"""

NO_CHASES = EDITIONS["original-1992"]

boards = st.lists(st.sampled_from(SQUARES), unique=True).flatmap(
    lambda places: st.integers(0, len(places)).map(
        lambda cut: Board(
            red=dict(zip(places[:cut], reversed(places[:cut]), strict=True)),
            blue={place: place for place in places[cut:]},
        )
    )
)


def test_a_board_reads_from_a_picture() -> None:
    board = Board.parse(SKIRMISH)

    assert names(board.red) == "a1 e5"
    assert names(board.blue) == "e6 e10"
    assert board.of(Side.RED) == board.red
    assert board.of(Side.BLUE) == board.blue
    assert board.occupied == board.red | board.blue
    assert board.side_at(square("e5")) is Side.RED
    assert board.side_at(square("e6")) is Side.BLUE
    assert board.side_at(square("e7")) is None
    assert board.piece_at(square("e5")) == square("e5")
    with pytest.raises(KeyError, match="e7"):
        board.piece_at(square("e7"))


def test_a_board_prints_sides_and_no_ranks() -> None:
    assert str(Board.parse(SKIRMISH)) == (
        "10  .  .  .  . b?  .  .  .  .  .\n"
        " 9  .  .  .  .  .  .  .  .  .  .\n"
        " 8  .  .  .  .  .  .  .  .  .  .\n"
        " 7  .  .  .  .  .  .  .  .  .  .\n"
        " 6  .  .  ~  ~ b?  .  ~  ~  .  .\n"
        " 5  .  .  ~  ~ r?  .  ~  ~  .  .\n"
        " 4  .  .  .  .  .  .  .  .  .  .\n"
        " 3  .  .  .  .  .  .  .  .  .  .\n"
        " 2  .  .  .  .  .  .  .  .  .  .\n"
        " 1 r?  .  .  .  .  .  .  .  .  .\n"
        "    a  b  c  d  e  f  g  h  i  k"
    )


def test_board_lists_pieces_in_order() -> None:
    board = Board({12: 5, 3: 7}, {95: 96, 90: 91})

    assert repr(board) == "Board(red={3: 7, 12: 5}, blue={90: 91, 95: 96})"


@given(boards)
@examples(50)
def test_repr_and_picture_round_trip(board: Board) -> None:
    assert eval(repr(board)) == board
    drawn = Board.parse(str(board))
    assert (drawn.red, drawn.blue) == (board.red, board.blue)


@given(boards, st.data())
@examples(50)
def test_piece_keeps_its_identity(board: Board, data: st.DataObject) -> None:
    standing = {place: board.piece_at(place) for place in SQUARES if board.side_at(place)}
    free = [place for place in SQUARES if place not in standing]
    if not standing or not free:
        return
    source = data.draw(st.sampled_from(sorted(standing)))
    target = data.draw(st.sampled_from(free))
    side = board.side_at(source)
    assert side
    piece = board.piece_at(source)
    position = position_updates.turn_to(Position(NO_CHASES, board), side)

    after = position_updates.move(position, source, target)

    assert position.board == board != after.board
    assert after.board.piece_at(target) == piece
    assert after.find(piece) == target
    assert after.board.side_at(target) is side
    assert after.board.side_at(source) is None
    assert eval(repr(after.board)) == after.board

    back = position_updates.move(position_updates.turn_to(after, side), target, source).board
    assert back == board
    assert hash(back) == hash(board)


def test_two_pieces_can_be_exchanged() -> None:
    position = Position(NO_CHASES, Board({1: 1, 2: 7}, {95: 95}))

    exchanged = position_updates.exchange(position, 1, 7).board

    assert exchanged == Board({1: 7, 2: 1}, {95: 95})
    assert exchanged.standing(Side.RED) == {1: 7, 2: 1}
    assert position.board == Board({1: 1, 2: 7}, {95: 95})


def test_equality_is_by_piece_identity() -> None:
    board = Board({1: 1}, {})

    assert board == Board({1: 1}, {})
    assert board != Board({2: 1}, {})
    assert board != Board({}, {1: 1})
    assert board != "a board"
    assert len({board, Board({1: 1}, {}), Board({2: 1}, {})}) == 2
    assert hash(board) != hash(Board({2: 1}, {}))


def test_two_pieces_cannot_share_a_square() -> None:
    with pytest.raises(ValueError, match=r"^two pieces are on the same square$"):
        Board({1: 5}, {2: 5})
    with pytest.raises(ValueError, match=r"^two pieces are on the same square$"):
        Board({1: 5, 2: 5}, {})


@each("token", ["r", "x5", "r12", "r0", "?", "b??", "rb", "R5", "5", "rS"])
def test_unknown_piece_symbol_is_reported_with_its_square(token: str) -> None:
    with pytest.raises(ValueError, match="e5") as refused:
        Board.parse(SKIRMISH.replace("r10", token))

    assert repr(token) in str(refused.value)
