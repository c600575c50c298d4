"""Skipping repeated images changes no result."""

import random
from dataclasses import replace
from typing import Any, Final

from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.core.game_context import Step
from companion.core.inputs import BoardSeen, Input
from companion.core.table import Table
from engine.rules.editions import Edition
from tests.companion.core.random_inputs import RandomInputs, beginning
from tests.companion.core.short_game import EDITION, SMALL
from tests.companion.core.table_driver import FRAME
from tests.companion.core.test_table_random_inputs import ANYTHING, SEED

MANY: Final = 40
"""Maximum number of consecutive repeated frames. Most timeouts expire within that many frames."""


class Thorough(Table):
    """A table that does not skip repeated images."""

    def _is_stale(self, _image: Any) -> bool:
        return False


def agree(quick: Step, thorough: Step) -> None:
    """Compare the results of both tables. Repeated images must have no effect."""
    assert (quick.actions, quick.events) == (thorough.actions, thorough.events)
    assert quick.saved == thorough.saved


@ANYTHING
@settings(max_examples=ANYTHING.size)
@given(edition=EDITION, seed=st.integers(0, 2**32))
@example(replace(SMALL, silent_defence=False, aggressor_advantage=False, touch_move=False), 497)
@example(SMALL, 274)
@example(SMALL, 2057)
@example(SMALL, 6011)
@example(SMALL, 5781)
@example(SMALL, 11126)
@example(SMALL, 307640)
def test_quick_answer_equals_thorough_answer(edition: Edition, seed: int) -> None:
    quick, thorough = Table(edition, SEED), Thorough(edition, SEED)
    anybody, chance = RandomInputs(quick, seed), random.Random(seed)
    begin = beginning()
    while anybody.at < 30 and quick.referee.outcome is None:
        following: Input = begin.pop(0) if begin else anybody.next()
        anybody.at = max(anybody.at, following.at)
        agree(quick.handle(following), thorough.handle(following))
        if quick.is_connected and isinstance(following, BoardSeen):
            for _ in range(chance.randrange(MANY)):
                anybody.at += FRAME
                frame = BoardSeen(anybody.at, following.image)
                agree(quick.handle(frame), thorough.handle(frame))
        assert (quick.state, quick.unread_combat) == (thorough.state, thorough.unread_combat)
