"""The story of a game on the screen, and the book of evenings, by real touches."""

from collections.abc import Callable

import pytest

from companion.ui.dialogs.review_dialogs import BookDialog, StoryDialog
from companion.ui.dialogs.saved_games import ReplayDialog
from engine.board.geometry import square
from engine.board.ranks import Rank
from tests.campaigns import RARE
from tests.companion.ui.dialogs.test_saved_games import fight, resign
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import enlarge
from tests.companion.ui.tour_of_stories import recorded_game, save_game

Drive = Callable[..., Driver]


@pytest.fixture
def played(driver: Driver) -> Driver:
    """A game with one attack, which Red has resigned."""
    fight(driver)
    resign(driver)
    assert driver.view == "end"
    return driver


@pytest.fixture
def telling(driver: Driver) -> Driver:
    """The story of the recorded game, opened from the list of games."""
    driver.connect()
    save_game(driver.journal, recorded_game(), "2026-11-20 19:05:00")
    save_game(driver.journal, recorded_game(), "2026-11-21 19:05:00")
    driver.tap("games")
    driver.tap_at(*driver.middle(driver.find("rows").children[-1]))
    driver.tap("story")
    return driver


def open_part(driver: Driver, number: int) -> None:
    tabs = list(reversed(driver.find("tabs").children))
    driver.tap_at(*driver.middle(tabs[number]))


def test_story_of_the_last_game(played: Driver) -> None:
    played.tap("story")
    assert "After that, the end of the game cannot be taken back." in played.texts()
    played.tap("no")
    assert played.view == "end"
    played.tap("story")
    played.confirm()
    assert isinstance(played.app.face.modals.modal, StoryDialog)
    assert "Nothing was known about Blue's piece on e6." not in played.texts()
    assert "Red attacked it with a colonel." in played.texts()
    played.tap("close")
    assert played.view == "start"


@RARE
def test_the_button_of_the_only_moment_has_a_name(played: Driver) -> None:
    played.tap("story")
    played.confirm()
    (tab,) = played.find("tabs").children
    assert tab.text == "Key moment"


@RARE
def test_text_and_steps_are_on_one_page(telling: Driver) -> None:
    """With large letters in an upright window there is no room for all buttons."""
    telling.tap("close")
    telling.tap("close")
    telling.tap("close")
    enlarge(telling)
    telling.resize(480, 800)
    telling.tap("games")
    telling.tap_at(*telling.middle(telling.find("rows").children[-1]))
    telling.tap("story")
    assert telling.on_top("forward")
    assert telling.on_top("message")
    open_part(telling, 1)
    assert "112 of 206" in telling.texts()
    assert telling.on_top("message"), "the text of the moment that was just chosen"


def test_story_shows_only_knowable_ranks(played: Driver) -> None:
    played.tap("story")
    played.confirm()
    board = played.find("board")
    assert board.last_move == (square("e5"), square("e6")), "the attack is marked"
    assert board.ranks == {square("e5"): Rank.COLONEL}, "but the major in front is still unknown"


def test_story_moments(telling: Driver) -> None:
    assert "25 of 206" in telling.texts()
    assert "Red's piece on e7 had been revealed 7 moves earlier: the marshal." in telling.texts()
    telling.tap("forward")
    assert "26 of 206" in telling.texts()
    assert "d7 attacks e7. Blue: spy. Red: marshal." in telling.texts()
    telling.tap("back")
    assert "The attack could not fail." in telling.texts()
    telling.tap("back")
    assert "24 of 206" in telling.texts()
    open_part(telling, 2)
    assert "143 of 206" in telling.texts()
    assert "The attack could not succeed." in telling.texts()


@RARE
def test_story_of_the_whole_game(telling: Driver) -> None:
    telling.tap("whole")
    assert "206 of 206" in telling.texts()
    assert "Attacks that were certain to win and were not made" in telling.texts()
    telling.tap("back")
    assert "205 of 206" in telling.texts()


def test_story_returns_to_the_replay(telling: Driver) -> None:
    assert isinstance(telling.app.face.modals.modal, StoryDialog)
    telling.tap("close")
    assert isinstance(telling.app.face.modals.modal, ReplayDialog)
    telling.tap("close")
    assert "Book of evenings" in telling.texts(), "back in the list"


def test_book_by_evenings(telling: Driver) -> None:
    for button in ("close", "close", "book"):
        telling.tap(button)
    assert "Saturday, November 21, 2026" in telling.texts()
    assert "Ada – Bert: Blue wins: the arbiter has decided." in telling.texts()
    assert "Longest march of a scout: 6 squares, from i2 to i8 (Ada)." in telling.texts()
    telling.tap("earlier")
    assert "Friday, November 20, 2026" in telling.texts()
    telling.tap("later")
    assert "Saturday, November 21, 2026" in telling.texts()
    telling.tap("close")
    assert "Games" in telling.texts()


def test_book_deletion_is_confirmed(telling: Driver) -> None:
    for button in ("close", "close", "book"):
        telling.tap(button)
    telling.tap("delete")
    telling.tap("no")
    assert isinstance(telling.app.face.modals.modal, BookDialog)
    assert len(telling.journal.games()) == 2
    telling.tap("delete")
    telling.confirm()
    assert telling.journal.games() == []
    assert "No finished games yet." in telling.texts()
