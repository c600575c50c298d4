"""Commands at a terminal: disputes, take-backs, stalemate, and the arbiter."""

from dataclasses import replace
from io import StringIO

import pytest

from companion.core.inputs import AdjustClock
from companion.speech.announcer import Announcer
from companion.speech.i18n import Language
from companion.terminal.output import narrate
from companion.terminal.private_prompt import open_console
from engine.board.geometry import Side, square
from engine.game.clocks import TIME_CONTROLS
from engine.game.rulings import TakenBack
from engine.rules.editions import DEFAULT, EDITIONS
from tests.companion.core import table_driver
from tests.companion.terminal import at_terminal


@pytest.mark.parametrize(
    ("decision", "end"),
    [("counts", "Red: captain. Blue: bomb. Boom!"), ("does not count", "Blue: take the keyboard")],
)
def test_dispute(driver: at_terminal.TerminalDriver, decision: str, end: str) -> None:
    type_ = driver.type
    output = driver.play(
        *at_terminal.captain_attacks(driver),
        ("Type your rank", type_("0")),
        ("Type your rank", type_("B")),
        ("bomb?", type_("y")),
        ("Blue: take the keyboard", type_("")),
        ("it is neither a bomb nor the flag", lambda: None),
        ("type: insist", lambda: None),
        ("Type your rank", type_("insist")),
        ("Blue stands by a declaration", lambda: None),
        ("Type: counts", type_("time")),
        ("There is no clock", type_(decision)),
        (end, type_("quit")),
    )
    private = output[output.index("type: insist") :]
    assert private.index(at_terminal.WIPE) < private.index("Blue stands by")


def test_no_insisting_without_a_contradiction(driver: at_terminal.TerminalDriver) -> None:
    type_ = driver.type
    driver.play(
        *at_terminal.beginning(driver),
        ("Red to move", type_("attack e5 e6")),
        ("Red: take the keyboard", type_("")),
        ("Type your rank", type_("insist")),
        ("Type one of these ranks", type_("quit")),
    )


def test_override(driver: at_terminal.TerminalDriver) -> None:
    type_, move = driver.type, driver.move
    driver.play(
        *at_terminal.beginning(driver),
        ("Red to move", move("e5", "f6")),
        ("Pieces move straight", type_("let stand")),
        ("The arbiter allows it", lambda: None),
        ("Blue to move", type_("forfeit red", "yes")),
        ("Blue wins: the arbiter has decided", lambda: None),
    )


def test_take_back(driver: at_terminal.TerminalDriver) -> None:
    type_, move = driver.type, driver.move
    driver.play(
        *at_terminal.beginning(driver),
        ("Red to move", move("e5", "f5")),
        ("Blue to move", type_("take back red")),
        ("Red asks to take back the last move", type_("take back blue")),
        ("Taken back", move("f5", "e5")),
        ("Red to move", type_("quit")),
    )


def test_open_attack_taken_back_at_the_curtain(driver: at_terminal.TerminalDriver) -> None:
    type_ = driver.type
    driver.play(
        *at_terminal.beginning(driver),
        ("Red to move", type_("attack e5 e6")),
        ("Red: take the keyboard", type_("take back red")),
        ("Red asks to take", type_("take back blue")),
        ("Taken back", type_("quit")),
    )


def test_board_is_right(driver: at_terminal.TerminalDriver) -> None:
    type_, move = driver.type, driver.move
    output = driver.play(
        *at_terminal.beginning(driver),
        ("Red to move", move("e5", "f6")),
        ("Pieces move straight", type_("board")),
        ("The piece from e5 is on f6.", lambda: None),
        ("Both players type this", type_("red agrees, blue moves")),
        ("Type: blue agrees, blue moves", type_("blue agrees blue moves")),
        ("Both players agree: the board is right.", lambda: None),
        ("Blue to move", type_("board")),
        ("There is nothing about the board to agree on now.", type_("red agrees, red moves")),
        ("is not possible now", type_("quit")),
    )
    assert "Red says: the board is right. The piece from e5 is on f6. Blue to move." in output


def test_reasons_against_the_board(driver: at_terminal.TerminalDriver) -> None:
    type_ = driver.type
    driver.play(
        *at_terminal.beginning(driver),
        ("Red to move", lambda: driver.simulated.stand(Side.BLUE, square("a5"))),
        ("out of place", type_("board")),
        ("There is one piece too many on a5.", type_("blue agrees, red moves")),
        ("There is one piece too many on a5.", type_("quit")),
    )


def test_doubted_square(driver: at_terminal.TerminalDriver) -> None:
    type_ = driver.type
    driver.play(
        *at_terminal.beginning(driver),
        ("Red to move", type_("doubt z9")),
        ("Give a square, for example", type_("doubt a5")),
        ("sensor of a5 is now ignored", type_("move a4 j5")),
        ("Give two squares, for example", type_("move a4 a5")),
        ("Red: a4 to a5", type_("believe a5")),
        ("sensor of a5 is used again", type_("quit")),
    )


