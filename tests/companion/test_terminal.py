"""Two people at one terminal and a live board: real link, real keyboard, and a fast clock."""

import os
import pty
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from io import StringIO
from pathlib import Path
from threading import Timer

import pytest
from rich.console import Console

from companion.announcer import Announcer
from companion.journal import Journal
from companion.language import Language
from companion.live import LiveBoard
from companion.session import Session
from companion.terminal import TerminalReferee
from engine.editions import DEFAULT
from engine.ranks import Rank
from engine.sides import Side
from engine.squares import square, squares_in
from firmware_bridge.virtual.board import VirtualBoard

WIPE = "\x1b[3J"
PATIENCE = 30.0
"""Seconds after which a test is given up."""


def fast_clock() -> float:
    """Twenty times as fast as the wall's, so that settling takes no time to speak of."""
    return 20 * time.monotonic()


class Screen(StringIO):
    """What is printed, to somebody who answers: each cue is waited for in turn, then acted on."""

    def __init__(self) -> None:
        super().__init__()
        self.cues: list[tuple[str, Callable[[], object]]] = []

    def write(self, text: str) -> int:
        written = super().write(text)
        if self.cues and self.cues[0][0] in text:
            _, act = self.cues.pop(0)
            act()
        return written


class Evening:
    """A referee at a terminal; the test is the players, who act on what is printed."""

    def __init__(self, path: Path, opened: ExitStack) -> None:
        self.virtual = VirtualBoard()
        self.board = opened.enter_context(LiveBoard(simulated=self.virtual, clock=fast_clock))
        self.journal = opened.enter_context(closing(Journal(path)))
        self.session = Session.begin(self.journal, DEFAULT, seed=3)
        self._hand, keyboard = pty.openpty()
        opened.callback(os.close, self._hand)
        self.screen = Screen()
        self.referee = TerminalReferee(
            self.session,
            self.board,
            Announcer(Language("en")),
            Console(file=self.screen, markup=False, highlight=False, soft_wrap=True),
            opened.enter_context(os.fdopen(keyboard)),
            fast_clock,
        )

    def type(self, line: str) -> Callable[[], object]:
        return lambda: os.write(self._hand, f"{line}\n".encode())

    def move(self, source: str, target: str) -> Callable[[], object]:
        def carry() -> None:
            self.virtual.place(self.virtual.lift(square(source)), square(target))

        return carry

    def choose(self, rank: Rank) -> Callable[[], object]:
        """Type the number that stands before a rank on the screen."""

        def read_and_type() -> None:
            question = self.session.table.question
            assert question
            self.type(str(1 + question.tiles.index(rank)))()

        return read_and_type

    def echoed(self) -> str:
        """What the terminal has shown of the typing."""
        os.set_blocking(self._hand, False)
        try:
            return os.read(self._hand, 65536).decode()
        except BlockingIOError:
            return ""

    def play(self, *cues: tuple[str, Callable[[], object]]) -> str:
        """Act on each cue; the last one should end the game or type quit."""
        self.screen.cues = list(cues)
        giving_up = Timer(PATIENCE, self.type("quit"))
        giving_up.start()
        self.referee.run()
        giving_up.cancel()
        assert not self.screen.cues, f"never printed: {self.screen.cues[0][0]}"
        return self.screen.getvalue()


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    with ExitStack() as opened:
        evening = Evening(tmp_path / "games.sqlite", opened)
        for side in Side:
            for each in squares_in(side.home):
                evening.virtual.stand(side, each)
        yield evening


