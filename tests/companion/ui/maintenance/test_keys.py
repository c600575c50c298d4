"""Operate the maintenance screens with the keyboard."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.scrollview import ScrollView

from companion.session.tabletop import SensorFault
from companion.ui.base.input_devices import ESCAPE, TAB
from companion.ui.maintenance.calibration_dialogs import BoardSettingsDialog, CalibrationDialog
from companion.ui.maintenance.sensor_check import SensorCheck
from companion.ui.maintenance.simulated_faults import SimulatedFaultsDialog
from companion.ui.widgets.board_picture import BoardPicture
from companion.ui.widgets.buttons import Holding
from engine.board.geometry import square
from firmware_bridge.simulated_board.board import SimulatedBoard
from firmware_bridge.wire import BoardKind
from tests.campaigns import RARE
from tests.companion.ui import tour_of_boards
from tests.companion.ui.base.test_keyboard import DOWN, LEFT, RETURN, UP, Keys
from tests.companion.ui.bench import answer_last, armed, listen, plug_in
from tests.companion.ui.driver import Driver, is_shown
from tests.companion.ui.playing import begin_simulated
from tests.companion.ui.running_app import Script
from tests.companion.ui.tour import simulated_tour

Drive = Callable[..., Driver]
MAINTENANCE = SensorCheck | BoardSettingsDialog | CalibrationDialog | SimulatedFaultsDialog


def for_fingers(driver: Driver) -> Iterator[Any]:
    """Yield those widgets of the topmost layer that react to touches."""
    for each in driver.uncovered():
        if not is_shown(each) or each.disabled or min(each.size) <= 1:
            continue
        is_list = isinstance(each, ScrollView) and each.children[0].height > each.height
        is_board = isinstance(each, BoardPicture) and (each.touchable or each.tabletop)
        if isinstance(each, ButtonBehavior | Holding) or is_list or is_board:
            yield each


def led_to(keys: Keys) -> list[object]:
    """Return all widgets in tab order."""
    seen: list[object] = []
    keys.type(TAB)
    while keys.focus not in seen:
        seen.append(keys.focus)
        keys.type(TAB)
    return seen


@pytest.mark.parametrize(
    ("tour", "source", "screens"),
    [
        (tour_of_boards.tour_of_the_sensors, Script, 7),
        (tour_of_boards.tour_of_the_calibration, Script, 12),
        (simulated_tour, Script.with_simulated_board, 2),
    ],
)
@RARE
def test_tab_reaches_every_touchable_widget(
    drive: Drive,
    tour: Callable[[Driver], Iterator[str]],
    source: Callable[[], Script],
    screens: int,
) -> None:
    driver = drive(source=source())
    keys, seen, missed = Keys(driver), 0, []
    for name in tour(driver):
        if isinstance(driver.app.face.modals.modal, MAINTENANCE):
            before = list(for_fingers(driver))  # a live view of a board keeps changing
            reached, there = led_to(keys), [e for e in for_fingers(driver) if e in before]
            missed += [f"{name}: {each}" for each in there if each not in reached]
            seen += 1
    assert seen == screens
    assert not missed


def test_sensor_check_by_keyboard(driver: Driver) -> None:
    keys = Keys(driver)
    keys.come_to("sensors")
    keys.type(RETURN)
    board = armed(*tour_of_boards.FAULTS)
    plug_in(driver, board)
    listen(driver, board)
    keys.come_to("board")
    keys.type(DOWN, RETURN)
    modal = driver.app.face.modals.modal
    assert isinstance(modal, SensorCheck)
    assert modal.square == "e3"
    keys.come_to("armies")
    keys.type(RETURN)
    assert modal.armies
    keys.type(ESCAPE)
    assert driver.app.face.modals.modal is None


@RARE
def test_long_list_by_keyboard(driver: Driver) -> None:
    keys = Keys(driver)
    driver.tap("sensors")
    board = armed(*tour_of_boards.FAULTS)
    plug_in(driver, board)
    listen(driver, board)
    findings: Any = driver.find("findings").parent
    assert findings in led_to(keys)
    while keys.focus != findings:
        keys.type(TAB)
    for _ in range(20):
        if findings.scroll_y == 0:
            break
        keys.type(DOWN)
    assert findings.scroll_y == 0
    assert keys.focus == findings
    keys.type(DOWN)
    assert keys.focus != findings


def test_calibration_by_keyboard(driver: Driver) -> None:
    keys, board = Keys(driver), SimulatedBoard()
    driver.tap("sensors")
    plug_in(driver, board)
    driver.pass_time(0.3)
    keys.come_to("calibrate")
    keys.type(RETURN)
    keys.come_to("switches")
    keys.type(RETURN)
    assert isinstance(driver.app.face.modals.modal, BoardSettingsDialog)
    assert driver.app.face.modals.modal.kind is BoardKind.PRESENCE
    keys.come_to("colours")
    keys.type(RETURN)
    for _ in range(2):  # confirm the settings, then the empty board
        keys.come_to("go_on")
        keys.type(RETURN)
    answer_last(driver, board)
    keys.type(ESCAPE)
    answer_last(driver, board)
    modal = driver.app.face.modals.modal
    assert isinstance(modal, CalibrationDialog)
    assert not modal.under_way
    keys.come_to("go_on")
    keys.type(RETURN)
    assert isinstance(driver.app.face.modals.modal, SensorCheck)


def test_simulated_fault_by_keyboard(drive: Drive) -> None:
    driver = drive(source=Script.with_simulated_board())
    begin_simulated(driver)
    keys = Keys(driver)
    for name in ("menu", "faults"):
        keys.come_to(name)
        keys.type(RETURN)
    keys.come_to("board")
    keys.type(UP, LEFT, RETURN)
    keys.come_to("dead")
    keys.type(RETURN)
    modal = driver.app.face.modals.modal
    assert isinstance(modal, SimulatedFaultsDialog)
    assert (modal.chosen, modal.fault) == (square("d5"), SensorFault.DEAD)
    keys.type(ESCAPE)
    assert not isinstance(driver.app.face.modals.modal, SimulatedFaultsDialog)
