"""The curtain of a terminal: what a player says where the other player and the log do not see it.

What one player alone may see goes to a terminal and nowhere else: into a file or through a pipe,
as with ``| tee evening.log``, it could be read before the other side has declared. A terminal has a
second page for it, which is wiped as soon as the curtain closes; what was announced before still
stands on the first one. What is typed meanwhile is not shown.
"""

import os
import termios
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final, TextIO

from rich.console import Console

from companion.speech.announcer import Announcer
from companion.speech.language import N_
from companion.table import Table
from companion.table.events import RankAsked
from companion.terminal.keyboard import Keyboard
from companion.terminal.printer import Printer
from engine.play.actions import Action, AnswerGuess, Declare, FreeTouched, Insist
from engine.play.rulings import Contradiction
from engine.ranks import Rank, ranks_in
from engine.secrecy import Private, Secret
from engine.squares import Square, name

_OPEN: Final = "\x1b[?1049h\x1b[2J\x1b[H"
"""Turns to the terminal's second page, which nothing can scroll out of."""
_CLOSE: Final = "\x1b[2J\x1b[H\x1b[?1049l"
"""Wipes it, and turns back. Where there is one page alone, that is wiped."""

_ANSWERS: Final = {"right": AnswerGuess(right=True), "wrong": AnswerGuess(right=False)}


def open_console(file: TextIO | None = None) -> Console:
    """Return a console that prints sentences as they are, however long, to whatever listens."""
    return Console(file=file, highlight=False, markup=False, soft_wrap=True)


@contextmanager
def private_console(console: Console, keyboard: TextIO) -> Iterator[Console | None]:
    """Open what only who sits at the keyboard reads; None if there is no terminal at all."""
    if console.is_terminal:
        yield console
    elif keyboard.isatty():
        with open(os.ttyname(keyboard.fileno()), "w", encoding="utf-8") as terminal:
            yield open_console(terminal)
    else:
        yield None


@dataclass(frozen=True)
class TouchedAsked(Private):
    """With touch-move: the owner is to say whether the piece that was carried off can move."""

    square: Square


@dataclass(frozen=True)
class _Choosing:
    """The ranks are on the screen; with a `rank` its confirmation is."""

    tiles: tuple[Rank, ...]
    rank: Rank | None = None


class Curtain:
    """What a player is asked, and answers, in private."""

    def __init__(
        self, table: Table, announcer: Announcer, private: Console, keyboard: Keyboard
    ) -> None:
        """Hang it between the table and a console that only who sits at the keyboard can read."""
        self.question: RankAsked | Contradiction | TouchedAsked | None = None
        """What is asked, once the player has been told to take the keyboard: a rank, another answer
        to a guess than the one that cannot be true, or whether a touched piece can move."""
        self._table = table
        self._announcer = announcer
        self._language = announcer.language
        self._private = private
        self._printer = Printer(private, announcer.language)
        self._keyboard = keyboard
        self._choosing: _Choosing | None = None
        self._is_open = False

    @property
    def is_open(self) -> bool:
        """Whether what one player may see can be seen."""
        return self._is_open

    def open(self) -> None:
        """Show the player who is asked what there is to see; nothing if nobody is."""
        if self.question is None:
            return
        self._keyboard.echo(on=False)
        self._turn(_OPEN)
        self._is_open = True
        if isinstance(self.question, Contradiction):
            self._printer.show(self._announcer.rules.proof(self.question))
            self._printer.say(N_("So your answer cannot be true. Type: right · wrong"))
            return
        if isinstance(self.question, TouchedAsked):
            asked = N_("Can your piece on {square} move? Type: yes · no")
            self._printer.say(asked, square=name(self.question.square))
            return
        self._printer.show(self._announcer.asked(self.question))
        if word := self._table.conversation.private_word(self.question.owner):
            self._printer.show(self._announcer.rules.private_word(word))
        if self._table.conversation.contradiction:
            self._printer.show(self._announcer.rules.proof(self._table.conversation.contradiction))
            self._printer.say(
                N_("Who is sure of the {rank} all the same types: insist"),
                rank=self._language.rank(self._table.conversation.contradiction.proof.rank),
            )
        self._show_tiles(self.question.tiles)

    def close(self) -> None:
        """Wipe what only one player may see, if the curtain was open; the question is gone."""
        if self._is_open:
            with suppress(OSError, termios.error):  # the terminal itself may be gone
                self._keyboard.echo(on=True)
            with suppress(OSError):
                self._turn(_CLOSE)
        self.question = self._choosing = None
        self._is_open = False

    def answer(self, line: str) -> Action | None:
        """Take a line from behind the open curtain; it closes when something has been said."""
        assert self.question
        if isinstance(self.question, RankAsked):
            return self._declare(line, self.question)
        if isinstance(self.question, TouchedAsked):
            if line in ("yes", "no"):
                self.close()
                return FreeTouched() if line == "no" else None
            self._printer.say(N_("Type: yes · no"))
            return None
        if line in _ANSWERS:
            self.close()
            return _ANSWERS[line]
        self._printer.say(N_("Type: right · wrong"))
        return None

    def _declare(self, line: str, question: RankAsked) -> Action | None:
        assert self._choosing
        owner, tiles, rank = question.owner, self._choosing.tiles, self._choosing.rank
        if line == "insist" and self._table.conversation.contradiction:
            rank_said = self._table.conversation.contradiction.proof.rank
            self.close()
            return Insist(Secret(owner, rank_said))
        if rank is not None and self._printer.means_yes(line):
            self.close()
            return Declare(Secret(owner, rank))
        if rank is not None:
            self._show_tiles(question.tiles)
        elif line == "0":
            army = ranks_in(self._table.view.edition.army.ranks)
            self._show_tiles(tuple(rank for rank in army if rank not in question.tiles))
        elif (named := self._named(line, tiles)) is not None:
            self._choosing = _Choosing(tiles, named)
            self._ask_to_confirm(named)
        else:
            self._printer.say(N_("Type one of these ranks: its sign or its name."))
        return None

    def _named(self, line: str, tiles: Iterable[Rank]) -> Rank | None:
        """Find the rank that somebody has typed, by its sign or by its name."""
        for rank in tiles:
            if line.casefold() in (
                self._language.sign(rank).casefold(),
                self._language.rank(rank).casefold(),
            ):
                return rank
        return None

    def _show_tiles(self, tiles: Iterable[Rank]) -> None:
        shown = tuple(sorted(tiles, reverse=True))
        self._choosing = _Choosing(shown)
        for rank in shown:
            self._printer.show(f"{self._language.sign(rank):>3}  {self._language.rank(rank)}")
        missing = self._language.text(N_("My rank is not here"))
        self._printer.show(f"  0  {missing}")
        self._printer.say(N_("Type your rank: its sign or its name. It is not shown."))

    def _ask_to_confirm(self, rank: Rank) -> None:
        asked = N_("{rank}? Type {yes} for yes, n for no.")
        self._printer.say(asked, rank=self._language.rank(rank), yes=self._language.text(N_("y")))

    def _turn(self, page: str) -> None:
        self._private.file.write(page)
        self._private.file.flush()
