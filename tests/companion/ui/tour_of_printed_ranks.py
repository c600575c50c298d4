"""Walk through the screens that show the ranks printed on simulated pieces."""

from collections.abc import Iterator

from companion.ui.widgets.buttons import HOLD_SECONDS
from engine.board.ranks import Rank
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import begin_simulated, open_curtain, turn_cards

HELD = HOLD_SECONDS + 0.1


def tour_of_printed_ranks(driver: Driver) -> Iterator[str]:
    """In a two-player game, attack and resign. Then begin to set up a short single-player game."""
    begin_simulated(driver)
    for source, target in (("e4", "e5"), ("a7", "a6"), ("e5", "e6"), ("a6", "a5"), ("e6", "e7")):
        driver.carry(source, target)
        driver.show_virtual()
    open_curtain(driver)
    yield "simulated-printed"
    printed = driver.find("sealed").rank
    driver.tap("another")
    driver.hold_tile("tiles", Rank.SPY if printed is Rank.SCOUT else Rank.SCOUT)
    yield "simulated-another-rank"
    driver.press("again")
    driver.hold("sealed", HELD)
    open_curtain(driver)
    driver.hold("sealed", HELD)
    turn_cards(driver)
    driver.app.presenter.end_reading()
    driver.show_virtual()
    driver.tap("menu")
    driver.press("red_resigns")
    driver.confirm()
    yield "simulated-end"
    driver.tap("leave")
    driver.tap("alone")
    driver.tap("quick")
    driver.show_virtual()
    driver.tap("setups")
    driver.tap("list")
    yield "setups-short"
