"""Read keyboard input from real pipes and terminals."""

import os
import pty
from collections.abc import Iterator

import pytest

from companion.terminal.private_prompt import TypedLines


class Hand:
    """Types into the pipe or terminal from which typed lines are read."""

    def __init__(self, writer: int, keyboard: TypedLines) -> None:
        self._writer = writer
        self._keyboard = keyboard

    def type(self, typed: bytes) -> None:
        os.write(self._writer, typed)

    def leave(self) -> None:
        os.close(self._writer)

    def lines(self) -> Iterator[str]:
        """Yield all complete lines that have arrived."""
        while (line := self._keyboard.line(0)) is not None:
            yield line


@pytest.fixture
def piped() -> Iterator[Hand]:
    reader, writer = os.pipe()
    with os.fdopen(reader) as file:
        yield Hand(writer, TypedLines(file))


def test_joined_lines_are_split(piped: Hand) -> None:
    piped.type(b"ready red\nready blue\n\n")
    assert list(piped.lines()) == ["ready red", "ready blue", ""]
    piped.leave()


def test_partial_line_is_awaited(piped: Hand) -> None:
    piped.type(b"ready")
    assert list(piped.lines()) == []
    piped.type(b" red\nrea")
    assert list(piped.lines()) == ["ready red"]
    piped.leave()


def test_last_line_without_newline(piped: Hand) -> None:
    piped.type(b"ready red\nquit")
    piped.leave()
    lines = piped.lines()
    assert [next(lines), next(lines)] == ["ready red", "quit"]
    with pytest.raises(EOFError):
        next(lines)


def test_undecodable_byte(piped: Hand) -> None:
    piped.type(b"f\xfcr rot\n")
    assert list(piped.lines()) == ["f\N{REPLACEMENT CHARACTER}r rot"]
    piped.leave()


def test_closed_terminal() -> None:
    writer, reader = pty.openpty()
    with os.fdopen(reader) as file:
        hand = Hand(writer, TypedLines(file))
        hand.leave()
        with pytest.raises(EOFError):
            next(hand.lines())
