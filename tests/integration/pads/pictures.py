"""Takes the screenshots for docs/pads: ``python -m tests.integration.pads.pictures``."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Page

from companion.core.inputs import OfferDraw, RevealDismissed
from companion.pads import Pads
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.game.actions import Resign
from engine.game.clocks import TimeControl
from tests.companion.core.table_driver import attack
from tests.companion.pads.pad_driver import PadDriver, pads_of
from tests.companion.pads.sealed_pad_driver import SEALED
from tests.integration.pads.playing import A_FINGER, LARGE, SMALL, Size, chromium, phone, sit, until
from tests.integration.pads.sealing import SealedTable, sealed_table
from tools.make_screens import shrink

FOLDER: Final = Path(__file__).parents[3] / "docs/pads"
SIZES: Final = {"large": LARGE, "small": SMALL}
PIECES: Final = SEALED.army.size


def declared_before(driver: PadDriver) -> None:
    """Play an attack in which Red's captain loses to Blue's major."""
    driver.play("e4-e5 e7-e6")
    attack(driver)
    driver.declare(Side.RED, Rank.CAPTAIN)
    driver.declare(Side.BLUE, Rank.MAJOR)
    driver.stand(Side.BLUE, square("e6"))
    driver.wait(20)
    driver.submit(RevealDismissed(driver.now))


def your_turn(driver: PadDriver) -> None:
    """Play until Blue has to move after combat."""
    declared_before(driver)


def awaited(driver: PadDriver) -> None:
    """Start an attack by Red, who has to declare a rank."""
    driver.play("e4-e5 e7-e6")
    attack(driver)


def refused(driver: PadDriver) -> None:
    awaited(driver)
    driver.declare(Side.RED, Rank.BOMB)


def offered(driver: PadDriver) -> None:
    """Offer a draw on Blue's behalf."""
    declared_before(driver)
    driver.command(OfferDraw(Side.BLUE))


TOUR: Final[dict[str, tuple[Callable[[PadDriver], None], Side | None]]] = {
    "declare": (awaited, Side.RED),
    "waits": (awaited, Side.BLUE),
    "refused": (refused, Side.RED),
    "your-turn": (your_turn, Side.BLUE),
    "offered": (offered, Side.RED),
    "watch": (declared_before, None),
}


def setting_up(table: SealedTable) -> None:
    """Place Red's first pieces in the editor."""
    page = table.pages[Side.RED]
    for rank, places in {"marshal": [4], "bomb": [30, 31, 21], "scout": [0, 9, 12]}.items():
        page.locator(f".tray [data-rank={rank}]").tap()
        for at in places:
            page.locator(f"[data-at='{at}']").tap()


def sealed(table: SealedTable) -> None:
    """Seal Red's army, and put some of its pieces on the board."""
    table.seal(Side.RED)
    table.driver.stand(Side.RED, *range(25))
    table.driver.wait()
    table.until(lambda: table.pages[Side.RED].locator(".missing").count() == PIECES - 25)


def attacking(table: SealedTable) -> None:
    """Play until Red has to declare a sealed rank."""
    table.begin()
    table.driver.play("e4-e5 e7-e6")
    attack(table.driver)
    table.until(table.pages[Side.RED].locator(".tile").count)


def proved(table: SealedTable) -> None:
    """Play until both players have opened their armies."""
    attacking(table)
    table.fight()
    table.driver.command(Resign(Side.BLUE))
    for side in Side:
        table.mean(side, "[data-do=prove]")
    table.until(lambda: len(table.driver.table.view.proved) == len(Side))
    for side in Side:
        table.until(table.pages[Side.RED].locator(f".army.{side.value} .rows").count)


SEALED_TOUR: Final[dict[str, Callable[[SealedTable], None]]] = {
    "set-up": setting_up,
    "sealed": sealed,
    "declare-sealed": attacking,
    "proved": proved,
}
"""States of Red's phone in a game with sealed armies."""


def photograph_sealed(browser: Browser, size: Size, name: str, code: str) -> bytes:
    with sealed_table(browser, SEALED, size, code) as table:
        SEALED_TOUR[name](table)
        page = table.pages[Side.RED]
        page.wait_for_timeout(A_FINGER)
        picture: bytes = page.screenshot(full_page=name == "proved")
    return picture


def photograph(browser: Browser, size: Size, name: str, code: str) -> bytes:
    play, side = TOUR[name]
    driver = PadDriver.begun(control=TimeControl.of(each=900, delay=10))
    assert isinstance(driver, PadDriver)
    play(driver)
    context = phone(browser, size)
    with pads_of(driver, (code, code, code)) as pads:
        page = sit(pads, context, side) if side else _watch(pads, context.new_page())
        until(pads, page, page.locator("#board rect").count)
        page.wait_for_timeout(A_FINGER)
        picture: bytes = page.screenshot()
    context.close()
    return picture


def _watch(pads: Pads, page: Page) -> Page:
    page.goto(pads.spectators_address)
    return page


def keep(picture: bytes, name: str) -> None:
    """Write an image with a small palette."""
    file = FOLDER / f"{name}.png"
    file.write_bytes(picture)
    shrink(file)


def main() -> None:
    """Write all screenshots. Those of small phones are in German, because German has long words."""
    FOLDER.mkdir(exist_ok=True)
    with chromium() as browser:
        for size, code in (("large", "en"), ("small", "de")):
            for name in TOUR:
                keep(photograph(browser, SIZES[size], name, code), f"{name}-{size}")
            for name in SEALED_TOUR:
                keep(photograph_sealed(browser, SIZES[size], name, code), f"{name}-{size}")


if __name__ == "__main__":
    main()
