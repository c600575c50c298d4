"""The arbiter confirms decisions by holding a button or by entering a code."""

import json
from collections.abc import Callable
from pathlib import Path

from engine.game.rulings import Reason
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import begin

Drive = Callable[..., Driver]


def choose_code(driver: Driver, code: str) -> None:
    for button in ("settings", "code"):
        driver.tap(button)
    driver.enter_code(code)
    driver.tap("close")


def forfeit(driver: Driver) -> None:
    for button in ("menu", "arbiter", "blue_forfeits"):
        driver.tap(button)


def is_over(driver: Driver) -> bool:
    over = driver.app.presenter.table.view.outcome
    return over is not None and over.reason is Reason.FORFEIT


def test_touch_does_not_confirm(driver: Driver) -> None:
    begin(driver)
    forfeit(driver)
    driver.tap("yes")
    assert not is_over(driver)
    driver.confirm()
    assert is_over(driver)


def test_code_is_required(driver: Driver) -> None:
    choose_code(driver, "2718")
    begin(driver)
    forfeit(driver)
    driver.enter_code("3141")
    assert "not the arbiter's code" in driver.texts()
    assert not is_over(driver)
    driver.enter_code("2718")
    assert is_over(driver)


def test_removing_the_code_needs_the_code(driver: Driver) -> None:
    choose_code(driver, "2718")
    for button in ("settings", "code"):
        driver.tap(button)
    driver.enter_code("0000")
    assert driver.app.presenter.settings.code == "2718"
    driver.enter_code("2718")
    assert not driver.app.presenter.settings.code


def test_code_survives_a_restart(drive: Drive, tmp_path: Path) -> None:
    choose_code(drive(), "2718")
    assert json.loads((tmp_path / "settings.json").read_text())["code"] == "2718"
    driver = drive()
    begin(driver)
    for button in ("menu", "settings"):
        driver.tap(button)
    assert "Arbiter's code" not in driver.texts()
    driver.tap("close")
    driver.tap("close")
    forfeit(driver)
    driver.enter_code("2718")
    assert is_over(driver)
