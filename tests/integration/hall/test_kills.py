"""Broker, database and hall are killed at random times; in the end the hall has all games."""

from tests.integration.hall.load import run


def test_nothing_is_lost_doubled_or_reordered_whatever_is_killed() -> None:
    told = run(tables=10, seconds=0, between=0.5, kills=3)
    assert told["items"] > 20
    assert told["games that differ"] == 0
