"""The table in a terminal: what is announced, and the players' answers at the keyboard.

A terminal is a shared screen, so a declaration is a small ceremony: it names the player, waits for
Enter, shows the ranks in their shuffled order, takes a number that is not echoed, and wipes the
screen. The numbers tell nothing, because the order is another one each time.
"""

import math
import select
import termios
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, TextIO

from rich.console import Console

from companion.announcer import Announcer
from companion.edge_lamps import lit, look
from companion.events import Event, RankAsked, TurnBegan
from companion.inputs import (
    AttackOnScreen,
    CannotMove,
    DisputeSettled,
    DrawOffered,
    Forfeited,
    GuessAnswered,
    Infiltrating,
    Input,
    Insisted,
    LetStand,
    NoAttack,
    RankDeclared,
    Ready,
    Resigned,
    TakeBackOffered,
    TimePassed,
)
from companion.language import N_, RANK_NAMES
from companion.live import LiveBoard
from companion.panel_lamps import PanelLamps
from companion.session import Session
from engine.position import Phase
from engine.ranks import Rank, ranks_in
from engine.rulings import Combat, Disputed, GameOver, InfiltrationOpened, Violation
from engine.secrecy import Public, Secret
from engine.sides import Side
from engine.squares import Square, square
from firmware_bridge.link import Trouble

