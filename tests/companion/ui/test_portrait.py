"""Every screen in a window that is higher than wide: nothing is cut off or too small to touch.

Each run checks some tours, each in another language. The campaigns check all tours in all
languages.
"""

from collections.abc import Callable, Iterator

import pytest
from kivy.uix.label import Label

from companion.ui.drawing import theme
from companion.ui.widgets.text_scaling import SIZES
from tests.campaigns import Campaign
from tests.companion.ui.dialogs.test_saved_games import fight, resign
from tests.companion.ui.driver import Driver, Script
from tests.companion.ui.playing import enlarge
from tests.companion.ui.test_large_letters import HELD, pages, spills
from tests.companion.ui.test_text_fit import EVERYWHERE, TYPE_SCALE, Drive, faults, seen

Tour = Callable[[Driver], Iterator[str]]
# The shortest tours come first.
REVERSED = EVERYWHERE[::-1]
USUAL = Campaign("languages", part=2, whole=len(REVERSED))
LARGE = Campaign("large-letters", part=1, whole=len(REVERSED))


def cases(campaign: Campaign) -> list[object]:
    return [
        pytest.param(tour, board, code, id=f"{tour.__name__}-{code}")
        for tour, board, code in campaign.among(REVERSED)
    ]


def found_on(driver: Driver, tour: Tour) -> Iterator[str]:
    """The faults on all pages of a tour's screens."""
    for name in tour(driver):
        for page in [1] if name in HELD else pages(driver):
            for fault in faults(driver, {*TYPE_SCALE, *SIZES}):
                yield f"{name}, page {page}: {fault}"
            for each in seen(driver):
                if isinstance(each, Label) and each.text and spills(each):
                    yield f"{name}, page {page}: {each.text!r} spills over"


@USUAL
@pytest.mark.parametrize(("tour", "board", "code"), cases(USUAL))
def test_portrait_texts_fit(
    drive: Drive, tour: Tour, board: Callable[[], Script], code: str
) -> None:
    driver = drive(language=code, source=board())
    driver.resize(*theme.PORTRAIT)
    assert not {*found_on(driver, tour)}


@LARGE
@pytest.mark.parametrize(("tour", "board", "code"), cases(LARGE))
def test_portrait_texts_fit_with_large_letters(
    drive: Drive, tour: Tour, board: Callable[[], Script], code: str
) -> None:
    """Letters are as large as there is room for them."""
    driver = drive(language=code, source=board())
    driver.resize(*theme.PORTRAIT)
    enlarge(driver)
    assert not {*found_on(driver, tour)}


def test_end_has_all_its_buttons(driver: Driver) -> None:
    driver.resize(*theme.PORTRAIT)
    fight(driver)
    resign(driver)
    for name in ("story", "take_back", "look", "again", "leave", "language"):
        button = driver.find(name)
        assert min(button.size) >= theme.TOUCH, name
