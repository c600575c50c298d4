"""Walk through the guided first battle."""

from collections.abc import Iterator

from companion.ui.base.presenter import BOOM_SECONDS
from companion.ui.widgets.buttons import HOLD_SECONDS
from engine.board.ranks import Rank
from tests.companion.ui.driver import Driver
from tests.companion.ui.first_battle.playing import drag, where


def tour_of_the_first_battle(driver: Driver) -> Iterator[str]:
    """Win the first battle after some wrong attempts."""
    driver.tap("first_battle")
    yield "first-battle"
    drag(driver, "a4", "a5")
    yield "first-battle-refused"
    drag(driver, "b4", "b5")
    drag(driver, "e4", "e7")
    yield "first-battle-attack"
    drag(driver, "b5", "b6")
    yield "first-battle-curtain"
    driver.hold("hold", HOLD_SECONDS + 0.1)
    driver.pass_time(1)
    driver.hold_tile("tiles", Rank.SCOUT)
    yield "first-battle-tiles"
    driver.hold_tile("tiles", Rank.CAPTAIN)
    yield "first-battle-combat"
    driver.tap("next")
    finger = driver.touch_at(*where(driver, "b5"))
    driver.slide(finger, *where(driver, "b6"))
    yield "first-battle-carried"
    driver.release(finger)
    driver.pass_time(1)
    yield "first-battle-boom"
    driver.pass_time(BOOM_SECONDS + 0.1)
    yield "first-battle-miner"
    drag(driver, "a6", "b6")
    driver.tap("next")
    yield "first-battle-spy"
    drag(driver, "b5", "b6")
    yield "first-battle-flag"
    drag(driver, "b6", "b7")
    driver.pass_time(1.5)
    yield "first-battle-won"
