"""Read the rules on the screen in every language."""

from collections.abc import Callable, Iterator
from itertools import product

import pytest

from companion.rules_pages.edition_page import blocks
from companion.speech.i18n import Language, codes
from companion.speech.small_texts import RULEBOOK_NAMES
from companion.ui.dialogs.rules_dialogs import RulesTextDialog
from companion.ui.drawing.theme import BODY
from companion.ui.widgets.text_scaling import SIZES
from engine.rules.editions import EDITIONS
from tests.campaigns import RARE, slow_after_first
from tests.companion.ui.driver import Driver, is_shown, walk
from tests.companion.ui.playing import begin, enlarge
from tests.companion.ui.test_large_letters import LARGE
from tests.companion.ui.test_text_fit import LOOKS, TYPE_SCALE, by_turns, faults

Drive = Callable[..., Driver]


def modal(driver: Driver) -> RulesTextDialog:
    shown = driver.app.face.modals.modal
    assert isinstance(shown, RulesTextDialog)
    return shown


def pages(driver: Driver) -> Iterator[str]:
    """Page through the chosen rulebook, yielding the text of each page."""
    while True:
        yield modal(driver).text
        if driver.find("next").disabled:
            return
        driver.tap("next")


def rulebooks(driver: Driver) -> Iterator[str]:
    """Open the rulebooks in turn, yielding the id of each edition."""
    driver.tap("rules")
    for edition in EDITIONS:
        driver.tap_option("editions", edition)
        driver.tap("read")
        yield edition
        driver.tap("close")


def open_pages(driver: Driver) -> None:
    for button in ("rules", "read"):
        driver.tap(button)


def letters(text: str) -> list[str]:
    return [letter for letter in text if letter.isalnum()]


def size(driver: Driver) -> float:
    (label,) = (
        each
        for each in walk(modal(driver))[1:]
        if is_shown(each) and getattr(each, "text", "") == modal(driver).text
    )
    return float(label.font_size)


@LOOKS
@pytest.mark.parametrize("code", by_turns(1))
@RARE
def test_rulebooks_are_readable(drive: Drive, code: str) -> None:
    driver, translated = drive(language=code), Language(code).rules
    for edition in rulebooks(driver):
        text = "".join(translated(block.text) for block in blocks(EDITIONS[edition]))
        assert modal(driver).title == Language(code).text(RULEBOOK_NAMES[edition].name)
        assert letters("".join(pages(driver))) == letters(text)


@pytest.mark.parametrize(
    ("code", "title", "first"),
    slow_after_first(
        "languages",
        [
            ("de", "Turnier", "Eine Figur hin und her (Art. 10): höchstens dreimal"),
            ("fi", "Turnaus", "Yksi nappula edestakaisin (art. 10): enintään kolmesti"),
        ],
    ),
)
def test_rules_open_in_the_table_language(drive: Drive, code: str, title: str, first: str) -> None:
    driver = drive(language=code, edition=EDITIONS["isf"])
    open_pages(driver)
    assert title in driver.texts()
    assert first in driver.texts()


def test_chosen_options_come_first(drive: Drive) -> None:
    driver = drive(language="de", edition=EDITIONS["isf"].with_limit(5))
    open_pages(driver)
    assert "höchstens fünfmal über dieselbe Grenze; dreimal, wenn so gewählt." in driver.texts()


@LOOKS
@pytest.mark.parametrize("code", by_turns(8))
def test_pages_fit(drive: Drive, code: str) -> None:
    driver, found = drive(language=code), set()
    for edition in rulebooks(driver):
        for _ in pages(driver):
            found |= {f"{edition}: {fault}" for fault in faults(driver)}
    assert not found


@LARGE
@pytest.mark.parametrize(("code", "edition"), LARGE.among(list(product(codes(), EDITIONS))))
@RARE
def test_large_letters_need_more_pages(drive: Drive, edition: str, code: str) -> None:
    driver, found = drive(language=code, edition=EDITIONS[edition]), set()
    open_pages(driver)
    usual = modal(driver).count
    for _ in range(2):
        driver.tap("close")
    enlarge(driver)
    open_pages(driver)
    assert modal(driver).count > usual
    for page in pages(driver):
        found |= set(faults(driver, {*TYPE_SCALE, *SIZES}))
        assert size(driver) == SIZES[BODY][0], page
    assert not found


def test_menu_opens_the_rules(driver: Driver) -> None:
    begin(driver)
    for button in ("menu", "read"):
        driver.tap(button)
    assert modal(driver).title == "Classic"
    driver.tap("close")
    driver.tap("close")
    assert driver.view == "turn"
