"""Tests for the start-up time and reset causes of the real firmware in the emulator."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware_bridge.image import ARMIES
from firmware_bridge.wire import STATE_INTERVAL_MS, BadFrame, Hello, ResetCause, State
from hardware.emulator.board import EmulatedBoard
from tests.campaigns import Campaign

SHOWN_US = 100_000
"""Time within which a board must report its pieces after it starts, in microseconds."""
AT_ONCE_US = 18_000
HUNG_US = 150_000
"""Time limit for a restart after a hang, in microseconds. It covers the watchdog period (120 ms)
and the start-up time."""
DEAF_US = 300_000
"""Time limit for a restart if the watchdog interrupt is not served, in microseconds. It covers two
watchdog periods and the start-up time."""
UNKNOWN_CAUSE = ResetCause(0)


HANGS = Campaign("resets", part=5, whole=40)
DEAF = Campaign("resets", part=3, whole=16)
SEEDS = Campaign("resets", part=5, whole=50)


@pytest.fixture
def board(firmware_elf: Path) -> Iterator[EmulatedBoard]:
    with EmulatedBoard(firmware_elf) as board:
        board.show(ARMIES)
        yield board


def started(board: EmulatedBoard, within_us: int) -> tuple[ResetCause, float]:
    """Return the reported reset cause and the time until the report, in microseconds.

    Also check the messages after the report: no frame is damaged, every STATE is on time, and the
    last one shows all pieces.
    """
    begun_us = board.now_us
    heard = board.run(within_us + SHOWN_US)
    (at,) = (n for n, each in enumerate(heard) if isinstance(each.message, Hello))
    hello_us, hello = heard[at].at_us, heard[at].message
    assert isinstance(hello, Hello)
    assert not any(isinstance(each.message, BadFrame) for each in heard[at:])
    states = [(each.at_us, each.message) for each in heard[at:] if isinstance(each.message, State)]
    for number, (at_us, state) in enumerate(states, 1):
        assert state.at_ms == STATE_INTERVAL_MS * number
        assert 0 < at_us - hello_us - 1000 * state.at_ms < 2000
    assert states[-1][1].image == ARMIES
    return hello.reset_cause, hello_us - begun_us


def started_for(board: EmulatedBoard, within_us: int) -> ResetCause:
    cause, after_us = started(board, within_us)
    assert after_us <= within_us
    return cause


def pull_the_line(board: EmulatedBoard) -> None:
    board.reset()


def break_the_supply_down(board: EmulatedBoard) -> None:
    board.power_on(2500)
    board.run(10_000)
    board.power_on()


def replug(board: EmulatedBoard) -> None:
    board.power_off()
    board.run(10_000)
    board.power_on()


RESETS = [
    (replug, ResetCause.POWER_ON),
    (pull_the_line, ResetCause.EXTERNAL),
    (break_the_supply_down, ResetCause.BROWN_OUT),
]
Reset = Callable[[EmulatedBoard], None]


@pytest.mark.parametrize(("reset", "cause"), RESETS)
def test_hello_has_the_reset_cause(board: EmulatedBoard, reset: Reset, cause: ResetCause) -> None:
    board.power_on()
    assert started_for(board, AT_ONCE_US) == ResetCause.POWER_ON
    for _ in range(2):
        reset(board)
        assert started_for(board, AT_ONCE_US) == cause


@HANGS
@pytest.mark.parametrize("boot_loader", [False, True])
def test_hung_firmware_is_restarted(board: EmulatedBoard, boot_loader: bool) -> None:
    board.set_boot_loader(boot_loader)
    board.power_on()
    quick = 0
    pauses_us = HANGS.among(range(0, 20_000, 50))
    for pause_us in pauses_us:
        board.run(SHOWN_US + pause_us)
        board.hang()
        cause, after_us = started(board, DEAF_US)
        if after_us <= HUNG_US:
            assert cause == ResetCause.WATCHDOG
            quick += 1
        else:  # hung in an interrupt handler
            assert cause == (UNKNOWN_CAUSE if boot_loader else ResetCause.WATCHDOG)
    assert quick >= 0.8 * len(pauses_us)


@DEAF
@pytest.mark.parametrize("boot_loader", [False, True])
def test_hang_with_interrupts_off_is_reset(board: EmulatedBoard, boot_loader: bool) -> None:
    board.set_boot_loader(boot_loader)
    board.power_on()
    for pause_us in DEAF.among(range(0, 20_000, 50)):
        board.run(SHOWN_US + pause_us)
        board.hang(deaf=True)
        cause = started_for(board, DEAF_US)
        assert cause == (UNKNOWN_CAUSE if boot_loader else ResetCause.WATCHDOG)


@SEEDS
@pytest.mark.parametrize("reset", [reset for reset, _ in RESETS])
def test_hidden_reset_cause_is_unknown(firmware_elf: Path, reset: Reset) -> None:
    for seed in range(SEEDS.size):  # seed for the contents of registers and memory
        with EmulatedBoard(firmware_elf, seed=seed) as board:
            board.show(ARMIES)
            board.set_boot_loader(True)
            board.power_on()
            assert started_for(board, AT_ONCE_US) == UNKNOWN_CAUSE
            board.hang()
            assert started_for(board, HUNG_US) == ResetCause.WATCHDOG
            reset(board)
            assert started_for(board, AT_ONCE_US) == UNKNOWN_CAUSE, "a hang is reported only once"
