"""Contrast is at least 7:1 for text and 3:1 for shapes, in the palette and in rendered pixels."""

import math
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from kivy.base import EventLoop
from kivy.graphics import Canvas, Rectangle
from kivy.uix.label import Label

from companion.opponent.levels import Level
from companion.ui.base.base_screen import TRAIL_SECONDS
from companion.ui.drawing import theme
from companion.ui.drawing.rank_symbol import Face, RankSymbol
from companion.ui.drawing.signs import draw_portrait_label
from companion.ui.widgets.buttons import HOLD_SECONDS
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from tests.campaigns import RARE, Campaign, slow_after_first
from tests.companion.ui.driver import Driver, is_shown, walk
from tests.companion.ui.playing import STANDING, begin, begin_simulated, play
from tests.companion.ui.running_app import Script
from tests.companion.ui.tour import tour
from tests.companion.ui.tour_of_failures import tour_of_failures

Drive = Callable[..., Driver]
SLOW_LOOKS = Campaign("looks", part=0, whole=1)
"""Marks tests that tour all screens."""
HIGH = 12
"""Minimum text contrast in the high-contrast theme."""
GROUNDS = (
    theme.BACKGROUND,
    theme.SURFACE,
    theme.PRESSED,
    theme.CLOTH[Side.RED],
    theme.CLOTH[Side.BLUE],
)

NEAR = 0.08
"""Maximum distance between colours that count as equal. Antialiased edges vary slightly."""


def luminance(colour: tuple[float, ...]) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour[:3]]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(
    ("text", "ground"),
    [(theme.TEXT, ground) for ground in GROUNDS]
    + [
        (theme.TEXT_SECONDARY, ground)
        for ground in (theme.BACKGROUND, theme.SURFACE, theme.PRESSED)
    ]
    + [
        (theme.ON_ACCENT, theme.ACCENT),
        (theme.ON_ACCENT, theme.ACCENT_PRESSED),
        (theme.ON_ACCENT, theme.TEXT),
    ]
    + [(theme.TEXT, theme.SHADE)],
)
def test_text_contrast(text: theme.Colour, ground: theme.Colour) -> None:
    assert contrast(text, ground) >= 7


@pytest.mark.parametrize(
    ("part", "ground"),
    [(theme.EDGE, ground) for ground in GROUNDS[:3]]
    + [(theme.SIDES[side], theme.CLOTH[side]) for side in Side]
    + [(theme.SHADE, ground) for ground in (theme.WOOD, theme.WOOD_DARK, theme.TRACE)]
    + [(theme.SHORE, theme.LAKE), (theme.ACCENT, theme.SHADE)],
)
def test_widget_contrast(part: theme.Colour, ground: theme.Colour) -> None:
    assert contrast(part, ground) >= 3


def test_square_contrast() -> None:
    assert contrast(theme.WOOD, theme.WOOD_DARK) >= 1.9


def faint(driver: Driver, least: float = 7) -> Iterator[str]:
    """Yield a fault for each label with too little contrast against the surrounding pixels."""
    window = EventLoop.window
    width, height = window.size
    pixels = driver.pixels()
    top, *_ = driver.app.face.children
    for label in walk(top):
        if isinstance(label, Label) and label.text.strip() and is_shown(label):
            x, y = (int(place) for place in label.to_window(label.center_x, label.center_y))
            wide, high = (int(length / 2) for length in label.texture_size)
            rows = range(max(0, y - high), min(height, y + high), 4)
            colours = _colours(pixels, rows, max(0, x - wide), min(width, x + wide), width)
            text = tuple(label.disabled_color if label.disabled else label.color)
            if text[3] < 1:
                yield f"{label.text!r}: transparent"
            drawn = [colour for colour in colours if math.dist(colour, text[:3]) < NEAR]
            grounds = [colour for colour in colours if math.dist(colour, text[:3]) >= NEAR]
            # An open curtain may reveal content that hides a label. The label's colour is then not
            # drawn.
            if drawn and grounds and contrast(text, grounds[0]) < least:
                yield f"{label.text!r}: {contrast(text, grounds[0]):.1f}"


def _colours(
    pixels: bytes, rows: range, left: int, right: int, width: int
) -> list[tuple[float, ...]]:
    """Return the colours in a part of the screen, most frequent first."""
    seen: Counter[bytes] = Counter()
    for y in rows:
        line = pixels[4 * (y * width + left) : 4 * (y * width + right)]
        seen.update(line[n : n + 3] for n in range(0, len(line), 4))
    return [tuple(part / 255 for part in colour) for colour, _ in seen.most_common()]


@SLOW_LOOKS
def test_text_contrast_on_screens(driver: Driver) -> None:
    found = {f"{name}: {text}" for name in tour(driver) for text in faint(driver)}
    assert not found


@RARE
def test_problem_on_the_start_picture(driver: Driver) -> None:
    next(tour_of_failures(driver))
    assert "The saved games were damaged." in driver.texts()
    assert not [*faint(driver)]


@pytest.fixture
def light() -> Iterator[None]:
    theme.apply_theme(high_contrast=False, large_letters=False, light=True)
    yield
    theme.apply_theme(high_contrast=False, large_letters=False, light=False)


@pytest.mark.usefixtures("light")
def test_text_contrast_in_the_light_theme() -> None:
    grounds = (theme.BACKGROUND, theme.SURFACE, theme.PRESSED)
    for text in (theme.TEXT, theme.TEXT_SECONDARY):
        assert min(contrast(text, ground) for ground in grounds) >= 7
    for side in Side:
        assert contrast(theme.TEXT, theme.CLOTH[side]) >= 7
        assert contrast(theme.SIDES[side], theme.CLOTH[side]) >= 3
    for accent in (theme.ACCENT, theme.ACCENT_PRESSED):
        assert contrast(theme.ON_ACCENT, accent) >= 7
        assert contrast(accent, theme.BACKGROUND) >= 3
    assert min(contrast(theme.EDGE, ground) for ground in grounds) >= 3


