"""Large text is 50 % larger on nearly all screens, and none of it is cut off.

Each run checks one tour in one language, and the campaign checks every tour in every language.
"""

import math
from collections.abc import Callable, Iterable, Iterator

import pytest
from kivy.base import EventLoop
from kivy.uix.label import Label
from kivy.uix.widget import Widget

from companion.speech.announcer import Announcer
from companion.speech.i18n import Language
from companion.ui.dialogs.saved_games import LARGE_ROWS, SavedGameRow
from companion.ui.drawing import theme
from companion.ui.navigation.start_menu import LONGEST_NAME
from companion.ui.widgets.text_scaling import SIZES
from engine.board.geometry import Side
from engine.game.rulings import GameOver, Reason
from tests.campaigns import RARE, Campaign, slow_after_first
from tests.companion.ui.dialogs.test_saved_games import fight, resign
from tests.companion.ui.driver import Driver, is_shown, walk
from tests.companion.ui.playing import STANDING, after, begin, enlarge, open_game, tap_begin
from tests.companion.ui.running_app import Script
from tests.companion.ui.test_text_fit import (
    EVERYWHERE,
    LOOKS,
    TYPE_SCALE,
    Drive,
    Tour,
    by_turns,
    called,
    faults,
    seen,
    spills,
    tour_cases,
    tour_faults,
)

LARGE = Campaign("large-letters", part=1, whole=len(EVERYWHERE))
"""Number of tours to check, each in a different language."""


@LARGE
@pytest.mark.parametrize(("tour", "board", "code"), tour_cases(LARGE))
def test_large_letters_fit(
    drive: Drive, tour: Tour, board: Callable[[], Script], code: str
) -> None:
    driver = drive(language=code, source=board())
    enlarge(driver)
    assert not tour_faults(driver, tour, enlarged_faults)


def enlarged_faults(driver: Driver, name: str) -> Iterator[str]:
    """Yield a fault for each enlarged label that overflows or could be larger."""
    texts = (each for each in seen(driver) if isinstance(each, Label) and each.text)
    grown = (each for each in texts if each.font_size not in TYPE_SCALE)
    yield from (f"{called(each)} spills over" for each in grown if spills(each))
    if name not in FITTED:
        yield from small(driver)


FITTED = {
    *("sensor-fails", "failure-several-sensors", "guess", "sealed-guess-on-phone", "tile-held"),
    *("setups-left", "stands-badly", "workshop-left", "workshop-enlarged"),
}
"""Screens on which text does not fit if it is enlarged by 50 %.

Their text is as large as possible. On all other screens, text must be enlarged by 50 %, in every
language and on every page.
"""


def small(driver: Driver) -> Iterator[str]:
    """Yield a fault for each visible label whose text is less than 50 % larger than usual."""
    for each in driver.uncovered():
        if isinstance(each, Label) and each.text and is_shown(each):
            size = round(each.font_size)
            if size in SIZES and size != SIZES[size][0]:
                yield f"{called(each)} has letters of {size} pixels"


def test_small_letters_are_found(driver: Driver) -> None:
    assert [each for each in small(driver) if "Two players" in each]


@pytest.mark.parametrize(
    "size", slow_after_first("languages", [((640, 384),), ((800, 480),), ((1280, 800),)])
)
@RARE
def test_large_letters_are_larger_in_every_window(drive: Drive, size: tuple[int, int]) -> None:
    """The height of each label in pixels is compared between the two text sizes."""
    heights: list[dict[str, int]] = []
    for is_large in (False, True):
        driver = drive()
        if is_large:
            enlarge(driver)
        driver.resize(*size)
        heights.append({})
        for view in ("start", "setup", "turn", "menu"):
            SHOWING[view](driver)
            heights[-1] |= {
                f"{view}: {label.text}": ink_height(driver, label)
                for label in driver.uncovered()
                if isinstance(label, Label) and label.text in SAME and is_shown(label)
            }
    usual, large = heights
    both = usual.keys() & large.keys()
    assert len(both) >= 7
    assert not [text for text in both if large[text] < 1.3 * usual[text]]


SAME = {"Alone", "Back", "Language", "Menu", "Red resigns", "Blue resigns",
        "Your turn", "39 of 40", "40 of 40"}  # fmt: skip
"""Texts that fit on one line at both sizes."""


def show_setup(driver: Driver) -> None:
    tap_begin(driver)
    driver.show(STANDING)


def show_turn(driver: Driver) -> None:
    for side in ("red", "blue"):
        driver.tap_inside(side, "ready")


SHOWING: dict[str, Callable[[Driver], None]] = {
    "start": Driver.connect,
    "setup": show_setup,
    "turn": show_turn,
    "menu": lambda driver: driver.tap("menu"),
}


