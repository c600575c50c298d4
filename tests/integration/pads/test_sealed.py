"""Tests for two players who seal and open their armies on phones."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Page

from engine.board.geometry import Side, name
from engine.board.ranks import DUEL, Rank
from engine.deduction.commitment import Opening, commit
from engine.game.actions import Resign
from engine.game.rulings import Contradiction, Disputed
from engine.records.serialization import read_rank
from tests.companion.core.table_driver import attack
from tests.companion.pads.sealed_pad_driver import SEALED, first_setup
from tests.integration.pads.playing import A_FINGER, chromium, phone, sit, until
from tests.integration.pads.sealing import sealed_table

RED, BLUE = Side.RED, Side.BLUE
OWN = "JSON.parse(localStorage.getItem('seals'))[0].openings"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


def setup_of(page: Page) -> list[str]:
    """Return the labels in the editor, square by square."""
    shown: list[str] = page.evaluate(
        "[...document.querySelectorAll('.rows .place')].map("
        "(place) => place.querySelector('b')?.textContent ?? (place.firstChild ? '*' : '.'))"
    )
    return shown


def drag(page: Page, source: str, target: str) -> None:
    page.mouse.move(*middle(page, source))
    page.mouse.down()
    page.mouse.move(*middle(page, target), steps=4)
    page.mouse.up()


def drag_by_finger(page: Page, source: str, target: str) -> None:
    """Drag a piece with touch events, as a finger does."""
    finger = page.context.new_cdp_session(page)
    start, end = middle(page, source), middle(page, target)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        places = [{"x": x, "y": y} for x, y in points]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

    touch("touchStart", start)
    touch("touchMove", ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2))
    touch("touchMove", end)
    touch("touchEnd")


def select(page: Page, of: str) -> None:
    """Tap a piece, and wait until it is selected. On a busy computer, the browser may otherwise
    deliver the click after the next touch has begun.
    """
    page.locator(of).tap()
    page.locator(f"{of}.held").wait_for()


def middle(page: Page, of: str) -> tuple[float, float]:
    box = page.locator(of).bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_pieces_are_placed_by_touch_and_drag(browser: Browser) -> None:
    with sealed_table(browser) as table:
        page = table.pages[RED]
        marshal, scout = ".tray [data-rank=marshal]", ".tray [data-rank=scout]"
        select(page, marshal)
        page.locator("[data-at='4']").tap()
        page.locator("[data-at='4'] b").wait_for()
        select(page, scout)
        for at in (0, 1, 2):  # as long as pieces of this rank remain, each tap places one
            page.locator(f"[data-at='{at}']").tap()
            page.locator(f"[data-at='{at}'] b").wait_for()
        page.locator(scout).tap()
        page.locator(f"{scout}:not(.held)").wait_for()
        assert setup_of(page)[:5] == ["2", "2", "2", ".", "10"]
        assert page.locator(f"{scout} small").inner_text() == "×5"
        assert page.locator(marshal).is_disabled()
        drag(page, "[data-at='4']", "[data-at='0']")
        assert setup_of(page)[:5] == ["10", "2", "2", ".", "2"]
        drag(page, "[data-at='0']", "[data-at='13']")
        drag(page, "[data-at='1']", "#sound")  # outside the rows: the piece returns to the tray
        drag(page, scout, "[data-at='0']")
        assert (setup_of(page)[:5], setup_of(page)[13]) == (["2", ".", "2", ".", "2"], "10")
        drag_by_finger(page, "[data-at='13']", "[data-at='25']")
        assert (setup_of(page)[13], setup_of(page)[25]) == (".", "10")
        select(page, "[data-at='2']")
        page.locator(scout).tap()  # the piece returns to the tray
        table.until(lambda: setup_of(page)[:5] == ["2", ".", ".", ".", "2"])
        page.reload()
        table.until(page.locator(".tray").count)
        assert setup_of(page)[:5] == ["2", ".", ".", ".", "2"]
        for _ in range(2):
            page.wait_for_timeout(A_FINGER)
            page.locator("[data-do=clear]").tap()
        assert {*setup_of(page)} == {"."}


def test_setup_is_saved_and_deleted(browser: Browser) -> None:
    with sealed_table(browser) as table:
        page = table.pages[RED]
        table.load(RED)
        drag(page, "[data-at='0']", "[data-at='4']")
        changed = setup_of(page)
        page.locator("#setup .row button").first.tap()
        page.locator("#setup input").fill("My own")
        page.locator(".keeper button").tap()
        page.locator(".load", has_text="Corner fort").tap()
        assert setup_of(page) != changed
        page.reload()
        table.until(page.locator("[data-do=seal]").count)
        page.locator("#setup .row button").first.tap()
        page.locator(".load", has_text="My own").tap()
        assert setup_of(page) == changed
        page.locator("#setup .row button").first.tap()
        for _ in range(2):
            page.wait_for_timeout(A_FINGER)
            page.locator("[data-do=delete]").tap()
        assert not page.locator(".load", has_text="My own").count()


def test_sealed_game(browser: Browser) -> None:
    with sealed_table(browser) as table:
        table.begin()
        driver, pages = table.driver, table.pages
        openings = {side: page.evaluate(OWN) for side, page in pages.items()}
        for side, commitment in driver.table.commitments.items():
            for piece, digest in commitment.commitments.items():
                sealed = openings[side][name(piece)]
                opening = Opening(read_rank(sealed["rank"]), sealed["salt"])
                assert commit(side, piece, opening) == digest
        driver.play("e4-e5 e7-e6")
        for page in pages.values():
            page.reload()
        attack(driver)
        table.fight()
        assert driver.table.view.captured[BLUE] == (Rank.SCOUT,)
        driver.play("f7-f6")  # Blue's general meets Red's known general
        driver.lift("e6")
        driver.lift("f6")
        driver.wait()
        table.declare(BLUE)
        driver.command(Resign(BLUE))
        for side in Side:
            table.mean(side, "[data-do=prove]")
        table.until(lambda: len(driver.table.view.proved) == 2)
        for page in pages.values():
            until(table.pads, page, page.locator(".army.blue .rows").count)
            until(table.pads, page, page.locator(".army.red .rows").count)
            assert page.locator("#board .sign").count() >= 70
        text = pages[RED].locator("#said").inner_text()
        assert text.count("match everything its pieces did") == 2
        sent = b"".join(table.sent)
        assert not any(each["salt"].encode() in sent for each in openings[RED].values())


def test_false_declaration_leads_to_a_dispute(browser: Browser) -> None:
    with sealed_table(browser) as table:
        table.begin()
        table.driver.play("e4-e5 e7-e6")
        attack(table.driver)
        page = table.pages[RED]
        table.until(page.locator(".tile").count)
        page.wait_for_timeout(A_FINGER)
        page.get_by_text("My piece has another rank").tap()
        assert page.locator(".tile").count() == 11
        table.mean(RED, ".tile[data-rank=marshal]")
        table.until(page.locator("[data-do=insist]").count)
        (refused,) = table.driver.emitted(Contradiction)
        assert refused.owner is RED
        assert table.declared == []
        assert not table.pages[BLUE].locator(".tile").count()
        table.mean(RED, "[data-do=insist]")
        table.until(lambda: table.driver.emitted(Disputed))
        (dispute,) = table.driver.emitted(Disputed)
        assert dispute.is_as_sealed is False


def test_phone_without_openings(browser: Browser) -> None:
    with sealed_table(browser) as table:
        table.begin()
        table.pads.renew(RED)
        other = sit(table.pads, phone(browser), RED)
        table.driver.play("e4-e5 e7-e6")
        attack(table.driver)
        table.until(other.locator("#asks article").count)
        assert "does not hold the keys to your seals" in other.locator("#asks").inner_text()
        assert other.locator("[data-do=no-attack]").count() == 1
        assert not other.locator(".tile").count()
        table.pads.renew(RED)
        table.pages[RED].goto(table.pads.address(RED))
        table.declare(RED)


def test_misplaced_army_is_reported(browser: Browser) -> None:
    duel = replace(SEALED, army=DUEL)
    with sealed_table(browser, duel) as table:
        table.seal(RED)
        differing = table.pages[RED].locator("#setup .differs")
        flag, *others = first_setup(duel).on_squares_of(RED)
        free = next(at for at in range(40) if at not in (flag, *others))
        table.driver.stand(RED, *others, free)
        table.driver.wait()
        table.until(differing.count)
        assert differing.inner_text().endswith(f": {name(flag)} {name(free)}.")
        table.driver.board.lift(free)
        table.driver.stand(RED, flag)
        table.driver.wait()
        table.until(lambda: not differing.count())
        table.mean(RED, "[data-do=ready]")
