"""How a test leads an emulated board through its calibration."""

from typing import TypeVar

from firmware_bridge.image import ARMIES, Image
from firmware_bridge.wire import (
    STATE_INTERVAL_MS,
    Configured,
    Fault,
    Hello,
    HostCommand,
    Identify,
    Learn,
    Learned,
    LearnResult,
    LearnStep,
    State,
)
from hardware.emulator.board import EmulatedBoard

DONE = {LearnResult.DONE: 0}
SETTLED_US = 65_000
"""By then the firmware has believed what it sees and said so, also of a board that has changed as a
whole, as no hand changes it: of that it passes over the first looks."""
ANSWERED_US = 1_000_000
WATCHED_TWICE_US = 6_200_000
"""By then the board has watched its sensors throughout a whole watch, whenever it had begun one."""
Message = TypeVar("Message", Hello, Learned, Configured)


def answer(board: EmulatedBoard, command: HostCommand, kind: type[Message]) -> Message:
    """Ask the board for something and wait for the answer."""
    board.send(command)
    for _ in range(0, ANSWERED_US, SETTLED_US):
        for heard in board.run(SETTLED_US):
            if isinstance(heard.message, kind):
                return heard.message
    raise AssertionError(f"no answer to {command}")


def faults(board: EmulatedBoard) -> list[Fault]:
    """Every fault that lasts, as often as it is told until all of them have been."""
    told: list[Fault] = []
    more = board.run(WATCHED_TWICE_US)
    while faults := [each.message for each in more if isinstance(each.message, Fault)]:
        told += faults
        # Each has taken a frame, in which nothing is watched; and there may be another one.
        more = board.run(1000 * STATE_INTERVAL_MS * (len(faults) + 2))
    return told


def seen(board: EmulatedBoard) -> Image:
    """What it shows by the time it has believed it."""
    return [h.message for h in board.run(SETTLED_US) if isinstance(h.message, State)][-1].image


def learn(board: EmulatedBoard, step: LearnStep) -> dict[LearnResult, int]:
    """Ask for a step and wait for what comes of it: squares, by result."""
    learned = answer(board, Learn(step), Learned)
    assert learned.step is step
    return dict(learned.results)


def learn_empty(board: EmulatedBoard) -> None:
    """Take the first step, so that the armies may be set up."""
    board.show(Image())
    board.run(SETTLED_US)
    assert learn(board, LearnStep.EMPTY) == DONE
    board.show(ARMIES)


def learn_armies(board: EmulatedBoard) -> dict[LearnResult, int]:
    """Take the second step, with what stands there."""
    board.run(SETTLED_US)
    return learn(board, LearnStep.ARMIES)


def calibrate(board: EmulatedBoard) -> None:
    """Take all steps, well. Both armies stand on the board then."""
    learn_empty(board)
    assert learn_armies(board) == DONE
    assert learn(board, LearnStep.SAVE) == DONE


def checksum(board: EmulatedBoard) -> int:
    """Of the calibration in use, as the board says."""
    return answer(board, Identify(), Hello).calibration
