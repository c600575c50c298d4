"""Runs a table in a terminal with one keyboard.

Typed lines become actions and commands (`Commands`). Both players see the terminal, so a
declaration follows a fixed sequence: the program names the player, waits for Enter, and opens the
curtain (`private_prompt`).
"""

import math
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, TextIO

from rich.console import Console

from companion.core import inputs
from companion.core.events import Event, RankAsked, TurnBegan
from companion.core.table import Table
from companion.devices.lamps import PanelLamps, highlights_of, squares_to_light
from companion.devices.live_board import LiveBoard
from companion.session.session import Session
from companion.speech.announcer import Announcer
from companion.speech.i18n import N_, RANK_NAMES
from companion.speech.small_texts import link_error_text
from companion.terminal import private_prompt
from companion.terminal.output import InstructionPrinter, Printer, draw_board, narrate
from companion.terminal.prompts import EndConfirmation, Prompts, SaveErrorPrompt
from engine.board.geometry import Side, Square, square
from engine.board.ranks import Rank
from engine.game import actions
from engine.game.clocks import read_time
from engine.game.game_state import Phase
from engine.game.rulings import AdoptionRejected, AttackWithdrawn, Contradiction
from firmware_bridge.link import LinkError
from firmware_bridge.sensing.sensing_limits import SENSING_LIMITS

if TYPE_CHECKING:
    from companion.hall.publisher.uplink import HallUplink


Give = Callable[[Callable[[float], inputs.Input]], bool]
"""Passes an input to the table with the current time. Returns whether the input had an effect or is
waiting to be saved."""


class Commands:
    """Handles typed lines. Each line becomes an action or a command of the players.

    If a line cannot be carried out, a reply explains why.
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
        """Handle lines typed in a game's terminal. In a hall, the players can call the arbiter."""
        self._table = table
        self._announcer = announcer
        self._language = announcer.language
        self._printer = printer
        self._prompts = prompts
        self._give = give
        self._is_in_hall = is_in_hall
        self._final_word = EndConfirmation(table, printer)

    def take(self, line: str) -> None:
        """Handle a typed line."""
        was_asked = self._final_word.is_open
        if confirmed_command := self._final_word.confirmed(line):
            self._do(lambda at: inputs.CommandInput(at, confirmed_command))
            return
        match line.split():
            case ["no"] if was_asked:
                return  # the line answered the request for confirmation
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
                self._submit(actions.Forfeit(None))
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
                self._do(lambda at: inputs.BoardClaimed(at, Side(side), Side(to_move)))
            case [("give" | "take") as verb, side, time] if side in _SIDES:
                self._give_time(Side(side), time, is_taken=verb == "take")
            case ["call", "arbiter"] if not self._is_in_hall:
                self._printer.print_text(
                    N_("This table is not connected to a hall, so nobody would get the call.")
                )
            case ["time"]:
                self._prompts.print_times()
            case [*words, side] if " ".join(words) in _SIDE_COMMANDS and side in _SIDES:
                self._submit(_SIDE_COMMANDS[" ".join(words)](Side(side)))
            case words if " ".join(words) in _PLAIN_COMMANDS:
                self._submit(_PLAIN_COMMANDS[" ".join(words)])
            case _:
                self._prompts.help()

    def _submit(self, what: actions.Action | inputs.Command) -> None:
        if not self._final_word.asks(what):
            self._do(lambda at: inputs.CommandInput(at, what))

    def _do(self, make_input: Callable[[float], inputs.Input]) -> None:
        if not self._give(make_input):
            self._reject()

    def _reject(self) -> None:
        self._printer.print_text(N_("That is not possible now. Nothing has changed."))

    def _deny(self) -> None:
        """Reject all of the offered attacks or explanations."""
        asked = self._table.state.asked
        if asked.answers and not asked.interrupts:
            self._give(inputs.NoAttack)
            if not self._table.state.asked.answers:
                self._printer.show(self._announcer.sentence(AttackWithdrawn()))
        else:
            self._do(inputs.NoAttack)

    def _choose_explanation(self, number: str) -> None:
        offered = len(self._table.state.asked.answers)
        if not offered:
            self._reject()
        elif number.isdecimal() and 1 <= int(number) <= offered:
            self._do(lambda at: inputs.ExplanationChosen(at, int(number) - 1))
        else:
            self._printer.print_text(N_("Type one of the numbers."))

    def _let_stand(self) -> None:
        if refused := self._table.state.refused:
            self._submit(actions.Override(refused.source, refused.target))
        else:
            self._reject()

    def _read_board(self) -> None:
        """Print how the position would change if both sides accepted the board as it stands."""
        match self._table.adoption.claim:
            case None:
                self._printer.print_text(N_("There is nothing about the board to agree on now."))
            case AdoptionRejected() as refused:
                self._printer.show(self._announcer.sentence(refused))
            case claim:
                for line in self._announcer.board.claim(claim.shifted, claim.removed):
                    self._printer.show(line)
                self._printer.print_text(
                    N_("Both players type this, with whose turn it is: red agrees, blue moves")
                )

    def _open_attack(self, source: str, target: str) -> None:
        squares = _read_squares(source, target)
        attacks = [answer.attack for answer in self._table.state.asked.answers]
        asked = [(attack.source, attack.target) if attack else () for attack in attacks]
        if squares in asked and squares:
            self._do(lambda at: inputs.ExplanationChosen(at, asked.index(squares)))
        elif squares:
            self._submit(actions.Attack(*squares))
        else:
            self._printer.print_text(N_("Give two squares, for example: attack e4 e5"))

    def _infiltrate(self, source: str, target: str, guess: str) -> None:
        squares, rank = _read_squares(source, target), self._read_rank(guess)
        if squares and rank is not None:
            self._submit(actions.Infiltrate(squares[0], squares[1], rank))
        else:
            self._printer.print_text(
                N_("Give two squares and a rank, for example: infiltrate d8 d9 colonel")
            )

    def _doubt(self, where: str, *, doubted: bool) -> None:
        squares = _read_squares(where)
        if squares:
            self._submit(inputs.IgnoreSquare(squares[0], doubted))
        else:
            self._printer.print_text(N_("Give a square, for example: doubt e5"))

    def _give_time(self, side: Side, time: str, *, is_taken: bool) -> None:
        try:
            seconds = read_time(time, time)
        except ValueError:
            self._printer.print_text(
                N_("Give a time in minutes and seconds, for example: give red 1:30")
            )
        else:
            self._submit(inputs.AdjustClock(side, -seconds if is_taken else seconds))

    def _move(self, source: str, target: str) -> None:
        squares = _read_squares(source, target)
        if squares:
            self._submit(actions.Move(*squares))
        else:
            self._printer.print_text(N_("Give two squares, for example: move e4 e5"))

    def _correct_rank(self, where: str, named: str) -> None:
        squares, rank = _read_squares(where), self._read_rank(named)
        if squares and rank is not None:
            self._correct(squares, lambda piece: actions.RankCorrection(piece, rank))
        else:
            self._printer.print_text(
                N_("Give a square and a rank, for example: correct e6 captain")
            )

    def _correct_exchange(self, one: str, other: str) -> None:
        squares = _read_squares(one, other)
        if squares:
            self._correct(squares, actions.SwapCorrection)
        else:
            self._printer.print_text(N_("Give two squares, for example: exchanged e6 e7"))

    def _correct_long_move(self, where: str) -> None:
        squares = _read_squares(where)
        if squares:
            self._correct(squares, actions.NotAScout)
        else:
            self._printer.print_text(N_("Give a square, for example: no long move e6"))

    def _correct(
        self, squares: tuple[Square, ...], make_correction: Callable[..., actions.Correction]
    ) -> None:
        """Submit a correction that concerns the pieces on these squares."""
        board = self._table.view.board
        if all(board.side_at(square) for square in squares):
            self._submit(actions.Correct(make_correction(*map(board.piece_at, squares))))
        else:
            self._reject()

    def _read_rank(self, text: str) -> Rank | None:
        """Return the rank with this name, in the players' language or in English, or None."""
        for rank, english in RANK_NAMES.items():
            if text in (english, self._language.rank(rank).lower()):
                return rank
        return None


