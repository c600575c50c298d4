"""At every window size, the layout is the same, text is sharp and touches are accurate."""

from collections.abc import Callable

import pytest
from kivy.base import EventLoop
from kivy.graphics import Rectangle
from kivy.graphics.opengl import GL_RGBA, GL_UNSIGNED_BYTE, glReadPixels

from companion.ui.base.input_devices import F11
from companion.ui.drawing import theme
from companion.ui.drawing.hidpi_text import SharpText
from engine.board.geometry import SQUARES, square
from tests.campaigns import RARE, Campaign, slow_after_first
from tests.companion.ui import playing
from tests.companion.ui.driver import Driver, is_shown, walk
from tests.companion.ui.running_app import Script
from tests.companion.ui.test_text_fit import faults

SIZES = ((640, 384), (1024, 600), (1366, 768), (1600, 900), (900, 900))
RESIZED = Campaign("languages", part=1, whole=len(SIZES))


@RESIZED
@pytest.mark.parametrize("size", RESIZED.among(SIZES))
def test_game_survives_a_window_resize(driver: Driver, size: tuple[int, int]) -> None:
    playing.begin(driver)
    playing.play(driver, playing.STANDING, "e4 e5", "a7 a6", "e5 e6", "a6 a5")
    layout = places(driver)
    driver.resize(*size)
    assert places(driver) == pytest.approx(layout, abs=3)
    assert not list(faults(driver))
    playing.attack_on_screen(driver, "e6", "e7")
    assert driver.view == "declaration"


def places(driver: Driver) -> list[float]:
    """Return the rectangles of all widgets except labels, whose lengths may vary."""
    shown = (each for each in walk(driver.app.face) if is_shown(each))
    rectangles = ((*each.pos, *each.size) for each in shown if not isinstance(each, SharpText))
    return [float(length) for rectangle in rectangles for length in rectangle]


@RARE
def test_text_is_rendered_at_window_resolution(driver: Driver) -> None:
    playing.begin(driver)
    press = driver.find("menu")
    before = press.texture.size
    driver.resize(1600, 960)
    assert press.texture.width == pytest.approx(2 * before[0], abs=3)
    assert press.texture_size[0] == pytest.approx(before[0], abs=2)
    driver.resize(*theme.SCREEN)
    assert press.texture.size == before


@RARE
def test_background_beside_the_screen(driver: Driver) -> None:
    driver.resize(1600, 480)
    driver.pixels()
    window = EventLoop.window
    strip = bytes(glReadPixels(0, 0, 380, window.height, GL_RGBA, GL_UNSIGNED_BYTE))
    colours = {strip[n : n + 3] for n in range(0, len(strip), 4)}
    assert bytes(3) not in colours
    assert len(colours) > 3, "the background is not plain"


@RARE
def test_dialog_covers_the_picture_below_the_screen(driver: Driver) -> None:
    driver.resize(1280, 800)
    assert _brightest_below(driver) > 100
    driver.tap("settings")
    assert _brightest_below(driver) < 100


def _brightest_below(driver: Driver) -> int:
    """Return the largest colour component in the strip below the screen."""
    driver.pixels()
    strip = bytes(glReadPixels(0, 0, 1280, 12, GL_RGBA, GL_UNSIGNED_BYTE))
    return max(max(strip[channel::4]) for channel in range(3))


@RARE
def test_focus_ring_position(driver: Driver) -> None:
    playing.begin(driver)
    driver.resize(1600, 960)
    keyboard = driver.app.keyboard
    keyboard.focus = driver.find("board")
    left, bottom, width, height = keyboard._around()
    assert (width, height) == pytest.approx((92, 92), abs=1)
    where = keyboard._square
    assert keyboard._point() == pytest.approx((left + 46, bottom + 46), abs=1)
    driver.tap_at(*keyboard._point())
    assert driver.face.chosen == where == square("e4")


@pytest.mark.parametrize("simulated", slow_after_first("variants", [True, False]))
def test_squares_are_equal(drive: Callable[..., Driver], *, simulated: bool) -> None:
    driver = drive(source=Script.with_simulated_board() if simulated else None)
    (playing.begin_simulated if simulated else playing.begin)(driver)
    board = driver.find("board")
    inset = {
        tuple(a - b for a, b in zip(board.grid.bed(each)[:2], board.grid.corner(each), strict=True))
        for each in SQUARES
    }
    assert len({(round(x, 6), round(y, 6)) for x, y in inset}) == 1
    assert len({board.grid.bed(each)[2] for each in SQUARES}) == 1
    left, bottom = board.grid.corner(0)
    letters = [each for each in board.canvas.after.children if isinstance(each, Rectangle)]
    assert len(letters) == 20
    for each in letters:
        (x, y), (width, height) = each.pos, each.size
        # There is a gap of four pixels above the letters, as above all text.
        assert x + width <= left + 1 or y + height <= bottom + 5, (
            "a label must not overlap a square"
        )
        assert x >= board.x
        assert y >= board.y


@RARE
def test_lifted_piece_after_a_resize(driver: Driver) -> None:
    playing.begin(driver)
    driver.resize(1200, 720)
    driver.show(playing.after(playing.STANDING, "e4"))
    assert driver.face.lifted == square("e4")


@RARE
def test_f11_toggles_full_screen(driver: Driver) -> None:
    assert driver.view == "start"
    window = EventLoop.window
    for fills in ("auto", False):
        window.dispatch("on_key_down", F11, 0, None, [])
        assert window.fullscreen == fills
