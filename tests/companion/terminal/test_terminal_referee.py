"""Two players at a terminal, with the real link, a real keyboard and a fast clock."""

import os
import re
from collections.abc import Callable
from contextlib import ExitStack, closing
from io import StringIO
from pathlib import Path

from companion.devices.live_board import LiveBoard
from companion.session.session import Session
from companion.speech.announcer import Announcer
from companion.speech.i18n import Language, RankSigns
from companion.storage.journal import Journal
from companion.terminal.private_prompt import open_console
from companion.terminal.terminal_referee import TerminalReferee
from engine.board.geometry import square
from engine.board.ranks import Rank
from engine.game.clocks import TIME_CONTROLS
from engine.rules.editions import DEFAULT, EDITIONS
from firmware_bridge.simulated_board.board import SimulatedBoard
from tests.campaigns import RARE
from tests.companion.terminal.at_terminal import SitDown, TerminalDriver, beginning


def test_game_with_an_attack(driver: TerminalDriver) -> None:
    type_, move, choose = driver.type, driver.move, driver.choose
    output = driver.play(
        ("Red 40, Blue 40", type_("ready red")),
        ("Red is ready", type_("Ready BLUE")),
        ("Red to move", move("e4", "e5")),
        ("Blue to move", move("e7", "e6")),
        ("Red to move", type_("attack e5 e6")),
        ("Red: take the keyboard", type_("")),
        ("Type your rank", choose(Rank.MARSHAL)),
        ("marshal?", type_("n")),
        ("Type your rank", choose(Rank.CAPTAIN)),
        ("captain?", type_("y")),
        ("Blue: take the keyboard", type_("")),
        ("Type your rank", type_("0")),
        ("bomb", lambda: None),
        ("Type your rank", type_("B")),
        ("bomb?", type_("y")),
        ("Blue: take the keyboard", type_("")),
        ("it is neither a bomb nor the flag", lambda: None),
        ("Type your rank", type_("99")),
        ("Type one of these ranks", choose(Rank.MINER)),
        ("miner?", type_("y")),
        ("Remove the piece from e5", lambda: driver.simulated.take_away(square("e6"))),
        ("Put the red piece on e6", move("e5", "e6")),
        ("Blue to move", type_("cannot move", "yes")),
    )
    assert "Red: captain. Blue: miner. Red wins the combat." in output
    assert output.rstrip().endswith(
        "Red wins: the other side cannot move. (Original Stratego 498: the end of the game)"
    )


def test_american_numbers(sit_down: SitDown) -> None:
    """In this notation, the marshal is 1 and the spy is S."""
    driver = sit_down(signs=RankSigns.AMERICAN)
    type_, move = driver.type, driver.move
    output = driver.play(
        ("Red 40, Blue 40", type_("ready red")),
        ("Red is ready", type_("Ready BLUE")),
        ("Red to move", move("e4", "e5")),
        ("Blue to move", move("e7", "e6")),
        ("Red to move", type_("attack e5 e6")),
        ("Red: take the keyboard", type_("")),
        ("  S  spy", lambda: None),
        ("Type your rank", type_("1")),
        ("marshal?", type_("n")),
        ("Type your rank", type_("s")),
        ("spy?", type_("quit")),
    )
    assert " 10  marshal" not in output


def test_pasted_lines(driver: TerminalDriver) -> None:
    type_ = driver.type
    output = driver.play(
        ("Red 40, Blue 40", type_("ready red", "ready blue")),
        ("Red to move", driver.move("e4", "e5")),
        ("Blue to move", driver.move("e7", "e6")),
        ("Red to move", type_("attack e5 e6", "", "0", "1", "n", "no attack", "draw red", "quit")),
    )
    assert output.index("No attack, then") < output.index("Red offers a draw")
    assert output.rstrip().endswith("Start again to continue.")


def test_no_attack_at_the_curtain(driver: TerminalDriver) -> None:
    type_, move = driver.type, driver.move
    output = driver.play(
        ("Red 40, Blue 40", type_("ready red")),
        ("Red is ready", type_("ready blue")),
        ("Red to move", move("e4", "e5")),
        ("Blue to move", move("e7", "e6")),
        ("Red to move", type_("attack e5 e6")),
        ("Red: take the keyboard", type_("no attack")),
        ("No attack, then", type_("draw red")),
        ("Red offers a draw", type_("draw blue", "yes")),
    )
    assert output.rstrip().endswith("both players have agreed. (house rule: the end of the game)")


def test_unknown_word_shows_help(driver: TerminalDriver) -> None:
    type_ = driver.type
    output = driver.play(
        ("Type: ready red", type_("castle queenside")),
        ("Type: ready red", type_("attack z1 e5")),
        ("Give two squares", type_("help")),
        ("Type: ready red", type_("quit")),
    )
    assert "is saved" not in output, "no game has begun"


def test_unfitting_word_is_answered(driver: TerminalDriver) -> None:
    type_ = driver.type
    driver.play(
        ("Red 40, Blue 40", type_("right")),
        ("is not possible now", type_("let stand")),
        ("is not possible now", type_("take back blue")),
        ("is not possible now", type_("quit")),
    )


def cross(driver: TerminalDriver) -> Callable[[], object]:
    """Return an action that lifts e5 and f4 and sets one of them down on f5.

    The sensors cannot show which of the two pieces is on f5.
    """

    def take_and_set_down() -> None:
        piece = driver.simulated.lift(square("f4"))
        driver.simulated.lift(square("e5"))
        driver.simulated.place(piece, square("f5"))

    return take_and_set_down