def ink_height(driver: Driver, label: Label) -> int:
    """Return the number of pixel rows that contain a label's text colour."""
    width, height = EventLoop.window.size
    pixels, colour = driver.pixels(), label.disabled_color if label.disabled else label.color
    left, low = (int(place) for place in label.to_window(*label.pos))
    right, high = (int(place) for place in label.to_window(label.right, label.top))
    return sum(
        any(
            math.dist([part / 255 for part in pixels[at : at + 3]], colour[:3]) < 0.1
            for at in range(4 * (y * width + left), 4 * (y * width + min(right, width)), 4)
        )
        for y in range(max(0, low), min(high, height))
    )


def test_large_letters_are_50_percent_larger(driver: Driver) -> None:
    """Text that would not fit at the larger size is as large as possible."""
    enlarge(driver)
    begin(driver)
    sizes = {label.font_size for label in seen(driver) if isinstance(label, Label) and label.text}
    assert sizes == {30, 42, theme.NAME}
    driver.show(after(STANDING, "e4 f5"))
    assert {30, 42} <= {label.font_size for label in seen(driver) if isinstance(label, Label)}


def test_long_names_in_setup_with_large_letters(driver: Driver) -> None:
    enlarge(driver)
    names = dict(zip(Side, ("Wilhelmina", "Maximilian"), strict=True))
    assert {len(name) for name in names.values()} == {LONGEST_NAME}
    for side, name in names.items():
        driver.app.presenter.settings.set_player_name(side, name)
    driver.connect()
    driver.tap("begin")
    driver.show(STANDING)
    for side, name in names.items():
        assert driver.find(side.value).ids.named.text == name
    assert not [*small(driver), *faults(driver, {*TYPE_SCALE, *SIZES})]


@RARE
def test_ready_buttons_come_first_with_large_letters(drive: Drive) -> None:
    """Once both armies are set up, the first page has only the ready buttons."""
    driver = drive(source=Script.with_simulated_board())
    enlarge(driver)
    driver.connect()
    driver.tap("begin")
    assert driver.on_top("set_up")
    assert driver.on_top("red") is None
    driver.tap("set_up")
    driver.show_virtual()
    assert driver.on_top("red")


def test_end_has_all_its_buttons_with_large_letters(driver: Driver) -> None:
    enlarge(driver)
    fight(driver)
    resign(driver)
    assert driver.on_top("again"), "it is on the first page"
    assert "resigned" in driver.texts()
    for name in ("story", "take_back", "look", "leave", "language", "again"):
        assert min(driver.find(name).size) >= theme.TOUCH, name
        assert driver.on_top(name), name


@pytest.mark.parametrize("code", by_turns(4))
def test_about_page_has_large_letters(drive: Drive, code: str) -> None:
    """The texts that do not fit on the first page follow on the next one."""
    driver = drive(language=code)
    enlarge(driver)
    driver.tap("about")
    assert not [*small(driver), *faults(driver, {*TYPE_SCALE, *SIZES})]


@RARE
def test_options_stay_on_their_page(drive: Drive) -> None:
    """One option needs smaller text, which does not move the options back and forth."""
    driver = drive(language="de")
    driver.resize(*theme.PORTRAIT)
    enlarge(driver)
    open_game(driver, "travel-2017")
    driver.frames(20)
    widths = []
    for _ in range(20):
        driver.frames(1)
        widths.append([each.texture_size[0] for each in seen(driver) if isinstance(each, Label)])
    assert widths == widths[:1] * 20


def test_tiles_share_their_text_size(drive: Drive) -> None:
    """If the text of one tile has to shrink, so does that of the tiles beside it."""
    driver = drive(language="de")
    driver.resize(*theme.PORTRAIT)
    enlarge(driver)
    open_game(driver, "travel-2017")
    for row in ("moved_bomb", "options"):
        assert len(text_sizes(driver.find(row).children)) == 1, row
    for _cover in ("options", "rulebooks"):
        driver.tap("close")
    driver.connect()
    driver.tap("alone")
    assert len(text_sizes([driver.find("quick"), driver.find("chosen")])) == 1


def text_sizes(tiles: Iterable[Widget]) -> set[frozenset[int]]:
    """Return the text sizes of each tile."""
    labels = ([each for each in walk(tile) if isinstance(each, Label)] for tile in tiles)
    return {frozenset(round(each.font_size) for each in on_tile if each.text) for on_tile in labels}


@LOOKS
@pytest.mark.parametrize("code", by_turns(8))
def test_endings_fit_with_large_letters(drive: Drive, code: str) -> None:
    """The list shows the page buttons and as many games as fit.

    The results of the games have the longest descriptions.
    """
    driver = drive(language=code)
    enlarge(driver)
    driver.tap("games")
    rows = driver.find("rows")
    modal = rows.parent.parent
    modal.message, modal.has_later, modal.has_earlier = "", True, True
    sentence = Announcer(Language(code)).sentence
    ends = {sentence(GameOver(side, why)) for side in (*Side, None) for why in Reason}
    for end in sorted(ends, key=len)[-LARGE_ROWS:]:
        rows.add_widget(SavedGameRow(date="12. marraskuuta 2026 klo 12.12", end=end))
    driver.frames(20)
    assert not [*small(driver), *faults(driver, {*TYPE_SCALE, *SIZES})]
