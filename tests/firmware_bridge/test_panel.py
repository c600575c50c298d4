"""Tests for the panel, using the mock pins of gpiozero."""

import builtins
import logging
import select
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from gpiozero import Button, Device
from gpiozero.pins.mock import MockFactory, MockPWMPin

from engine.board.geometry import Side
from firmware_bridge import panel as panel_module
from firmware_bridge.panel import (
    BEAT_SECONDS,
    BOUNCE_SECONDS,
    BUTTONS,
    BUZZER,
    LAMPS,
    RESET,
    RESET_SECONDS,
    Panel,
    Tone,
)


@pytest.fixture
def pins() -> Iterator[Any]:
    factory = MockFactory(pin_class=MockPWMPin)
    yield factory
    factory.reset()


@pytest.fixture
def panel(pins: Any) -> Iterator[Panel]:
    with Panel(pins) as panel:
        yield panel


def press(pins: Any, side: Side) -> None:
    pins.pin(BUTTONS[side]).drive_low()
    pins.pin(BUTTONS[side]).drive_high()


def lit(pins: Any) -> set[Side]:
    return {side for side, pin in LAMPS.items() if pins.pin(pin).state}


def bursts(pins: Any, pin: int) -> list[float]:
    """Return the durations, in seconds, of all pulses on a pin."""
    return [after.timestamp for before, after in pairwise(pins.pin(pin).states) if before.state > 0]


def end_of(thread: Any) -> None:
    thread.join()


def test_pins_are_unique() -> None:
    pins = [*BUTTONS.values(), *LAMPS.values(), BUZZER, RESET]
    assert len(set(pins)) == 6


def test_presses_are_reported_in_order(pins: Any, panel: Panel) -> None:
    assert panel.presses() == []
    for side in (Side.BLUE, Side.RED, Side.BLUE):
        press(pins, side)
    assert panel.presses() == [Side.BLUE, Side.RED, Side.BLUE]
    assert panel.presses() == []


def test_held_button_is_one_press(pins: Any, panel: Panel) -> None:
    pins.pin(BUTTONS[Side.RED]).drive_low()
    assert panel.presses() == [Side.RED]
    pins.pin(BUTTONS[Side.RED]).drive_high()
    assert panel.presses() == []


def test_long_press(pins: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(panel_module, "HELD_SECONDS", 0.01)
    with Panel(pins) as panel:
        pins.pin(BUTTONS[Side.BLUE]).drive_low()
        while not (held := panel.holds()):
            select.select([], [], [], 0.002)
        assert held == [Side.BLUE]
        pins.pin(BUTTONS[Side.BLUE]).drive_high()
        press(pins, Side.RED)
        assert panel.holds() == []


def test_buttons_are_pulled_up_and_debounced(pins: Any, panel: Panel) -> None:
    for pin in BUTTONS.values():
        assert pins.pin(pin).pull == "up"
        assert pins.pin(pin).bounce == BOUNCE_SECONDS


def test_lamps_are_dark_until_they_are_lit(pins: Any, panel: Panel) -> None:
    assert lit(pins) == set()
    for sides in ({Side.RED}, set(Side), {Side.BLUE}, set()):
        panel.light(sides)
        assert lit(pins) == sides


def test_bomb_sound(pins: Any, panel: Panel) -> None:
    tones = [tone for tone in Tone.BOOM.beats if tone is not None]
    assert tones == sorted(tones, reverse=True)
    panel.sound(Tone.BOOM)
    end_of(panel._buzzer._source_thread)
    [length] = bursts(pins, BUZZER)
    assert length >= len(tones) * BEAT_SECONDS
    assert pins.pin(BUZZER).frequency is None


def test_wrong_move_sound(pins: Any, panel: Panel) -> None:
    panel.sound(Tone.WRONG)
    end_of(panel._buzzer._source_thread)
    assert len(bursts(pins, BUZZER)) == 2
    assert pins.pin(BUZZER).state == 0


def test_new_signal_replaces_the_previous(pins: Any, panel: Panel) -> None:
    panel.sound(Tone.BOOM)
    first = panel._buzzer._source_thread
    panel.sound(Tone.WRONG)
    assert not first.is_alive()
    end_of(panel._buzzer._source_thread)
    assert pins.pin(BUZZER).state == 0


def test_reset_pulse(pins: Any, panel: Panel) -> None:
    assert not pins.pin(RESET).state
    panel.reset_board()
    end_of(panel._reset._blink_thread)
    [length] = bursts(pins, RESET)
    assert length >= RESET_SECONDS
    assert not pins.pin(RESET).state


def test_closed_panel_releases_its_pins(pins: Any) -> None:
    with Panel(pins) as panel:
        assert panel.is_there
        panel.light(set(Side))
        panel.sound(Tone.BOOM)
        panel.reset_board()
    assert not panel.is_there
    assert lit(pins) == set()
    assert all(pins.pin(pin).state == 0 for pin in (BUZZER, RESET))
    with Panel(pins) as again:
        assert again.is_there


def use_without_pins(panel: Panel, caplog: pytest.LogCaptureFixture) -> str:
    """Use a panel without pins, and return the only line that it logs."""
    with panel:
        assert not panel.is_there
        panel.light(set(Side))
        panel.sound(Tone.BOOM)
        panel.reset_board()
        assert panel.presses() == []
    [record] = caplog.records
    message = record.getMessage()
    assert "\n" not in message
    assert record.exc_info is None
    return message


@pytest.fixture
def on_a_pi(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "model").write_bytes(b"Raspberry Pi 4 Model B Rev 1.4\0")
    monkeypatch.setattr(panel_module, "MODEL", tmp_path / "model")


@pytest.fixture
def without_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    # Search for pins as on a real computer, but with a non-existent library.
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "none-that-exists")
    monkeypatch.setattr(Device, "pin_factory", None)


@pytest.mark.parametrize("pin", [BUTTONS[Side.RED], RESET])
@pytest.mark.usefixtures("on_a_pi")
def test_busy_pin_leaves_the_others_usable(
    pins: Any, caplog: pytest.LogCaptureFixture, pin: int
) -> None:
    with Button(pin, pin_factory=pins):
        assert "GPIO" in use_without_pins(Panel(pins), caplog)
    with Panel(pins) as panel:
        assert panel.is_there


@pytest.mark.usefixtures("on_a_pi", "without_pins")
def test_missing_pins_are_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    assert "none-that-exists" in use_without_pins(Panel(), caplog)
    assert caplog.records[0].levelno == logging.WARNING


@pytest.mark.parametrize("model", [None, b"Rockchip RK3588 EVB\0"])
@pytest.mark.usefixtures("without_pins")
def test_no_warning_on_other_computers(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    tmp_path: Path,
    model: bytes | None,
) -> None:
    if model:
        (tmp_path / "model").write_bytes(model)
    monkeypatch.setattr(panel_module, "MODEL", tmp_path / "model")
    caplog.set_level(logging.INFO)
    assert "none-that-exists" in use_without_pins(Panel(), caplog)
    assert caplog.records[0].levelno == logging.INFO


def test_missing_gpiozero_is_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    found = builtins.__import__

    def not_installed(name: str, *rest: Any) -> Any:
        if name == "gpiozero":
            raise ModuleNotFoundError(name)
        return found(name, *rest)

    monkeypatch.setattr(builtins, "__import__", not_installed)
    caplog.set_level(logging.INFO)
    assert "gpiozero is not installed" in use_without_pins(Panel(), caplog)
    assert caplog.records[0].levelno == logging.INFO