def test_a_game_with_an_attack(evening: Evening) -> None:
    type_, move, choose = evening.type, evening.move, evening.choose
    said = evening.play(
        ("Red 40, Blue 40", type_("ready red")),
        ("Red is ready", type_("Ready BLUE")),
        ("Red to move", move("e4", "e5")),
        ("Blue to move", move("e7", "e6")),
        ("Red to move", type_("attack e5 e6")),
        ("Red: take the keyboard", type_("")),
        ("Type the number", choose(Rank.MARSHAL)),
        ("marshal?", type_("n")),
        ("Type the number", choose(Rank.CAPTAIN)),
        ("captain?", type_("y")),
        ("Blue: take the keyboard", type_("")),
        ("Type the number", type_("0")),
        ("bomb", lambda: None),
        ("Type the number", type_("2")),
        ("bomb?", type_("y")),
        ("Blue: take the keyboard", type_("")),
        ("it is neither bomb nor flag", lambda: None),
        ("Type the number", type_("99")),
        ("Type one of the numbers", choose(Rank.MINER)),
        ("miner?", type_("y")),
        ("Take the piece from e5", lambda: evening.virtual.take_away(square("e6"))),
        ("Set the red piece on e6", move("e5", "e6")),
        ("Blue to move", type_("cannot move")),
    )
    assert "Red: captain. Blue: miner. Red wins the combat." in said
    assert said.rstrip().endswith(
        "Red wins: the other side cannot move. (Original Stratego 498: the end of the game)"
    )


def test_what_was_declared_is_wiped_and_never_echoed(evening: Evening) -> None:
    type_, move, choose = evening.type, evening.move, evening.choose
    seen: list[str] = []

    def note_and_confirm() -> None:
        seen.append(evening.echoed())
        type_("y")()

    said = evening.play(
        ("Red 40, Blue 40", type_("ready red")),
        ("Red is ready", type_("ready blue")),
        ("Red to move", move("e4", "e5")),
        ("Blue to move", move("e7", "e6")),
        ("Red to move", type_("attack e5 e6")),
        ("Red: take the keyboard", type_("")),
        ("Type the number", lambda: (evening.echoed(), choose(Rank.CAPTAIN)())),
        ("captain?", note_and_confirm),
        ("Red has declared", type_("quit")),
    )
    assert seen == [""]
    private = said.index("Type the number"), said.index(WIPE)
    assert private[0] < private[1]
    assert "captain" not in said[private[1] :]


def test_not_an_attack_can_be_said_at_the_curtain(evening: Evening) -> None:
    type_, move = evening.type, evening.move
    said = evening.play(
        ("Red 40, Blue 40", type_("ready red")),
        ("Red is ready", type_("ready blue")),
        ("Red to move", move("e4", "e5")),
        ("Blue to move", move("e7", "e6")),
        ("Red to move", type_("attack e5 e6")),
        ("Red: take the keyboard", type_("no attack")),
        ("No attack, then", type_("draw red")),
        ("Red offers a draw", type_("draw blue")),
    )
    assert said.rstrip().endswith(
        "both sides have agreed. (Original Stratego 498: the end of the game)"
    )


def test_help_for_what_is_not_understood(evening: Evening) -> None:
    type_ = evening.type
    said = evening.play(
        ("Type: ready red", type_("castle queenside")),
        ("Type: ready red", type_("attack z1 e5")),
        ("Name two squares", type_("help")),
        ("Type: ready red", type_("quit")),
    )
    assert said.rstrip().endswith("Start again to go on.")


def test_an_unplugged_board_is_said_and_the_game_goes_on(evening: Evening) -> None:
    type_, port = evening.type, evening.board._virtual_port
    assert port
    said = evening.play(
        ("Red 40, Blue 40", type_("ready red")),
        ("Red is ready", type_("ready blue")),
        ("Red to move", port.unplug),
        ("The board is unplugged", port.replug),
        ("The board is connected", evening.move("e4", "e5")),
        ("Red: e4 to e5", type_("resign blue")),
    )
    assert said.rstrip().endswith(
        "the other side has resigned. (Original Stratego 498: the end of the game)"
    )


def test_a_keyboard_that_is_gone_ends_the_evening(tmp_path: Path) -> None:
    with ExitStack() as opened:
        board = opened.enter_context(LiveBoard(simulated=VirtualBoard()))
        journal = opened.enter_context(closing(Journal(tmp_path / "games.sqlite")))
        empty = opened.enter_context(open(os.devnull))
        TerminalReferee(
            Session.begin(journal, DEFAULT, 1),
            board,
            Announcer(Language("en")),
            Console(file=StringIO()),
            empty,
        ).run()
        kept = journal.unfinished()
        assert kept is not None
