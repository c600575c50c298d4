"""What a test is tried on: all editions, or a number of examples.

Normally that is a moderate number, always the same ones, so that a failure is one for everybody.
For a long search with new examples every time, multiply their number:

    BOOMBOARD_EXAMPLES=100 .venv/bin/pytest tests/engine
"""

import os

import pytest
from hypothesis import HealthCheck, settings

from engine.rulebook.editions import EDITIONS

editions = pytest.mark.parametrize("edition", EDITIONS.values(), ids=list(EDITIONS))
"""For a test that every edition has to pass."""
_TIMES = int(os.environ.get("BOOMBOARD_EXAMPLES", "1"))


def examples(number: int) -> settings:
    """Try a property on this many examples, the same every time."""
    return settings(
        max_examples=number * _TIMES,
        derandomize=_TIMES == 1,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
