"""Inject faults into the simulated board with buttons."""

import time
from collections.abc import Callable, Iterator

import pytest

from companion.devices.live_board import LiveBoard
from companion.session.tabletop import SensorFault
from companion.ui.navigation.game_menu import BoardMenu
from engine.board.geometry import square
from firmware_bridge.simulated_board.board import SimulatedBoard
from tests.campaigns import RARE
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import begin_simulated
from tests.companion.ui.running_app import Script

Drive = Callable[..., Driver]


@pytest.fixture
def driver(drive: Drive) -> Driver:
    """Game on the simulated board with the fault dialog open."""
    driver = drive(source=Script.with_simulated_board())
    begin_simulated(driver)
    for button in ("menu", "faults"):
        driver.tap(button)
    return driver


def spoil(driver: Driver, where: str, button: str) -> None:
    driver.tap_square(square(where))
    driver.tap(button)
    driver.tap_square(square(where))


def test_simulated_dead_sensor(driver: Driver) -> None:
    spoil(driver, "e4", "dead")
    driver.show_virtual()
    assert not driver.seen.occupied >> square("e4") & 1
    assert driver.find("board").marked == 1 << square("e4")
    spoil(driver, "e4", "dead")
    driver.show_virtual()
    assert driver.seen.occupied >> square("e4") & 1


@RARE
def test_fault_replaces_another(driver: Driver) -> None:
    spoil(driver, "e5", "dead")
    spoil(driver, "e5", "stuck")
    assert driver.tabletop.faults == {square("e5"): SensorFault.STUCK}
    driver.show_virtual()
    assert driver.seen.occupied >> square("e5") & 1
    driver.tap("close")
    assert driver.view != "turn", "the stuck sensor shows a surplus piece"


@RARE
def test_simulated_flickering_sensor(driver: Driver) -> None:
    spoil(driver, "e4", "flickers")
    seen = set()
    for _ in range(40):
        driver.tabletop.board.pass_frames()
        seen.add(driver.tabletop.board.image().occupied >> square("e4") & 1)
    assert seen == {0, 1}


@pytest.fixture
def live() -> Iterator[LiveBoard]:
    with LiveBoard(simulated=SimulatedBoard()) as board:
        yield board


@RARE
def test_simulated_unplugging(drive: Drive, live: LiveBoard) -> None:
    driver = drive(source=live, clock=time.monotonic)
    driver.wait_for_real(lambda: driver.app.host.found)
    driver.tap("begin")
    over = driver.app.face.modals
    open_faults = BoardMenu(driver.app.presenter, over).faults_from(over.close)
    assert open_faults
    open_faults()
    driver.frames(3)
    driver.tap("plug")
    driver.wait_for_real(lambda: driver.app.presenter.is_board_missing)
    assert "The board is not connected" in driver.texts()
    driver.tap("replug")
    driver.wait_for_real(lambda: not driver.app.presenter.is_board_missing)
    assert driver.view == "setup"


@RARE
def test_simulated_lossy_cable(drive: Drive, live: LiveBoard) -> None:
    driver = drive(source=live, clock=time.monotonic)
    driver.wait_for_real(lambda: driver.app.host.found)
    for button in ("sensors", "faults", "lossy", "close"):
        driver.tap(button)
    driver.wait_for_real(lambda: live.statistics.lost > 3)
    assert live.error is None
