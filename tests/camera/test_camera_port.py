"""Tests for a camera that acts as a board: its port must speak the wire protocol."""

from dataclasses import replace
from random import Random
from threading import Event

import pytest

from companion.core.inputs import BoardFound, BoardLost, BoardSeen, Input
from companion.devices.live_board import LiveBoard
from engine.board.geometry import Side, square
from firmware_bridge.camera.camera_port import CameraPort
from firmware_bridge.camera.notices import LearningPhase
from firmware_bridge.camera.observer import Observation
from firmware_bridge.camera.pose import find_markers, find_pose
from firmware_bridge.camera.preview import sees_players
from firmware_bridge.image import ARMIES, Image
from firmware_bridge.wire import CalibrationResult, CalibrationStep
from tests.camera.renderer import Arm, Look, block_on
from tests.camera.scenes import SHOTS, Film, Studio, army_blocks, image_of

STUDIO = Studio(Look(), SHOTS[0])
BLOCKS = army_blocks(Random(1))


def wait_for(board: LiveBoard, wanted: type[Input], image: Image | None = None) -> list[Input]:
    """Return the inputs up to the first one of type `wanted`.

    If `image` is given, that input must show it.
    """
    seen: list[Input] = []
    while True:
        board.wait(1.0)
        for given in board.poll():
            seen.append(given)
            if isinstance(given, wanted) and (
                image is None or (isinstance(given, BoardSeen) and given.image == image)
            ):
                return seen


@pytest.fixture
def film() -> Film:
    return Film()


def test_game_at_the_camera_port(film: Film) -> None:
    with CameraPort(iter(film), lambda _: None) as port, film:
        film.show(STUDIO.picture())
        with LiveBoard(str(port.path)) as board:
            wait_for(board, BoardFound)
            film.show(STUDIO.picture(BLOCKS.values()))
            wait_for(board, BoardSeen, ARMIES)

            moved = {**BLOCKS, square("a5"): block_on(Side.RED, square("a5"))}
            del moved[square("a4")]
            film.show(STUDIO.picture(moved.values(), arms=[Arm((2, -6), (0.5, 4))]))
            film.show(STUDIO.picture(moved.values()))
            seen = wait_for(board, BoardSeen, image_of(moved))
            images = {each.image for each in seen if isinstance(each, BoardSeen)}
            assert images <= {ARMIES, image_of(moved)}
            assert all(not each.moments for each in seen if isinstance(each, BoardSeen))

            preview = port.preview()
            assert preview
            assert (preview.width, preview.height) == (640, 480)
            assert len(preview.pixels) == 640 * 480 * 3

            film.show(None)
            wait_for(board, BoardLost)
            assert (port.is_connected, port.preview()) == (False, None)
            film.show(STUDIO.picture(moved.values()))
            wait_for(board, BoardSeen, image_of(moved))
            assert port.board.learn(CalibrationStep.SAVE).results == {CalibrationResult.DONE: 0}


def test_calibration_discards_learned_colours(film: Film) -> None:
    learned = Event()

    def listen(seen: Observation | None) -> None:
        if seen and seen.phase is LearningPhase.PLAYING:
            learned.set()

    with CameraPort(iter(film), listen) as port, film:
        for picture in (STUDIO.picture(), STUDIO.picture(BLOCKS.values())):
            film.show(picture)
        learned.wait()
        port.board.learn(CalibrationStep.EMPTY)
        assert port.board.calibration is None
        missing = port.board.learn(CalibrationStep.ARMIES).results
        assert missing == {CalibrationResult.MISSING: ARMIES.occupied}


@pytest.mark.parametrize(
    ("azimuth", "tilt", "sees"), [(90, 30, False), (0, 40, True), (0, 5, False)]
)
def test_a_camera_behind_a_player_may_see_ranks(azimuth: float, tilt: float, sees: bool) -> None:
    picture = Studio(Look(), replace(SHOTS[0], azimuth=azimuth, tilt=tilt)).picture()
    pose = find_pose(find_markers(picture), picture.shape[1::-1])
    assert pose
    assert sees_players(pose) is sees
