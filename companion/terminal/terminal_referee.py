"""The table in a terminal: what is announced, and the players' answers at the keyboard.

A terminal is a shared screen, so a declaration is a small ceremony: it names the player, waits for
Enter, and opens the `curtain`.
"""

import math
import time
from collections.abc import Callable, Mapping
from typing import Final, TextIO

from rich.console import Console

from companion.devices.edge_lamps import lit, look
from companion.devices.live_board import LiveBoard
from companion.devices.panel_lamps import PanelLamps
from companion.speech.announcer import Announcer
from companion.speech.language import N_, RANK_NAMES
from companion.store.session import Session
from companion.table.events import (
    AttackAsked,
    AttackOffered,
    CourseAsked,
    Event,
    RankAsked,
    TurnBegan,
    WhoAttacks,
)
from companion.table.inputs import BoardSeen, CourseChosen, Input, NoAttack, Said, TimePassed
from companion.table.sayings import Doubt, OfferDraw, OfferTakeBack, Ready, Saying
from companion.terminal.curtain import Curtain
from companion.terminal.keyboard import Keyboard
from engine.play.actions import (
    Action,
    AnswerCannotMove,
    AnswerGuess,
    Attack,
    CannotMove,
    Correct,
    Exchanged,
    Forfeit,
    Infiltrate,
    Mistake,
    Move,
    NoLongMove,
    Override,
    Resign,
    SettleDispute,
    WrongRank,
)
from engine.play.clocks import clock_text
from engine.play.moment import Phase
from engine.play.rulings import (
    AttackWithdrawn,
    CanYouMove,
    Combat,
    Contradiction,
    Disputed,
    GameOver,
    InfiltrationOpened,
    ShowAMove,
)
from engine.ranks import Rank
from engine.rulebook.violation import Violation
from engine.secrecy import Public
from engine.sides import Side
from engine.squares import Square, name, square
from firmware_bridge.link import Trouble
from firmware_bridge.sensing.watch import STEADY

