"""Choose board settings on the screen and send them to the emulated firmware."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from companion.devices.live_board import LiveBoard
from companion.diagnostics import calibration
from companion.diagnostics.calibration import REFUSALS, SettingsUpdate, UpdateState
from engine.board.geometry import square
from firmware_bridge import wire
from firmware_bridge.capture import REFUSALS as IN_FRAMES
from firmware_bridge.image import ARMIES
from firmware_bridge.link import Connected, LinkError, LinkErrorKind, MessageReceived
from firmware_bridge.simulated_board.board import SimulatedBoard
from tests.campaigns import RARE, Campaign
from tests.companion.ui.bench import answer_last, plug_in, unplug
from tests.companion.ui.driver import Driver
from tests.hardware.conftest import firmware_elf, make_firmware

Drive = Callable[..., Driver]
ROOT = Path(__file__).parents[4]
__all__ = ["firmware_elf", "make_firmware"]


class Emulated:
    """Emulated board in a separate process, and the app that is connected to it."""

    def __init__(self, elf: Path, folder: Path, drive: Drive, stack: ExitStack) -> None:
        port = folder / "board"
        options = ["--elf", elf, "--pty", port, "--wired", "tiles", "--parts", "1"]
        self.process = stack.enter_context(
            subprocess.Popen(
                [sys.executable, "-m", "hardware.emulator", *map(str, options)],
                cwd=ROOT,
                stdin=subprocess.PIPE,
            )
        )
        stack.callback(self.process.kill)
        while not port.exists():
            assert self.process.poll() is None, "the emulator has ended"
        live = stack.enter_context(LiveBoard(str(port)))
        self.driver = drive(source=live, clock=time.monotonic)
        self.driver.wait_for_real(lambda: self.driver.app.host.found)
        self.driver.tap("sensors")
        self.driver.wait_for_real(lambda: not self.driver.find("calibrate").disabled)
        self.driver.tap("calibrate")
        self.driver.wait_for_real(lambda: not self.driver.find("go_on").disabled)

    def write(self, line: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()

    def wait_for(self, words: str) -> None:
        self.driver.wait_for_real(lambda: words in self.driver.texts())


@pytest.fixture
def tiles(
    firmware_elf: Path,
    tmp_path: Path,
    drive: Drive,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Emulated]:
    monkeypatch.setattr(calibration, "ANSWER_SECONDS", 86_400.0)
    with ExitStack() as stack:
        yield Emulated(firmware_elf, tmp_path, drive, stack)


def chosen(driver: Driver) -> list[str]:
    names = ("colours", "switches", "hand", "tiles")
    return [name for name in names if driver.find(name).chosen]


@Campaign("boards", part=0, whole=1)
@pytest.mark.usefixtures("busy")
def test_blank_nano_on_tiles(tiles: Emulated) -> None:
    driver = tiles.driver
    assert chosen(driver) == ["colours", "tiles"], "the board has recognised its own settings"
    driver.tap("switches")
    driver.tap("go_on")
    tiles.wait_for("no board with these sensors is built that way")
    driver.tap("colours")
    driver.tap("go_on")
    tiles.wait_for("Step 1 of 2")
    driver.tap("go_on")
    tiles.wait_for("Step 2 of 2")
    tiles.write("army")
    driver.wait_for_real(lambda: driver.seen == ARMIES)
    driver.tap("go_on")
    tiles.wait_for("Saved:")
    driver.tap("go_on")
    driver.tap_square(square("c3"))
    tiles.wait_for("multiplexer 0, input 6")
    driver.wait_for_real(lambda: not driver.find("calibrate").disabled)
    driver.tap("calibrate")
    driver.wait_for_real(lambda: not driver.find("go_on").disabled)
    assert chosen(driver) == ["colours", "tiles"], "the board keeps its settings"


def asked(driver: Driver, board: SimulatedBoard) -> None:
    driver.tap("sensors")
    plug_in(driver, board)
    driver.pass_time(0.3)
    driver.tap("calibrate")


@pytest.mark.parametrize("kind", wire.BoardKind)
@RARE
def test_known_configuration_is_not_repeated(driver: Driver, kind: wire.BoardKind) -> None:
    asked(driver, SimulatedBoard(kind))
    assert chosen(driver) == ["colours" if kind is wire.BoardKind.COLOURS else "switches", "hand"]
    driver.script.asked.clear()
    driver.tap("go_on")
    assert not any(isinstance(each, wire.Configure) for each in driver.script.asked)
    assert "Step 1 of 2" in driver.texts()


def test_configuration_can_be_changed_after_a_refusal(driver: Driver) -> None:
    board = SimulatedBoard()
    asked(driver, board)
    driver.tap("tiles")
    driver.tap("go_on")
    assert driver.script.asked[-1] == wire.Configure(wire.BoardKind.COLOURS, wire.Geometry.TILES)
    assert driver.find("go_on").disabled
    assert driver.find("go_on").text == "Asking the board …"
    driver.tap("hand")
    assert chosen(driver) == ["colours", "tiles"], "no choice is possible during the request"
    answer_last(driver, board)
    assert REFUSALS[wire.ConfigureResult.NO_GEOMETRY] in driver.texts()
    driver.tap("hand")
    driver.tap("go_on")
    assert "Step 1 of 2" in driver.texts()


@RARE
def test_tiles_recognised_during_the_question(driver: Driver) -> None:
    asked(driver, SimulatedBoard())
    assert driver.script.connected
    hello = replace(driver.script.connected.hello, geometry=wire.Geometry.TILES)
    assert driver.script.watcher
    driver.script.watcher(driver.now, Connected(driver.script.connected.port, hello))
    assert chosen(driver) == ["colours", "tiles"]
    driver.tap("hand")
    driver.script.watcher(driver.now, Connected(driver.script.connected.port, hello))
    assert chosen(driver) == ["colours", "hand"], "a person's choice is kept"


@RARE
def test_unresponsive_board(driver: Driver) -> None:
    asked(driver, SimulatedBoard())
    driver.tap("tiles")
    driver.tap("go_on")
    driver.pass_time(calibration.ANSWER_SECONDS + 0.1)
    assert "The board does not answer." in driver.texts()
    assert not driver.find("go_on").disabled


def test_board_lost_while_configuring(driver: Driver) -> None:
    board = SimulatedBoard()
    asked(driver, board)
    driver.tap("tiles")
    driver.tap("go_on")
    unplug(driver)
    assert "The board is unplugged. Plug it in again." in driver.texts()
    assert driver.find("go_on").disabled
    plug_in(driver, board)
    driver.pass_time(0.3)
    assert chosen(driver) == ["colours", "hand"], "the new board's own settings are shown"
    assert "unplugged" not in driver.texts()
    driver.tap("close")
    driver.find("armies")


def test_refusals_have_sentences() -> None:
    assert REFUSALS.keys() == set(wire.ConfigureResult) - {wire.ConfigureResult.ACCEPTED}
    for result, why in IN_FRAMES.items():
        assert f"{why}. Nothing has changed." in REFUSALS[result]


def test_configuration_is_confirmed_by_hello() -> None:
    commands: list[wire.HostCommand] = []
    update = SettingsUpdate(wire.Configure(geometry=wire.Geometry.TILES), commands.append, now=0.0)
    hello = wire.Hello(
        (4, 0, 0), wire.BoardKind.COLOURS, wire.ResetCause.POWER_ON, 0, wire.Geometry.TILES
    )
    answers = [update.answer]
    update.take(Connected("board", hello), 0.1)
    answers.append(update.answer)  # this identification message was sent before the reply
    settings = wire.BoardSettings(wire.BoardKind.COLOURS, wire.Geometry.TILES, 17, 1100)
    update.take(MessageReceived(wire.Configured(wire.ConfigureResult.ACCEPTED, settings)), 0.2)
    update.tick(2.1)
    answers.append(update.answer)  # the reply has restarted the timeout
    update.take(Connected("board", hello), 2.1)
    update.take(LinkError(LinkErrorKind.UNPLUGGED, "board", ""), 2.2)
    assert answers == [UpdateState.AWAITED] * 3
    assert update.answer is UpdateState.TAKEN
    assert commands == [wire.Configure(geometry=wire.Geometry.TILES), wire.Identify()]
