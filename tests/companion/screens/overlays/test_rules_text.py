"""The rules to read: the pages of docs/rules, on the screen."""

from companion.rules_pages import page
from companion.screens.overlays.rules_text import RulesTextCover
from engine.rulebook.editions import EDITIONS
from tests.companion.screens.driver import Driver, is_shown, walk
from tests.companion.screens.playing import begin


def read_all(driver: Driver) -> str:
    """Turn page after page; nothing may stand below the screen."""
    read = []
    while True:
        cover = driver.app.face._cover
        assert isinstance(cover, RulesTextCover)
        read.append(cover.text)
        lowest = min(each.to_window(*each.pos)[1] for each in walk(cover) if is_shown(each))
        assert lowest >= 0
        if driver.find("next").disabled:
            return " ".join(read)
        driver.tap("next")


def test_every_rulebook_is_read_to_its_end(driver: Driver) -> None:
    driver.tap("rules")
    for edition in EDITIONS.values():
        driver.tap_option("editions", edition.id)
        driver.tap("read")
        letters = [letter for letter in page(edition).partition("\n")[2] if letter.isalnum()]
        assert [letter for letter in read_all(driver) if letter.isalnum()] == letters
        driver.tap("close")


def test_the_menu_leads_to_the_rules_of_the_game(driver: Driver) -> None:
    begin(driver)
    for button in ("menu", "read"):
        driver.tap(button)
    assert "Original Stratego 498" in driver.texts()
    driver.tap("close")
    driver.tap("close")
    assert driver.view == "turn"
