"""Tests for locating a piece that is not detected on any square, using the field curve."""

import random
from collections.abc import Iterable
from math import hypot

import pytest

from engine.board.geometry import SQUARES, WIDTH, Side, Square, set_of
from firmware_bridge import localization
from firmware_bridge.image import ARMIES, Image, PieceLocation
from firmware_bridge.simulated_board.board import SimulatedBoard
from firmware_bridge.wire import FELT_PIECE, NOT_FELT, FieldReadings
from tools.field_curve import TABLE, table

EMPTY = Image()
STANDING = Image(red=set_of(range(0, 40, 3)), blue=set_of(range(60, 100, 3)))


def board(image: Image = EMPTY, astray: tuple[Side, float, float] | None = None) -> SimulatedBoard:
    made = SimulatedBoard()
    for side in Side:
        for square in SQUARES:
            if image.of(side) >> square & 1:
                made.stand(side, square)
    made.astray = astray
    return made


def rounds(
    readings: Iterable[FieldReadings], image: Image, feelings: localization.PieceLocator, count: int
) -> list[bool]:
    every = list(readings)
    return [feelings.add(felt, image) for _ in range(count) for felt in every]


def found(
    image: Image, side: Side, column: float, row: float, before: Image | None = None
) -> dict[Side, PieceLocation]:
    """Return the locations found for a misplaced piece. If `before` is given, the sensors are first
    sampled on a board that shows this image."""
    feelings = localization.PieceLocator()
    if before is not None:
        rounds(board(before).felt(), before, feelings, localization.ROUNDS)
    feelings.set_searching(seeks=True)
    rounds(board(image, (side, column, row)).felt(), image, feelings, localization.ROUNDS)
    return feelings.places


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize(
    ("column", "row"), [(4.3, 5.0), (4.5, 5.0), (4.0, 4.3), (4.5, 4.5), (9.3, 4.0)]
)
@pytest.mark.parametrize("image", [EMPTY, STANDING], ids=["empty", "standing"])
def test_piece_is_located(image: Image, side: Side, column: float, row: float) -> None:
    home = 45 if side is Side.RED else 54
    own = 1 << home
    before = image.patched(own, Image(**{side.value: own}))
    places = found(image, side, column, row, before)
    assert set(places) == {side}
    off = hypot(places[side].column - column, places[side].row - row)
    assert off <= max(places[side].within, 0.08)


