"""Test parameters: all editions, or a number of random examples.

The examples are the same in every run, so every failure is reproducible. "make test" runs an eighth
of the examples that a test requests, and "make heavy" runs all of them. For a long search with new
examples every time, multiply their number by a factor:

    BOOMBOARD_EXAMPLES=100 .venv/bin/pytest tests/engine
"""

import os
from typing import Final

import pytest
from hypothesis import HealthCheck, settings

from engine.rules.editions import EDITIONS

editions = pytest.mark.parametrize("edition", EDITIONS.values(), ids=list(EDITIONS))
"""Decorator that runs a slow or property-based test for every edition."""
_TIMES: Final = float(os.environ.get("BOOMBOARD_EXAMPLES", "0.125"))


def examples(number: int) -> settings:
    """Check a property on `number` examples, multiplied by the factor for this run."""
    return exactly(max(1, round(number * _TIMES)))


def exactly(number: int) -> settings:
    """Check a property on exactly `number` examples in every run."""
    return settings(
        max_examples=number,
        derandomize=_TIMES <= 1,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
