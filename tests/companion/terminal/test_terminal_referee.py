"""Two people at one terminal and a live board: real link, real keyboard, and a fast clock."""

import os
import pty
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import TextIO

import pytest

from companion.devices.live_board import LiveBoard
from companion.speech.announcer import Announcer
from companion.speech.language import Language
from companion.store.journal import Journal
from companion.store.session import Session
from companion.terminal.curtain import open_console, private_console
from companion.terminal.terminal_referee import TerminalReferee
from engine.play.clocks import NO_CLOCK, TIME_CONTROLS, TimeControl
from engine.ranks import Rank
from engine.rulebook.editions import DEFAULT, EDITIONS, Edition
from engine.squares import square
from firmware_bridge.virtual.board import VirtualBoard
from tests.companion.terminal.at_terminal import Evening, beginning

WIPE = "\x1b[3J"
SitDown = Callable[..., Evening]


@pytest.fixture
def sit_down(tmp_path: Path) -> Iterator[SitDown]:
    """Sit down at a board on which both armies stand."""
    with ExitStack() as opened:

        def open_evening(
            edition: Edition = DEFAULT,
            control: TimeControl = NO_CLOCK,
            language: str = "en",
            *,
            is_logged: bool = False,
        ) -> Evening:
            path = tmp_path / "games.sqlite"
            evening = Evening(path, opened, edition, control, language, is_logged=is_logged)
            evening.set_up()
            return evening

        yield open_evening


@pytest.fixture
def evening(sit_down: SitDown) -> Evening:
    return sit_down()


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


def attack_between(evening: Evening, attacker: Rank, defender: Rank) -> str:
    """Red changes its mind once, Blue looks at the ranks that its piece cannot have."""
    type_, choose = evening.type, evening.choose
    return evening.play(
        *beginning(evening),
        ("Red to move", type_("attack e5 e6")),
        ("Red: take the keyboard", type_("")),
        ("Type the number", choose(attacker)),
        ("Type y for yes", type_("n")),
        ("Type the number", choose(attacker)),
        ("Type y for yes", type_("y")),
        ("Blue: take the keyboard", type_("")),
        ("Type the number", type_("0")),
        ("Type the number", type_("99")),
        ("Type one of the numbers", type_("1")),
        ("Type y for yes", type_("n")),
        ("Type the number", choose(defender)),
        ("Type y for yes", type_("y")),
        ("Blue has declared", type_("quit")),
    )


def test_logs_of_games_that_differ_in_hidden_ranks_are_equal_up_to_the_reveal(
    tmp_path: Path,
) -> None:
    logs = []
    for game, ranks in enumerate([(Rank.CAPTAIN, Rank.MINER), (Rank.SPY, Rank.MARSHAL)]):
        with ExitStack() as opened:
            evening = Evening(tmp_path / f"{game}.sqlite", opened, is_logged=True)
            evening.set_up()
            logs.append(attack_between(evening, *ranks).splitlines())
        assert WIPE in evening.terminal.getvalue()
    first, other = logs
    reveal = next(number for number, line in enumerate(first) if "Red: captain" in line)
    assert first[reveal] != other[reveal]
    assert first[:reveal] == other[:reveal]
    assert first[reveal - 1] == "Blue has declared."
    assert not any("\x1b" in line for line in first)


def test_no_log_holds_what_was_declared_against_the_proof(sit_down: SitDown) -> None:
    evening = sit_down(is_logged=True)
    type_, choose = evening.type, evening.choose
    said = evening.play(
        *beginning(evening),
        ("Red to move", type_("attack e5 e6")),
        ("Red: take the keyboard", type_("")),
        ("Type the number", choose(Rank.CAPTAIN)),
        ("captain?", type_("y")),
        ("Blue: take the keyboard", type_("")),
        ("Type the number", type_("0")),
        ("Type the number", type_("2")),
        ("bomb?", type_("y")),
        ("Blue: take the keyboard", type_("")),
        ("types: insist", lambda: None),
        ("Type the number", type_("insist")),
        ("Type: counts", type_("quit")),
    )
    since = said[said.index("Red: take the keyboard") :]
    assert "bomb" not in since
    assert "captain" not in since


