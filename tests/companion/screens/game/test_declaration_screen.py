"""The curtain: it opens only when it is held, and what was behind it does not stay."""

import pytest

from engine.ranks import Rank
from tests.companion.screens.driver import Driver
from tests.companion.screens.tour import (
    STANDING,
    attack_on_screen,
    begin,
    declare,
    open_curtain,
    play,
)

PROOF = (
    "This piece attacks, so it is neither bomb nor flag. "
    "(Original Stratego 498: bombs and the flag)"
)


@pytest.fixture
def asked(driver: Driver) -> Driver:
    """Red's e4 attacks e7, and Red is asked first."""
    begin(driver)
    attack_on_screen(driver, "e4", "e7")
    assert driver.view == "declaration"
    return driver


@pytest.fixture
def blue_asked(asked: Driver) -> Driver:
    """Blue is asked for a piece that can have every rank: the run has proved Red's a scout."""
    assert "Blue\nMenu\ntake the screen." in asked.texts()
    return asked


def test_a_touch_in_passing_opens_nothing(blue_asked: Driver) -> None:
    blue_asked.hold("hold", 0.5)
    assert not blue_asked.face.is_open
    blue_asked.hold("hold", 0.5)
    assert not blue_asked.face.is_open


def test_a_finger_that_slides_away_opens_nothing(blue_asked: Driver) -> None:
    finger = blue_asked.touch_at(*blue_asked.middle(blue_asked.find("hold")))
    blue_asked.pass_time(0.3)
    blue_asked.slide(finger, 100, 100)
    blue_asked.pass_time(1)
    blue_asked.release(finger)
    assert not blue_asked.face.is_open


def test_held_it_opens_and_stays_open_without_the_finger(blue_asked: Driver) -> None:
    open_curtain(blue_asked)
    assert blue_asked.face.is_open
    assert "Blue: which rank is your piece on e7?" in blue_asked.texts()
    blue_asked.pass_time(19)
    assert blue_asked.face.is_open


def test_the_finger_that_opened_it_chooses_nothing(blue_asked: Driver) -> None:
    finger = blue_asked.touch_at(*blue_asked.middle(blue_asked.find("hold")))
    blue_asked.pass_time(0.7)
    blue_asked.release(finger)
    assert blue_asked.find("tiles")


def test_it_falls_after_twenty_seconds_without_a_touch(blue_asked: Driver) -> None:
    open_curtain(blue_asked)
    blue_asked.pass_time(15)
    blue_asked.tap_at(790, 10)
    blue_asked.pass_time(15)
    assert blue_asked.face.is_open
    blue_asked.pass_time(6)
    assert not blue_asked.face.is_open


def test_it_can_be_closed(blue_asked: Driver) -> None:
    open_curtain(blue_asked)
    blue_asked.tap("close")
    assert not blue_asked.face.is_open


def test_the_tiles_lie_in_the_order_of_the_question(blue_asked: Driver) -> None:
    question = blue_asked.app.stage.table.conversation.question
    assert question
    open_curtain(blue_asked)
    shown = [tile.rank for tile in reversed(blue_asked.find("tiles").children)]
    assert shown == list(question.tiles)
    assert shown != sorted(shown)


def test_no_means_no(blue_asked: Driver) -> None:
    open_curtain(blue_asked)
    blue_asked.tap_tile("tiles", Rank.CAPTAIN)
    assert "6 · Captain?" in blue_asked.texts()
    blue_asked.tap("no")
    assert "Captain?" not in blue_asked.texts()
    assert blue_asked.view == "declaration"


def test_behind_the_fallen_curtain_is_nothing(blue_asked: Driver) -> None:
    declaration = blue_asked.face
    declare(blue_asked, Rank.CAPTAIN)
    assert blue_asked.view == "reveal"
    assert not declaration.is_open


def test_a_contradiction_is_shown_behind_the_curtain_alone(driver: Driver) -> None:
    begin(driver)
    play(driver, STANDING, "e4 e5", "a7 a6", "e5 e6", "a6 a5")
    attack_on_screen(driver, "e6", "e7")
    public = driver.texts()
    open_curtain(driver)
    driver.tap("missing")
    driver.tap_tile("others", Rank.BOMB)
    assert driver.app.stage.table.conversation.contradiction
    assert PROOF in driver.texts()

    driver.pass_time(21)
    assert driver.texts() == public
    open_curtain(driver)
    assert PROOF in driver.texts()
    driver.tap("again")
    driver.tap_tile("tiles", Rank.MAJOR)
    driver.tap("yes")
    assert "Blue\nMenu\ntake the screen." in driver.texts()
    open_curtain(driver)
    assert PROOF not in driver.texts()
