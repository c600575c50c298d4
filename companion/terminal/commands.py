"""Parser of openly typed lines: converts them into the players' actions and commands."""

from collections.abc import Callable, Mapping
from typing import Final

from companion.core.inputs import (
    AdjustClock,
    BoardClaimed,
    CallArbiter,
    Command,
    CommandInput,
    ExplanationChosen,
    IgnoreSquare,
    Input,
    NoAttack,
    OfferDraw,
    OfferUndo,
    Pause,
    Ready,
    Resume,
    WithdrawCall,
)
from companion.core.table import Table
from companion.speech.announcer import Announcer
from companion.speech.i18n import N_, RANK_NAMES
from companion.terminal.output import Printer
from companion.terminal.prompts import EndConfirmation, Prompts
from engine.board.geometry import Side, Square, square
from engine.board.ranks import Rank
from engine.game.actions import (
    Action,
    AnswerGuess,
    AnswerStalemate,
    Attack,
    BreakSeals,
    ClaimStalemate,
    Correct,
    Correction,
    Forfeit,
    Infiltrate,
    Move,
    NotAScout,
    Override,
    RankCorrection,
    Resign,
    SettleDispute,
    SwapCorrection,
)
from engine.game.clocks import read_time
from engine.game.rulings import AdoptionRejected, AttackWithdrawn

Give = Callable[[Callable[[float], Input]], bool]
"""Passes an input with the current time to the table; returns whether the input had an effect or
waits."""