def test_wrong_field_curve_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use the field curve of a smaller gap. Then either no location is found, or the location's
    error exceeds the stated accuracy."""
    monkeypatch.setattr(localization, "SHARES", tuple(each**3 for each in localization.SHARES))
    monkeypatch.setattr(localization, "field_fraction", localization.field_fraction.__wrapped__)
    places = found(EMPTY, Side.RED, 4.3, 5.0, Image(red=1 << 45))
    place = places.get(Side.RED)
    assert place is None or hypot(place.column - 4.3, place.row - 5) > max(place.within, 0.08)


def test_field_curve_matches_the_magnets() -> None:
    """Check that the table is up to date. If not, run ``make magnetics``."""
    assert TABLE.read_text(encoding="utf-8") == table()


class TestNothingIsFound:
    def test_no_piece_located_on_an_empty_board(self) -> None:
        feelings = localization.PieceLocator()
        rounds(board(ARMIES).felt(), ARMIES, feelings, localization.KNOWN_ROUNDS)
        feelings.set_searching(seeks=True)
        rounds(board(ARMIES).felt(), ARMIES, feelings, localization.ROUNDS)
        assert not feelings.places

    def test_no_piece_located_in_noise(self) -> None:
        """After averaging, the noise is half a count. This is more than on a real board."""
        dice = random.Random(3)
        for _ in range(8):
            around = {
                square: localization.Residual(
                    40 * (square % WIDTH),
                    40 * (square // WIDTH),
                    dice.gauss(0, 0.0015),
                    localization.OFF,
                )
                for square in SQUARES
            }
            assert not [side for side in Side if localization.locate(around, side, 40)]

    def test_two_adjacent_red_pieces_are_not_located_as_blue(self) -> None:
        one = board(EMPTY, (Side.RED, 4.5, 5.0)).felt()
        other = board(EMPTY, (Side.RED, 4.5, 6.2)).felt()
        both = [
            FieldReadings(a.band, tuple(x + y for x, y in zip(a.shares, b.shares, strict=True)))
            for a, b in zip(one, other, strict=True)
        ]
        feelings = localization.PieceLocator()
        feelings.set_searching(seeks=True)
        rounds(both, EMPTY, feelings, localization.ROUNDS)
        assert Side.BLUE not in feelings.places

    def test_no_location_while_a_hand_moves(self) -> None:
        feelings = localization.PieceLocator()
        feelings.set_searching(seeks=True)
        for n in range(3 * localization.ROUNDS):
            there = board(EMPTY, (Side.RED, 4.3 + 0.03 * (n % 4), 5.0)).felt()
            assert not any(rounds(there, EMPTY, feelings, 1))

    def test_no_location_beside_a_standing_piece(self) -> None:
        e5 = Image(red=1 << 44)
        assert not found(e5, Side.RED, 4.3, 4.0)

    def test_switches_locate_nothing(self) -> None:
        feelings = localization.PieceLocator()
        feelings.set_searching(seeks=True)
        blind = [FieldReadings(n, (NOT_FELT,) * 20) for n in range(5)]
        assert not any(rounds(blind, EMPTY, feelings, localization.ROUNDS))


class TestRounds:
    def test_location_is_reported_once(self) -> None:
        feelings = localization.PieceLocator()
        feelings.set_searching(seeks=True)
        located = rounds(
            board(EMPTY, (Side.RED, 4.3, 5.0)).felt(), EMPTY, feelings, 4 * localization.ROUNDS
        )
        assert located.count(True) == 1

    def test_round_with_a_lost_frame_is_dropped(self) -> None:
        feelings = localization.PieceLocator()
        feelings.set_searching(seeks=True)
        bands = board(EMPTY, (Side.RED, 4.3, 5.0)).felt()
        assert not any(rounds([*bands[:2], *bands[3:]], EMPTY, feelings, 3 * localization.ROUNDS))

    def test_changed_square_restarts_the_search(self) -> None:
        feelings = localization.PieceLocator()
        feelings.set_searching(seeks=True)
        there = board(EMPTY, (Side.RED, 4.3, 5.0)).felt()
        assert not any(rounds(there, EMPTY, feelings, localization.ROUNDS - 1))
        assert not any(rounds(there, Image(red=1), feelings, localization.ROUNDS - 1))

    def test_location_ends_with_the_search(self) -> None:
        feelings = localization.PieceLocator()
        feelings.set_searching(seeks=True)
        rounds(board(EMPTY, (Side.RED, 4.3, 5.0)).felt(), EMPTY, feelings, localization.ROUNDS)
        assert feelings.places
        feelings.set_searching(seeks=False)
        assert not feelings.places

    def test_drifted_sensor_is_no_piece(self) -> None:
        """The sensor already gave this reading before the search began."""
        wandered = [FieldReadings(n, (8, *(0,) * 19)) for n in range(5)]
        feelings = localization.PieceLocator()
        rounds(wandered, EMPTY, feelings, localization.KNOWN_ROUNDS)
        feelings.set_searching(seeks=True)
        assert not any(rounds(wandered, EMPTY, feelings, localization.ROUNDS))


def test_square_size_is_estimated_from_pieces() -> None:
    for pitch in localization.PITCHES:
        shares: dict[Square, float] = {}
        for square in SQUARES:
            row, column = divmod(square, WIDTH)
            felt = 0.0
            for side, sign in ((Side.RED, 1), (Side.BLUE, -1)):
                for other in SQUARES:
                    if ARMIES.of(side) >> other & 1 and other != square:
                        far = hypot(column - other % WIDTH, row - other // WIDTH)
                        felt += sign * localization.field_fraction(round(10 * pitch * far))
            shares[square] = round(FELT_PIECE * felt) / FELT_PIECE
        assert (
            localization.square_pitch(
                localization.AveragedReadings(ARMIES, shares, localization.KNOWN_ROUNDS)
            )
            == pitch
        )
