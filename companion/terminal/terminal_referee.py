"""A table in a terminal: announcements, the board, and the players' keyboard input.

A terminal is a shared screen, so a declaration has a fixed sequence: the prompt names the player,
waits for Enter, and opens the curtain (`private_prompt`).
"""

import math
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TextIO

from rich.console import Console

from companion.core.events import Event, RankAsked, TurnBegan
from companion.core.inputs import BoardSeen, CommandInput, Input, TimePassed
from companion.devices.lamps import PanelLamps, highlights_of, squares_to_light
from companion.devices.live_board import LiveBoard
from companion.session.session import Session
from companion.speech.announcer import Announcer
from companion.speech.i18n import N_
from companion.speech.small_texts import link_error_text
from companion.terminal.commands import Commands
from companion.terminal.output import InstructionPrinter, Printer, draw_board, narrate
from companion.terminal.private_prompt import (
    PrivatePrompt,
    TouchedAsked,
    TypedLines,
    exit_cleanly_on_signal,
)
from companion.terminal.prompts import Prompts, SaveErrorPrompt
from engine.game.game_state import Phase
from engine.game.rulings import Contradiction
from firmware_bridge.link import LinkError
from firmware_bridge.sensing.sensing_limits import SENSING_LIMITS

if TYPE_CHECKING:  # most tables are not in a hall
    from companion.hall.publisher.uplink import HallUplink

POLL_SECONDS: Final = 0.05
"""Time to wait for a key before the board is polled again, in seconds."""


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
        hall: "HallUplink | None" = None,
    ) -> None:
        """Connect the board, the session and a keyboard (a terminal or a pipe).

        Private text is printed on `private` instead of the `console`.
        """
        self._clock = clock
        self._session, self._hall = session, hall
        self._table = session.table
        self._board = board
        self._announcer = announcer
        self._printer = Printer(console, announcer.language)
        self._keyboard = TypedLines(keyboard)
        self._curtain = PrivatePrompt(session.table, announcer, private, self._keyboard)
        self._keeping = SaveErrorPrompt(session, self._printer, self._curtain.close)
        self._prompts = Prompts(session.table, announcer, self._printer, clock)
        self._commands = Commands(
            *(session.table, announcer, self._printer, self._prompts, self._has_effect),
            is_in_hall=hall is not None,
        )
        self._guide = InstructionPrinter(session.table, announcer, self._printer)
        self._error: LinkError | None = None
        self._seen_at = -math.inf
        """Time of the latest frame from the board."""
        self._had_effect = False
        self._asks_touched = False
        """Whether a player wants to declare in private that a touched piece cannot move."""
        session.listen(self._on_event)
        session.listen(narrate(console, announcer.headline))
        session.listen(self._prompts.hear)
        self._lamps = lamps
        if lamps:
            session.listen(lamps.hear)

    def run(self) -> None:
        """Run until the game is over, quit is typed, or the keyboard is closed."""
        with exit_cleanly_on_signal():
            self._referee()
        self._keeping.tell_the_end(is_running=self._table.is_running)

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

    def _give(self, make_input: Callable[[float], Input]) -> None:
        self._keeping.give(make_input(self._clock()))

    def _has_effect(self, make_input: Callable[[float], Input]) -> bool:
        """Pass an input to the table; return whether it had an effect or waits to be saved."""
        self._had_effect = False
        self._give(make_input)
        return self._had_effect or self._keeping.waits

    def _look_at_board(self) -> None:
        """Pass new inputs to the table; while frames arrive, they drive the table's clock."""
        for received in self._board.poll():
            self._keeping.give(received)
            if isinstance(received, BoardSeen):
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
            self._give(TimePassed)
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
        """Draw the board before a turn is announced, so that the sentences appear below it."""
        self._had_effect = True
        if isinstance(event, TurnBegan):
            self._show_board()

    def _show_board(self) -> None:
        self._printer.show(draw_board(self._table, self._announcer.language))

    def _draw_curtain(self) -> None:
        """Ask the player who has a private question to take the keyboard, but only once."""
        question: RankAsked | Contradiction | TouchedAsked | None = (
            self._table.conversation.question
        )
        if self._table.view.phase is Phase.GUESS:
            question = self._table.conversation.contradiction
        if self._asks_touched and (touched := self._table.view.excusable) is not None:
            question = TouchedAsked(self._table.view.to_move, touched)
        if question == self._curtain.question:
            return
        self._curtain.close()
        self._curtain.question = question
        if question:
            self._printer.say(
                N_("{side}: take the keyboard. {other}: look away. Then press Enter."),
                side=self._announcer.language.side(question.owner),
                other=self._announcer.language.side(question.owner.other),
            )
            self._prompts.mention_seals(question.owner)

    def _answer(self, line: str) -> None:
        """Handle a line from the keyboard; with an open curtain, as the private answer."""
        if self._curtain.is_open:
            if line != "no attack":
                action = self._curtain.answer(line)
                self._asks_touched &= self._curtain.is_open
                if action:
                    self._give(lambda at: CommandInput(at, action))
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
