"""The curtain is open only while it is held."""

import pytest

from companion.ui.base.base_screen import PATIENCE_SECONDS, READING_SECONDS
from engine.board.ranks import Rank
from tests.companion.ui import playing
from tests.companion.ui.driver import Driver

PROOF = (
    "This piece attacks, so it is neither a bomb nor the flag. "
    "(Original Stratego 498: bombs and the flag)"
)


@pytest.fixture
def asked(driver: Driver) -> Driver:
    """Red's e4, a scout, attacks e7, and Blue is asked for the rank of e7."""
    playing.begin(driver)
    playing.attack_on_screen(driver, "e4", "e7")
    assert driver.view == "declaration"
    return driver


@pytest.fixture
def blue_asked(asked: Driver) -> Driver:
    """Screen that is ready for Blue, whose piece on e7 may have any rank."""
    assert "Blue\nTake the screen." in asked.texts()
    return asked


def test_short_touch_does_not_open_the_curtain(blue_asked: Driver) -> None:
    blue_asked.hold("hold", 0.5)
    assert not blue_asked.face.is_open
    blue_asked.hold("hold", 0.5)
    assert not blue_asked.face.is_open


def test_sliding_finger_does_not_open_the_curtain(blue_asked: Driver) -> None:
    finger = blue_asked.touch_at(*blue_asked.middle(blue_asked.find("hold")))
    blue_asked.pass_time(0.3)
    blue_asked.slide(finger, 100, 100)
    blue_asked.pass_time(1)
    blue_asked.release(finger)
    assert not blue_asked.face.is_open


def test_held_curtain_opens(blue_asked: Driver) -> None:
    playing.open_curtain(blue_asked)
    assert blue_asked.face.is_open
    assert "Blue: which rank defends e7?" in blue_asked.texts()
    blue_asked.pass_time(PATIENCE_SECONDS - 1)
    assert blue_asked.face.is_open


def test_opening_finger_chooses_nothing(blue_asked: Driver) -> None:
    finger = blue_asked.touch_at(*blue_asked.middle(blue_asked.find("hold")))
    blue_asked.pass_time(0.7)
    blue_asked.release(finger)
    assert blue_asked.find("tiles")


def test_idle_curtain_closes(blue_asked: Driver) -> None:
    playing.open_curtain(blue_asked)
    blue_asked.pass_time(PATIENCE_SECONDS - 1)
    blue_asked.tap_at(790, 10)
    blue_asked.pass_time(PATIENCE_SECONDS - 1)
    assert blue_asked.face.is_open
    blue_asked.pass_time(2)
    assert not blue_asked.face.is_open


def test_curtain_stays_open_under_a_finger(blue_asked: Driver) -> None:
    playing.open_curtain(blue_asked)
    finger = blue_asked.touch_at(790, 10)
    blue_asked.pass_time(PATIENCE_SECONDS + 1)
    assert blue_asked.face.is_open
    blue_asked.release(finger)
    blue_asked.pass_time(PATIENCE_SECONDS + 1)
    assert not blue_asked.face.is_open


def test_curtain_can_be_closed(blue_asked: Driver) -> None:
    playing.open_curtain(blue_asked)
    blue_asked.tap("close")
    assert not blue_asked.face.is_open


def test_tiles_are_shuffled(blue_asked: Driver) -> None:
    """Because the tiles are shuffled, the position of a finger does not reveal the rank."""
    question = blue_asked.app.presenter.table.conversation.question
    assert question
    orders = []
    for _ in range(4):
        playing.open_curtain(blue_asked)
        orders.append([tile.rank for tile in reversed(blue_asked.find("tiles").children)])
        blue_asked.tap("close")
    assert {frozenset(order) for order in orders} == {frozenset(question.tiles)}
    assert len(set(map(tuple, orders))) > 1, "four equal shuffles are practically impossible"


def test_touched_tile_asks_and_held_tile_declares(blue_asked: Driver) -> None:
    playing.open_curtain(blue_asked)
    finger = blue_asked.touch_tile("tiles", Rank.CAPTAIN)
    blue_asked.pass_time(0.3)
    assert "Hold to confirm" in blue_asked.texts()
    blue_asked.release(finger)
    assert "Hold to confirm" not in blue_asked.texts()
    assert blue_asked.face.is_open
    assert blue_asked.view == "declaration"
    blue_asked.hold_tile("tiles", Rank.CAPTAIN)
    assert blue_asked.view == "reveal"


def test_sliding_finger_declares_nothing(blue_asked: Driver) -> None:
    playing.open_curtain(blue_asked)
    finger = blue_asked.touch_tile("tiles", Rank.CAPTAIN)
    blue_asked.slide(finger, 790, 10)
    blue_asked.pass_time(1)
    blue_asked.release(finger)
    assert blue_asked.face.is_open


def test_double_tap_declares_nothing(blue_asked: Driver) -> None:
    playing.open_curtain(blue_asked)
    blue_asked.release(blue_asked.touch_tile("tiles", Rank.CAPTAIN))
    (tile,) = (t for t in blue_asked.find("tiles").children if t.rank is Rank.CAPTAIN)
    blue_asked.release(blue_asked.touch_again_at(*blue_asked.middle(tile)))
    assert blue_asked.face.is_open


def test_new_widgets_ignore_touches(blue_asked: Driver) -> None:
    """The button that closes the view may appear under a resting finger."""
    playing.open_curtain(blue_asked)
    blue_asked.hold_tile("tiles", Rank.MARSHAL)
    blue_asked.show(playing.after(blue_asked.seen, "e4"), seconds=0.2)
    end = blue_asked.middle(blue_asked.find("end"))
    blue_asked.release(blue_asked.touch_again_at(*end))
    assert blue_asked.view == "reveal"
    blue_asked.tap("end")
    assert blue_asked.view == "turn"


def test_closed_curtain_hides_nothing(blue_asked: Driver) -> None:
    declaration = blue_asked.face
    playing.declare(blue_asked, Rank.CAPTAIN)
    assert blue_asked.view == "reveal"
    assert not declaration.is_open


def test_contradiction_is_shown_behind_the_curtain(driver: Driver) -> None:
    playing.begin(driver)
    playing.play(driver, playing.STANDING, "e4 e5", "a7 a6", "e5 e6", "a6 a5")
    playing.attack_on_screen(driver, "e6", "e7")
    public = driver.texts()
    playing.open_curtain(driver)
    driver.tap("missing")
    driver.tap_tile("others", Rank.BOMB)
    assert driver.app.presenter.table.conversation.contradiction
    assert PROOF in driver.texts()

    driver.pass_time(READING_SECONDS + 1)
    assert driver.texts() == public
    playing.open_curtain(driver)
    assert PROOF not in driver.texts(), "the next reader may be the other player"
    driver.hold_tile("tiles", Rank.MAJOR)
    assert "Blue\nTake the screen." in driver.texts()
    playing.open_curtain(driver)
    assert PROOF not in driver.texts()
