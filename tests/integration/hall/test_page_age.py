"""Tests for pages in a real browser while the hall and the broker restart."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from companion import cli
from companion.hall.publisher.uplink import HallUplink
from companion.hall.server.hall_folder import BrokerListener, make_hall, read_hall
from tests.companion.hall.saved_tables import SavedTable
from tests.integration.hall.load import HallProgram
from tests.integration.hall.services import Broker, free_port
from tests.integration.pads.playing import chromium

PLAYERS: Final = [f"Player {number}" for number in range(1, 27)]
"""Names of the players at thirteen tables. They do not all fit on the tournament screen, so it
shows two parts of the list in turn."""
PATIENCE: Final = 60_000
"""Maximum time to wait for a change on the page, in milliseconds."""


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[tuple[Broker, HallProgram, Page]]:
    """Start a hall with a game at table-1 and open a signed-in arbiter's page."""
    folder, port = tmp_path / "hall", free_port()
    listener = BrokerListener("127.0.0.1", free_port())
    codes = make_hall(folder, listener, ["table-1"], ["hall"], ["Anna"])
    broker = Broker(folder, listener.port)
    program = HallProgram(folder, str(folder / "hall.sqlite"), port, folder / "cup.jsonl")
    saved = SavedTable(tmp_path / "games.sqlite")
    uplink = HallUplink(read_hall(folder).table_file("table-1"), saved.path, "board")
    uplink.start()
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 390, "height": 844}, locale="en-GB")
        page.set_default_timeout(PATIENCE)
        page.clock.install()
        page.goto(f"http://127.0.0.1:{port}")
        page.get_by_label("Your code").fill(codes["Anna"])
        page.get_by_role("button", name="Sign in").click()
        yield broker, program, page
    program.kill()
    uplink.close()
    broker.kill()
    saved.journal.close()


@pytest.fixture
def board(hall: tuple[Broker, HallProgram, Page], tmp_path: Path) -> tuple[HallProgram, Page, Path]:
    """Open the tournament screen. Return the hall, the page and the tournament file."""
    _, program, page = hall
    file = tmp_path / "hall" / "cup.jsonl"
    run(file, "new", "--name", "Cup")
    for name in PLAYERS:
        run(file, "add", name)
    run(file, "pair", "--round-robin")
    page.goto(page.url.rstrip("/") + "/tournament/screen")
    return program, page, file


def run(file: Path, *words: str) -> None:
    assert cli.main(["tournament", words[0], "--file", str(file), *words[1:]]) == 0


def expect_age(page: Page, age: str) -> None:
    expect(page.locator("body")).to_have_attribute("data-age", age, timeout=PATIENCE)


def test_page_shows_its_age_and_recovers(
    hall: tuple[Broker, HallProgram, Page],
) -> None:
    _, program, page = hall
    expect(page.locator("#card-table-1")).to_contain_text("Red to move", timeout=PATIENCE)
    expect_age(page, "fresh")
    os.kill(program.pid, signal.SIGSTOP)
    page.clock.fast_forward(12_000)
    expect_age(page, "old")
    page.clock.fast_forward(12_000)
    expect_age(page, "lost")
    expect(page.locator("#age")).to_contain_text("The hall does not answer. Updated:")
    os.kill(program.pid, signal.SIGCONT)
    expect_age(page, "fresh")
    program.kill()
    page.clock.fast_forward(25_000)
    expect_age(page, "lost")
    program.start()
    expect_age(page, "fresh")
    assert page.url.endswith("/"), "the arbiter is still signed in"
    expect(page.locator("#card-table-1")).to_contain_text("Red to move")


def test_hidden_page_holds_no_stream(hall: tuple[Broker, HallProgram, Page]) -> None:
    """The browser limits the connections to the hall, which all its tabs share."""
    page = hall[2]
    expect_age(page, "fresh")
    for is_hidden in ("true", "false"):
        page.evaluate(
            f"Object.defineProperty(document, 'hidden', {{get: () => {is_hidden}, "
            "configurable: true})"
        )
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        if is_hidden == "true":
            page.clock.fast_forward(25_000)
            expect_age(page, "lost")
            assert page.evaluate("stream.readyState === EventSource.CLOSED")
    expect_age(page, "fresh")


def test_updates_keep_focus_and_scroll_position(hall: tuple[Broker, HallProgram, Page]) -> None:
    page = hall[2]
    card = page.locator("#card-table-1")
    expect(card).to_contain_text("Red to move", timeout=PATIENCE)
    card.focus()
    update = (
        "(old) => { const fresh = old.cloneNode(true); fresh.title = 'x'; exchange(old, fresh); }"
    )
    card.evaluate(update)
    expect(page.locator("#card-table-1[title]")).to_be_focused()
    card.click()
    said = page.locator("#said")
    expect(said.locator("li").first).to_be_visible()
    said.evaluate(
        "(old) => { for (let n = 0; n < 99; n++) old.querySelector('ul')"
        ".append(old.querySelector('li').cloneNode(true)); }"
    )
    said.evaluate("(old) => { old.querySelector('ul').scrollTop = 50; }")
    said.evaluate(update)
    assert said.locator("ul").evaluate("(list) => list.scrollTop") == 50


def test_page_reports_an_unreachable_broker(
    hall: tuple[Broker, HallProgram, Page],
) -> None:
    broker, _, page = hall
    problem = page.locator("#problem")
    expect(page.locator("#card-table-1")).to_contain_text("Red to move", timeout=PATIENCE)
    expect(problem).to_be_empty()
    broker.kill()
    expect(problem).to_contain_text("Cannot reach the broker.", timeout=PATIENCE)
    broker.start()
    expect(problem).to_be_empty(timeout=PATIENCE)
    os.kill(broker.pid, signal.SIGSTOP)
    expect(problem).to_contain_text("Cannot reach the broker.", timeout=PATIENCE)
    os.kill(broker.pid, signal.SIGCONT)
    expect(problem).to_be_empty(timeout=PATIENCE)


def test_tournament_page_shows_its_age(
    board: tuple[HallProgram, Page, Path],
) -> None:
    program, page, file = board
    expect_age(page, "fresh")
    expect(page.locator("footer")).to_have_text("1 / 2")
    run(file, "result", "1", "red")
    page.clock.fast_forward(5_000)
    expect(page.locator("main")).to_contain_text("1 : 0", timeout=PATIENCE)
    page.clock.fast_forward(5_000)
    expect(page.locator("footer")).to_have_text("2 / 2", timeout=PATIENCE)
    os.kill(program.pid, signal.SIGSTOP)
    page.clock.fast_forward(12_000)
    expect_age(page, "old")
    page.clock.fast_forward(12_000)
    expect_age(page, "lost")
    expect(page.locator("#age")).to_contain_text("The hall does not answer. Updated:")
    colours = "age => [getComputedStyle(age).color, getComputedStyle(age).backgroundColor]"
    assert len(set(page.locator("#age").evaluate(colours))) == 2, "the text is visible"
    expect(page.locator("footer")).to_have_text("2 / 2")
    os.kill(program.pid, signal.SIGCONT)
    page.clock.fast_forward(5_000)
    expect_age(page, "fresh")
    program.kill()
    page.clock.fast_forward(25_000)
    expect_age(page, "lost")
    program.start()
    page.clock.fast_forward(5_000)
    expect_age(page, "fresh")
