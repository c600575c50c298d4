"""The program around the screens."""

from companion.screens.base.base_screen import BaseScreen
from tests.companion.screens.driver import Driver, walk
from tests.companion.screens.playing import begin


def test_a_screen_is_gone_as_soon_as_another_is_there(driver: Driver) -> None:
    begin(driver)
    driver.app.stage.leave()
    driver.app.face.refresh()
    assert driver.view == "start"
    assert sum(isinstance(widget, BaseScreen) for widget in walk(driver.app.root)) == 1
