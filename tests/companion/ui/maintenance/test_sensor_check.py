"""The sensor check shows the pieces and faults of a board."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from companion.devices.live_board import LiveBoard
from companion.diagnostics.firmware_update import shipped_firmware
from companion.diagnostics.inspection import ANSWER_SECONDS, LOOK_SECONDS
from companion.ui.maintenance.sensor_check import JUDGE_SECONDS
from companion.ui.widgets.sensor_picture import SensorPicture
from engine.board.geometry import name, square
from firmware_bridge.image import Sensed
from firmware_bridge.link import MessageReceived
from firmware_bridge.simulated_board.board import SimulatedBoard
from firmware_bridge.wire import BoardKind
from tests.campaigns import RARE
from tests.companion.diagnostics.boards import answer
from tests.companion.ui.bench import armed, listen, plug_in, unplug
from tests.companion.ui.driver import Driver, walk

Open = Callable[..., Driver]
Drive = Callable[..., Driver]
OURS = shipped_firmware()
assert OURS
VERSION = ".".join(map(str, OURS.version))


@pytest.fixture
def opened(drive: Drive) -> Iterator[Open]:
    """Function that opens the sensor check with a board on a real port."""
    with ExitStack() as stack:

        def open_at(board: SimulatedBoard) -> Driver:
            live = stack.enter_context(LiveBoard(simulated=board))
            driver = drive(source=live, clock=time.monotonic)
            driver.wait_for_real(lambda: driver.app.host.found)
            driver.tap("sensors")
            return driver

        yield open_at


def check_at(driver: Driver, board: SimulatedBoard, seconds: float = 4.0) -> None:
    driver.tap("sensors")
    plug_in(driver, board)
    listen(driver, board, seconds)


def picture(driver: Driver) -> Any:
    (found,) = (each for each in walk(driver.app.root) if isinstance(each, SensorPicture))
    return found


def marked(driver: Driver) -> dict[str, str]:
    """Return the marks on the squares, by square name."""
    return {name(n): about for n, about in picture(driver).marks.items()}


def listed(driver: Driver) -> list[str]:
    """Return the subjects of the findings, from the top of the list to the bottom."""
    return [row.about for row in reversed(driver.find("findings").children)]


@pytest.mark.usefixtures("busy")
class TestFaultsBehindTheRealPort:
    @RARE
    def test_findings_without_armies(self, opened: Open) -> None:
        wrong = {
            "stuck-low:k6": ("k6", "stuck"),
            "stuck-high:b2": ("b2", "stuck"),
            "weak:c3": ("c3", "weak"),
            "drift:f5": ("f5", "off-rest"),
            "loose:g9": ("g9", "noise"),
        }
        driver = opened(armed("low-supply", *wrong))
        driver.wait_for_real(lambda: marked(driver) == dict(wrong.values()))
        driver.wait_for_real(lambda: "supply" in listed(driver))
        assert sorted(listed(driver)) == sorted(["supply", *(what for _, what in wrong.values())])

    @RARE
    def test_findings_with_armies(self, opened: Open) -> None:
        wrong = {
            "dead:e4": ("e4", "unfelt"),
            "missing:f8": ("f8", "unfelt"),
            "flipped:a7": ("a7", "flipped"),
            "weak:c3": ("c3", "weak"),
        }
        board = armed(*wrong)
        board.erase()
        driver = opened(board)
        driver.wait_for_real(lambda: listed(driver) == ["weak", "calibration"])
        driver.tap("armies")
        driver.wait_for_real(lambda: marked(driver) == dict(wrong.values()))
        assert listed(driver)[-1] == "calibration"
        driver.tap("armies")
        driver.wait_for_real(lambda: listed(driver) == ["weak", "calibration"])

    @RARE
    def test_board_is_lost_and_returns(self, opened: Open) -> None:
        driver = opened(armed())
        driver.wait_for_real(lambda: "No faults found." in driver.texts())
        live = driver.app.host.source
        assert isinstance(live, LiveBoard)
        assert live.simulated_port
        live.simulated_port.unplug()
        driver.wait_for_real(lambda: picture(driver).sensors == {})
        assert "unplugged" in driver.find("lost_words").text
        assert "No faults found." not in driver.texts()
        live.simulated_port.replug()
        driver.wait_for_real(lambda: len(picture(driver).sensors) == 100)
        driver.wait_for_real(lambda: "No faults found." in driver.texts())


@RARE
def test_request_rate_of_a_good_board(driver: Driver) -> None:
    board = armed()
    check_at(driver, board)
    assert driver.script.watcher
    before = len(driver.script.asked)
    for _ in range(100):
        for raw in answer(board.readings()):  # the board answers immediately
            driver.script.watcher(driver.now, MessageReceived(raw))
        driver.now += 0.01
        driver.frames(1)
    assert len(driver.script.asked) - before == pytest.approx(1 / LOOK_SECONDS, abs=1)


def test_no_request_while_answering(driver: Driver) -> None:
    board = armed()
    check_at(driver, board, seconds=1)
    asked = len(driver.script.asked)  # the latest request is unanswered
    driver.pass_time(ANSWER_SECONDS * 0.9)
    assert len(driver.script.asked) == asked, "no new request before the timeout"
    driver.pass_time(ANSWER_SECONDS * 0.2)
    assert len(driver.script.asked) == asked + 1, "a lost request is repeated"
    for raw in answer(board.readings()):
        assert driver.script.watcher
        driver.script.watcher(driver.now, MessageReceived(raw))
    driver.pass_time(LOOK_SECONDS * 1.1)
    assert len(driver.script.asked) == asked + 2


def test_sensor_strengths(driver: Driver) -> None:
    board = armed()
    check_at(driver, board)
    seen = picture(driver)
    assert seen.sensors[square("e4")].shows is Sensed.RED
    assert seen.sensors[square("e7")].strength == pytest.approx(-100, abs=8)
    assert f"Detects colours · firmware {VERSION}" in driver.texts()
    assert "calibrated · 5.0 V · 50.0 frames/s" in driver.texts()
    assert "frames lost 0 · damaged 0" in driver.texts()
    board.place(board.lift(square("e4")), square("e5"))
    listen(driver, board, 0.4)
    assert seen.sensors[square("e4")].shows is Sensed.EMPTY
    assert seen.sensors[square("e5")].shows is Sensed.RED


def test_touched_square_shows_wiring_and_readings(driver: Driver) -> None:
    board = armed()
    driver.tap("sensors")
    driver.tap_square(square("k6"))
    assert "multiplexer 3, input 14" in driver.texts(), "the wiring is known without a board"
    plug_in(driver, board)
    listen(driver, board)
    driver.tap_square(square("e4"))
    reading = picture(driver).sensors[square("e4")].reading
    for text in ("e4", "multiplexer 2, input 4", f"reading {reading} · strength +", "noise "):
        assert text in driver.texts()
    driver.tap_square(square("e4"))
    assert "Tap a square" in driver.texts()


def test_findings_of_the_touched_square_come_first(driver: Driver) -> None:
    check_at(driver, armed("low-supply", "stuck-low:k6", "loose:g9"))
    assert listed(driver) == ["supply", "stuck", "noise"]
    driver.tap_square(square("g9"))
    assert listed(driver) == ["noise", "supply", "stuck"]


def test_findings_scroll(driver: Driver) -> None:
    check_at(driver, armed(*(f"weak:{column}{row}" for column in "ace" for row in (1, 7))))
    findings = driver.find("findings")
    last = findings.children[0]
    assert last.to_window(last.x, last.y)[1] < 0
    view = findings.parent
    x, y = driver.middle(view)
    finger = driver.touch_at(x, y)
    for step in range(1, 40):
        driver.slide(finger, x, y + 25 * step)
    driver.release(finger)
    driver.wait(lambda: last.to_window(last.x, last.y)[1] >= 0)


def test_switches_have_no_strengths(driver: Driver) -> None:
    board = armed("dead:d8", kind=BoardKind.PRESENCE)
    check_at(driver, board)
    assert "Detects pieces only" in driver.texts()
    assert listed(driver) == []
    driver.tap_square(square("e4"))
    assert "reading " in driver.texts()
    assert "strength" not in driver.texts()
    driver.tap("armies")
    assert marked(driver) == {"d8": "unfelt"}
    board.set_stuck(square("e5"), 0)
    listen(driver, board, 2 * JUDGE_SECONDS)
    assert marked(driver) == {"d8": "unfelt", "e5": "strange"}


@RARE
def test_sensor_check_waits_for_a_board(driver: Driver) -> None:
    driver.tap("sensors")
    assert "Looking for the board" in driver.find("lost_words").text
    plug_in(driver, armed())
    driver.pass_time(0.5)
    assert "Measuring" in driver.texts()
    assert "No faults found." not in driver.texts()
    listen(driver, armed())
    assert "No faults found." in driver.texts()


def test_second_board_is_checked_afresh(driver: Driver) -> None:
    check_at(driver, armed("stuck-low:k6"))
    assert marked(driver) == {"k6": "stuck"}
    unplug(driver)
    assert marked(driver) == {}
    asked = len(driver.script.asked)
    driver.pass_time(2 * ANSWER_SECONDS)
    assert len(driver.script.asked) == asked, "no board is connected"
    switches = armed(kind=BoardKind.PRESENCE)
    plug_in(driver, switches)
    listen(driver, switches)
    assert marked(driver) == {}
    assert "No faults found." in driver.texts()


def test_earlier_lost_frames_are_not_counted(driver: Driver) -> None:
    driver.script.statistics.lost = 12
    board = armed()
    check_at(driver, board)
    assert "frames lost 0" in driver.texts()
    driver.script.statistics.lost = 15
    listen(driver, board, 2 * JUDGE_SECONDS)
    assert "frames lost 3" in driver.texts()
    assert listed(driver) == ["line"]


@RARE
def test_closing_returns_to_the_start(driver: Driver) -> None:
    check_at(driver, armed(), seconds=1)
    driver.tap("close")
    assert driver.script.watcher is None
    asked = len(driver.script.asked)
    driver.pass_time(5)
    assert len(driver.script.asked) == asked
    driver.tap("begin")
    assert driver.view == "setup"


@RARE
def test_sensor_check_is_translated(drive: Drive) -> None:
    driver = drive(language="de")
    check_at(driver, armed("flipped:a7", "loose:g9"))
    driver.tap("armies")
    texts = driver.texts()
    assert "Der Magnet auf a7 sitzt verkehrt herum" in texts
    assert "g9 (Multiplexer 5, Eingang 11) schwankt" in texts
    assert "5,0 V" in texts
