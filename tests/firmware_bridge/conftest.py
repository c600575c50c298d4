from collections.abc import Iterator

import pytest

from firmware_bridge.simulated_board.board import VirtualBoard
from firmware_bridge.simulated_board.port import VirtualPort
from tests.firmware_bridge.links import Links, Listener


@pytest.fixture
def board() -> VirtualBoard:
    return VirtualBoard()


@pytest.fixture
def port(board: VirtualBoard) -> Iterator[VirtualPort]:
    with VirtualPort(board) as port:
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
