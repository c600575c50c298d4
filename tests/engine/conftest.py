import pytest

from tests.corpus import corpus


@pytest.fixture(scope="session")
def recorded() -> bytes:
    """One real game between people, from the Gravon archive: 206 moves, all legal."""
    return corpus("gravon/classic-2004.11-0.xml").read_bytes()
