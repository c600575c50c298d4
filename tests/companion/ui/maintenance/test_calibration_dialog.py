"""Calibrate a board by touch on a real port, and abort calibration at each step."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from threading import Thread
from typing import Any

import pytest

from companion.devices.live_board import LiveBoard
from companion.diagnostics import calibration
from companion.ui.widgets.sensor_picture import CalibrationPicture
from engine.board.geometry import SQUARES, name, square
from firmware_bridge import wire
from firmware_bridge.simulated_board.board import SimulatedBoard, exchange, inject
from firmware_bridge.simulated_board.port import SimulatedPort
from tests.campaigns import RARE, slow_after_first
from tests.companion.ui.bench import answer_last, armed, calibrate, plug_in, unplug
from tests.companion.ui.driver import Driver, walk
from tests.companion.ui.running_app import Script
from tests.companion.ui.tour_of_boards import set_up

Drive = Callable[..., Driver]

pytestmark = pytest.mark.usefixtures("busy")


class Board:
    """A board that the test controls, and the app that is connected to it."""

    def __init__(self, drive: Drive, stack: ExitStack, board: SimulatedBoard) -> None:
        inject(board, "drift:f5")  # so that the new calibration differs from the old one
        self.board, self.used = board, board.calibration
        self.port = stack.enter_context(SimulatedPort(board))
        self.port.run()
        live = stack.enter_context(LiveBoard(str(self.port.path)))
        self.driver = drive(source=live, clock=time.monotonic)
        self.driver.wait_for_real(lambda: self.driver.app.host.found)
        self.driver.tap("sensors")
        self.driver.wait_for_real(lambda: not self.driver.find("calibrate").disabled)
        calibrate(self.driver)

    def go_on(self) -> None:
        """Tap the large button, and wait for the board's reply."""
        self.driver.tap("go_on")
        self.driver.wait_for_real(lambda: not self.driver.find("go_on").disabled)

    def come_to(self, step: wire.CalibrationStep) -> None:
        """Advance to a step, with the required pieces on the board."""
        assert "Step 1 of 2" in self.driver.texts()
        if step is wire.CalibrationStep.ARMIES:
            self.go_on()
            assert "Step 2 of 2" in self.driver.texts()
            set_up(self.board)

    def wait_for(self, words: str) -> None:
        self.driver.wait_for_real(lambda: words in self.driver.texts())

    def is_unchanged(self) -> bool:
        return self.board.calibration is self.used and "Nothing was changed." in self.driver.texts()


Sit = Callable[..., Board]


@pytest.fixture
def sit(drive: Drive) -> Iterator[Sit]:
    """Function that opens the calibration with a board on a real port."""
    with ExitStack() as stack:
        yield lambda board=None: Board(drive, stack, board or SimulatedBoard())


def signs(driver: Driver) -> dict[str, str]:
    """Return the marks on the squares, by square name."""
    (found,) = (each for each in walk(driver.app.root) if isinstance(each, CalibrationPicture))
    return {name(n): about for n, about in found.marks.items()}


def refusal(driver: Driver) -> str:
    """Return the explanation that is shown when a step is refused."""
    return " ".join(row.text for row in reversed(driver.find("findings").children))


@pytest.mark.parametrize("kind", slow_after_first("variants", wire.BoardKind))
def test_calibration_in_two_touches(sit: Sit, kind: wire.BoardKind) -> None:
    board = SimulatedBoard(kind)
    board.erase()
    bench = sit(board)
    assert "Remove everything from the board." in bench.driver.texts()
    bench.come_to(wire.CalibrationStep.ARMIES)
    assert "40 red pieces on rows 1 to 4" in bench.driver.texts()
    assert board.calibration is None, "there is no calibration until it is saved"
    bench.go_on()
    assert "Saved: the board uses the new calibration." in bench.driver.texts()
    assert board.calibration
    bench.driver.tap("go_on")
    bench.wait_for("No faults found.")
    bench.wait_for("calibrated ·")
    assert "not calibrated" not in bench.driver.texts()


