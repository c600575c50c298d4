from collections.abc import Iterator

import pytest

from firmware_bridge.virtual.board import VirtualBoard
from firmware_bridge.virtual.port import VirtualPort


@pytest.fixture
def board() -> VirtualBoard:
    return VirtualBoard()


@pytest.fixture
def port(board: VirtualBoard) -> Iterator[VirtualPort]:
    with VirtualPort(board) as port:
        yield port