def test_unrevealed_rank_is_not_corrected(driver: at_terminal.TerminalDriver) -> None:
    type_ = driver.type
    driver.play(
        *at_terminal.beginning(driver),
        ("Red to move", type_("correct e5 kaiser")),
        ("Give a square and a rank", type_("correct e5 captain")),
        ("is not possible now", type_("quit")),
    )


def test_claim_asks_the_other_side(sit_down: at_terminal.SitDown) -> None:
    driver = sit_down(EDITIONS["isf"])
    type_ = driver.type
    driver.play(
        *at_terminal.beginning(driver),
        ("Red to move", type_("yes")),
        ("is not possible now", type_("cannot move", "yes")),
        ("Red cannot move. Blue, can you move?", lambda: None),
        ("Blue, type: yes · no", type_("yes")),
        ("Blue can move: a legal move proves it", lambda: None),
        ("Blue, move on the board", driver.move("f7", "f6")),
        ("Blue wins: the other side cannot move", lambda: None),
    )


def test_open_question_is_repeated_after_a_restart(
    sit_down: at_terminal.SitDown,
) -> None:
    driver = sit_down(EDITIONS["isf"])
    type_ = driver.type
    driver.play(
        *at_terminal.beginning(driver),
        ("Red to move", type_("cannot move", "yes")),
        ("Blue, type: yes · no", type_("quit")),
    )
    driver.play(("Blue, type: yes · no", type_("no", "yes")), ("The game is a draw", lambda: None))


def test_mutual_immobility_is_a_draw(sit_down: at_terminal.SitDown) -> None:
    driver = sit_down(EDITIONS["isf"])
    type_ = driver.type
    driver.play(
        *at_terminal.beginning(driver),
        ("Red to move", type_("cannot move", "yes")),
        ("Blue, type: yes · no", type_("yes")),
        ("If you find no move, type: no", type_("no", "yes")),
        ("The game is a draw: neither side can move", lambda: None),
    )


def test_double_loss_by_the_arbiter(driver: at_terminal.TerminalDriver) -> None:
    driver.play(
        *at_terminal.beginning(driver),
        ("Red to move", driver.type("forfeit both", "yes")),
        ("Both sides lose: the arbiter has decided", lambda: None),
    )


def test_corrections(driver: at_terminal.TerminalDriver) -> None:
    type_, move = driver.type, driver.move
    driver.play(
        *at_terminal.beginning(driver)[:2],
        ("Red to move", move("e4", "e6")),
        ("Blue to move", type_("no long move z6")),
        ("for example: no long move e6", type_("no long move e5")),
        ("is not possible now", type_("no long move a4")),
        ("is not possible now", type_("no long move e6")),
        ("the piece on e6 has never moved further than one square", type_("exchanged a4")),
        ("Type: ready red", type_("exchanged a4 z4")),
        ("for example: exchanged e6 e7", type_("exchanged a4 a7")),
        ("is not possible now", type_("exchanged a4 e6")),
        ("the pieces on e6 and a4 are swapped", type_("quit")),
    )


def test_clock_set_by_the_arbiter(sit_down: at_terminal.SitDown) -> None:
    driver = sit_down(control=TIME_CONTROLS["total"])
    type_ = driver.type
    driver.play(
        *at_terminal.beginning(driver),
        ("Red to move", type_("give red soon")),
        ("Give a time in minutes and seconds", type_("take red 99:00")),
        ("That is not possible now", type_("give red 1:30")),
        ("The arbiter adjusts the clock: Red, 1 minute, 30 seconds more.", type_("take blue 2")),
        ("The arbiter adjusts the clock: Blue, 2 minutes less.", type_("quit")),
    )


def test_touched_piece_that_cannot_move(sit_down: at_terminal.SitDown) -> None:
    driver = sit_down(edition=replace(DEFAULT, touch_move=True))
    type_, move = driver.type, driver.move
    output = driver.play(
        *at_terminal.beginning(driver),
        ("Red to move", move("f4", "a6")),
        ("In private", lambda: None),
        ("Pieces move straight", move("a6", "f4")),
        ("in place again", type_("touched")),
        ("Red: take the keyboard. Blue: look away", type_("")),
        ("Can your piece on f4 move?", type_("perhaps")),
        ("Type: yes", type_("no")),
        (at_terminal.WIPE, move("k4", "k5")),
        ("The owner says that the piece on f4 cannot move.", lambda: None),
        ("Blue to move", type_("quit")),
    )
    assert "perhaps" not in output


def test_time_given_after_the_end() -> None:
    driver, printed = table_driver.clash(control=TIME_CONTROLS["short"]), StringIO()
    driver.wait(200)
    driver.forget()
    driver.command(AdjustClock(Side.RED, 60))
    assert driver.emitted(TakenBack)
    report = narrate(open_console(printed), Announcer(Language("en")).sentence)
    for event in driver.events:
        report(event)
    assert "The arbiter adjusts the clock: Red, 1 minute more." in printed.getvalue()
    assert "Taken back" not in printed.getvalue()