def test_several_lines_in_one_piece(evening: Evening) -> None:
    type_ = evening.type
    said = evening.play(
        ("Red 40, Blue 40", type_("ready red", "ready blue")),
        ("Red to move", evening.move("e4", "e5")),
        ("Blue to move", evening.move("e7", "e6")),
        ("Red to move", type_("attack e5 e6", "", "0", "1", "n", "no attack", "draw red", "quit")),
    )
    assert said.index("No attack, then") < said.index("Red offers a draw")
    assert said.rstrip().endswith("Start again to go on.")


class TestWhereThePrivatePartIsRead:
    @pytest.fixture
    def terminal(self) -> Iterator[tuple[int, TextIO]]:
        """A terminal: what somebody at it reads, and what a program knows of it."""
        reader, descriptor = pty.openpty()
        with os.fdopen(descriptor, "w") as terminal:
            yield reader, terminal
        os.close(reader)

    def test_on_the_screen_if_it_is_a_terminal(self, terminal: tuple[int, TextIO]) -> None:
        screen = open_console(terminal[1])
        with open(os.devnull) as pipe, private_console(screen, pipe) as private:
            assert private is screen

    def test_at_the_keyboard_if_the_screen_goes_into_a_log(
        self, terminal: tuple[int, TextIO], tmp_path: Path
    ) -> None:
        reader, keyboard = terminal
        with (tmp_path / "log").open("w+") as log:
            with private_console(open_console(log), keyboard) as private:
                assert private
                private.print("marshal?")
            assert os.read(reader, 100).split() == [b"marshal?"]
            log.seek(0)
            assert log.read() == ""

    def test_nowhere_without_a_terminal(self, tmp_path: Path) -> None:
        with (
            (tmp_path / "log").open("w") as log,
            open(os.devnull) as pipe,
            private_console(open_console(log), pipe) as private,
        ):
            assert private is None


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
    assert "is kept" not in said, "nothing of it has begun"


def test_what_does_not_fit_the_moment_is_answered(evening: Evening) -> None:
    type_ = evening.type
    evening.play(
        ("Red 40, Blue 40", type_("right")),
        ("does not fit the moment", type_("let stand")),
        ("does not fit the moment", type_("take back blue")),
        ("does not fit the moment", type_("quit")),
    )


def cross(evening: Evening) -> Callable[[], object]:
    """Take up e5 and f4; one of them, and nobody sees which, is set down on f5."""

    def take_and_set_down() -> None:
        piece = evening.virtual.lift(square("f4"))
        evening.virtual.lift(square("e5"))
        evening.virtual.place(piece, square("f5"))

    return take_and_set_down


def test_what_happened_is_answered_by_its_number(evening: Evening) -> None:
    type_ = evening.type
    said = evening.play(
        ("Red 40, Blue 40", type_("it was 1")),
        ("does not fit the moment", type_("ready red")),
        ("Red is ready", type_("ready blue")),
        ("Red to move", evening.move("e4", "e5")),
        ("Blue to move", evening.move("e7", "e6")),
        ("Red to move", cross(evening)),
        ("Type the right number", type_("it was 3")),
        ("Type one of the numbers", type_("it was 1")),
        ("Red: ", type_("quit")),
    )
    assert "Which was it: " in said
    first = next(line for line in said.splitlines() if line.startswith("  1  "))
    assert f"Red: {first[5:]}." in said


def test_if_none_of_it_happened_the_board_is_put_right(evening: Evening) -> None:
    said = evening.play(
        *beginning(evening),
        ("Red to move", cross(evening)),
        ("Type the right number", evening.type("it was none")),
        ("The board is not as it should be", evening.type("quit")),
    )
    assert "does not fit" not in said


def test_an_attack_that_may_be_meant_is_mentioned(evening: Evening) -> None:
    evening.play(
        *beginning(evening),
        ("Red to move", evening.lift("e5")),
        ("If e5 attacks e6, type: attack e5 e6", evening.type("attack e5 e6")),
        ("e5 attacks e6.", evening.type("quit")),
    )


