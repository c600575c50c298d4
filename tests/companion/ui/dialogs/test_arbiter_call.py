"""Call the hall's arbiter from the screen, and show the arbiter's replies."""

from companion.core.inputs import AnswerCall, CallArbiter
from engine.board.geometry import Side
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import begin
from tests.companion.ui.tours_of_rules import Arbiters


def open_arbiter(driver: Driver) -> None:
    for button in ("menu", "arbiter"):
        driver.tap(button)


def in_a_hall(driver: Driver) -> Arbiters:
    arbiters = driver.app.host.far_arbiter = Arbiters()
    begin(driver)
    open_arbiter(driver)
    return arbiters


def test_called_arbiter_answers(driver: Driver) -> None:
    arbiters = in_a_hall(driver)
    driver.tap("call")
    assert driver.app.presenter.table.arbiter_call.open == CallArbiter(None)
    assert "The arbiter is called." in driver.texts()
    arbiters.orders = [AnswerCall()]
    driver.wait(lambda: "An arbiter is on the way." in driver.texts())
    open_arbiter(driver)
    assert driver.find("call").text == "Call the arbiter"


def test_call_is_withdrawn(driver: Driver) -> None:
    arbiters = in_a_hall(driver)
    arbiters.orders = [CallArbiter(Side.RED)]
    driver.wait(lambda: driver.find("call").text == "Cancel the call")
    driver.tap("call")
    assert driver.app.presenter.table.arbiter_call.open is None
    assert "The arbiter is no longer needed." in driver.texts()


def test_no_arbiter_without_a_hall(driver: Driver) -> None:
    begin(driver)
    open_arbiter(driver)
    assert "Call the arbiter" not in driver.texts()
