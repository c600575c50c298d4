"""In a portrait window, no text is cut off or too small.

Each run checks a short tour in one language, and the campaigns check every tour in every language.
"""

from collections.abc import Callable, Iterator

import pytest
from kivy.uix.label import Label

from companion.opponent.levels import Level
from companion.speech.i18n import codes
from companion.ui.dialogs.rules_dialogs import PADDING
from companion.ui.drawing import theme
from companion.ui.widgets.text_scaling import SIZES
from engine.board.geometry import Side
from tests.campaigns import RARE, Campaign, slow_after_first
from tests.companion.ui.dialogs.test_saved_games import fight, resign
from tests.companion.ui.driver import Driver, is_shown
from tests.companion.ui.playing import enlarge
from tests.companion.ui.running_app import Script
from tests.companion.ui.sealing import begin_to_seal, draw_up
from tests.companion.ui.test_text_fit import (
    EVERYWHERE,
    TYPE_SCALE,
    Drive,
    Tour,
    called,
    faults,
    seen,
    spills,
    tour_cases,
    tour_faults,
)

USUAL = Campaign("languages", part=1, whole=len(EVERYWHERE))
LARGE = Campaign("large-letters", part=0, whole=len(EVERYWHERE))


def spilling(driver: Driver, _name: str) -> Iterator[str]:
    for each in seen(driver):
        if isinstance(each, Label) and each.text and spills(each):
            yield f"{called(each)} spills over"


@USUAL
@pytest.mark.parametrize(("tour", "board", "code"), tour_cases(USUAL))
def test_portrait_texts_fit(
    drive: Drive, tour: Tour, board: Callable[[], Script], code: str
) -> None:
    driver = drive(language=code, source=board())
    driver.resize(*theme.PORTRAIT)
    assert not tour_faults(driver, tour, spilling)


@LARGE
@pytest.mark.parametrize(("tour", "board", "code"), tour_cases(LARGE))
def test_portrait_texts_fit_with_large_letters(
    drive: Drive, tour: Tour, board: Callable[[], Script], code: str
) -> None:
    driver = drive(language=code, source=board())
    driver.resize(*theme.PORTRAIT)
    enlarge(driver)
    assert not tour_faults(driver, tour, spilling)


def test_end_has_all_its_buttons(driver: Driver) -> None:
    driver.resize(*theme.PORTRAIT)
    fight(driver)
    resign(driver)
    for name in ("story", "take_back", "look", "again", "leave", "language"):
        button = driver.find(name)
        assert min(button.size) >= theme.TOUCH, name


@RARE
def test_replay_has_all_its_buttons_on_one_page(driver: Driver) -> None:
    driver.resize(*theme.PORTRAIT)
    fight(driver)
    resign(driver)
    driver.tap("look")
    driver.confirm()
    assert driver.on_top("turn") is None
    for name in ("back", "forward", "play", "key", "known", "story", "open_export"):
        assert is_shown(driver.find(name)), name


@RARE
def test_row_below_the_rules_keeps_its_margins(driver: Driver) -> None:
    driver.resize(*theme.PORTRAIT)
    driver.tap("rules")
    driver.tap("read")
    assert driver.find("next").right <= theme.SCREEN[0] - PADDING[0]


def test_seal_button_keeps_its_margins(driver: Driver) -> None:
    driver.resize(*theme.PORTRAIT)
    begin_to_seal(driver)
    draw_up(driver, Side.RED)
    assert driver.find("seal").x > 0
    assert driver.find("seal").right < theme.SCREEN[0]


@RARE
def test_title_with_large_letters_has_one_line(driver: Driver) -> None:
    """The measured width of the text depends on the scale, which is 1 only at 480x800."""
    enlarge(driver)
    driver.resize(540, 900)
    (title,) = (each for each in seen(driver) if getattr(each, "text", "") == "Boomboard")
    assert title.texture_size[1] < 2 * title.font_size


@pytest.mark.parametrize("code", slow_after_first("languages", codes()))
def test_temper_with_large_letters(drive: Drive, code: str) -> None:
    """The playing style of an opponent is shown wherever it fits."""
    driver = drive(language=code, source=Script.with_simulated_board())
    driver.resize(*theme.PORTRAIT)
    enlarge(driver)
    driver.connect()
    driver.tap("alone")
    for level in Level:
        driver.tap_option("levels", level)
        assert is_shown(driver.find("temper"))
        assert driver.find("temper").text
        assert not {*faults(driver, {*TYPE_SCALE, *SIZES}), *spilling(driver, "alone")}


@pytest.mark.parametrize("is_large", [False, True])
@pytest.mark.parametrize("code", slow_after_first("languages", ["fi", *codes()]))
def test_volume_has_no_broken_word(drive: Drive, code: str, *, is_large: bool) -> None:
    """The Finnish word for the volume is the longest beside the two buttons."""
    driver = drive(language=code)
    driver.resize(*theme.PORTRAIT)
    if is_large:
        enlarge(driver)
    for button in ("settings", "accessibility"):
        driver.tap(button)
    assert driver.on_top("volume")
    assert not set(faults(driver, {*TYPE_SCALE, *SIZES}))
