"""The table in a terminal: what is announced, and the players' answers at the keyboard.

A terminal is a shared screen, so a declaration is a small ceremony: it names the player, waits for
Enter, shows the ranks in their shuffled order, takes a number that is not echoed, and wipes the
screen. The numbers tell nothing, because the order is another one each time.
"""

import select
import termios
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TextIO

from rich.console import Console

from companion.announcer import Announcer
from companion.events import Event, RankAsked
from companion.inputs import (
    AttackOnScreen,
    CannotMove,
    DrawOffered,
    Input,
    NoAttack,
    RankDeclared,
    Ready,
    Resigned,
    TimePassed,
)
from companion.language import N_
from companion.live import LiveBoard
from companion.session import Session
from engine.ranks import Rank, ranks_in
from engine.rulings import Combat, GameOver, Violation
from engine.secrecy import Public, Secret
from engine.sides import Side
from engine.squares import square
from firmware_bridge.link import Trouble

POLL_SECONDS: Final = 0.05
"""How long to wait for a key before looking at the board again."""
HELP: Final = N_(
    "Type: ready red · ready blue · attack e4 e5 · no attack · draw red · resign red · "
    "cannot move · help · quit"
)
_WIPE: Final = "\x1b[2J\x1b[3J\x1b[H"
"""Clears the screen and what has scrolled out of it."""


def open_console() -> Console:
    """Return a console that prints sentences as they are, however long, to whatever listens."""
    return Console(highlight=False, markup=False, soft_wrap=True)


def narrate(
    console: Console, announcer: Announcer, prefix: Callable[[], str]
) -> Callable[[Event], None]:
    """Return a listener that prints every announcement; `prefix` is put before each line."""

    def tell(event: Event) -> None:
        sentence = announcer.sentence(event) if isinstance(event, Public) else ""
        if not sentence:
            return
        match event:
            case Combat(boom=True):
                style = "bold red"
            case Combat() | GameOver():
                style = "bold"
            case Violation():
                style = "yellow"
            case _:
                style = ""
        console.print(f"{prefix()}{sentence}", style=style)

    return tell


@dataclass(frozen=True)
class _Choosing:
    """The ranks are on the screen; with a `rank` its confirmation is."""

    tiles: tuple[Rank, ...]
    rank: Rank | None = None


