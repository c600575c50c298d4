"""Walk through the screens that appear when the disk is full."""

from collections.abc import Iterator

from tests.companion.storage.disk_faults import fill
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import STANDING, begin, play


def tour_of_the_disk(driver: Driver) -> Iterator[str]:
    """Fail to save a move, continue without saving, and end the game."""
    begin(driver)
    fill(driver.journal)
    play(driver, STANDING, "e4 e5")
    yield "unsaved"
    driver.tap("retry_save")
    yield "unsaved-again"
    driver.press("play_on")
    yield "turn-not-kept"
    driver.tap("menu")
    driver.tap("leave")
    yield "leave-question"
    driver.tap("no")
    driver.lose()
    yield "board-lost-not-kept"
    driver.connect()
    driver.show(driver.seen)
    for button in ("menu", "red_resigns"):
        driver.tap(button)
    driver.confirm()
    yield "end-not-kept"
