from collections.abc import Iterator

import pytest

from firmware_bridge.simulated_board.board import SimulatedBoard
from firmware_bridge.simulated_board.port import SimulatedPort
from tests.firmware_bridge.links import Links, Listener


@pytest.fixture
def board() -> SimulatedBoard:
    return SimulatedBoard()


@pytest.fixture
def port(board: SimulatedBoard) -> Iterator[SimulatedPort]:
    with SimulatedPort(board) as port:
        yield port


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
def links(listener: Listener) -> Iterator[Links]:
    links = Links(listener)
    yield links
    for link in links.links:
        link.stop()
