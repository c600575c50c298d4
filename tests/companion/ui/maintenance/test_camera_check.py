"""Messages about a camera in the camera check, on the start screen and in a game."""

from collections.abc import Callable, Iterator
from queue import Queue

import pytest

from companion.ui.maintenance.camera_check import CameraCheck
from firmware_bridge.camera.camera_port import CameraPort
from firmware_bridge.camera.observer import Observation
from tests.camera.scenes import Film
from tests.campaigns import RARE
from tests.companion.ui.bench import armed, plug_in
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import begin
from tests.companion.ui.tour_of_boards import camera_pictures

Show = Callable[..., None]
COVERED = "Something covers the printed frame near c1, e1. Remove it."


@pytest.fixture
def show(driver: Driver) -> Iterator[Show]:
    """Function that shows images to a camera."""
    film, seen = Film(), Queue[Observation | None]()

    def show_all(*names: str) -> None:
        for name in names:
            film.show(camera_pictures().get(name))
            seen.get(timeout=60)
        driver.pass_time(0.3)

    with CameraPort(iter(film), seen.put) as port, film:
        driver.app.host.camera = port
        yield show_all


@RARE
def test_a_condition_is_shown_until_it_is_corrected(driver: Driver, show: Show) -> None:
    show("empty", "armies")
    assert "The camera is not ready." not in driver.texts()
    show(*["covered"] * 8)
    assert "The camera is not ready. Open “Board check”." in driver.texts()
    driver.tap("sensors")
    plug_in(driver, armed())
    driver.tap("camera")
    check = driver.app.face.modals.modal
    assert isinstance(check, CameraCheck)
    assert (check.error, check.state) == (COVERED, "")
    show("armies")
    assert (check.error, check.state) == ("", "The camera sees the board.")
    assert check.preview is not None
    show("unplugged")
    assert (check.error, check.preview) == ("The camera is not connected. Plug it in again.", None)


@RARE
def test_a_condition_is_shown_during_a_game(driver: Driver, show: Show) -> None:
    show("empty", "armies")
    begin(driver)
    show(*["covered"] * 8)
    assert COVERED in driver.texts()
    show("armies")
    assert COVERED not in driver.texts()