@RARE
def test_missing_pieces_are_drawn(sit: Sit) -> None:
    bench = sit()
    bench.go_on()
    picture = bench.driver.find("board")
    assert int(picture.awaited).bit_count() == 80
    set_up(bench.board)
    bench.driver.wait_for_real(lambda: not picture.awaited)


@RARE
def test_leftover_piece_is_reported(sit: Sit) -> None:
    bench = sit(armed())
    for each in SQUARES:
        if each != square("e4") and bench.board.at(each):
            bench.board.take_away(each)
    bench.go_on()
    assert signs(bench.driver) == {"e4": "strange"}
    assert refusal(bench.driver).startswith("Something is detected on e4. Remove it.")
    bench.board.take_away(square("e4"))
    bench.go_on()
    assert "Step 2 of 2" in bench.driver.texts()
    assert signs(bench.driver) == {}


@pytest.mark.parametrize(
    ("fault", "sign", "sentence"),
    slow_after_first(
        "variants",
        [
            ("missing:f8", "unfelt", "No piece detected on f8: the square is empty"),
            ("weak:c3", "weak", "Weak: the magnets on c3."),
            ("flipped:a7", "flipped", "Upside down: the magnets on a7."),
        ],
    ),
)
@RARE
def test_bad_magnet_until_replaced(sit: Sit, fault: str, sign: str, sentence: str) -> None:
    bench = sit()
    bench.come_to(wire.CalibrationStep.ARMIES)
    inject(bench.board, fault)
    bench.go_on()
    where = fault[-2:]
    assert signs(bench.driver) == {where: sign}
    assert refusal(bench.driver).startswith(sentence)
    assert bench.board.calibration is bench.used
    exchange(bench.board, square(where))
    bench.go_on()
    assert "Saved:" in bench.driver.texts()


@RARE
def test_all_faults_are_listed(sit: Sit) -> None:
    bench = sit()
    bench.come_to(wire.CalibrationStep.ARMIES)
    for fault in ("missing:f8", "weak:c3", "flipped:a7"):
        inject(bench.board, fault)
    bench.go_on()
    assert signs(bench.driver) == {"f8": "unfelt", "c3": "weak", "a7": "flipped"}
    assert len(bench.driver.find("findings").children) == 3


@RARE
def test_dead_sensor_is_named_with_its_wire(sit: Sit) -> None:
    bench = sit()
    bench.come_to(wire.CalibrationStep.ARMIES)
    inject(bench.board, "dead:e4")
    bench.go_on()
    assert signs(bench.driver) == {"e4": "unfelt"}
    exchange(bench.board, square("e4"))
    bench.go_on()
    assert signs(bench.driver) == {"e4": "stuck"}
    assert "Still nothing is detected on e4 (multiplexer 2, input 4)." in refusal(bench.driver)
    bench.driver.tap("stop")
    bench.wait_for("Nothing was changed.")
    assert bench.is_unchanged()


@pytest.mark.parametrize(
    "step", slow_after_first("variants", [wire.CalibrationStep.EMPTY, wire.CalibrationStep.ARMIES])
)
@RARE
def test_cancelled_calibration_changes_nothing(sit: Sit, step: wire.CalibrationStep) -> None:
    bench = sit()
    bench.come_to(step)
    bench.driver.tap("stop")
    bench.wait_for("Nothing was changed.")
    assert bench.is_unchanged()
    assert (
        wire.CalibrationResult.OUT_OF_ORDER
        in bench.board.learn(wire.CalibrationStep.ARMIES).results
    ), "the board has forgotten the first step"
    bench.driver.tap("go_on")
    bench.driver.find("armies")  # a button in the sensor check