def test_who_meant_no_attack_may_say_so(evening: Evening) -> None:
    said = evening.play(
        *beginning(evening),
        ("Red to move", evening.lift("e5")),
        ("If e5 attacks e6, type: attack e5 e6", evening.type("no attack")),
        ("No attack, then.", evening.type("quit")),
    )
    assert "does not fit" not in said


@pytest.mark.parametrize(
    ("decision", "end"),
    [("counts", "Red: captain. Blue: bomb. Boom!"), ("does not count", "Blue: take the keyboard")],
)
def test_a_dispute(evening: Evening, decision: str, end: str) -> None:
    type_, choose = evening.type, evening.choose
    said = evening.play(
        *beginning(evening),
        ("Red to move", type_("attack e5 e6")),
        ("Red: take the keyboard", type_("")),
        ("Type the number", choose(Rank.CAPTAIN)),
        ("captain?", type_("y")),
        ("Blue: take the keyboard", type_("")),
        ("Type the number", type_("0")),
        ("Type the number", type_("2")),
        ("bomb?", type_("y")),
        ("Blue: take the keyboard", type_("")),
        ("it is neither bomb nor flag", lambda: None),
        ("types: insist", lambda: None),
        ("Type the number", type_("insist")),
        ("Blue stays by a declaration", lambda: None),
        ("Type: counts", type_("time")),
        ("There is no clock", type_(decision)),
        (end, type_("quit")),
    )
    private = said[said.index("types: insist") :]
    assert private.index(WIPE) < private.index("Blue stays by")


def test_nobody_insists_without_a_contradiction(evening: Evening) -> None:
    type_ = evening.type
    evening.play(
        *beginning(evening),
        ("Red to move", type_("attack e5 e6")),
        ("Red: take the keyboard", type_("")),
        ("Type the number", type_("insist")),
        ("Type one of the numbers", type_("quit")),
    )


@pytest.mark.parametrize("last", ["no attack", "quit"])
def test_who_leaves_the_curtain_leaves_nothing_behind(evening: Evening, last: str) -> None:
    type_ = evening.type
    end = {"no attack": [("No attack, then", type_("quit"))], "quit": []}[last]
    said = evening.play(
        *beginning(evening),
        ("Red to move", type_("attack e5 e6")),
        ("Red: take the keyboard", type_("")),
        ("Type the number", lambda: (evening.echoed(), type_(last)())),
        *end,
    )
    assert said.index("Type the number") < said.index(WIPE)
    assert "marshal" not in said[said.index(WIPE) :]
    assert ("quit" in evening.echoed()) == (last != "quit"), "the keyboard is echoed again"


def test_what_an_arbiter_lets_stand(evening: Evening) -> None:
    type_, move = evening.type, evening.move
    evening.play(
        *beginning(evening),
        ("Red to move", move("e5", "f6")),
        ("Pieces move straight", type_("let stand")),
        ("The arbiter lets it stand", lambda: None),
        ("Blue to move", type_("forfeit red")),
        ("Blue wins: the arbiter has decided", lambda: None),
    )


def test_taking_back(evening: Evening) -> None:
    type_, move = evening.type, evening.move
    evening.play(
        *beginning(evening),
        ("Red to move", move("e5", "f5")),
        ("Blue to move", type_("take back red")),
        ("Red asks to take the last move back", type_("take back blue")),
        ("Taken back", move("f5", "e5")),
        ("Red to move", type_("quit")),
    )


def test_an_open_attack_can_be_taken_back_at_the_curtain(evening: Evening) -> None:
    type_ = evening.type
    evening.play(
        *beginning(evening),
        ("Red to move", type_("attack e5 e6")),
        ("Red: take the keyboard", type_("take back red")),
        ("Red asks to take", type_("take back blue")),
        ("Taken back", type_("quit")),
    )


