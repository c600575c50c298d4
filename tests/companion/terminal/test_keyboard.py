"""Keyboard input, from real pipes and terminals."""

import os
import pty
from collections.abc import Iterator

import pytest

from companion.terminal.private_prompt import TypedLines


class Hand:
    """Writes the text that a keyboard reads."""

    def __init__(self, writer: int, keyboard: TypedLines) -> None:
        self._writer = writer
        self._keyboard = keyboard

    def type(self, typed: bytes) -> None:
        os.write(self._writer, typed)

    def leave(self) -> None:
        os.close(self._writer)

    def lines(self) -> Iterator[str]:
        """Every complete line that has arrived, without waiting for more."""
        while (line := self._keyboard.line(0)) is not None:
            yield line


@pytest.fixture
def piped() -> Iterator[Hand]:
    reader, writer = os.pipe()
    with os.fdopen(reader) as file:
        yield Hand(writer, TypedLines(file))


def test_lines_that_come_in_one_piece_come_one_by_one(piped: Hand) -> None:
    piped.type(b"ready red\nready blue\n\n")
    assert list(piped.lines()) == ["ready red", "ready blue", ""]
    piped.leave()


def test_a_line_that_comes_in_pieces_is_waited_for(piped: Hand) -> None:
    piped.type(b"ready")
    assert list(piped.lines()) == []
    piped.type(b" red\nrea")
    assert list(piped.lines()) == ["ready red"]
    piped.leave()


def test_the_last_line_needs_no_end_and_then_nothing_comes(piped: Hand) -> None:
    piped.type(b"ready red\nquit")
    piped.leave()
    said = piped.lines()
    assert [next(said), next(said)] == ["ready red", "quit"]
    with pytest.raises(EOFError):
        next(said)


def test_byte_of_another_alphabet(piped: Hand) -> None:
    piped.type(b"f\xfcr rot\n")
    assert list(piped.lines()) == ["f\N{REPLACEMENT CHARACTER}r rot"]
    piped.leave()


def test_a_terminal_that_was_closed_brings_nothing_more() -> None:
    writer, reader = pty.openpty()
    with os.fdopen(reader) as file:
        hand = Hand(writer, TypedLines(file))
        hand.leave()
        with pytest.raises(EOFError):
            next(hand.lines())