_SIDES: Final = {side.value for side in Side}
_SIDE_COMMANDS: Final[Mapping[str, Callable[[Side], actions.Action | inputs.Command]]] = {
    "ready": inputs.Ready,
    "take back": inputs.OfferUndo,
    "draw": inputs.OfferDraw,
    "resign": actions.Resign,
    "forfeit": actions.Forfeit,
    "break seals": actions.BreakSeals,
}
"""Commands that take the name of a side."""
_PLAIN_COMMANDS: Final[Mapping[str, actions.Action | inputs.Command]] = {
    "pause": inputs.Pause(),
    "go on": inputs.Resume(),
    "call arbiter": inputs.CallArbiter(None),
    "withdraw call": inputs.WithdrawCall(None),
    "cannot move": actions.ClaimStalemate(),
    "yes": actions.AnswerStalemate(able=True),
    "no": actions.AnswerStalemate(able=False),
    "right": actions.AnswerGuess(right=True),
    "wrong": actions.AnswerGuess(right=False),
    "counts": actions.SettleDispute(accepted=True),
    "does not count": actions.SettleDispute(accepted=False),
}
"""Commands without a side."""


def _read_squares(*names: str) -> tuple[Square, ...]:
    """Return the squares with these names. If any name is invalid, return an empty tuple."""
    try:
        return tuple(map(square, names))
    except ValueError:
        return ()


POLL_SECONDS: Final = 0.05
"""Time in seconds to wait for a line before polling the board again."""


