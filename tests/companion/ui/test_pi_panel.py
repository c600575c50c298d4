"""The Pi panel's lamps and buttons follow the game on the screen."""

from pathlib import Path

from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.core.events import SetupSeen
from companion.core.inputs import BoardFound, BoardLost
from companion.devices.lamps import PanelLamps
from engine.board.geometry import Side
from engine.rules.editions import DEFAULT
from firmware_bridge.panel import BUTTONS, LAMPS, RESET, Panel
from tests.companion.ui.driver import Driver


def test_lamps_and_buttons_follow_the_game(tmp_path: Path) -> None:
    pins = MockFactory(pin_class=MockPWMPin)
    emitted: list[object] = []
    with Panel(pins) as panel:
        driver = Driver(tmp_path / "games.db", lamps=PanelLamps(panel))

        def lit() -> list[bool]:
            driver.frames(2)
            return [bool(pins.pin(pin).state) for pin in LAMPS.values()]

        with driver:
            driver.app.host.listen(emitted.append)
            assert lit() == [False, False]
            driver.app.host.begin(DEFAULT)
            driver.script.waiting.append(BoardFound(driver.now, sees_colours=True))
            assert lit() == [True, True]
            pins.pin(BUTTONS[Side.RED]).drive_low()
            driver.frames(2)
            assert SetupSeen(red=0, blue=0, astray=()) in emitted
            driver.script.waiting.append(BoardLost(driver.now))
            assert lit() == [False, False]
            panel._reset._blink_thread.join()
            assert len(pins.pin(RESET).states) > 1
            driver.script.waiting.append(BoardFound(driver.now, sees_colours=True))
            assert lit() == [True, True]
            driver.app.host.leave()
            assert lit() == [False, False]
