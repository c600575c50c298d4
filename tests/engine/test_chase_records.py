"""Tests for the reader of chase games from the Ataraxos test suite."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board.geometry import LAKES, SQUARES, line, name, names, set_of
from engine.board.ranks import Rank
from engine.records.record import Record, RecordError
from engine.records.record_files import read_chase
from tests.engine.cases import each
from tests.engine.chases import CHASES, RECORDED
from tests.engine.damage import Damage, damaged, damages, read_or_refuse
from tests.engine.examples import examples
from tests.engine.tables import BLUE, RED, Setup
from tests.reference import ReferenceGame

BOARD = "MDE" + "a" * 39 + "__aa__aa" + "aa__aa__aa" + "a" * 37 + "PQY"
SMALL = f"{BOARD}\n1\n2\n909\n"


def moves_of(record: Record) -> list[str]:
    return [f"{name(move.source)} {name(move.target)}" for move in record.moves]


def bad(text: str) -> str:
    with pytest.raises(RecordError) as refused:
        read_chase(text.encode())
    return str(refused.value)


# -- valid files


def test_a_small_record() -> None:
    record = read_chase(SMALL.encode())

    assert names(record.red) == "a1 b1 c1"
    assert names(record.blue) == "h10 i10 k10"
    assert (record.ranks[0], record.ranks[99]) == (Rank.FLAG, Rank.FLAG)
    assert moves_of(record) == ["b1 b2", "h10 h9", "k1 a1"]
    assert record.result is None


@each(
    ("action", "red", "blue"),
    [
        # The number of a move along a column is that of its target row, with the source row left
        # out of the count.
        (0, "a1 a2", "k10 k9"),
        (800, "a1 a10", "k10 k1"),
        (34, "e4 e1", "f7 f10"),
        (334, "e4 e5", "f7 f6"),
        (234, "e4 e3", "f7 f8"),
        (899, "k10 k9", "a1 a2"),
        # The number of a move along a row is that of its target column, with the source column left
        # out of the count.
        (900, "a1 b1", "k10 i10"),
        (1700, "a1 k1", "k10 a10"),
        (1334, "e4 f4", "f7 e7"),
        (1234, "e4 d4", "f7 g7"),
        (1799, "k10 i10", "a1 b1"),
    ],
)
def test_actions(action: int, red: str, blue: str) -> None:
    record = read_chase(f"{BOARD}\n{action}\n{action}\n".encode())

    assert moves_of(record) == [red, blue]


def test_actions_are_straight_moves() -> None:
    actions = "".join(f"{action}\n0\n" for action in range(1800))
    moves = read_chase(f"{BOARD}\n{actions}".encode()).moves[::2]

    straight = {(a, b) for a in SQUARES for b in SQUARES if line(a, b)}
    assert len(moves) == len(straight) == 1800
    assert {(move.source, move.target) for move in moves} == straight


@each("end", ["\n", "\r\n", "\r", " \n", "\n\n"])
def test_line_endings(end: str) -> None:
    assert read_chase(SMALL.replace("\n", end).encode()) == read_chase(SMALL.strip().encode())


def test_board_without_moves() -> None:
    assert read_chase(BOARD.encode()).moves == ()


# -- the recorded games


@RECORDED
@pytest.mark.parametrize("file", RECORDED.among(list(CHASES)))
def test_chase_actions_are_straight_moves(file: str) -> None:
    record = read_chase(CHASES[file])
    size = 8 if file.startswith("barrage") else 40
    assert (record.red.bit_count(), record.blue.bit_count()) == (size, size)
    assert len(record.moves) > 30

    sides = {place: RED if record.red >> place & 1 else BLUE for place in record.ranks}
    setup = Setup({place: (side, record.ranks[place]) for place, side in sides.items()})
    game: ReferenceGame = setup.reference_game(limit=3)
    for ply, move in enumerate(record.moves):
        own = "blue" if ply % 2 else "red"
        standing = {place: piece.side for place, piece in game.standing.items()}
        path = line(move.source, move.target)
        assert path is not None, ply
        assert standing[name(move.source)] == own, ply
        assert standing.get(name(move.target)) != own, ply
        assert not set_of(path) & LAKES, ply
        assert not standing.keys() & set(map(name, path[:-1])), ply
        if move is not record.moves[-1]:
            game.play(name(move.source), name(move.target))


# -- invalid files


@each(
    ("old", "new", "expected"),
    [
        (BOARD, BOARD[1:], "line 1: the setup has 99 squares instead of 100"),
        ("MDEa", "MDZa", "line 1: the setup has 'Z' on c1 (character 3), which is not a piece"),
        ("MDEa", "MD_a", "line 1: the setup has '_' on c1 (character 3), which is not a piece"),
        ("MDEa", "MDea", "line 1: the setup has 'e' on c1 (character 3), which is not a piece"),
        ("\n1\n", "\n1800\n", "line 2: move 1 must be a number from 0 to 1799; found '1800'"),
        ("\n1\n", "\n-1\n", "line 2: move 1 must be a number from 0 to 1799; found '-1'"),
        ("\n1\n", "\n 1\n", "line 2: move 1 must be a number from 0 to 1799; found ' 1'"),
        ("\n1\n", "\n1_0\n", "line 2: move 1 must be a number from 0 to 1799; found '1_0'"),
        ("\n1\n", "\n٤\n", "line 2: move 1 must be a number from 0 to 1799; found '٤'"),
        ("\n1\n", "\n²\n", "line 2: move 1 must be a number from 0 to 1799; found '²'"),
        ("\n2\n", "\n\nE4-E5\n", "line 4: move 2 must be a number from 0 to 1799; found 'E4-E5'"),
        ("\n2\n", "\n1 2\n", "line 3: move 2 must be a number from 0 to 1799; found '1 2'"),
    ],
)
def test_malformed_files(old: str, new: str, expected: str) -> None:
    assert SMALL.count(old) == 1, old

    assert bad(SMALL.replace(old, new)).startswith(expected)


def test_an_empty_file() -> None:
    assert bad("\n\n") == "line 1: expected the board, but the file ends here"


def test_error_for_a_huge_number_is_short() -> None:
    assert len(bad(SMALL.replace("909", "9" * 100_000))) < 200


# -- damage of every kind


@given(st.binary(max_size=300))
@examples(80)
def test_random_bytes(data: bytes) -> None:
    read_or_refuse(read_chase, data)
    read_or_refuse(read_chase, BOARD.encode() + b"\n" + data)


@given(damages)
@examples(80)
def test_random_damage(suffered: list[Damage]) -> None:
    read_or_refuse(read_chase, damaged(SMALL.encode(), suffered))
