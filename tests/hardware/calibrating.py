"""Calibration of an emulated board."""

from typing import TypeVar

from firmware_bridge import wire
from firmware_bridge.image import ARMIES, Image
from hardware.emulator.board import EmulatedBoard

DONE = {wire.CalibrationResult.DONE: 0}
SETTLED_US = 65_000
"""Time after which the firmware reports a change of squares, even of the whole board at once. No
hand is that fast, and the firmware ignores the first scans after it."""
ANSWERED_US = 1_000_000
WATCHED_TWICE_US = 6_200_000
"""Time in which the board completes a check of all its sensors, whenever the check began."""
Message = TypeVar("Message", wire.Hello, wire.CalibrationReply, wire.Configured)


def answer(board: EmulatedBoard, command: wire.HostCommand, kind: type[Message]) -> Message:
    """Send a command to the board and return the answer."""
    board.send(command)
    for _ in range(0, ANSWERED_US, SETTLED_US):
        for heard in board.run(SETTLED_US):
            if isinstance(heard.message, kind):
                return heard.message
    raise AssertionError(f"no answer to {command}")


def faults(board: EmulatedBoard) -> list[wire.Fault]:
    """Return all reports of lasting faults in order."""
    reported: list[wire.Fault] = []
    more = board.run(WATCHED_TWICE_US)
    while faults := [each.message for each in more if isinstance(each.message, wire.Fault)]:
        reported += faults
        # Each report has taken the frame in which a sensor would be checked, and another may
        # follow.
        more = board.run(1000 * wire.STATE_INTERVAL_MS * (len(faults) + 2))
    return reported


def seen(board: EmulatedBoard) -> Image:
    """Return the image of the board when its readings are stable."""
    return [h.message for h in board.run(SETTLED_US) if isinstance(h.message, wire.State)][-1].image


def learn(board: EmulatedBoard, step: wire.CalibrationStep) -> dict[wire.CalibrationResult, int]:
    """Run a calibration step. Returns its results: squares, by result."""
    learned = answer(board, wire.Calibrate(step), wire.CalibrationReply)
    assert learned.step is step
    return dict(learned.results)


def learn_empty(board: EmulatedBoard) -> None:
    """Run the first step, then set up the armies."""
    board.show(Image())
    board.run(SETTLED_US)
    assert learn(board, wire.CalibrationStep.EMPTY) == DONE
    board.show(ARMIES)


def learn_armies(board: EmulatedBoard) -> dict[wire.CalibrationResult, int]:
    """Run the second step with the pieces on the board."""
    board.run(SETTLED_US)
    return learn(board, wire.CalibrationStep.ARMIES)


def calibrate(board: EmulatedBoard) -> None:
    """Run all steps. Both armies are on the board afterwards.

    Saving clears the firmware's past readings, which are complete again after two frames. Until
    then it shows the removal of a whole army 0.1 s later.
    """
    learn_empty(board)
    assert learn_armies(board) == DONE
    assert learn(board, wire.CalibrationStep.SAVE) == DONE
    board.run(SETTLED_US)


def checksum(board: EmulatedBoard) -> int:
    """Return the checksum of the calibration in use."""
    return answer(board, wire.Identify(), wire.Hello).calibration
