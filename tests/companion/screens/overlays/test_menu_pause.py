"""A pause from the menu, by touches."""

from tests.companion.screens.driver import Driver
from tests.companion.screens.playing import STANDING, after, begin, play


def test_the_board_may_be_touched_in_a_pause(driver: Driver) -> None:
    begin(driver)
    image = play(driver, STANDING, "e4 e5")
    for button in ("menu", "pause"):
        driver.tap(button)
    assert "Pause" in driver.texts().splitlines()
    driver.show(after(image, "a7 a6", "k4 k5"))
    assert driver.app.stage.table.view.plies == 1
    for button in ("leave", "resume"):
        driver.tap(button)
    driver.tap("go_on")
    driver.show(after(image, "a7 a6", "k4 k5"))
    assert driver.view == "way-back"
    assert "Take the piece from a6." in driver.texts()
    driver.show(image)
    assert driver.view == "turn"
    play(driver, image, "a7 a6")
    assert driver.app.stage.table.view.plies == 2
