"""Walk through a game with an army of blanks."""

from collections.abc import Iterator

from engine.board.geometry import Side, squares_in
from engine.rules.editions import EDITIONS
from tests.companion.ui.blank_person import BlankPerson
from tests.companion.ui.driver import Driver

BARRAGE = EDITIONS["isf"].with_army("barrage")
SEED = 7
"""Seed with which both sides attack within the first few moves."""


def tour_of_blanks(driver: Driver) -> Iterator[str]:
    """Set up blank pieces, move them, fight, and end the game."""
    driver.app.presenter.settings.edition = BARRAGE
    driver.connect()
    driver.tap("alone")
    driver.tap("chosen")
    person = BlankPerson(driver, BARRAGE.army, SEED)
    person.show()
    yield "blanks-setup"
    person.set_up()
    while driver.view != "turn" or not driver.face.carried:
        person.step()
    yield "blanks-move"
    source, target = driver.face.carried
    free = (each for each in squares_in(Side.BLUE.home) if person.board.at(each) is None)
    person.carry(source, next(each for each in free if each != target))
    person.show(3)
    yield "blanks-wrong-square"
    person.put_right()
    while driver.view != "declaration":
        person.step()
    yield "blanks-declaration"
    person.declare()
    driver.app.presenter.end_boom()
    driver.pass_time(3)
    yield "blanks-reveal"
    while driver.view != "turn":
        person.step()
    driver.tap("menu")
    driver.tap("red_resigns")
    driver.confirm()
    driver.pass_time(2)
    yield "blanks-end"
