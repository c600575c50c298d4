"""On the board's own computer, holding a button on the screen shuts the computer down."""

from companion.devices.watchdog import STAYS_ON
from tests.campaigns import RARE
from tests.companion.ui.driver import Driver


def offer(driver: Driver, answer: str = "") -> list[str]:
    """Simulate a computer that can be shut down. Return a list that records each shutdown."""
    done: list[str] = []

    def switch_off() -> str:
        done.append("off")
        return answer

    driver.app.presenter.switch_off = switch_off
    return done


@RARE
def test_power_off_only_on_appliances(driver: Driver) -> None:
    driver.tap("settings")
    assert "Switch off …" not in driver.texts()
    assert "Full screen" in driver.texts()


def test_holding_powers_off(driver: Driver) -> None:
    done = offer(driver)
    driver.tap("settings")
    assert "Full screen" not in driver.texts(), "other settings are not on this page"
    driver.tap("switch_off")
    driver.tap("yes")
    assert done == []
    driver.confirm()
    assert done == ["off"]


@RARE
def test_cancelled_power_off(driver: Driver) -> None:
    done = offer(driver)
    driver.tap("settings")
    driver.tap("switch_off")
    driver.tap("no")
    assert done == []
    assert driver.view == "start"


def test_power_off_error_is_shown(driver: Driver) -> None:
    offer(driver, STAYS_ON)
    driver.tap("settings")
    driver.tap("switch_off")
    driver.confirm()
    assert STAYS_ON in driver.texts()