POLL_SECONDS: Final = 0.05
"""How long to wait for a key before looking at the board again."""
HELP: Final = N_(
    """\
Type: ready red · ready blue
A turn: attack e4 e5 · no attack · infiltrate d8 d9 colonel · right · wrong
Asked what happened: it was 2 · it was none
Who cannot move: cannot move · asked whether you can: yes · no
Both agree: take back red, take back blue · draw red, draw blue
A dispute: insist (behind the curtain) · counts · does not count
The arbiter: let stand · forfeit red · forfeit both
What was taken down wrongly: correct e6 captain · exchanged e6 e7 · no long move e6
A square that the board sees wrongly: doubt e5 · believe e5 · move e4 e5
Besides: time · resign red · help · quit"""
)


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
        private: Console,
        lamps: PanelLamps | None = None,
    ) -> None:
        """Take place between the board, the session and a keyboard (a terminal or a pipe).

        What one player alone may see is printed on `private` instead of the `console`.
        """
        self._clock = clock
        self._session = session
        self._table = session.table
        self._board = board
        self._announcer = announcer
        self._language = announcer.language
        self._console = console
        self._keyboard = Keyboard(keyboard)
        self._curtain = Curtain(session.table, announcer, private, self._keyboard)
        self._trouble: Trouble | None = None
        self._seen_at = -math.inf
        """When the board sent its latest frame."""
        self._was_heard = False
        session.listen(narrate(console, announcer, prefix=lambda: ""))
        session.listen(self._prompt)
        self._lamps = lamps
        if lamps:
            session.listen(lamps.hear)

    def run(self) -> None:
        """Referee until the game is over, somebody types quit, or the keyboard is gone."""
        self._print(HELP)
        self._ask()
        try:
            while self._table.view.outcome is None:
                self._look_at_board()
                self._draw_curtain()
                line = self._keyboard.line(POLL_SECONDS)
                if line is None:
                    continue
                if line.strip() == "quit":
                    raise EOFError
                self._answer(line.strip().lower())
        except EOFError:
            if self._table.is_running:
                self._print(N_("The game is kept. Start again to go on."))
        finally:
            self._curtain.close()

    def _print(self, message: str, **values: object) -> None:
        text = self._language.text(message, **values)
        self._console.print(text)

    def _give(self, made: Callable[[float], Input]) -> None:
        self._session.handle(made(self._clock()))

    def _look_at_board(self) -> None:
        """Put to the table what has come; while frames come they tell it the time."""
        for given in self._board.poll():
            self._session.handle(given)
            if isinstance(given, BoardSeen):
                self._seen_at = given.at
        if self._lamps:
            self._lamps.tick(self._table, self._session.handle)
        now, due = self._clock(), self._table.due
        if due is not None and now >= due and now - self._seen_at >= STEADY:
            self._give(TimePassed)
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
            case AttackAsked(source, target):
                way = N_("Type: attack {source} {target} · no attack")
                self._print(way, source=name(source), target=name(target))
            case WhoAttacks(source, target):
                ways = N_("Type: attack {source} {target} · attack {target} {source} · no attack")
                self._print(ways, source=name(source), target=name(target))
            case CourseAsked(courses):
                self._list_courses(courses)
            case AttackOffered():
                self._mention_offers()
            case Disputed() | InfiltrationOpened() | CanYouMove() | ShowAMove():
                self._ask()

    def _ask(self) -> None:
        """Say what has to be answered aloud before the game goes on, if anything."""
        view = self._table.view
        mover, waiter = map(self._language.side, (view.to_move, view.to_move.other))
        match view.phase:
            case Phase.DISPUTE:
                self._print(N_("Type: counts · does not count"))
            case Phase.GUESS:
                self._print(N_("{side}, type: right · wrong"), side=waiter)
            case Phase.STANDSTILL:
                self._print(N_("{side}, type: yes · no"), side=waiter)
            case Phase.SHOWING:
                shown = N_("{side}, move on the board. Who finds no move types: no")
                self._print(shown, side=mover)

    def _list_courses(self, courses: tuple[str, ...]) -> None:
        for number, course in enumerate(courses, start=1):
            self._console.print(f"{number:3}  {self._announcer.course(course)}")
        self._print(N_("Type the right number: it was 1 · if none is right: it was none"))

    def _mention_offers(self) -> None:
        """Say how an attack is opened that may be meant. Who means none has nothing to type."""
        for answer in self._table.state.asked.answers:
            if attack := answer.attack:
                way = N_("If {source} attacks {target}, type: attack {source} {target}")
                self._print(way, source=name(attack.source), target=name(attack.target))

    # The clock

    @property
    def _times(self) -> list[str]:
        """What is left on the clocks that count now; nothing if there is no clock."""
        clock, now = self._table.clock, self._clock()
        if self._table.view.phase is Phase.SETUP:
            lefts = {self._language.text(N_("setting up")): clock.setup_left(now)}
        else:
            lefts = {self._language.side(side): clock.left(side, now) for side in Side}
            lefts[self._language.text(N_("the whole game"))] = clock.whole_left(now)
        return [f"{what} {clock_text(left)}" for what, left in lefts.items() if left is not None]

    def _show_times(self) -> None:
        if self._times:
            self._print(N_("Time left: {times}"), times=" · ".join(self._times))
        else:
            self._print(N_("There is no clock."))

    def _draw_curtain(self) -> None:
        """Ask the player who has to say something in private to take the keyboard, once."""
        question: RankAsked | Contradiction | None = self._table.conversation.question
        if self._table.view.phase is Phase.GUESS:
            question = self._table.conversation.contradiction
        if question == self._curtain.question:
            return
        self._curtain.close()
        self._curtain.question = question
        if question:
            self._print(
                N_("{side}: take the keyboard. {other}: look away. Then press Enter."),
                side=self._language.side(question.owner),
                other=self._language.side(question.owner.other),
            )

    # What is typed

    def _answer(self, line: str) -> None:
        """Take a line from the keyboard."""
        if self._curtain.is_open:
            if line != "no attack":
                said = self._curtain.answer(line)
                if said:
                    self._give(lambda at: Said(at, said))
                return
            self._curtain.close()
        match line.split():
            case []:
                self._curtain.open()
            case ["attack", source, target]:
                self._open_attack(source, target)
            case ["infiltrate", source, target, *guess]:
                self._infiltrate(source, target, " ".join(guess))
            case ["doubt" | "believe" as verb, where]:
                self._doubt(where, doubted=verb == "doubt")
            case ["move", source, target]:
                self._move(source, target)
            case ["correct", where, *rank]:
                self._correct_rank(where, " ".join(rank))
            case ["exchanged", one, other]:
                self._correct_exchange(one, other)
            case ["no", "long", "move", where]:
                self._correct_long_move(where)
            case ["forfeit", "both"]:
                self._say(Forfeit(None))
            case ["let", "stand"]:
                self._let_stand()
            case ["no", "attack"] | ["it", "was", "none"]:
                self._deny()
            case ["it", "was", number]:
                self._choose_course(number)
            case ["time"]:
                self._show_times()
            case [*words, side] if " ".join(words) in _OF_A_SIDE and side in _SIDES:
                self._say(_OF_A_SIDE[" ".join(words)](Side(side)))
            case words if " ".join(words) in _OF_NOBODY:
                self._say(_OF_NOBODY[" ".join(words)])
            case _:
                self._print(HELP)

    def _say(self, what: Action | Saying) -> None:
        self._do(lambda at: Said(at, what))

    def _do(self, made: Callable[[float], Input]) -> None:
        """Give it to the table; what does not fit the moment is answered, so that nobody waits."""
        self._was_heard = False
        self._give(made)
        if not self._was_heard:
            self._object()

    def _object(self) -> None:
        self._print(N_("That does not fit the moment; nothing has changed."))

    def _deny(self) -> None:
        """It was no attack, or none of the courses. That an offer is declined, the table keeps."""
        asked = self._table.state.asked
        if asked.answers and not asked.interrupts:
            self._give(NoAttack)
            self._console.print(self._announcer.sentence(AttackWithdrawn()))
        else:
            self._do(NoAttack)

    def _choose_course(self, number: str) -> None:
        courses = len(self._table.state.asked.answers)
        if not courses:
            self._object()
        elif number.isdecimal() and 1 <= int(number) <= courses:
            self._do(lambda at: CourseChosen(at, int(number) - 1))
        else:
            self._print(N_("Type one of the numbers."))

    def _let_stand(self) -> None:
        if refused := self._table.state.refused:
            self._say(Override(refused.source, refused.target))
        else:
            self._object()

    def _open_attack(self, source: str, target: str) -> None:
        squares = _read_squares(source, target)
        attacks = [answer.attack for answer in self._table.state.asked.answers]
        asked = [(attack.source, attack.target) if attack else () for attack in attacks]
        if squares in asked and squares:
            self._do(lambda at: CourseChosen(at, asked.index(squares)))
        elif squares:
            self._say(Attack(*squares))
        else:
            self._print(N_("Name two squares, such as: attack e4 e5"))

    def _infiltrate(self, source: str, target: str, guess: str) -> None:
        squares, rank = _read_squares(source, target), self._read_rank(guess)
        if squares and rank is not None:
            self._say(Infiltrate(squares[0], squares[1], rank))
        else:
            self._print(N_("Name two squares and a rank, such as: infiltrate d8 d9 colonel"))

    def _doubt(self, where: str, *, doubted: bool) -> None:
        squares = _read_squares(where)
        if squares:
            self._say(Doubt(squares[0], doubted))
        else:
            self._print(N_("Name a square, such as: doubt e5"))

    def _move(self, source: str, target: str) -> None:
        squares = _read_squares(source, target)
        if squares:
            self._say(Move(*squares))
        else:
            self._print(N_("Name two squares, such as: move e4 e5"))

    def _correct_rank(self, where: str, named: str) -> None:
        squares, rank = _read_squares(where), self._read_rank(named)
        if squares and rank is not None:
            self._correct(squares, lambda piece: WrongRank(piece, rank))
        else:
            self._print(N_("Name a square and a rank, such as: correct e6 captain"))

    def _correct_exchange(self, one: str, other: str) -> None:
        squares = _read_squares(one, other)
        if squares:
            self._correct(squares, Exchanged)
        else:
            self._print(N_("Name two squares, such as: exchanged e6 e7"))

    def _correct_long_move(self, where: str) -> None:
        squares = _read_squares(where)
        if squares:
            self._correct(squares, NoLongMove)
        else:
            self._print(N_("Name a square, such as: no long move e6"))

    def _correct(self, squares: tuple[Square, ...], made: Callable[..., Mistake]) -> None:
        """Set something right about the pieces on some squares."""
        board = self._table.view.board
        if all(board.side_at(square) for square in squares):
            self._say(Correct(made(*map(board.piece_at, squares))))
        else:
            self._object()

    def _read_rank(self, said: str) -> Rank | None:
        """The rank of a name in the players' language or in English."""
        for rank, english in RANK_NAMES.items():
            if said in (english, self._language.rank(rank).lower()):
                return rank
        return None


_SIDES: Final = {side.value for side in Side}
_OF_A_SIDE: Final[Mapping[str, Callable[[Side], Action | Saying]]] = {
    "ready": Ready,
    "take back": OfferTakeBack,
    "draw": OfferDraw,
    "resign": Resign,
    "forfeit": Forfeit,
}
"""What is typed with a side after it."""
_OF_NOBODY: Final[Mapping[str, Action]] = {
    "cannot move": CannotMove(),
    "yes": AnswerCannotMove(able=True),
    "no": AnswerCannotMove(able=False),
    "right": AnswerGuess(right=True),
    "wrong": AnswerGuess(right=False),
    "counts": SettleDispute(accepted=True),
    "does not count": SettleDispute(accepted=False),
}
"""What is typed as it is."""


def _read_squares(*names: str) -> tuple[Square, ...]:
    """The squares of these names; none if one of them is no name of a square."""
    try:
        return tuple(map(square, names))
    except ValueError:
        return ()