@pytest.mark.parametrize(
    "step", slow_after_first("variants", [wire.CalibrationStep.EMPTY, wire.CalibrationStep.ARMIES])
)
@pytest.mark.parametrize(
    ("happens", "complaint"),
    slow_after_first(
        "variants",
        [
            (SimulatedPort.unplug, "The board is unplugged. Plug it in again. Then start again."),
            (lambda port: port.restart(wire.ResetCause.WATCHDOG), "The board restarted and lost"),
        ],
    ),
)
@RARE
def test_board_lost_during_calibration(
    sit: Sit, step: wire.CalibrationStep, happens: Callable[[SimulatedPort], None], complaint: str
) -> None:
    bench = sit()
    bench.come_to(step)
    happens(bench.port)
    bench.wait_for("Nothing was changed.")
    assert bench.is_unchanged()
    assert complaint in bench.driver.texts()
    assert "game" not in bench.driver.find("error_text").text
    bench.driver.tap("go_on")
    bench.driver.find("armies")


class Mute(SimulatedBoard):
    """Board whose reply to one step is lost, and which may also be unplugged."""

    port: SimulatedPort | None = None
    mute_at: wire.CalibrationStep

    def learn(self, step: wire.CalibrationStep) -> wire.CalibrationReply:
        answer = super().learn(step)
        if step is not self.mute_at:
            return answer
        if self.port:
            Thread(target=self.port.unplug).start()  # the port is still sending this reply
        return wire.CalibrationReply(wire.CalibrationStep.ABORT, {wire.CalibrationResult.DONE: 0})