class TerminalReferee:
    """A game on a real board, played with one keyboard."""

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
        hall: "HallUplink | None" = None,
    ) -> None:
        """Connect the board, the session and a keyboard (a terminal or a pipe).

        Private text is printed on `private` instead of `console`.
        """
        self._clock = clock
        self._session, self._hall = session, hall
        self._table = session.table
        self._board = board
        self._announcer = announcer
        self._printer = Printer(console, announcer.language)
        self._keyboard = private_prompt.TypedLines(keyboard)
        self._curtain = private_prompt.PrivatePrompt(
            session.table, announcer, private, self._keyboard
        )
        self._keeping = SaveErrorPrompt(session, self._printer, self._curtain.close)
        self._prompts = Prompts(session.table, announcer, self._printer, clock)
        self._commands = Commands(
            *(session.table, announcer, self._printer, self._prompts, self._has_effect),
            is_in_hall=hall is not None,
        )
        self._guide = InstructionPrinter(session.table, announcer, self._printer)
        self._error: LinkError | None = None
        self._seen_at = -math.inf
        """Time of the last frame from the board."""
        self._had_effect = False
        self._asks_touched = False
        """Whether a player wants to declare privately that a touched piece cannot move."""
        session.listen(self._on_event)
        session.listen(narrate(console, announcer.headline))
        session.listen(self._prompts.hear)
        self._lamps = lamps
        if lamps:
            session.listen(lamps.hear)

    def run(self) -> None:
        """Run until the game is over, a player types quit, or keyboard input ends."""
        with private_prompt.exit_cleanly_on_signal():
            self._referee()
        self._keeping.print_saved_state(is_running=self._table.is_running)

    def _referee(self) -> None:
        self._prompts.begin()
        try:
            while self._keeping.waits or self._table.view.outcome is None:
                self._look_at_board()
                if not self._keeping.waits:
                    self._guide.look()
                    self._draw_curtain()
                line = self._keyboard.line(POLL_SECONDS)
                if line is None:
                    continue
                if line.strip() == "quit":
                    raise EOFError
                if self._keeping.waits:
                    self._keeping.answer(line.strip().lower())
                else:
                    self._answer(line.strip().lower())
        except EOFError:
            pass
        finally:
            self._curtain.close()

    def _give(self, make_input: Callable[[float], inputs.Input]) -> None:
        self._keeping.give(make_input(self._clock()))

    def _has_effect(self, make_input: Callable[[float], inputs.Input]) -> bool:
        """Pass an input to the table.

        Returns whether the input had an effect or is waiting to be saved.
        """
        self._had_effect = False
        self._give(make_input)
        return self._had_effect or self._keeping.waits

    def _look_at_board(self) -> None:
        """Pass the board's inputs to the table. While frames arrive, they set the table's time."""
        for received in self._board.poll():
            self._keeping.give(received)
            if isinstance(received, inputs.BoardSeen):
                self._seen_at = received.at
        if self._lamps:
            self._lamps.tick(None if self._keeping.waits else self._table, self._keeping.give)
        now, due = self._clock(), self._table.next_deadline
        if self._hall:
            self._hall.carry_out(now, self._session.number, self._table, self._keeping.give)
        if (
            due is not None
            and now >= due
            and now - self._seen_at >= SENSING_LIMITS.steady_frame_gap_seconds
        ):
            self._give(inputs.TimePassed)
        self._board.set_lamps(
            0 if self._keeping.waits else squares_to_light(highlights_of(self._table))
        )
        self._board.set_field_polling(seeks=self._table.is_seeking)
        if self._board.error != self._error:
            self._error = error = self._board.error
            if error:
                words = link_error_text(error, self._announcer.language)
                self._printer.show(words, style="yellow")

    def _on_event(self, event: Event) -> None:
        """Draw the board before a turn is announced, so the sentences appear below it."""
        self._had_effect = True
        if isinstance(event, TurnBegan):
            self._show_board()

    def _show_board(self) -> None:
        self._printer.show(draw_board(self._table, self._announcer.language))

    def _draw_curtain(self) -> None:
        """If there is a new private question, ask its player to take the keyboard."""
        question: RankAsked | Contradiction | private_prompt.TouchedAsked | None = (
            self._table.conversation.question
        )
        if self._table.view.phase is Phase.GUESS:
            question = self._table.conversation.contradiction
        touched = self._table.view.excusable
        self._asks_touched &= touched is not None
        if self._asks_touched and touched is not None:
            question = private_prompt.TouchedAsked(self._table.view.to_move, touched)
        if question == self._curtain.question:
            return
        self._curtain.close()
        self._curtain.question = question
        if question:
            self._printer.print_text(
                N_("{side}: take the keyboard. {other}: look away. Then press Enter."),
                side=self._announcer.language.side(question.owner),
                other=self._announcer.language.side(question.owner.other),
            )
            self._prompts.mention_seals(question.owner)

    def _answer(self, line: str) -> None:
        """Handle a typed line. If the curtain is open, the line is the private answer."""
        if self._curtain.is_open:
            if line != "no attack":
                action = self._curtain.answer(line)
                self._asks_touched &= self._curtain.is_open
                if action:
                    self._give(lambda at: inputs.CommandInput(at, action))
                return
            self._curtain.close()
        if line == "touched" and self._table.view.excusable is not None:
            self._asks_touched = True
        elif line:
            self._commands.take(line)
        elif self._curtain.question:
            self._curtain.open()
        else:
            self._show_board()
