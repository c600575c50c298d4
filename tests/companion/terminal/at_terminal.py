"""Scripted players at a terminal."""

import os
import pty
from collections.abc import Callable
from contextlib import ExitStack, closing
from io import StringIO
from pathlib import Path

from companion.devices.live_board import LiveBoard
from companion.hall.publisher.uplink import HallUplink
from companion.session.session import Session
from companion.speech.announcer import Announcer
from companion.speech.i18n import Language, RankSigns
from companion.storage.journal import Journal
from companion.terminal.private_prompt import open_console
from companion.terminal.terminal_referee import TerminalReferee
from engine.board.geometry import Side, square, squares_in
from engine.board.ranks import Rank
from engine.game.clocks import NO_CLOCK, TimeControl
from engine.rules.editions import DEFAULT, Edition
from firmware_bridge.simulated_board.board import SimulatedBoard
from tests.fast_clock import HASTE, fast_clock

Cue = tuple[str, Callable[[], object]]
"""Text to wait for, and the action that follows it."""


class Screen(StringIO):
    """Output stream. The scripted players act when the text of a cue appears in the output."""

    def __init__(self, cues: list[Cue]) -> None:
        super().__init__()
        self.cues = cues

    def write(self, text: str) -> int:
        written = super().write(text)
        if self.cues and self.cues[0][0] in text:
            _, act = self.cues.pop(0)
            act()
        return written


class TerminalDriver:
    """A referee at a terminal, with both players scripted."""

    def __init__(
        self,
        path: Path,
        opened: ExitStack,
        edition: Edition = DEFAULT,
        control: TimeControl = NO_CLOCK,
        language: str = "en",
        *,
        is_logged: bool = False,
        hall: HallUplink | None = None,
        signs: RankSigns = RankSigns.EUROPEAN,
    ) -> None:
        """Start a session.

        If `is_logged` is set, the output bypasses the terminal, as with a pipe.
        """
        self.simulated = SimulatedBoard()
        self.board = opened.enter_context(
            LiveBoard(simulated=self.simulated, clock=fast_clock, haste=HASTE)
        )
        self.journal = opened.enter_context(closing(Journal(path)))
        self.session = Session.begin(self.journal, edition, 3, control)
        self._hand, keyboard = pty.openpty()
        opened.callback(os.close, self._hand)
        self.cues: list[Cue] = []
        self.screen = Screen(self.cues)
        self.terminal = Screen(self.cues) if is_logged else self.screen
        self.referee = TerminalReferee(
            self.session,
            self.board,
            Announcer(Language(language, signs)),
            open_console(self.screen),
            opened.enter_context(os.fdopen(keyboard)),
            fast_clock,
            private=open_console(self.terminal),
            hall=hall,
        )

    def set_up(self) -> None:
        for side in Side:
            for each in squares_in(side.home):
                self.simulated.stand(side, each)

    def type(self, *lines: str) -> Callable[[], object]:
        return lambda: os.write(self._hand, "".join(f"{line}\n" for line in lines).encode())

    def move(self, source: str, target: str) -> Callable[[], object]:
        def carry() -> None:
            self.simulated.place(self.simulated.lift(square(source)), square(target))

        return carry

    def lift(self, source: str) -> Callable[[], object]:
        return lambda: self.simulated.lift(square(source))

    def choose(self, rank: Rank) -> Callable[[], object]:
        """Return an action that enters the symbol of a rank."""
        return self.type(rank.symbol)

    def echoed(self) -> str:
        """Return the typed text that the terminal has echoed."""
        os.set_blocking(self._hand, False)
        try:
            return os.read(self._hand, 65536).decode()
        except BlockingIOError:
            return ""

    def play(self, *cues: Cue) -> str:
        """Act on each cue. The last action ends the game or quits. Return the output."""
        self.cues[:] = cues
        self.referee.run()
        assert not self.cues, f"the program never printed {self.cues[0][0]}"
        return self.screen.getvalue()


def beginning(driver: TerminalDriver) -> list[Cue]:
    """Return the cues for a game up to the moves e4-e5 and e7-e6."""
    return [
        ("Red 40, Blue 40", driver.type("ready red")),
        ("Red is ready", driver.type("ready blue")),
        ("Red to move", driver.move("e4", "e5")),
        ("Blue to move", driver.move("e7", "e6")),
    ]


def captain_attacks(driver: TerminalDriver) -> list[Cue]:
    """Return the cues for an attack by Red's captain, up to the question for Blue."""
    return [
        *beginning(driver),
        ("Red to move", driver.type("attack e5 e6")),
        ("Red: take the keyboard", driver.type("")),
        ("Type your rank", driver.choose(Rank.CAPTAIN)),
        ("captain?", driver.type("y")),
        ("Blue: take the keyboard", driver.type("")),
    ]


SitDown = Callable[..., TerminalDriver]
WIPE = "\x1b[?1049l"
"""Leaves the alternate screen, whose content then disappears."""
