"""Private questions and answers in a terminal, behind a curtain.

Private text is only printed on a terminal. In a log, for example with ``| tee game.log``, the
opponent could read the text before declaring a rank. The text appears on the terminal's alternate
screen, which is cleared when the curtain closes; earlier announcements remain on the main screen.
While the curtain is open, typed input is not echoed.
"""

import os
import select
import signal
import termios
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import FrameType
from typing import Final, NoReturn, TextIO

from rich.console import Console

from companion.core.events import RankAsked
from companion.core.table import Table
from companion.speech.announcer import Announcer
from companion.speech.i18n import N_
from companion.terminal.output import Printer
from engine.board.geometry import Square, name
from engine.board.ranks import Rank, ranks_in
from engine.board.visibility import Private, Secret
from engine.game.actions import Action, AnswerGuess, Declare, FreeTouched, UpholdDeclaration
from engine.game.rulings import Contradiction

# Keyboard.

_READ_BYTES: Final = 4096
"""Number of bytes per read. A terminal returns at most one line, and no line is longer than
this."""


class TypedLines:
    """Lines from a terminal, a pipe or a file. Pasted lines may arrive together in one read."""

    def __init__(self, file: TextIO) -> None:
        """Read from the file's descriptor, because `file` itself could buffer a second line."""
        self._descriptor = file.fileno()
        self._typed = b""

    def line(self, seconds: float) -> str | None:
        """Return the next line, or None if no line arrives before the timeout.

        Raises EOFError at the end of the input.
        """
        if b"\n" not in self._typed:
            if select.select([self._descriptor], [], [], seconds)[0]:
                self._typed += self._read()
            if b"\n" not in self._typed:
                return None
        line, _, self._typed = self._typed.partition(b"\n")
        return line.decode(errors="replace")

    def echo(self, *, on: bool) -> None:
        """Turn the echo of typed characters on or off, if the input is a terminal."""
        if not os.isatty(self._descriptor):
            return
        settings = termios.tcgetattr(self._descriptor)
        settings[3] = settings[3] | termios.ECHO if on else settings[3] & ~termios.ECHO
        termios.tcsetattr(self._descriptor, termios.TCSADRAIN, settings)

    def _read(self) -> bytes:
        """Read the available bytes. At the end of the input, complete an unfinished last line."""
        try:
            typed = os.read(self._descriptor, _READ_BYTES)
        except OSError:
            typed = b""  # the terminal has been closed
        if typed:
            return typed
        if not self._typed:
            raise EOFError
        return b"\n"


# Curtain.

_OPEN: Final = "\x1b[?1049h\x1b[2J\x1b[H"
"""Terminal sequence that switches to the alternate screen, which has no scrollback."""
_CLOSE: Final = "\x1b[2J\x1b[H\x1b[?1049l"
"""Terminal sequence that clears the alternate screen and switches back. A terminal that has only
one screen is cleared."""

_ANSWERS: Final = {"right": AnswerGuess(right=True), "wrong": AnswerGuess(right=False)}


def open_console(file: TextIO | None = None) -> Console:
    """Return a console that does not wrap sentences, even if it writes to a file or a pipe."""
    return Console(file=file, highlight=False, markup=False, soft_wrap=True)


@contextmanager
def private_console(console: Console, keyboard: TextIO) -> Iterator[Console | None]:
    """Open a console that only the person at the keyboard can read.

    Yields None if there is no terminal.
    """
    if console.is_terminal:
        yield console
    elif keyboard.isatty():
        with open(os.ttyname(keyboard.fileno()), "w", encoding="utf-8") as terminal:
            yield open_console(terminal)
    else:
        yield None


@dataclass(frozen=True)
class TouchedAsked(Private):
    """Under the touch-move rule, the owner has to say whether the touched piece can move."""

    square: Square


@dataclass(frozen=True)
class _Selection:
    """The state of a declaration. The player chooses a rank or, if `rank` is set, confirms it."""

    tiles: tuple[Rank, ...]
    rank: Rank | None = None


