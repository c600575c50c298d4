import pytest

from companion.records import sample_game


@pytest.fixture(scope="session")
def recorded() -> bytes:
    """One real game between people, from the Gravon archive: 206 moves, all legal."""
    with sample_game() as path:
        return path.read_bytes()