@SLOW_LOOKS
def test_text_contrast_on_light_screens(driver: Driver) -> None:
    for button in ("settings", "light", "close"):
        driver.tap(button)
    found = {f"{name}: {text}" for name in tour(driver) for text in faint(driver)}
    assert not found


def test_light_portraits(driver: Driver) -> None:
    for button in ("settings", "light", "close", "alone"):
        driver.tap(button)
    portraits = [each for each in walk(driver.app.root) if isinstance(each, Face | RankSymbol)]
    assert min(contrast(each.colour, theme.SURFACE) for each in portraits) >= 7
    assert {each.level for each in portraits if isinstance(each, Face)} == set(Level)
    assert not [*faint(driver)]


@RARE
def test_empty_light_setup_editor(drive: Drive) -> None:
    driver = drive(source=Script.with_simulated_board())
    driver.connect()
    for button in ("settings", "light", "close", "begin", "setups"):
        driver.tap(button)
    driver.hold("red", HOLD_SECONDS + 0.1)
    assert driver.find("take_off").disabled
    assert not [*faint(driver)]


def test_number_stays_on_its_piece() -> None:
    """The light digits would be invisible beside the piece on a light background."""
    for rank in (Rank.MARSHAL, Rank.SCOUT):
        canvas = Canvas()
        draw_portrait_label(canvas, rank, 0, 0, 50)
        boxes = [each for each in canvas.children if type(each) is Rectangle]
        assert boxes[-1].pos[0] + boxes[-1].size[0] <= 0.92 * 50 + 0.5  # whole pixels
        assert boxes[-1].size[0] > 8


def test_light_first_battle(driver: Driver) -> None:
    """A piece's number is as bright as on the large board."""
    for button in ("settings", "light", "close", "first_battle"):
        driver.tap(button)
    board, pixels = driver.find("board"), driver.pixels()
    left, bottom = board.to_window(*board.corner(board.hinted))
    rows = range(int(bottom), int(bottom + board.step))
    width = EventLoop.window.width
    colours = _colours(pixels, rows, int(left), int(left + board.step), width)
    for drawn in (theme.MARK, theme.SHADE, theme.GLOW):
        assert min(math.dist(colour, drawn[:3]) for colour in colours) < NEAR


@pytest.fixture
def high_contrast() -> Iterator[None]:
    theme.apply_theme(high_contrast=True, large_letters=False, light=False)
    yield
    theme.apply_theme(high_contrast=False, large_letters=False, light=False)


@pytest.mark.usefixtures("high_contrast")
def test_high_contrast_colours() -> None:
    for ground in (theme.BACKGROUND, theme.SURFACE, theme.PRESSED, *theme.CLOTH.values()):
        assert contrast(theme.TEXT, ground) >= HIGH
        assert contrast(theme.TEXT_SECONDARY, ground) >= HIGH
    for accent in (theme.ACCENT, theme.ACCENT_PRESSED):
        assert contrast(theme.ON_ACCENT, accent) >= HIGH
    for side in Side:
        assert contrast(theme.SIDES[side], theme.CLOTH[side]) >= 3
    assert theme.MAP == theme.BACKGROUND == (0, 0, 0, 1)


@SLOW_LOOKS
def test_text_contrast_on_high_contrast_screens(driver: Driver) -> None:
    for button in ("settings", "accessibility", "contrast", "close", "close"):
        driver.tap(button)
    assert driver.pixels()[:4] == b"\x00\x00\x00\xff"
    # `faint` also names a button that the curtain hides, because both its text and the curtain are
    # black.
    found = {
        f"{name}: {text}"
        for name in tour(driver)
        for text in faint(driver, HIGH)
        if not (driver.view == "declaration" and text.startswith("'Hold to open'"))
    }
    assert not found


@pytest.mark.parametrize("simulated", slow_after_first("variants", [True, False]))
def test_last_move_contrast(drive: Callable[..., Driver], *, simulated: bool) -> None:
    if simulated:
        driver = drive(source=Script.with_simulated_board())
        begin_simulated(driver)
        driver.carry("e4", "e5")
        driver.show_virtual()
    else:
        driver = drive()
        begin(driver)
        play(driver, STANDING, "e4 e5")
    driver.pass_time(TRAIL_SECONDS)
    for marked, plain in (("e4", "f5"), ("e4", "e6"), ("e5", "f6"), ("e5", "b6")):
        ground = mean(around(driver, plain))
        assert contrast(mean(around(driver, marked)), ground) >= 3, (marked, plain)


def around(driver: Driver, where: str) -> list[tuple[float, ...]]:
    """Return the pixels just inside the left and right edges of a square."""
    grid, (window_width, _) = driver.find("board").grid, EventLoop.window.size
    board, pixels = driver.find("board"), driver.pixels()
    x, y = grid.corner(square(where))
    found = []
    for across in (0.045, 0.955):
        for up in (0.3, 0.4, 0.5, 0.6, 0.7):
            at = board.to_window(x + across * grid.step, y + up * grid.step)
            start = 4 * (int(at[1]) * window_width + int(at[0]))
            found.append(tuple(each / 255 for each in pixels[start : start + 3]))
    return found


def mean(colours: list[tuple[float, ...]]) -> tuple[float, ...]:
    return tuple(sum(each) / len(colours) for each in zip(*colours, strict=True))
