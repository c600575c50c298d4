import pytest

from companion.setups import setup
from engine.board.geometry import Side, square
from engine.board.ranks import BARRAGE, Rank

TEXT = """\
name: Julia's
for: For winning.
 .   .   2   .   .   .   .   .  10   9
 .   .   .   .   .   .   .   .   .   .
 B   .   .   .   .   .   .   .   .   .
 F   3   .   .   .   .   .   1   2   .
"""
(JULIA,) = setup.read_setups(TEXT, "here")


def test_setup_drawing_round_trip() -> None:
    assert JULIA.name == "Julia's"
    assert JULIA.use == "For winning."
    assert JULIA.setup.ranks[square("a1")] is Rank.FLAG
    assert JULIA.setup.ranks[square("i4")] is Rank.MARSHAL
    assert setup.write_setups([JULIA]) == TEXT.replace("\n .", "\n .")
    without_use = setup.NamedSetup("Ole", JULIA.setup)
    assert setup.read_setups(setup.write_setups([JULIA, without_use]), "here") == [
        JULIA,
        without_use,
    ]


def test_remaining_pieces() -> None:
    assert JULIA.setup.fits(BARRAGE)
    lacking = JULIA.setup.take(square("b1")).put(square("b2"), Rank.BOMB)
    left = {rank: count for rank, count in lacking.left(BARRAGE).items() if count}
    assert left == {Rank.MINER: 1, Rank.BOMB: -1}
    assert not lacking.fits(BARRAGE)


def test_moving_or_swapping_pieces() -> None:
    moved = JULIA.setup.carry(square("a1"), square("e1"))
    assert moved.ranks[square("e1")] is Rank.FLAG
    assert square("a1") not in moved.ranks
    exchanged = JULIA.setup.carry(square("a1"), square("a2"))
    assert exchanged.ranks[square("a2")] is Rank.FLAG
    assert exchanged.ranks[square("a1")] is Rank.BOMB


def test_blue_setup_is_rotated() -> None:
    blue = JULIA.setup.on_squares_of(Side.BLUE)
    assert blue[square("k10")] is Rank.FLAG
    assert blue[square("b7")] is Rank.MARSHAL
    assert setup.Setup.of(Side.BLUE, blue) == JULIA.setup
    assert setup.of_side(setup.of_side(square("c2"), Side.BLUE), Side.BLUE) == square("c2")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("name: Julia's\n", "", "here, line 1: a setup must begin with “name:”"),
        ("name: Julia's", "name:", "here, line 1: the setup has no name"),
        (" B ", " Q ", "here, line 5: 'Q' is not one of"),
        (" B ", "", "here, line 5: expected 10 squares in the row, found 9"),
        (" F   3   .   .   .   .   .   1   2   .\n", "", "here, line 1: expected 4 rows in the "),
    ],
)
def test_setup_fault_names_file_and_line(old: str, new: str, expected: str) -> None:
    with pytest.raises(setup.SetupFileError, match="^" + expected):
        setup.read_setups(TEXT.replace(old, new, 1), "here")
