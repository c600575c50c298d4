"""Walk through the screens for the arbiter's notes on a game, and export the notes."""

from collections.abc import Iterator

from companion.devices.usb_drives import UsbDrive
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import after, begin, choose_game, play


def tour_of_the_notes(driver: Driver) -> Iterator[str]:
    """Adjust a clock, read the incidents, let the time run out, and export the game."""
    driver.connect()
    choose_game(driver, "isf", "bronstein")
    begin(driver)
    yield from _tour_of_the_clocks(driver)
    image = play(driver, driver.seen, "e4 e5", "a7 a6")
    driver.show(after(image, "k4 i5"))
    driver.show(image)
    for button in ("menu", "arbiter", "incidents"):
        driver.tap(button)
    yield "incidents"
    driver.tap("position")
    yield "incidents-position"
    for _ in range(2):
        driver.tap("close")
    driver.tap("close")
    driver.pass_time(1000)
    driver.show(image)
    yield "end-by-time"
    driver.tap("look")
    yield from _tour_of_a_stick(driver)


def _tour_of_the_clocks(driver: Driver) -> Iterator[str]:
    for button in ("menu", "arbiter", "set_clocks"):
        driver.tap(button)
    yield "arbiter-time"
    for side, number in (("red", 1), ("red", 2), ("blue", 5)):
        step = driver.find(side).ids.steps.children[number]
        driver.tap_at(*driver.middle(step))
    yield "arbiter-time-changed"
    driver.tap("decide")
    yield "arbiter-time-question"
    driver.confirm()


def _tour_of_a_stick(driver: Driver) -> Iterator[str]:
    stick = driver.journal.path.parent / "CLUB"
    stick.mkdir()
    locked = UsbDrive(stick, is_read_only=True)
    found: list[UsbDrive] = []
    driver.app.presenter.find_sticks = lambda: found
    driver.tap("open_export")
    yield "stick-none"
    found.append(locked)
    driver.pass_time(1.1)
    yield "stick-locked"
    found[:] = [UsbDrive(stick, is_read_only=False)]
    driver.pass_time(1.1)
    yield "stick"
    driver.tap("copy")
    driver.wait_for_real(lambda: not driver.find("copy").disabled)
    yield "stick-copied"
    folder = stick / "boomboard"
    (folder / "game-1.json").unlink()
    (folder / "game-1.json").symlink_to("/dev/full")
    driver.tap("copy")
    driver.wait_for_real(lambda: not driver.find("copy").disabled)
    yield "stick-full"
