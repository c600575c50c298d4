"""A rotated screen is drawn and operated correctly. A rotation can be tried out and then kept."""

from collections.abc import Callable

import pytest
from kivy.base import EventLoop
from PIL import Image, ImageChops

from companion.session.settings import ROTATIONS, SettingsFile
from companion.ui.drawing import theme
from companion.ui.widgets.transformed import TRIAL_SECONDS
from engine.board.geometry import square
from tests.campaigns import RARE, slow_after_first
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import begin_simulated
from tests.companion.ui.running_app import Script
from tests.companion.ui.test_text_fit import faults

Drive = Callable[..., Driver]
RIGHT = 275


def turn(driver: Driver, degrees: int) -> None:
    """Rotate the screen content, and resize the window to keep the content in landscape."""
    driver.app.presenter.settings.rotation = degrees
    driver.app._rebuild()
    driver.resize(*(theme.LANDSCAPE if degrees % 180 == 0 else theme.LANDSCAPE[::-1]))


def picture(driver: Driver) -> Image.Image:
    """Return the screen content, with its first row at the top."""
    shown = Image.frombytes("RGBA", EventLoop.window.size, driver.pixels()).convert("RGB")
    return shown.transpose(Image.Transpose.FLIP_TOP_BOTTOM)


def at(point: tuple[float, float], degrees: int) -> tuple[float, float]:
    """Return the window position of a point on the unrotated screen."""
    x, y = point
    width, height = theme.LANDSCAPE
    return {0: (x, y), 90: (y, width - x), 180: (width - x, height - y), 270: (height - y, x)}[
        degrees
    ]


@RARE
def test_whole_picture_is_rotated(driver: Driver) -> None:
    """Edges are antialiased differently, so single pixels may differ."""
    driver.connect()
    upright = picture(driver)
    for degrees in ROTATIONS[1:]:
        turn(driver, degrees)
        shown = picture(driver)
        wanted = upright.rotate(-degrees, expand=True)
        assert shown.size == wanted.size
        differences = ImageChops.difference(shown, wanted).convert("L").histogram()
        assert sum(differences[48:]) < 0.02 * shown.width * shown.height


@pytest.mark.parametrize("degrees", slow_after_first("looks", ROTATIONS[::-1]))
@RARE
def test_touches_are_rotated(drive: Drive, degrees: int) -> None:
    driver = drive(source=Script.with_simulated_board())
    begin_simulated(driver)
    source, target, menu = driver.on_board("e4"), driver.on_board("e5"), driver.find("menu")
    menu_at = driver.middle(menu)
    turn(driver, degrees)
    driver.drag(at(source, degrees), at(target, degrees))
    driver.show_virtual()
    assert driver.app.presenter.table.view.plies == 1
    driver.tap_at(*at(menu_at, degrees))
    assert driver.on_top("leave")


@RARE
def test_arrow_keys_are_rotated(driver: Driver) -> None:
    driver.connect()
    turn(driver, 180)
    keyboard = driver.app.keyboard
    keyboard.focus = driver.find("begin")
    EventLoop.window.dispatch("on_key_down", RIGHT, 0, None, [])
    assert keyboard.focus == driver.find("alone").__self__


def choose(driver: Driver, degrees: int) -> None:
    for button in ("settings", "accessibility", "rotation"):
        driver.tap(button)
    driver.tap_option("rotations", degrees)


def test_unconfirmed_rotation_is_reverted(driver: Driver) -> None:
    choose(driver, 90)
    assert theme.UPRIGHT
    assert "15 seconds" in driver.texts()
    assert not list(faults(driver))
    driver.pass_time(TRIAL_SECONDS - 1)
    assert "1 second." in driver.texts()
    assert theme.UPRIGHT
    driver.pass_time(1)
    assert not theme.UPRIGHT
    assert driver.on_top("begin")
    choose(driver, 180)
    driver.tap("no")
    assert driver.app._frame.rotation == 0
    assert driver.on_top("rotations")


@RARE
def test_continuing_a_game_reverts_the_rotation(drive: Drive) -> None:
    """A change on the board closes the dialog that asks whether to keep the rotation."""
    driver = drive(source=Script.with_simulated_board())
    begin_simulated(driver)
    driver.tap("menu")
    choose(driver, 180)
    driver.tabletop.move(square("e4"), square("e5"))
    driver.show_virtual()
    assert not driver.on_top("yes")
    driver.pass_time(TRIAL_SECONDS)
    assert driver.app._frame.rotation == 0


@RARE
def test_confirmed_rotation_is_kept(drive: Drive) -> None:
    driver = drive()
    choose(driver, 270)
    driver.tap("yes")
    driver.pass_time(TRIAL_SECONDS)
    assert driver.app._frame.rotation == 270
    driver = drive()
    assert driver.app._frame.rotation == 270
    file = driver.journals.path.with_name("settings.json")
    assert SettingsFile(file).settings.rotation == 270
    assert '"turn": 270' in file.read_text()


@RARE
def test_layout_follows_the_window_shape(driver: Driver) -> None:
    driver.connect()
    for size, layout in (
        ((480, 800), (480, 800)),
        ((540, 960), (480, 853)),
        ((500, 520), (480, 800)),
        ((800, 480), theme.LANDSCAPE),
    ):
        driver.resize(*size)
        assert layout == theme.SCREEN
        assert driver.face.size == list(layout)
        assert not list(faults(driver))
