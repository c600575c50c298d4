from pathlib import Path

import pytest

from engine.game.referee import Referee
from engine.records.gravon import read_gravon_xml
from engine.records.record import Record
from tests.engine.tables import SKIRMISH, Table

_SAMPLE = Path(__file__).parents[2] / "companion" / "samples" / "classic-2004.xml"


@pytest.fixture(scope="session")
def patient() -> None:
    """Override the fixture that disables the boards' timeouts, because these tests use no board."""


@pytest.fixture(scope="session")
def recorded() -> bytes:
    """Return a real game from the Gravon archive, with 206 legal moves."""
    return _SAMPLE.read_bytes()


@pytest.fixture(scope="session")
def record(recorded: bytes) -> Record:
    return read_gravon_xml(recorded)


@pytest.fixture
def table() -> Table:
    """Return the skirmish in its initial position."""
    return Table.of(SKIRMISH)


@pytest.fixture
def referee(table: Table) -> Referee:
    return table.referee
