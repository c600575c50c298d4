from collections.abc import Callable, Iterator

import pytest

from companion.pads import Pads
from engine.board.geometry import Side
from tests.companion.pads.phone import Phone

Sit = Callable[[Pads, Side], Phone]


@pytest.fixture
def sit() -> Iterator[Sit]:
    """Function that opens a seat's page on a new phone. All phones are closed at the end."""
    phones: list[Phone] = []

    def open_page(pads: Pads, side: Side) -> Phone:
        phones.append(Phone(pads.address(side)))
        return phones[-1]

    yield open_page
    for phone in phones:
        phone.leave()