class PrivatePrompt:
    """A private question to one player, and the player's answer."""

    def __init__(
        self, table: Table, announcer: Announcer, private: Console, keyboard: TypedLines
    ) -> None:
        """Create the curtain. Only the person at the keyboard can read the output of `private`."""
        self.question: RankAsked | Contradiction | TouchedAsked | None = None
        """The question for which a player was asked to take the keyboard. It is about a rank, an
        impossible answer to a guess, or a touched piece."""
        self._table = table
        self._announcer = announcer
        self._language = announcer.language
        self._private = private
        self._printer = Printer(private, announcer.language)
        self._keyboard = keyboard
        self._choosing: _Selection | None = None
        self._is_open = False

    @property
    def is_open(self) -> bool:
        """Whether private text is visible."""
        return self._is_open

    def open(self) -> None:
        """Show the pending question, if any, to the player who has to answer it."""
        if self.question is None:
            return
        self._keyboard.echo(on=False)
        self._turn(_OPEN)
        self._is_open = True
        if isinstance(self.question, Contradiction):
            self._printer.show(self._announcer.rules.proof(self.question))
            self._printer.print_text(N_("So your answer cannot be true. Type: right · wrong"))
            return
        if isinstance(self.question, TouchedAsked):
            asked = N_("Can your piece on {square} move? Type: yes · no")
            self._printer.print_text(asked, square=name(self.question.square))
            return
        self._printer.show(self._announcer.asked(self.question))
        if word := self._table.conversation.private_word(self.question.owner):
            self._printer.show(self._announcer.rules.private_word(word))
        if self._table.conversation.contradiction:
            self._printer.show(self._announcer.rules.proof(self._table.conversation.contradiction))
            self._printer.print_text(
                N_("If you are still sure of the {rank}, type: insist"),
                rank=self._language.rank(self._table.conversation.contradiction.proof.rank),
            )
        self._show_tiles(self.question.tiles)

    def close(self) -> None:
        """Clear the private text if the curtain is open, and discard the question."""
        if self._is_open:
            with suppress(OSError, termios.error):  # the terminal may have been closed
                self._keyboard.echo(on=True)
            with suppress(OSError):
                self._turn(_CLOSE)
        self.question = self._choosing = None
        self._is_open = False

    def answer(self, line: str) -> Action | None:
        """Handle a line typed behind the curtain. Return the resulting action, if any.

        The curtain closes after an answer.
        """
        assert self.question
        if isinstance(self.question, RankAsked):
            return self._declare(line, self.question)
        if isinstance(self.question, TouchedAsked):
            if line in ("yes", "no"):
                self.close()
                return FreeTouched() if line == "no" else None
            self._printer.print_text(N_("Type: yes · no"))
            return None
        if line in _ANSWERS:
            self.close()
            return _ANSWERS[line]
        self._printer.print_text(N_("Type: right · wrong"))
        return None

    def _declare(self, line: str, question: RankAsked) -> Action | None:
        assert self._choosing
        owner, tiles, rank = question.owner, self._choosing.tiles, self._choosing.rank
        if line == "insist" and self._table.conversation.contradiction:
            refused_rank = self._table.conversation.contradiction.proof.rank
            self.close()
            return UpholdDeclaration(Secret(owner, refused_rank))
        if rank is not None and self._printer.means_yes(line):
            self.close()
            return Declare(Secret(owner, rank))
        if rank is not None:
            self._show_tiles(question.tiles)
        elif line == "0":
            army = ranks_in(self._table.view.edition.army_of(owner).ranks)
            self._show_tiles(tuple(rank for rank in army if rank not in question.tiles))
        elif (named := self._named(line, tiles)) is not None:
            self._choosing = _Selection(tiles, named)
            self._ask_to_confirm(named)
        else:
            self._printer.print_text(N_("Type one of these ranks: its symbol or its name."))
        return None

    def _named(self, line: str, tiles: Iterable[Rank]) -> Rank | None:
        """Return the rank that was typed as a symbol or a name, or None."""
        for rank in tiles:
            if line.casefold() in (
                self._language.sign(rank).casefold(),
                self._language.rank(rank).casefold(),
            ):
                return rank
        return None

    def _show_tiles(self, tiles: Iterable[Rank]) -> None:
        shown = tuple(sorted(tiles, reverse=True))
        self._choosing = _Selection(shown)
        for rank in shown:
            self._printer.show(f"{self._language.sign(rank):>3}  {self._language.rank(rank)}")
        missing = self._language.text(N_("My rank is not shown"))
        self._printer.show(f"  0  {missing}")
        self._printer.print_text(N_("Type your rank: its symbol or its name. It is not shown."))

    def _ask_to_confirm(self, rank: Rank) -> None:
        asked = N_("{rank}? Type {yes} for yes, n for no.")
        self._printer.print_text(
            asked, rank=self._language.rank(rank), yes=self._language.text(N_("y"))
        )

    def _turn(self, page: str) -> None:
        self._private.file.write(page)
        self._private.file.flush()


# Signals.

_ENDS: Final = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def exit_cleanly_on_signal() -> Iterator[None]:
    """Turn SIGTERM and SIGHUP into a normal exit, with the exit code that a shell expects.

    By default, these signals end a program immediately. Private text would then stay on the screen,
    and the terminal would still not echo input.
    """

    def end(number: int, _frame: FrameType | None) -> NoReturn:
        for each in _ENDS:  # ignore further signals
            signal.signal(each, signal.SIG_IGN)
        raise SystemExit(128 + number)

    before = {each: signal.signal(each, end) for each in _ENDS}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