class Commands:
    """Handles typed lines: each line becomes an action or a command of the players.

    A line that is not possible now gets a reply, so that the players do not wait for nothing.
    """

    def __init__(
        self,
        table: Table,
        announcer: Announcer,
        printer: Printer,
        prompts: Prompts,
        give: Give,
        *,
        is_in_hall: bool,
    ) -> None:
        """Handle lines typed at a game's terminal; in a hall, arbiters can be called."""
        self._table = table
        self._announcer = announcer
        self._language = announcer.language
        self._printer = printer
        self._prompts = prompts
        self._give = give
        self._is_in_hall = is_in_hall
        self._final_word = EndConfirmation(table, printer)

    def take(self, line: str) -> None:
        """Handle a line from the keyboard."""
        was_asked = self._final_word.is_open
        if said := self._final_word.confirmed(line):
            self._do(lambda at: CommandInput(at, said))
            return
        match line.split():
            case ["no"] if was_asked:
                return  # the line was the answer
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
                self._choose_explanation(number)
            case ["board"]:
                self._read_board()
            case [("red" | "blue") as side, "agrees" | "agrees,", to_move, "moves"] if (
                to_move in _SIDES
            ):
                self._do(lambda at: BoardClaimed(at, Side(side), Side(to_move)))
            case [("give" | "take") as verb, side, time] if side in _SIDES:
                self._give_time(Side(side), time, is_taken=verb == "take")
            case ["call", "arbiter"] if not self._is_in_hall:
                self._printer.say(
                    N_("This table is not connected to a hall, so nobody would get the call.")
                )
            case ["time"]:
                self._prompts.tell_times()
            case [*words, side] if " ".join(words) in _SIDE_COMMANDS and side in _SIDES:
                self._say(_SIDE_COMMANDS[" ".join(words)](Side(side)))
            case words if " ".join(words) in _PLAIN_COMMANDS:
                self._say(_PLAIN_COMMANDS[" ".join(words)])
            case _:
                self._prompts.help()

    def _say(self, what: Action | Command) -> None:
        if not self._final_word.asks(what):
            self._do(lambda at: CommandInput(at, what))

    def _do(self, make_input: Callable[[float], Input]) -> None:
        if not self._give(make_input):
            self._reject()

    def _reject(self) -> None:
        self._printer.say(N_("That is not possible now. Nothing has changed."))

    def _deny(self) -> None:
        """Answer that no attack or hypothesis is right."""
        asked = self._table.state.asked
        if asked.answers and not asked.interrupts:
            self._give(NoAttack)
            if not self._table.state.asked.answers:
                self._printer.show(self._announcer.sentence(AttackWithdrawn()))
        else:
            self._do(NoAttack)

    def _choose_explanation(self, number: str) -> None:
        offered = len(self._table.state.asked.answers)
        if not offered:
            self._reject()
        elif number.isdecimal() and 1 <= int(number) <= offered:
            self._do(lambda at: ExplanationChosen(at, int(number) - 1))
        else:
            self._printer.say(N_("Type one of the numbers."))

    def _let_stand(self) -> None:
        if refused := self._table.state.refused:
            self._say(Override(refused.source, refused.target))
        else:
            self._reject()

    def _read_board(self) -> None:
        """Print the changes to the referee's position if both sides adopt the board."""
        match self._table.adoption.claim:
            case None:
                self._printer.say(N_("There is nothing about the board to agree on now."))
            case AdoptionRejected() as refused:
                self._printer.show(self._announcer.sentence(refused))
            case claim:
                for line in self._announcer.board.claim(claim.shifted, claim.removed):
                    self._printer.show(line)
                self._printer.say(
                    N_("Both players type this, with whose turn it is: red agrees, blue moves")
                )

    def _open_attack(self, source: str, target: str) -> None:
        squares = _read_squares(source, target)
        attacks = [answer.attack for answer in self._table.state.asked.answers]
        asked = [(attack.source, attack.target) if attack else () for attack in attacks]
        if squares in asked and squares:
            self._do(lambda at: ExplanationChosen(at, asked.index(squares)))
        elif squares:
            self._say(Attack(*squares))
        else:
            self._printer.say(N_("Give two squares, for example: attack e4 e5"))

    def _infiltrate(self, source: str, target: str, guess: str) -> None:
        squares, rank = _read_squares(source, target), self._read_rank(guess)
        if squares and rank is not None:
            self._say(Infiltrate(squares[0], squares[1], rank))
        else:
            self._printer.say(
                N_("Give two squares and a rank, for example: infiltrate d8 d9 colonel")
            )

    def _doubt(self, where: str, *, doubted: bool) -> None:
        squares = _read_squares(where)
        if squares:
            self._say(IgnoreSquare(squares[0], doubted))
        else:
            self._printer.say(N_("Give a square, for example: doubt e5"))

    def _give_time(self, side: Side, time: str, *, is_taken: bool) -> None:
        try:
            seconds = read_time(time, time)
        except ValueError:
            self._printer.say(N_("Give a time in minutes and seconds, for example: give red 1:30"))
        else:
            self._say(AdjustClock(side, -seconds if is_taken else seconds))

    def _move(self, source: str, target: str) -> None:
        squares = _read_squares(source, target)
        if squares:
            self._say(Move(*squares))
        else:
            self._printer.say(N_("Give two squares, for example: move e4 e5"))

    def _correct_rank(self, where: str, named: str) -> None:
        squares, rank = _read_squares(where), self._read_rank(named)
        if squares and rank is not None:
            self._correct(squares, lambda piece: RankCorrection(piece, rank))
        else:
            self._printer.say(N_("Give a square and a rank, for example: correct e6 captain"))

    def _correct_exchange(self, one: str, other: str) -> None:
        squares = _read_squares(one, other)
        if squares:
            self._correct(squares, SwapCorrection)
        else:
            self._printer.say(N_("Give two squares, for example: exchanged e6 e7"))

    def _correct_long_move(self, where: str) -> None:
        squares = _read_squares(where)
        if squares:
            self._correct(squares, NotAScout)
        else:
            self._printer.say(N_("Give a square, for example: no long move e6"))

    def _correct(
        self, squares: tuple[Square, ...], make_correction: Callable[..., Correction]
    ) -> None:
        """Submit a correction about the pieces on these squares."""
        board = self._table.view.board
        if all(board.side_at(square) for square in squares):
            self._say(Correct(make_correction(*map(board.piece_at, squares))))
        else:
            self._reject()

    def _read_rank(self, text: str) -> Rank | None:
        """Return the rank with this name in the players' language or in English, or None."""
        for rank, english in RANK_NAMES.items():
            if text in (english, self._language.rank(rank).lower()):
                return rank
        return None


_SIDES: Final = {side.value for side in Side}
_SIDE_COMMANDS: Final[Mapping[str, Callable[[Side], Action | Command]]] = {
    "ready": Ready,
    "take back": OfferUndo,
    "draw": OfferDraw,
    "resign": Resign,
    "forfeit": Forfeit,
    "break seals": BreakSeals,
}
"""Commands that follow the name of a side."""
_PLAIN_COMMANDS: Final[Mapping[str, Action | Command]] = {
    "pause": Pause(),
    "go on": Resume(),
    "call arbiter": CallArbiter(None),
    "withdraw call": WithdrawCall(None),
    "cannot move": ClaimStalemate(),
    "yes": AnswerStalemate(able=True),
    "no": AnswerStalemate(able=False),
    "right": AnswerGuess(right=True),
    "wrong": AnswerGuess(right=False),
    "counts": SettleDispute(accepted=True),
    "does not count": SettleDispute(accepted=False),
}
"""Commands without a side."""


def _read_squares(*names: str) -> tuple[Square, ...]:
    """Return the squares with these names; empty if a name is invalid."""
    try:
        return tuple(map(square, names))
    except ValueError:
        return ()
