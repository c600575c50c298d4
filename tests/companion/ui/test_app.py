from companion.ui.base.base_screen import BaseScreen
from tests.companion.ui.driver import Driver, walk
from tests.companion.ui.playing import begin


def test_old_screen_is_removed_at_once(driver: Driver) -> None:
    begin(driver)
    driver.app.presenter.leave()
    driver.app.face.refresh()
    assert driver.view == "start"
    assert sum(isinstance(widget, BaseScreen) for widget in walk(driver.app.root)) == 1