def test_a_square_that_the_board_sees_wrongly(evening: Evening) -> None:
    type_ = evening.type
    evening.play(
        *beginning(evening),
        ("Red to move", type_("doubt z9")),
        ("Name a square, such as", type_("doubt a5")),
        ("not believed about a5 any more", type_("move a4 j5")),
        ("Name two squares, such as", type_("move a4 a5")),
        ("Red: a4 to a5", type_("believe a5")),
        ("believed about a5 again", type_("quit")),
    )


def test_a_rank_that_was_never_shown_is_not_set_right(evening: Evening) -> None:
    type_ = evening.type
    evening.play(
        *beginning(evening),
        ("Red to move", type_("correct e5 kaiser")),
        ("Name a square and a rank", type_("correct e5 captain")),
        ("does not fit the moment", type_("quit")),
    )


def test_who_cannot_move_asks_whether_the_other_side_can(sit_down: SitDown) -> None:
    evening = sit_down(EDITIONS["isf"])
    type_ = evening.type
    evening.play(
        *beginning(evening),
        ("Red to move", type_("yes")),
        ("does not fit the moment", type_("cannot move")),
        ("Red cannot move. Blue, can you move?", lambda: None),
        ("Blue, type: yes · no", type_("yes")),
        ("Blue can move: a legal move shows it", lambda: None),
        ("Blue, move on the board", evening.move("f7", "f6")),
        ("Blue wins: the other side cannot move", lambda: None),
    )


def test_an_open_question_is_put_again_to_who_comes_back(
    sit_down: SitDown,
) -> None:
    evening = sit_down(EDITIONS["isf"])
    type_ = evening.type
    evening.play(
        *beginning(evening),
        ("Red to move", type_("cannot move")),
        ("Blue, type: yes · no", type_("quit")),
    )
    evening.play(("Blue, type: yes · no", type_("no")), ("The game is a draw", lambda: None))


def test_if_neither_can_it_is_a_draw(sit_down: SitDown) -> None:
    evening = sit_down(EDITIONS["isf"])
    type_ = evening.type
    evening.play(
        *beginning(evening),
        ("Red to move", type_("cannot move")),
        ("Blue, type: yes · no", type_("yes")),
        ("Who finds no move types: no", type_("no")),
        ("The game is a draw: neither side can move", lambda: None),
    )


def test_an_arbiter_says_that_both_have_lost(evening: Evening) -> None:
    evening.play(
        *beginning(evening),
        ("Red to move", evening.type("forfeit both")),
        ("Both sides have lost: the arbiter has decided", lambda: None),
    )


def test_what_was_taken_down_wrongly_is_set_right(evening: Evening) -> None:
    type_, move = evening.type, evening.move
    evening.play(
        *beginning(evening)[:2],
        ("Red to move", move("e4", "e6")),
        ("Blue to move", type_("no long move z6")),
        ("such as: no long move e6", type_("no long move e5")),
        ("does not fit the moment", type_("no long move a4")),
        ("does not fit the moment", type_("no long move e6")),
        ("the piece on e6 has never gone further than one square", type_("exchanged a4")),
        ("Type: ready red", type_("exchanged a4 z4")),
        ("such as: exchanged e6 e7", type_("exchanged a4 a7")),
        ("does not fit the moment", type_("exchanged a4 e6")),
        ("the pieces on e6 and a4 are exchanged", type_("quit")),
    )


def test_an_answer_that_cannot_be_true_is_refused_behind_the_curtain(sit_down: SitDown) -> None:
    evening = sit_down(replace(EDITIONS["nordic-2015"], silent_defence=True))
    type_, choose = evening.type, evening.choose
    moves = ["e4-e5", "e7-e6", "k4-k5", "e6-f6", "e5-e6", "f6-f5", "e6-e7", "k7-k6"]
    turns = [
        (f"{'Blue' if n % 2 else 'Red'} to move", evening.move(*move.split("-")))
        for n, move in enumerate(moves)
    ]
    said = evening.play(
        *beginning(evening)[:2],
        *turns,
        ("Red to move", type_("attack f4 f5")),
        ("Red: take the keyboard", type_("")),
        ("Type the number", choose(Rank.CAPTAIN)),
        ("captain?", type_("y")),
        ("Blue: take the keyboard", type_("")),
        ("Type the number", choose(Rank.GENERAL)),
        ("general?", type_("y")),
        ("Take the piece from f4", lambda: evening.virtual.take_away(square("f4"))),
        ("Blue to move", evening.move("a7", "a6")),
        ("Red to move", type_("infiltrate e7 e8 general")),
        ("Blue, type: right · wrong", type_("right")),
        ("Blue: take the keyboard. Red: look away", type_("")),
        ("All your pieces of this rank are known already", lambda: None),
        ("your answer cannot be true", type_("perhaps")),
        ("Type: right · wrong", type_("wrong")),
        ("Wrong.", type_("quit")),
    )
    refused = said.index("All your pieces")
    assert WIPE in said[refused : said.index("Wrong.", refused)]