def test_recognition_question_is_answered_by_number(driver: TerminalDriver) -> None:
    type_ = driver.type
    output = driver.play(
        ("Red 40, Blue 40", type_("it was 1")),
        ("is not possible now", type_("ready red")),
        ("Red is ready", type_("ready blue")),
        ("Red to move", driver.move("e4", "e5")),
        ("Blue to move", driver.move("e7", "e6")),
        ("Red to move", cross(driver)),
        ("Type the right number", type_("it was 3")),
        ("Type one of the numbers", type_("it was 1")),
        ("Red: ", type_("quit")),
    )
    assert "Which was it: " in output
    first = next(line for line in output.splitlines() if line.startswith("  1  "))
    assert f"Red: {first[5:]}." in output


def test_none_of_these_restores_the_board(driver: TerminalDriver) -> None:
    output = driver.play(
        *beginning(driver),
        ("Red to move", cross(driver)),
        ("Type the right number", driver.type("it was none")),
        ("Some pieces are out of place", driver.type("quit")),
    )
    assert "is not possible now" not in output


def test_possible_attack_is_mentioned(driver: TerminalDriver) -> None:
    driver.play(
        *beginning(driver),
        ("Red to move", driver.lift("e5")),
        ("If e5 attacks e6, type: attack e5 e6", driver.type("attack e5 e6")),
        ("e5 attacks e6.", driver.type("quit")),
    )


def test_possible_attack_can_be_denied(driver: TerminalDriver) -> None:
    output = driver.play(
        *beginning(driver),
        ("Red to move", driver.lift("e5")),
        ("If e5 attacks e6, type: attack e5 e6", driver.type("no attack")),
        ("No attack, then.", driver.type("quit")),
    )
    assert "is not possible now" not in output


def test_yes_is_translated(sit_down: SitDown) -> None:
    driver = sit_down(language="de")
    type_, choose = driver.type, driver.choose
    driver.play(
        ("Rot 40, Blau 40", type_("ready red")),
        ("Rot ist bereit", type_("ready blue")),
        ("Rot ist am Zug", driver.move("e4", "e5")),
        ("Blau ist am Zug", driver.move("e7", "e6")),
        ("Rot ist am Zug", type_("attack e5 e6")),
        ("Rot: ", type_("")),
        ("Tippe deinen Rang", choose(Rank.CAPTAIN)),
        ("Tippe j für ja", type_("y")),
        ("Tippe deinen Rang", choose(Rank.CAPTAIN)),
        ("Tippe j für ja", type_("j")),
        ("Rot hat angesagt", type_("quit")),
    )


def test_translated_infiltration(sit_down: SitDown) -> None:
    driver = sit_down(EDITIONS["nordic-2015"], language="de")
    type_ = driver.type
    moves = ["e4-e5", "e7-e6", "k4-k5", "e6-f6", "e5-e6", "f6-f5", "e6-e7", "k7-k6"]
    turns = [
        (f"{'Blau' if n % 2 else 'Rot'} ist am Zug", driver.move(*move.split("-")))
        for n, move in enumerate(moves)
    ]
    driver.play(
        ("Rot 40, Blau 40", type_("ready red")),
        ("Rot ist bereit", type_("ready blue")),
        *turns,
        ("Rot ist am Zug", type_("infiltrate e7 e8 kaiser")),
        ("Nenne zwei Felder und einen Rang", type_("infiltrate e7 z8 spy")),
        ("Nenne zwei Felder und einen Rang", type_("infiltrate e7 e8 Oberst")),
        ("Oberst", lambda: None),
        ("tippe: right (richtig)", type_("wrong")),
        ("Blau ist am Zug", type_("cannot move", "yes")),
        ("Rot gewinnt", lambda: None),
    )


def test_clock_is_shown(sit_down: SitDown) -> None:
    driver = sit_down(control=TIME_CONTROLS["bronstein"])
    type_ = driver.type
    output = driver.play(
        ("Red 40, Blue 40", type_("time")),
        ("Time left: setup", type_("ready red")),
        ("Red is ready", type_("ready blue")),
        ("Time left: Red", driver.move("e4", "e5")),
        ("Time left: Red ", type_("time")),
        ("Time left: Red ", type_("quit")),
    )
    first = output[output.index("Red to move") :].splitlines()[1]
    assert re.fullmatch(r"Time left: Red 1\d:\d\d · Blue 12:00 · the whole game 5\d:\d\d", first)


@RARE
def test_unplugged_board_is_reported(driver: TerminalDriver) -> None:
    type_, port = driver.type, driver.board.simulated_port
    assert port
    output = driver.play(
        ("Red 40, Blue 40", type_("ready red")),
        ("Red is ready", type_("ready blue")),
        ("Red to move", port.unplug),
        ("The board is unplugged", port.replug),
        ("The board is connected", driver.move("e4", "e5")),
        ("Red: e4 to e5", type_("resign blue", "yes")),
    )
    assert output.rstrip().endswith(
        "the other side has resigned. (house rule: the end of the game)"
    )


def test_closed_keyboard_ends_the_program(tmp_path: Path) -> None:
    screen = StringIO()
    with ExitStack() as opened:
        board = opened.enter_context(LiveBoard(simulated=SimulatedBoard()))
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
    assert "is saved" not in screen.getvalue(), "no game has begun"
