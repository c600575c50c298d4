"""Tests that text fits on the smallest phone in every language."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import pytest
from playwright.sync_api import Browser, Page

from companion.speech.i18n import codes
from engine.board.geometry import Side
from engine.board.ranks import Rank
from engine.game.actions import Resign
from tests.companion.core.table_driver import NORDIC, attack
from tests.companion.pads.pad_driver import PadDriver, pads_of
from tests.integration.pads.playing import A_FINGER, SMALL, chromium, phone, sit, until
from tests.integration.pads.sealing import sealed_table

BROKEN: Final = """() => [...document.querySelectorAll(".tile span")]
    .filter((name) => !/[\\s-]/.test(name.textContent))
    .filter((name) => name.offsetHeight > 1.5 * parseFloat(getComputedStyle(name).fontSize))
    .map((name) => name.textContent)"""
CUT_OFF: Final = """() => [...document.querySelectorAll("body *:not(svg *)")]
    .filter((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth)
    .map((part) => `${part.tagName} ${part.textContent}`)"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


def check(page: Page) -> None:
    assert page.evaluate(BROKEN) == []
    assert page.evaluate(CUT_OFF) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("code", codes())
def test_pages_fit(browser: Browser, code: str) -> None:
    driver = PadDriver.begun(edition=NORDIC)
    assert isinstance(driver, PadDriver)
    driver.play("e4-e5 e7-e6")
    context = phone(browser, SMALL)
    with pads_of(driver, (code, code, code)) as pads:
        page = sit(pads, context, Side.RED)
        until(pads, page, page.locator("#offers button").count)
        check(page)
        attack(driver)
        until(pads, page, page.locator(".tile").count)
        check(page)
        driver.declare(Side.RED, Rank.BOMB)
        until(pads, page, page.locator("[data-do=insist]").count)
        check(page)
        page.wait_for_timeout(A_FINGER)
        page.locator(".quiet").tap()
        check(page)
    context.close()


@pytest.mark.parametrize("code", codes())
def test_sealed_army_pages_fit(browser: Browser, code: str) -> None:
    rules = replace(NORDIC, sealed_armies=True)
    with sealed_table(browser, rules, SMALL, code) as table:
        driver, page = table.driver, table.pages[Side.RED]
        check(page)
        page.locator("#setup .row button").first.tap()
        check(page)
        page.locator("#setup .row button").last.tap()
        table.load(Side.RED)
        check(page)
        table.begin()
        driver.play("e4-e5 e7-e6")
        attack(driver)
        table.until(page.locator(".tile").count)
        check(page)
        page.wait_for_timeout(A_FINGER)
        page.locator("#asks .quiet").tap()
        check(page)
        driver.command(Resign(Side.BLUE))
        table.until(page.locator("[data-do=prove]").count)
        check(page)
        table.mean(Side.RED, "[data-do=prove]")
        table.until(page.locator(".army .rows").count)
        check(page)


def test_cut_off_text_is_found(browser: Browser) -> None:
    page = phone(browser, SMALL).new_page()
    page.set_content('<p style="width: 50px; white-space: nowrap">much too long for this</p>')
    assert page.evaluate(CUT_OFF)
    page.set_content(
        '<b class="tile"><span style="display: block; width: 50px; overflow-wrap:'
        ' anywhere">Feldmarschall</span></b>'
    )
    assert page.evaluate(BROKEN)