POLL_SECONDS: Final = 0.05
"""How long to wait for a key before looking at the board again."""
HELP: Final = N_(
    """\
Type: ready red · ready blue
A turn: attack e4 e5 · no attack · infiltrate d8 d9 colonel · right · wrong · cannot move
Both agree: take back red, take back blue · draw red, draw blue
A dispute: insist (behind the curtain) · counts · does not count
The arbiter: let stand · forfeit red
Besides: time · resign red · help · quit"""
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
        *,
        lamps: PanelLamps | None = None,
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
        self._was_heard = False
        session.listen(narrate(console, announcer, prefix=lambda: ""))
        session.listen(self._prompt)
        self._lamps = lamps
        if lamps:
            session.listen(lamps.hear)

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
            self._close_curtain()
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
        if self._lamps:
            self._lamps.tick(self._table, self._session.handle)
        if self._table.due is not None and self._clock() >= self._table.due:
            self._say(TimePassed)
        self._board.light(lit(look(self._table)))
        if self._board.trouble != self._trouble:
            self._trouble = trouble = self._board.trouble
            if trouble:
                words = self._announcer.trouble(trouble.kind, trouble.port, trouble.detail)
                self._console.print(words, style="yellow")

    def _prompt(self, event: Event) -> None:
        """Say what to type next, where the announcement does not."""
        self._was_heard = True
        match event:
            case TurnBegan() if self._times:
                self._show_times()
            case Disputed():
                self._print(N_("Type: counts · does not count"))
            case InfiltrationOpened(awaited=Side() as owner):
                self._print(N_("{side}, type: right · wrong"), side=self._language.side(owner))

    # The clock

    @property
    def _times(self) -> list[str]:
        """What is left on the clocks that count now; nothing if there is no clock."""
        clock, now = self._table.clock, self._clock()
        if self._table.referee.phase is Phase.SETUP:
            lefts = {self._language.text(N_("setting up")): clock.setup_left(now)}
        else:
            lefts = {self._language.side(side): clock.left(side, now) for side in Side}
            lefts[self._language.text(N_("the whole game"))] = clock.whole_left(now)
        return [f"{what} {_minutes(left)}" for what, left in lefts.items() if left is not None]

    def _show_times(self) -> None:
        if self._times:
            self._print(N_("Time left: {times}"), times=" · ".join(self._times))
        else:
            self._print(N_("There is no clock."))

    # The declaration

    def _draw_curtain(self) -> None:
        """Ask the player whose declaration is due to take the keyboard, once a question."""
        question = self._table.question
        if question == self._curtain:
            return
        self._close_curtain()
        self._curtain = question
        if question:
            self._print(
                N_("{side}: take the keyboard. {other}: look away. Then press Enter."),
                side=self._language.side(question.owner),
                other=self._language.side(question.owner.other),
            )

    def _close_curtain(self) -> None:
        """Wipe what only one player may see, if the curtain was open."""
        if self._choosing:
            self._console.file.write(_WIPE)
            _set_echo(self._keyboard, on=True)
        self._curtain = self._choosing = None

    def _open_curtain(self, question: RankAsked) -> None:
        _set_echo(self._keyboard, on=False)
        if self._table.contradiction:
            self._console.print(self._announcer.proof(self._table.contradiction))
            self._print(
                N_("Who is sure of the {rank} all the same types: insist"),
                rank=self._language.rank(self._table.contradiction.proof.rank),
            )
        self._show_tiles(question.tiles)

    def _declare(self, question: RankAsked, choosing: _Choosing, line: str) -> None:
        """Take the next line from behind the curtain."""
        if line == "insist" and self._table.contradiction:
            self._finish_declaration(Insisted, self._table.contradiction.proof.rank)
        elif choosing.rank is not None:
            if line in ("y", "j"):
                self._finish_declaration(RankDeclared, choosing.rank)
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

    def _finish_declaration(self, kind: Callable[..., Input], rank: Rank) -> None:
        assert self._curtain
        owner = self._curtain.owner
        self._close_curtain()
        self._say(kind, Secret(owner, rank))

    # What is typed

    def _answer(self, line: str) -> None:
        """Take a line from the keyboard."""
        if self._curtain and self._choosing:
            if line != "no attack":
                self._declare(self._curtain, self._choosing, line)
                return
            self._close_curtain()
        match line.split():
            case []:
                if self._curtain:
                    self._open_curtain(self._curtain)
            case ["attack", source, target]:
                self._open_attack(source, target)
            case ["infiltrate", source, target, *guess]:
                self._infiltrate(source, target, " ".join(guess))
            case ["time"]:
                self._show_times()
            case [*words, side] if " ".join(words) in _OF_A_SIDE and side in _SIDES:
                self._do(_OF_A_SIDE[" ".join(words)], Side(side))
            case words if " ".join(words) in _OF_NOBODY:
                self._do(_OF_NOBODY[" ".join(words)])
            case _:
                self._print(HELP)

    def _do(self, kind: Callable[..., Input], *what: object) -> None:
        """Say it to the table; what does not fit the moment is answered, so that nobody waits."""
        self._was_heard = False
        self._say(kind, *what)
        if not self._was_heard:
            self._print(N_("That does not fit the moment; nothing has changed."))

    def _open_attack(self, source: str, target: str) -> None:
        squares = _read_squares(source, target)
        if squares:
            self._do(AttackOnScreen, *squares)
        else:
            self._print(N_("Name two squares, such as: attack e4 e5"))

    def _infiltrate(self, source: str, target: str, guess: str) -> None:
        squares, rank = _read_squares(source, target), self._read_rank(guess)
        if squares and rank is not None:
            self._do(Infiltrating, *squares, rank)
        else:
            self._print(N_("Name two squares and a rank, such as: infiltrate d8 d9 colonel"))

    def _read_rank(self, said: str) -> Rank | None:
        """The rank of a name in the players' language or in English."""
        for rank, name in RANK_NAMES.items():
            if said in (name, self._language.rank(rank).lower()):
                return rank
        return None


_SIDES: Final = {side.value for side in Side}
_OF_A_SIDE: Final[Mapping[str, Callable[..., Input]]] = {
    "ready": Ready,
    "take back": TakeBackOffered,
    "draw": DrawOffered,
    "resign": Resigned,
    "forfeit": Forfeited,
}
"""What is typed with a side after it."""
_OF_NOBODY: Final[Mapping[str, Callable[..., Input]]] = {
    "no attack": NoAttack,
    "cannot move": CannotMove,
    "right": partial(GuessAnswered, right=True),
    "wrong": partial(GuessAnswered, right=False),
    "counts": partial(DisputeSettled, accepted=True),
    "does not count": partial(DisputeSettled, accepted=False),
    "let stand": LetStand,
}
"""What is typed as it is."""


def _read_squares(source: str, target: str) -> tuple[Square, Square] | None:
    try:
        return square(source), square(target)
    except ValueError:
        return None


def _minutes(seconds: float) -> str:
    """Write a time as a clock shows it: at zero only when nothing is left."""
    minutes, rest = divmod(math.ceil(seconds), 60)
    return f"{minutes}:{rest:02}"


def _set_echo(keyboard: TextIO, *, on: bool) -> bool:
    """Let the terminal show what is typed, or not; False if the keyboard is no terminal."""
    if not keyboard.isatty():
        return False
    settings = termios.tcgetattr(keyboard)
    settings[3] = settings[3] | termios.ECHO if on else settings[3] & ~termios.ECHO
    termios.tcsetattr(keyboard, termios.TCSADRAIN, settings)
    return True
