"""Commands that end the game ask for confirmation."""

import pytest

from engine.rules.editions import EDITIONS
from tests.companion.terminal.at_terminal import SitDown, TerminalDriver, beginning


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("resign red", "Red resigns and loses the game."),
        ("forfeit blue", "Blue loses the game."),
        ("forfeit both", "Both sides lose the game."),
        ("cannot move", "Red cannot move, which may end the game."),
    ],
)
def test_cancelled_resignation(driver: TerminalDriver, typed: str, asked: str) -> None:
    type_ = driver.type
    output = driver.play(
        *beginning(driver),
        ("Red to move", type_(typed)),
        (asked, type_("no")),
        ("Cancelled. The game continues.", type_("yes")),
        ("is not possible now", driver.move("e5", "f5")),
        ("Blue to move", type_("quit")),
    )
    assert output.rstrip().endswith("Start again to continue.")


def test_move_cancels_the_confirmation(driver: TerminalDriver) -> None:
    type_ = driver.type
    driver.play(
        *beginning(driver),
        ("Red to move", type_("resign red")),
        ("Are you sure?", driver.move("e5", "f5")),
        ("Blue to move", type_("yes")),
        ("is not possible now", type_("quit")),
    )


def test_translated_yes_confirms(sit_down: SitDown) -> None:
    driver = sit_down(EDITIONS["isf"], language="de")
    driver.play(
        ("Rot 40, Blau 40", driver.type("ready red", "ready blue")),
        ("Rot ist am Zug", driver.type("resign red")),
        ("Rot gibt auf", driver.type("ja")),
        ("Blau gewinnt", lambda: None),
    )


def test_accepting_a_draw_is_confirmed(driver: TerminalDriver) -> None:
    type_ = driver.type
    driver.play(
        *beginning(driver),
        ("Red to move", type_("draw red")),
        ("Red offers a draw", type_("draw blue")),
        ("The game ends in a draw. Are you sure?", type_("yes")),
        ("both players have agreed", lambda: None),
    )
