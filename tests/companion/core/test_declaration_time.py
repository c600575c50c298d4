"""The time taken to answer a declaration does not reveal the rank.

Each answer is given at a new table, always to the same question. The ranks come in random order.
Welch's t-test, the usual test for timing leaks, compares the times for each rank with those for all
other ranks (Reparaz, Balasch and Verbauwhede, “Dude, is my code constant time?”, 2017). The slowest
5 % of answers are excluded because the computer was probably busy at the time. The measured time is
the processor time of the table and its announcements. The disk and the screen are used afterwards,
in the same way for every rank.
"""

import gc
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from statistics import fmean, variance
from time import thread_time_ns
from typing import Final

import pytest

from companion.core.game_context import Step
from companion.core.inputs import CommandInput, Input
from companion.core.table import Table
from companion.jsonl.table_process import write_step
from companion.speech.announcer import Announcer
from companion.speech.i18n import Language
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.board.visibility import Public, Secret
from engine.game.actions import Action, Attack, Declare, Move, PlaceArmies
from engine.rules.editions import EDITIONS
from tests.campaigns import Campaign

TIMES: Final = Campaign("declaration-times", part=250, whole=50_000)
NOTICED: Final = 4.5
"""Value of t above which a leak is assumed. One test in 150,000 exceeds it by chance."""
LARGE_SHARE: Final = 0.95
EDITION: Final = replace(EDITIONS["nordic-2015"], silent_defence=True)
ANNOUNCER: Final = Announcer(Language("en"))
MOVES: Final = ("e4-e5", "a7-a6", "e5-e6", "a6-a5")
ASKED: Final[tuple[Action, ...]] = (
    PlaceArmies(Side.RED.home, Side.BLUE.home),
    *(Move(*map(square, move.split("-"))) for move in MOVES),
    Attack(square("e6"), square("e7")),
)
"""Red has moved the attacking piece. Blue has not moved the attacked piece."""
SERGEANT: Final = Declare(Secret(Side.RED, Rank.SERGEANT))
QUESTIONS: Final = {
    "attacker": (ASKED, Side.RED, (Rank.SPY, Rank.MINER, Rank.CAPTAIN, Rank.MARSHAL)),
    "silent defender": (
        (*ASKED, SERGEANT),
        Side.BLUE,
        (Rank.CAPTAIN, Rank.COLONEL, Rank.MARSHAL, Rank.BOMB),
    ),
}
Handle = Callable[[Table, Input], Step]


@contextmanager
def no_collection() -> Iterator[None]:
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def answer(handle: Handle, before: Sequence[Action], side: Side, rank: Rank) -> int:
    """Declare a rank at a new table.

    Return the nanoseconds that pass until all events are emitted.
    """
    table, declared = Table(EDITION, 1, before), CommandInput(1.0, Declare(Secret(side, rank)))
    began = thread_time_ns()
    step = handle(table, declared)
    write_step(table, 1.0, step)
    for event in step.events:
        if isinstance(event, Public):
            ANNOUNCER.sentence(event)
    took = thread_time_ns() - began
    assert step.actions
    return took


def largest_statistic(question: str, number: int, handle: Handle = Table.handle) -> float:
    """Answer the question `number` times. Return the largest t statistic of any rank."""
    before, side, ranks = QUESTIONS[question]
    chance, taken = random.Random(question), []
    with no_collection():
        for _ in range(number):
            rank = chance.choice(ranks)
            taken.append((answer(handle, before, side, rank), rank))
    gc.collect()
    limit = sorted(taken)[int(number * LARGE_SHARE)][0]
    usual = [(time, rank) for time, rank in taken if time < limit]
    return max(
        abs(welch([t for t, r in usual if r is rank], [t for t, r in usual if r is not rank]))
        for rank in ranks
    )


def welch(one: Sequence[int], other: Sequence[int]) -> float:
    """Return Welch's t: the difference between the means, divided by its standard error."""
    error = variance(one) / len(one) + variance(other) / len(other)
    difference: float = (fmean(one) - fmean(other)) / error**0.5
    return difference


@TIMES
@pytest.mark.parametrize("question", QUESTIONS)
def test_answer_time_does_not_reveal_the_rank(question: str) -> None:
    assert largest_statistic(question, TIMES.size) < NOTICED


def test_slower_rank_is_detected() -> None:
    def handle(table: Table, given: Input) -> Step:
        step = table.handle(given)
        is_bomb = isinstance(given, CommandInput) and given.what == Declare(
            Secret(Side.BLUE, Rank.BOMB)
        )
        sum(range(50_000 if is_bomb else 0))  # about a millisecond of extra work
        return step

    assert largest_statistic("silent defender", 200, handle) > NOTICED