def test_yes_is_typed_in_the_players_language(sit_down: SitDown) -> None:
    evening = sit_down(language="de")
    type_, choose = evening.type, evening.choose
    evening.play(
        ("Rot 40, Blau 40", type_("ready red")),
        ("Rot ist bereit", type_("ready blue")),
        ("Rot ist am Zug", evening.move("e4", "e5")),
        ("Blau ist am Zug", evening.move("e7", "e6")),
        ("Rot ist am Zug", type_("attack e5 e6")),
        ("Rot: ", type_("")),
        ("Tippe die Nummer", choose(Rank.CAPTAIN)),
        ("Tippe j für ja", type_("y")),
        ("Tippe die Nummer", choose(Rank.CAPTAIN)),
        ("Tippe j für ja", type_("j")),
        ("Rot hat angesagt", type_("quit")),
    )


def test_an_infiltration_in_the_players_language(sit_down: SitDown) -> None:
    evening = sit_down(EDITIONS["nordic-2015"], language="de")
    type_ = evening.type
    moves = ["e4-e5", "e7-e6", "k4-k5", "e6-f6", "e5-e6", "f6-f5", "e6-e7", "k7-k6"]
    turns = [
        (f"{'Blau' if n % 2 else 'Rot'} ist am Zug", evening.move(*move.split("-")))
        for n, move in enumerate(moves)
    ]
    evening.play(
        ("Rot 40, Blau 40", type_("ready red")),
        ("Rot ist bereit", type_("ready blue")),
        *turns,
        ("Rot ist am Zug", type_("infiltrate e7 e8 kaiser")),
        ("Nenne zwei Felder und einen Rang", type_("infiltrate e7 z8 spy")),
        ("Nenne zwei Felder und einen Rang", type_("infiltrate e7 e8 Oberst")),
        ("Oberst", lambda: None),
        ("tippe: right (richtig)", type_("wrong")),
        ("Blau ist am Zug", type_("cannot move")),
        ("Rot gewinnt", lambda: None),
    )


def test_the_clock_is_shown_at_each_turn_and_when_somebody_asks(sit_down: SitDown) -> None:
    evening = sit_down(control=TIME_CONTROLS["bronstein"])
    type_ = evening.type
    said = evening.play(
        ("Red 40, Blue 40", type_("time")),
        ("Time left: setting up", type_("ready red")),
        ("Red is ready", type_("ready blue")),
        ("Time left: Red", evening.move("e4", "e5")),
        ("Time left: Red ", type_("time")),
        ("Time left: Red ", type_("quit")),
    )
    first = said[said.index("Red to move") :].splitlines()[1]
    assert re.fullmatch(r"Time left: Red 1\d:\d\d · Blue 12:00 · the whole game 5\d:\d\d", first)


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
    screen = StringIO()
    with ExitStack() as opened:
        board = opened.enter_context(LiveBoard(simulated=VirtualBoard()))
        journal = opened.enter_context(closing(Journal(tmp_path / "games.sqlite")))
        empty = opened.enter_context(open(os.devnull))
        TerminalReferee(
            Session.begin(journal, DEFAULT, 1),
            board,
            Announcer(Language("en")),
            open_console(screen),
            empty,
            private=open_console(screen),
        ).run()
        assert journal.unfinished() is None
    assert "is kept" not in screen.getvalue(), "nothing of it has begun"
