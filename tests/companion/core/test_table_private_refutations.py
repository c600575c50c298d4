"""Under silent defence, Blue declares a piece to be a bomb, then moves it.

The move looks legal to everyone else, because the declaration is secret. Blue learns of the
contradiction at its next private declaration.
"""

from dataclasses import replace

import pytest

from companion.devices.lamps import awaited, highlights_of, squares_to_light
from companion.speech.announcer import Announcer
from companion.speech.i18n import Language
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.board.visibility import Private
from engine.deduction.possible_ranks import Evidence
from engine.game.rulings import Combat, Contradiction, Moved
from engine.rules.editions import DEFAULT
from tests.companion.core.table_driver import TableDriver

RED, BLUE = Side.RED, Side.BLUE
SILENT = replace(DEFAULT, silent_defence=True)


def held(rank: Rank) -> TableDriver:
    """Return a game in which Red's captain has lost to f7. Blue has declared `rank` for f7."""
    driver = TableDriver.begun(edition=SILENT)
    driver.play("f4-f5 a7-a6 f5-f6 a6-a5")
    driver.lift("f6")
    driver.lift("f7")
    driver.wait()
    driver.declare(RED, Rank.CAPTAIN)
    driver.declare(BLUE, rank)
    driver.stand(BLUE, square("f7"))
    driver.wait(20)
    assert driver.emitted(Combat)[0].defender is None
    driver.forget()
    return driver


@pytest.fixture
def moved() -> TableDriver:
    driver = held(Rank.BOMB)
    driver.play("f7-f6")
    return driver


def attack(driver: TableDriver, source: str, target: str) -> None:
    driver.lift(source)
    driver.lift(target)
    driver.wait()


def test_private_refutation_is_shown_in_the_next_declaration(moved: TableDriver) -> None:
    moved.play("f3-f4 k7-k6 f4-f5")
    attack(moved, "f6", "f5")
    assert moved.table.conversation.question is not None
    assert moved.table.conversation.question.owner is BLUE
    word = moved.table.conversation.private_word(BLUE)
    assert word is not None
    assert (word.owner, word.proof.rank, word.proof.ground) == (BLUE, Rank.BOMB, Evidence.MOVED)
    assert (
        Announcer(Language("en"))
        .rules.private_word(word)
        .startswith(
            "You once declared a piece that stayed hidden: bomb. That has been "
            "disproved. This piece has already moved, so it is neither a bomb "
            "nor the flag."
        )
    )


def test_private_refutation_is_cleared_by_declaring(moved: TableDriver) -> None:
    moved.play("f3-f4 k7-k6 f4-f5")
    attack(moved, "f6", "f5")
    moved.declare(BLUE, Rank.MAJOR)
    assert moved.table.conversation.private_word(BLUE) is None


def test_other_declaration_keeps_the_private_refutation(moved: TableDriver) -> None:
    moved.play("f3-f4 k7-k6 f4-f5")
    attack(moved, "f6", "f5")
    moved.declare(RED, Rank.SERGEANT)
    assert moved.table.conversation.private_word(BLUE) is not None
    assert moved.table.conversation.private_word(RED) is None


def test_private_refutation_is_invisible_to_others() -> None:
    liar, honest = held(Rank.BOMB), held(Rank.GENERAL)
    for driver in (liar, honest):
        driver.play("f7-f6 f3-f4")
    assert liar.table.conversation.private_word(BLUE)
    assert honest.table.conversation.private_word(BLUE) is None
    assert liar.events == honest.events
    assert not [event for event in liar.events if isinstance(event, Contradiction | Private)]
    assert liar.table.view == honest.table.view
    assert liar.table.saved == honest.table.saved
    assert squares_to_light(highlights_of(liar.table)) == squares_to_light(
        highlights_of(honest.table)
    )
    assert awaited(liar.table) == awaited(honest.table)
    assert liar.table.conversation.contradiction is None


def test_refuted_move_is_made(moved: TableDriver) -> None:
    assert moved.emitted(Moved) == [Moved(BLUE, square("f7"), square("f6"), long_move=False)]
    assert moved.table.state.violation is None


def test_private_state_survives_a_power_cut(moved: TableDriver) -> None:
    assert moved.replugged().table.conversation.private_word(
        BLUE
    ) == moved.table.conversation.private_word(BLUE)


def test_taken_back_move_has_no_private_refutation(moved: TableDriver) -> None:
    moved.take_back()
    assert moved.table.conversation.private_word(BLUE) is None
    moved.move("f6", "f7")
    moved.play("k7-k6")
    assert moved.table.conversation.private_word(BLUE) is None
