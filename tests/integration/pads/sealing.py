"""Games in which two players seal their armies on phones."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from playwright.sync_api import Browser, Page

from companion.core.inputs import RevealDismissed
from companion.pads import Pads
from engine.board.geometry import Side, square
from engine.game.actions import Declare
from engine.game.game_state import Phase
from engine.rules.editions import Edition
from tests.companion.pads.pad_driver import PadDriver, pads_of
from tests.companion.pads.sealed_pad_driver import SEALED, first_setup
from tests.integration.pads.playing import LARGE, Size, phone, sit, touch_twice, until


@dataclass
class SealedTable:
    """Game with sealed armies, together with both players' phones."""

    driver: PadDriver
    pads: Pads
    pages: dict[Side, Page]
    sent: list[bytes] = field(default_factory=list)
    """Bodies of all requests sent by the phones."""

    def until(self, condition: Callable[[], object]) -> None:
        until(self.pads, self.pages[Side.RED], condition)

    def touch(self, side: Side, what: str) -> None:
        """Tap an element as soon as it exists."""
        found = self.pages[side].locator(what)
        self.until(found.count)
        found.first.tap()

    def mean(self, side: Side, choice: str) -> None:
        touch_twice(self.pads, self.pages[side], choice)

    def load(self, side: Side) -> None:
        self.touch(side, "#setup .row button")
        self.touch(side, ".load")

    def seal(self, side: Side) -> None:
        self.load(side)
        self.mean(side, "[data-do=seal]")
        self.until(lambda: side in self.driver.table.commitments)

    def begin(self) -> None:
        """Seal both armies, set them up, and report both players ready."""
        setup = first_setup(self.driver.table.view.edition)
        for side in Side:
            self.seal(side)
            self.driver.stand(side, *setup.on_squares_of(side))
        self.driver.wait()
        for side in Side:
            self.mean(side, "[data-do=ready]")
        self.until(lambda: self.driver.table.ready == {*Side})
        self.driver.wait()
        assert self.driver.table.view.phase is Phase.PLAY
        self.pads.tick()

    def declare(self, side: Side) -> None:
        """Declare a rank with the only tile on the page."""
        tiles = self.pages[side].locator(".tile")
        self.until(tiles.count)
        assert tiles.count() == 1
        declared = len(self.declared)
        self.mean(side, ".tile")
        self.until(lambda: len(self.declared) > declared)

    @property
    def declared(self) -> list[Declare]:
        return [each for each in self.driver.table.referee.actions if isinstance(each, Declare)]

    def fight(self) -> None:
        """Attack e6 from e5 with a red piece, declare the ranks, clear the board and dismiss the
        result."""
        for side in Side:
            self.declare(side)
        self.driver.stand(Side.RED, square("e6"))
        self.driver.wait(20)
        self.driver.submit(RevealDismissed(self.driver.now))
        self.pads.tick()


@contextmanager
def sealed_table(
    browser: Browser, edition: Edition = SEALED, size: Size = LARGE, code: str = "en"
) -> Iterator[SealedTable]:
    """Connect both phones, with the given size and language."""
    driver = PadDriver(edition)
    with pads_of(driver, (code, code, code)) as pads:
        pages = {side: sit(pads, phone(browser, size), side) for side in Side}
        table = SealedTable(driver, pads, pages)
        for page in pages.values():
            page.on("request", lambda each: table.sent.append(each.post_data_buffer or b""))
            until(pads, page, page.locator(".tray").count)
        yield table
        for page in pages.values():
            page.context.close()
