"""Tests that kill and freeze the broker, the database and the halls at random. No item may be
lost."""

from typing import Final

import pytest

from tests.campaigns import Campaign
from tests.integration.hall.load import run

TROUBLE: Final = Campaign("hall-trouble", part=2, whole=60)
"""Number of times that each process is killed. It is frozen just as often."""


@TROUBLE
@pytest.mark.parametrize(("halls", "sqlite"), [(2, False), (1, True)], ids=["postgresql", "sqlite"])
def test_kills_and_freezes_lose_nothing(halls: int, sqlite: bool) -> None:
    results = run(tables=10, seconds=0, between=0.5, kills=TROUBLE.size, halls=halls, sqlite=sqlite)
    assert results["items"] > 20
    assert results["games that differ"] == 0
    assert min(results["heartbeats"]) > 0
    assert results["states older than reported"] == [0] * halls