class TerminalReferee:
    """A game at a real board whose players answer at one keyboard."""

    def __init__(
        self,
        session: Session,
        board: LiveBoard,
        announcer: Announcer,
        console: Console,
        keyboard: TextIO,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take place between the board, the session and a keyboard (a terminal or a pipe)."""
        self._clock = clock
        self._session = session
        self._table = session.table
        self._board = board
        self._announcer = announcer
        self._language = announcer.language
        self._console = console
        self._keyboard = keyboard
        self._trouble: Trouble | None = None
        self._curtain: RankAsked | None = None
        self._choosing: _Choosing | None = None
        session.listen(narrate(console, announcer, prefix=lambda: ""))

    def run(self) -> None:
        """Referee until the game is over, somebody types quit, or the keyboard is gone."""
        self._print(HELP)
        echo = _set_echo(self._keyboard, on=True)
        try:
            while self._table.referee.outcome is None:
                self._look_at_board()
                self._draw_curtain()
                if select.select([self._keyboard], [], [], POLL_SECONDS)[0]:
                    line = self._keyboard.readline()
                    if not line or line.strip() == "quit":
                        self._print(N_("The game is kept. Start again to go on."))
                        return
                    self._answer(line.strip().lower())
        finally:
            if echo:
                _set_echo(self._keyboard, on=True)

    def _print(self, message: str, **values: object) -> None:
        text = self._language.text(message, **values)
        self._console.print(text)

    def _say(self, kind: Callable[..., Input], *what: object) -> None:
        self._session.handle(kind(self._clock(), *what))

    def _look_at_board(self) -> None:
        for given in self._board.poll():
            self._session.handle(given)
        if self._table.due is not None and self._clock() >= self._table.due:
            self._say(TimePassed)
        if self._board.trouble != self._trouble:
            self._trouble = trouble = self._board.trouble
            if trouble:
                words = self._announcer.trouble(trouble.kind, trouble.port, trouble.detail)
                self._console.print(words, style="yellow")

    # The declaration

    def _draw_curtain(self) -> None:
        """Ask the player whose declaration is due to take the keyboard, once a question."""
        question = self._table.question
        if question == self._curtain:
            return
        self._curtain, self._choosing = question, None
        if question:
            self._print(
                N_("{side}: take the keyboard. {other}: look away. Then press Enter."),
                side=self._language.side(question.owner),
                other=self._language.side(question.owner.other),
            )

    def _declare(self, question: RankAsked, line: str) -> None:
        """Take the next line of the ceremony."""
        choosing = self._choosing
        if choosing is None:
            _set_echo(self._keyboard, on=False)
            if self._table.contradiction:
                self._print(self._announcer.proof(self._table.contradiction))
            self._show_tiles(question.tiles)
        elif choosing.rank is not None:
            if line in ("y", "j"):
                self._finish_declaration(choosing.rank)
            else:
                self._show_tiles(question.tiles)
        elif line == "0":
            army = ranks_in(self._table.referee.edition.army.ranks)
            self._show_tiles(tuple(rank for rank in army if rank not in question.tiles))
        elif line.isdecimal() and int(line) <= len(choosing.tiles):
            rank = choosing.tiles[int(line) - 1]
            self._choosing = _Choosing(choosing.tiles, rank)
            self._print(N_("{rank}? Type y for yes, n for no."), rank=self._language.rank(rank))
        else:
            self._print(N_("Type one of the numbers."))

    def _show_tiles(self, tiles: tuple[Rank, ...]) -> None:
        self._choosing = _Choosing(tiles)
        for number, rank in enumerate(tiles, start=1):
            self._console.print(f"{number:3}  {self._language.rank(rank)}")
        self._console.print(f"  0  {self._language.text(N_('My rank is not here'))}")
        self._print(N_("Type the number of your rank. It is not shown."))

    def _finish_declaration(self, rank: Rank) -> None:
        assert self._curtain
        self._console.file.write(_WIPE)
        _set_echo(self._keyboard, on=True)
        owner, self._curtain, self._choosing = self._curtain.owner, None, None
        self._say(RankDeclared, Secret(owner, rank))

    # What is typed

    def _answer(self, line: str) -> None:
        """Take a line from the keyboard."""
        if self._curtain and line != "no attack":
            self._declare(self._curtain, line)
            return
        match line.split():
            case ["ready", side] if side in _SIDES:
                self._say(Ready, Side(side))
            case ["attack", source, target]:
                self._open_attack(source, target)
            case ["no", "attack"]:
                self._say(NoAttack)
            case ["draw", side] if side in _SIDES:
                self._say(DrawOffered, Side(side))
            case ["resign", side] if side in _SIDES:
                self._say(Resigned, Side(side))
            case ["cannot", "move"]:
                self._say(CannotMove)
            case []:
                pass
            case _:
                self._print(HELP)

    def _open_attack(self, source: str, target: str) -> None:
        try:
            squares = square(source), square(target)
        except ValueError:
            self._print(N_("Name two squares, such as: attack e4 e5"))
            return
        self._say(AttackOnScreen, *squares)


_SIDES: Final = {side.value for side in Side}


def _set_echo(keyboard: TextIO, *, on: bool) -> bool:
    """Let the terminal show what is typed, or not; False if the keyboard is no terminal."""
    if not keyboard.isatty():
        return False
    settings = termios.tcgetattr(keyboard)
    settings[3] = settings[3] | termios.ECHO if on else settings[3] & ~termios.ECHO
    termios.tcsetattr(keyboard, termios.TCSADRAIN, settings)
    return True
