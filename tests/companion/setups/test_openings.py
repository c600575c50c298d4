"""The openings of army commitments are private, survive a restart, and are deleted later."""

import stat
from pathlib import Path

import pytest

from companion.setups.openings_file import MOST_ARMIES, Openings
from companion.setups.setup import preset_setups
from engine.board.geometry import Side, square
from engine.board.ranks import ORIGINAL
from tests.campaigns import slow_after_first

FORT, CORNERS, *_ = (named.setup for named in preset_setups(ORIGINAL))
DAMAGED = (
    b"\xff\xfe",
    b"7",
    b"red e4 miner",
    b"0 boomboard/1 red e4 miner 00112233445566778899aabbccddeeff",
    b"0 boomboard/1 red z4 miner 00112233445566778899aabbccddeeff",
    b"[" * 100_000,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "seals.txt"


@pytest.mark.parametrize("side", Side)
def test_setup_is_sealed_per_square(path: Path, side: Side) -> None:
    openings = Openings(path)
    commitment = openings.seal(side, FORT)
    for piece, rank in FORT.on_squares_of(side).items():
        opening = openings.of_piece(commitment, piece)
        assert opening
        assert opening.rank is rank
        assert commitment.holds(side, piece, opening)
    assert commitment.squares == side.home


def test_sealing_is_salted(path: Path) -> None:
    """Without salts, a player who has once seen a setup opened could recognize its hashes."""
    openings = Openings(path)
    sums = [set(openings.seal(Side.RED, FORT).commitments.values()) for _ in range(2)]
    assert len(sums[0]) == 40
    assert not sums[0] & sums[1]


def test_openings_survive_a_power_cut(path: Path) -> None:
    before = Openings(path)
    red, blue = before.seal(Side.RED, FORT), before.seal(Side.BLUE, CORNERS)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    after = Openings(path)
    for commitment in (red, blue):
        assert after.of_army(commitment) == before.of_army(commitment)


def test_foreign_seals_have_no_openings(path: Path) -> None:
    commitment = Openings(path.with_name("another.txt")).seal(Side.RED, FORT)
    here = Openings(path)
    here.seal(Side.RED, FORT)
    assert here.of_piece(commitment, square("a1")) is None
    assert here.of_army(commitment) == {}


def test_old_openings_are_deleted_from_disk(path: Path) -> None:
    openings = Openings(path)
    red, blue = (openings.seal(side, FORT) for side in Side)
    openings.forget([red])
    for each in (openings, Openings(path)):
        assert not each.of_army(red)
        assert each.of_army(blue)
    openings.forget([blue])
    assert path.read_text() == ""


def test_latest_armies_are_kept(path: Path) -> None:
    openings = Openings(path)
    first, *others = (openings.seal(Side.RED, FORT) for _ in range(MOST_ARMIES + 1))
    again = Openings(path)
    assert not again.of_army(first)
    assert all(map(again.of_army, others))


@pytest.mark.parametrize("damage", DAMAGED, ids=lambda damage: damage[:30])
def test_damaged_file_is_quarantined_whole(path: Path, damage: bytes) -> None:
    path.write_bytes(damage)
    openings = Openings(path)
    assert "{file}" in openings.problem
    assert openings.quarantined == "seals-damaged.txt"
    assert path.with_name(openings.quarantined).read_bytes() == damage
    commitment = openings.seal(Side.RED, FORT)
    assert Openings(path).of_army(commitment)
    assert not openings.problem


@pytest.mark.parametrize("change", slow_after_first("variants", [0xFF, 0x01, 0x80]))
@pytest.mark.parametrize("start", range(0, 200, 20))
def test_damaged_byte_loses_one_opening(path: Path, start: int, change: int) -> None:
    whole = Openings(path)
    sealed = {side: whole.seal(side, FORT) for side in Side}
    content = path.read_bytes()
    for place in range(start, len(content), 1200):
        damaged = bytearray(content)
        damaged[place] ^= change
        path.write_bytes(damaged)
        openings = Openings(path)
        lost = sum(
            openings.of_piece(sealed[side], piece) is None
            for side in Side
            for piece in FORT.on_squares_of(side)
        )
        assert lost <= 2 if content[place] == ord("\n") else lost <= 1, (
            f"more than one opening is lost by byte {place}"
        )
        assert openings.problem, "the problem is reported"
        assert path.with_name(openings.quarantined).read_bytes() == bytes(damaged)
        again = Openings(path)
        assert again.of_army(sealed[Side.RED]), "the undamaged openings are written again"
        assert not again.problem
        path.with_name(openings.quarantined).unlink()


def test_unreadable_file_is_not_overwritten(path: Path) -> None:
    path.mkdir()
    openings = Openings(path)
    assert "cannot be read" in openings.problem
    commitment = openings.seal(Side.RED, FORT)
    assert path.is_dir()
    assert openings.of_army(commitment)


def test_full_disk_is_reported(path: Path) -> None:
    path.with_suffix(".new").mkdir()
    openings = Openings(path)
    commitment = openings.seal(Side.RED, FORT)
    assert "cannot be saved" in openings.problem
    assert openings.of_army(commitment)
    path.with_suffix(".new").rmdir()
    openings.seal(Side.BLUE, FORT)
    assert not openings.problem


def test_openings_are_not_printed(path: Path) -> None:
    openings = Openings(path)
    commitment = openings.seal(Side.RED, FORT)
    opening = openings.of_piece(commitment, square("a1"))
    assert opening
    for each in (repr(opening), f"{openings.of_army(commitment)}", f"{openings!r}"):
        assert opening.salt not in each
        assert "FLAG" not in each
