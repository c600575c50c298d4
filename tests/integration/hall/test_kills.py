"""Broker, database and hall are killed and frozen at random times."""

from typing import Final

from tests.campaigns import Campaign
from tests.integration.hall.load import run

TROUBLE: Final = Campaign("hall-trouble", part=2, whole=60)
"""Number of kills of each process, and number of freezes."""


@TROUBLE
def test_kills_and_freezes_lose_nothing() -> None:
    told = run(tables=10, seconds=0, between=0.5, kills=TROUBLE.size)
    assert told["items"] > 20
    assert told["games that differ"] == 0
    assert told["heartbeats"] > 0
    assert told["states older than they say"] == 0
