import pytest

from companion.records import sample_game
from engine.play.referee import Referee
from tests.engine.tables import SKIRMISH, Table


@pytest.fixture(scope="session")
def recorded() -> bytes:
    """One real game between people, from the Gravon archive: 206 moves, all legal."""
    with sample_game() as path:
        return path.read_bytes()


@pytest.fixture
def table() -> Table:
    """The skirmish, at its beginning."""
    return Table.of(SKIRMISH)


@pytest.fixture
def referee(table: Table) -> Referee:
    return table.referee
