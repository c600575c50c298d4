"""Read the story of a game, and browse the book of evenings."""

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
    """Game that Red resigned after one attack."""
    fight(driver)
    resign(driver)
    assert driver.view == "end"
    return driver


@pytest.fixture
def story(driver: Driver) -> Driver:
    """The story of a recorded game, opened from the list of games."""
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


def test_buttons_are_named_after_what_they_open(story: Driver) -> None:
    dialog = story.app.face.modals.modal
    assert isinstance(dialog, StoryDialog)
    story.tap("close")
    assert story.find("story").text == dialog.title, "the button beside the replay"


def test_story_of_the_last_game(played: Driver) -> None:
    assert "Watch replay" in played.texts()
    played.tap("story")
    assert "Show all ranks?" in played.texts()
    assert "After that, the end of the game cannot be taken back." in played.texts()
    played.tap("no")
    assert played.view == "end"
    played.tap("story")
    played.confirm()
    assert isinstance(played.app.face.modals.modal, StoryDialog)
    assert "Nothing was known about Blue's piece on e6." not in played.texts()
    assert "Red attacked it with a colonel." in played.texts()
    played.tap("close")
    assert played.view == "end"


@RARE
def test_the_button_of_the_only_moment_has_a_name(played: Driver) -> None:
    played.tap("story")
    played.confirm()
    (tab,) = played.find("tabs").children
    assert tab.text == "Key moment"


@RARE
def test_text_and_steps_are_on_one_page(story: Driver) -> None:
    """In a portrait window, large text leaves too little room for all buttons."""
    story.tap("close")
    story.tap("close")
    story.tap("close")
    enlarge(story)
    story.resize(480, 800)
    story.tap("games")
    story.tap_at(*story.middle(story.find("rows").children[-1]))
    story.tap("story")
    assert story.on_top("forward")
    assert story.on_top("message")
    open_part(story, 1)
    assert "112 of 206" in story.texts()
    assert story.on_top("message"), "the text of the moment that was just chosen"


def test_story_shows_only_knowable_ranks(played: Driver) -> None:
    played.tap("story")
    played.confirm()
    board = played.find("board")
    assert board.last_move == (square("e5"), square("e6")), "the attack is marked"
    assert board.ranks == {square("e5"): Rank.COLONEL}, "but the major in front is still unknown"


@RARE
def test_story_moments(story: Driver) -> None:
    assert "25 of 206" in story.texts()
    assert "Red's piece on e7 had been revealed 7 moves earlier: the marshal." in story.texts()
    story.tap("forward")
    assert "26 of 206" in story.texts()
    assert "d7 attacks e7. Blue: spy. Red: marshal." in story.texts()
    story.tap("back")
    assert "The attack could not fail." in story.texts()
    story.tap("back")
    assert "24 of 206" in story.texts()
    open_part(story, 2)
    assert "143 of 206" in story.texts()
    assert "The attack could not succeed." in story.texts()


@RARE
def test_story_of_the_whole_game(story: Driver) -> None:
    story.tap("whole")
    assert "206 of 206" in story.texts()
    assert "Attacks that were certain to win and were not made" in story.texts()
    story.tap("back")
    assert "205 of 206" in story.texts()


def test_story_returns_to_the_replay(story: Driver) -> None:
    assert isinstance(story.app.face.modals.modal, StoryDialog)
    story.tap("close")
    assert isinstance(story.app.face.modals.modal, ReplayDialog)
    story.tap("close")
    assert "Book of evenings" in story.texts(), "back in the list"


@RARE
def test_book_by_evenings(story: Driver) -> None:
    for button in ("close", "close", "book"):
        story.tap(button)
    assert "Saturday, November 21, 2026" in story.texts()
    assert "Ada – Bert: Blue wins: the arbiter has decided." in story.texts()
    assert "Longest march of a scout: 6 squares, from i2 to i8 (Ada)." in story.texts()
    story.tap("earlier")
    assert "Friday, November 20, 2026" in story.texts()
    story.tap("later")
    assert "Saturday, November 21, 2026" in story.texts()
    story.tap("close")
    assert "Games" in story.texts()


def test_book_deletion_is_confirmed(story: Driver) -> None:
    for button in ("close", "close", "book"):
        story.tap(button)
    story.tap("delete")
    story.tap("no")
    assert isinstance(story.app.face.modals.modal, BookDialog)
    assert len(story.journal.games()) == 2
    story.tap("delete")
    story.confirm()
    assert story.journal.games() == []
    assert "No finished games yet." in story.texts()