@pytest.mark.parametrize(
    "step", slow_after_first("variants", [wire.CalibrationStep.EMPTY, wire.CalibrationStep.ARMIES])
)
@RARE
def test_unresponsive_board(
    sit: Sit, step: wire.CalibrationStep, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = Mute()
    board.mute_at = step
    bench = sit(board)
    bench.come_to(step)
    monkeypatch.setattr(calibration, "ANSWER_SECONDS", 0.1)
    bench.go_on()
    assert bench.is_unchanged()
    assert "The board does not answer." in bench.driver.texts()


@RARE
def test_board_lost_while_saving(sit: Sit) -> None:
    board = Mute()
    board.mute_at = wire.CalibrationStep.SAVE
    bench = sit(board)
    bench.come_to(wire.CalibrationStep.ARMIES)
    board.port = bench.port
    bench.go_on()
    bench.wait_for("The board will report whether it was saved as soon as it is back.")
    assert "The board is unplugged." in bench.driver.texts()
    bench.port.replug()
    bench.wait_for("Saved:")
    assert board.calibration is not bench.used
    assert "unplugged" not in bench.driver.texts()


def test_calibration_needs_a_board(driver: Driver) -> None:
    driver.tap("sensors")
    assert driver.find("calibrate").disabled
    driver.tap("calibrate")
    driver.find("armies")
    plug_in(driver, armed())
    driver.pass_time(0.3)
    assert not driver.find("calibrate").disabled
    unplug(driver)
    assert driver.find("calibrate").disabled


def test_board_lost_at_opening(driver: Driver) -> None:
    driver.tap("sensors")
    plug_in(driver, SimulatedBoard())
    driver.pass_time(0.3)
    driver.lose()  # the sensor check does not show the loss yet
    driver.tap("calibrate")
    assert "The board is unplugged. Plug it in again." in driver.texts()
    assert driver.find("go_on").disabled
    driver.tap("close")
    assert driver.find("calibrate").disabled


@RARE
def test_board_lost_at_the_first_step(driver: Driver) -> None:
    driver.tap("sensors")
    plug_in(driver, SimulatedBoard())
    driver.pass_time(0.3)
    driver.tap("calibrate")
    driver.lose()  # the dialog does not show yet that the connection is lost
    driver.tap("go_on")
    assert "The board is unplugged. Plug it in again." in driver.texts()


def working(driver: Driver, board: SimulatedBoard) -> Any:
    """Return the large button while the board processes a request."""
    driver.tap("sensors")
    plug_in(driver, board)
    driver.pass_time(0.3)
    calibrate(driver)
    driver.tap("go_on")
    return driver.find("go_on")


def test_progress_is_shown(driver: Driver) -> None:
    board = SimulatedBoard()
    button = working(driver, board)
    modal = button.parent.parent.parent.parent
    assert button.disabled
    assert button.text == "Measuring …"
    seen = []
    for _ in range(4):
        driver.pass_time(0.3)
        seen.append(modal.progress)
    assert seen == pytest.approx([0.3, 0.6, 0.9, 1.0])
    driver.tap("go_on")
    assert driver.script.asked.count(wire.Calibrate(wire.CalibrationStep.EMPTY)) == 1
    answer_last(driver, board)
    assert modal.progress == 0
    assert button.text == "Both armies are set up"


@RARE
def test_cancelled_while_the_board_is_busy(driver: Driver) -> None:
    board = SimulatedBoard()
    working(driver, board)
    driver.tap("stop")
    assert "Nothing was changed." not in driver.texts(), "the board is still busy"
    answer_last(driver, board)
    assert "Nothing was changed." in driver.texts()


@RARE
def test_no_calibration_during_a_game(drive: Drive) -> None:
    driver = drive(source=Script.with_simulated_board())
    driver.connect()
    driver.tap("begin")
    for button in ("sensors", "calibrate"):
        with pytest.raises(AssertionError, match="no "):
            driver.find(button)


def plies(driver: Driver) -> int:
    assert driver.app.host.table
    return driver.app.host.table.view.plies


@RARE
def test_calibration_keeps_the_saved_game(drive: Drive) -> None:
    """A button sets up both armies and removes them again. Afterwards, the position is restored."""
    with LiveBoard(simulated=SimulatedBoard()) as live:
        driver = drive(source=live, clock=time.monotonic)
        driver.wait_for_real(lambda: driver.app.host.found)
        driver.tap("begin")
        driver.tap("set_up")
        driver.wait_for_real(lambda: driver.seen.occupied.bit_count() == 80)
        driver.wait_for_real(lambda: not driver.find("blue").ids["ready"].disabled)
        for side in ("red", "blue"):
            driver.tap_inside(side, "ready")
        driver.wait_for_real(lambda: driver.view == "turn")
        driver.carry("e4", "e5")
        driver.wait_for_real(lambda: plies(driver) == 1)
        standing = driver.seen
        driver.tap("menu")
        driver.tap("leave")
        driver.tap("sensors")
        driver.wait_for_real(lambda: not driver.find("calibrate").disabled)
        driver.tap("calibrate")
        assert driver.find("set_up").text == "Remove all pieces"
        driver.tap("set_up")
        driver.wait_for_real(lambda: not driver.seen.occupied)
        driver.tap("go_on")
        driver.wait_for_real(lambda: "Step 2 of 2" in driver.texts())
        driver.wait_for_real(lambda: driver.find("set_up").text == "Set up all pieces")
        driver.tap("set_up")
        driver.wait_for_real(lambda: driver.seen.occupied.bit_count() == 80)
        driver.tap("go_on")
        driver.wait_for_real(lambda: "Saved:" in driver.texts())
        driver.wait_for_real(lambda: not driver.seen.occupied)
        assert "Set up all pieces" not in driver.texts()
        driver.tap("go_on")
        driver.tap("close")
        driver.tap("resume")
        driver.wait_for_real(lambda: driver.seen == standing)
        driver.wait_for_real(lambda: driver.view == "turn")
        assert plies(driver) == 1


@RARE
def test_texts_are_translated(drive: Drive) -> None:
    driver = drive(language="de")
    board = SimulatedBoard()
    board.set_stuck(square("e5"), 0)
    working(driver, board)
    answer_last(driver, board)
    assert refusal(driver).startswith("Auf e5 wird etwas erkannt. Nimm es weg.")
    assert "Schritt 1 von 2" in driver.texts()
    assert driver.find("go_on").text == "Das Brett ist leer"
