import pytest

from engine.board.geometry import SQUARES, Side, square
from firmware_bridge.board_hardware import SHARES
from firmware_bridge.image import Image
from firmware_bridge.simulated_board.board import ImpossibleError, SimulatedBoard
from firmware_bridge.wire import BoardKind, Configure, ConfigureResult, Geometry

A1, C5, K10 = map(square, ("a1", "c5", "k10"))


def test_sensors_show_colours(board: SimulatedBoard) -> None:
    board.stand(Side.RED, A1)
    board.stand(Side.RED, C5)
    board.stand(Side.BLUE, K10, label="marshal")
    assert board.image() == Image(red=1 << A1 | 1 << C5, blue=1 << K10)


def test_presence_sensors_show_no_colours() -> None:
    board = SimulatedBoard(BoardKind.PRESENCE)
    board.stand(Side.RED, A1)
    board.stand(Side.BLUE, K10)
    assert board.image() == Image(unknown=1 << A1 | 1 << K10)


def test_pieces_keep_their_magnets(board: SimulatedBoard) -> None:
    first, second = board.stand(Side.RED, A1, "scout"), board.stand(Side.RED, K10, "scout")
    assert first != second
    board.place(board.lift(A1), C5)
    assert board.at(C5) is first
    assert board.at(A1) is None
    board.take_away(C5)
    assert [board.at(square) for square in SQUARES if board.at(square)] == [second]


def test_impossible_steps_change_nothing(board: SimulatedBoard) -> None:
    piece = board.stand(Side.RED, A1, "scout")
    before = board.image()
    with pytest.raises(ImpossibleError, match="no piece to lift on k10"):
        board.lift(K10)
    with pytest.raises(ImpossibleError, match="no piece to lift on k10"):
        board.take_away(K10)
    with pytest.raises(ImpossibleError, match="a1 is occupied by a red scout"):
        board.stand(Side.BLUE, A1)
    with pytest.raises(ImpossibleError, match="the red scout is already on a1"):
        board.place(piece, K10)
    assert board.image() == before


def test_flickering_sensor_has_its_period(
    board: SimulatedBoard,
) -> None:
    board.stand(Side.RED, A1)
    board.flicker(A1)
    shown = []
    for _ in range(4):
        board.pass_frames(board.steady_frames)
        before = board.image()
        board.pass_frames()
        assert board.image() != before
        shown.append((bool(board.image().occupied), board.steady_frames))
    assert shown == [(True, 14), (False, 4)] * 2


@pytest.mark.parametrize(
    ("settings", "result"),
    [
        (Configure(on_per_cent=SHARES[0]), ConfigureResult.ACCEPTED),
        (Configure(kind=BoardKind.PRESENCE), ConfigureResult.NO_KIND),
        (Configure(geometry=Geometry.TILES), ConfigureResult.NO_GEOMETRY),
        (Configure(band_gap_mv=1), ConfigureResult.NO_BAND_GAP),
        (Configure(on_per_cent=100), ConfigureResult.NO_SHARE),
    ],
)
def test_configuration_matches_the_hardware(
    board: SimulatedBoard, settings: Configure, result: ConfigureResult
) -> None:
    before = board.configure(Configure()).settings
    answer = board.configure(settings)
    assert answer.result is result
    assert board.configure(Configure()).settings == answer.settings
    assert (answer.settings == before) is (result is not ConfigureResult.ACCEPTED)
