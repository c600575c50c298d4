"""Helpers for calibrating an emulated board."""

from typing import TypeVar

from firmware_bridge import wire
from firmware_bridge.image import ARMIES, Image
from hardware.emulator.board import EmulatedBoard

DONE = {wire.CalibrationResult.DONE: 0}
SETTLED_US = 65_000
"""Time, in microseconds, within which the firmware reports any change. It takes longest if the
whole board changes at once. No hand moves that fast, so the firmware ignores the first scans of
such a change."""
ANSWERED_US = 1_000_000
WATCHED_TWICE_US = 6_200_000
"""Length, in microseconds, of an interval that contains at least one complete check of all sensors,
wherever in the cycle of checks the interval begins."""
Message = TypeVar("Message", wire.Hello, wire.CalibrationReply, wire.Configured)


def answer(board: EmulatedBoard, command: wire.HostCommand, kind: type[Message]) -> Message:
    """Send a command to the board and return its answer."""
    board.send(command)
    for _ in range(0, ANSWERED_US, SETTLED_US):
        for heard in board.run(SETTLED_US):
            if isinstance(heard.message, kind):
                return heard.message
    raise AssertionError(f"no answer to {command}")


def faults(board: EmulatedBoard) -> list[wire.Fault]:
    """Return the reports of all lasting faults, in order."""
    reported: list[wire.Fault] = []
    more = board.run(WATCHED_TWICE_US)
    while faults := [each.message for each in more if isinstance(each.message, wire.Fault)]:
        reported += faults
        # Each report was sent instead of a check of one sensor, and another report may follow.
        more = board.run(1000 * wire.STATE_INTERVAL_MS * (len(faults) + 2))
    return reported


def seen(board: EmulatedBoard) -> Image:
    """Return the image of the board once its readings are stable."""
    return [h.message for h in board.run(SETTLED_US) if isinstance(h.message, wire.State)][-1].image


def learn(board: EmulatedBoard, step: wire.CalibrationStep) -> dict[wire.CalibrationResult, int]:
    """Run a calibration step. Return the squares, keyed by result."""
    learned = answer(board, wire.Calibrate(step), wire.CalibrationReply)
    assert learned.step is step
    return dict(learned.results)


def learn_empty(board: EmulatedBoard) -> None:
    """Run the EMPTY step, then set up the armies."""
    board.show(Image())
    board.run(SETTLED_US)
    assert learn(board, wire.CalibrationStep.EMPTY) == DONE
    board.show(ARMIES)


def learn_armies(board: EmulatedBoard) -> dict[wire.CalibrationResult, int]:
    """Run the ARMIES step with the pieces on the board."""
    board.run(SETTLED_US)
    return learn(board, wire.CalibrationStep.ARMIES)


def calibrate(board: EmulatedBoard) -> None:
    """Run all calibration steps. At the end, both armies are on the board.

    The SAVE step clears the firmware's history of readings, so wait until it has filled up again.
    Until then, the removal of a whole army would be shown with a delay of 0.1 s.
    """
    learn_empty(board)
    assert learn_armies(board) == DONE
    assert learn(board, wire.CalibrationStep.SAVE) == DONE
    board.run(SETTLED_US)


def checksum(board: EmulatedBoard) -> int:
    return answer(board, wire.Identify(), wire.Hello).calibration
