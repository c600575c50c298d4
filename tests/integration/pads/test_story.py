"""Tests for the story of a finished game, shown in a real browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.reports.replay import Archive
from companion.storage.journal_provider import JournalProvider
from engine.board.geometry import Side
from engine.game.actions import Resign
from tests.companion.pads.pad_driver import PadDriver, pads_of
from tests.companion.ui.tour_of_stories import recorded_game, save_game
from tests.integration.pads.playing import SMALL, chromium, phone, until


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    """Open the spectators' page of a recorded game that is no longer on the touchscreen."""
    journals = JournalProvider(tmp_path / "games.sqlite")
    driver = PadDriver.begun()
    assert isinstance(driver, PadDriver)
    driver.command(Resign(Side.RED))
    driver.number = save_game(journals.journal(), recorded_game(), "2026-11-20 19:05:00")
    driver.archive = Archive(journals)
    with chromium() as browser, pads_of(driver, ("de", "de", "de")) as pads:
        opened = phone(browser, SMALL).new_page()
        opened.goto(pads.spectators_address)
        until(pads, opened, opened.locator("#board rect").count)
        assert not opened.locator("#story").is_visible(), "the end can still be taken back"
        driver.table = None  # type: ignore[assignment]
        driver.changes += 1
        until(pads, opened, opened.locator("#story").is_visible)
        yield opened
    journals.close()


def test_story_moments(page: Page) -> None:
    page.locator("#story").tap()
    text, place = page.locator("#text"), page.locator("#place")
    expect(place).to_have_text("25 von 206")
    expect(text).to_contain_text("Der Angriff konnte nicht misslingen.")
    expect(page.locator("#board .marked")).to_have_count(2)
    page.locator("#forward").tap()
    expect(place).to_have_text("26 von 206")
    page.locator("#parts button").nth(2).tap()
    expect(place).to_have_text("143 von 206")
    page.locator("#back").tap()
    expect(place).to_have_text("142 von 206")
    expect(page.locator("#closing p")).to_have_count(4)
    assert page.evaluate("document.documentElement.scrollWidth") <= SMALL[0]
