"""The touch board as the board: real drags with a finger."""

from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from kivy.base import EventLoop

from companion.screens.base.mouse import PromptMouse
from engine.ranks import BARRAGE, DUEL, INFILTRATOR, ORIGINAL, Army, Rank
from engine.rulebook.editions import EDITIONS
from engine.sides import Side
from engine.squares import NEIGHBOURS, SQUARES, name, square
from tests.companion.screens.driver import Driver, Script
from tests.companion.screens.tour import STANDING, declare

Drive = Callable[..., Driver]


@pytest.fixture
def driver(drive: Drive) -> Driver:
    """A game on the simulated board, both armies set up, Red to move."""
    driver = drive(source=Script.simulated())
    driver.connect()
    driver.tap("begin")
    driver.tap("set_up")
    driver.show_virtual()
    for side in ("red", "blue"):
        driver.tap_inside(side, "ready")
    assert driver.view == "turn"
    return driver


def drag(driver: Driver, source: str, target: str) -> None:
    driver.drag(driver.touch_board_square(source), driver.touch_board_square(target))
    driver.show_virtual()


def standing(driver: Driver) -> Iterator[str]:
    board = driver.script.virtual
    assert board
    return (piece.label for each in SQUARES if (piece := board.at(each)))


def test_set_up_stands_two_whole_armies(driver: Driver) -> None:
    assert driver.seen == STANDING
    army = sorted(rank.symbol for rank in ORIGINAL.pieces)
    assert sorted(standing(driver)) == sorted(army * 2)


def test_a_piece_is_lifted_where_it_is_touched(driver: Driver) -> None:
    finger = driver.touch_at(*driver.touch_board_square("e4"))
    driver.show_virtual()
    assert driver.face.lifted == square("e4")
    driver.release(finger)
    driver.show_virtual()
    assert driver.face.lifted is None
    assert driver.seen == STANDING


def test_a_game_cannot_be_swept_off_the_board(driver: Driver) -> None:
    drag(driver, "e4", "e5")
    driver.tap("set_up")
    driver.show_virtual()
    assert driver.view == "turn"
    assert driver.seen != STANDING


def test_who_goes_back_from_setting_up_finds_the_game_before(driver: Driver) -> None:
    drag(driver, "e4", "e5")
    for button in ("menu", "leave", "begin", "set_up", "back", "resume"):
        driver.tap(button)
    driver.show_virtual()
    assert driver.view == "turn"
    assert driver.app.stage.table.view.plies == 1
    assert driver.seen == driver.app.stage.table.expected


def test_a_move_is_a_drag(driver: Driver) -> None:
    drag(driver, "e4", "e5")
    assert driver.app.stage.table.view.last_move == (square("e4"), square("e5"))


@pytest.fixture
def mouse() -> Iterator[Callable[..., None]]:
    """The mouse of the program, and what the window tells it."""
    provider = PromptMouse("mouse", "disable_multitouch")
    EventLoop.add_input_provider(provider)
    provider.start()
    window = EventLoop.window

    def do(what: str, at: tuple[float, float]) -> None:
        button = () if what == "move" else ("left",)
        window.dispatch(f"on_mouse_{what}", at[0], window.height - 1 - at[1], *button, [])

    yield do
    provider.stop()
    EventLoop.remove_input_provider(provider)


def test_a_fast_hand_takes_the_piece_where_it_was_pressed(
    driver: Driver, mouse: Callable[..., None]
) -> None:
    source, target = map(driver.touch_board_square, ("e4", "e5"))
    mouse("down", source)
    mouse("move", target)  # before the first frame
    driver.frames(1)
    mouse("up", target)
    driver.frames(1)
    driver.show_virtual()
    assert driver.app.stage.table.view.last_move == (square("e4"), square("e5"))


def test_a_piece_let_go_on_an_own_piece_goes_back(driver: Driver) -> None:
    drag(driver, "e4", "d4")
    assert driver.seen == STANDING


def test_a_piece_let_go_beside_the_board_lies_there_and_comes_back(driver: Driver) -> None:
    driver.drag(driver.touch_board_square("e4"), (812, 300))
    driver.show_virtual()
    assert driver.face.lifted == square("e4")
    x, y = driver.tray("red")
    driver.drag((x, y), driver.touch_board_square("e4"))
    driver.show_virtual()
    assert driver.seen == STANDING


def test_an_attack_that_the_defender_wins_is_cleared_up_by_drags(driver: Driver) -> None:
    for source, target in (("e4", "e5"), ("a7", "a6"), ("e5", "e6"), ("a6", "a5"), ("e6", "e7")):
        drag(driver, source, target)
    assert driver.view == "declaration"
    declare(driver, Rank.CAPTAIN)
    declare(driver, Rank.MARSHAL)
    assert "Take the piece from e7." in driver.texts()
    driver.drag(driver.touch_board_square("e7"), (812, 300))
    driver.drag(driver.tray("blue"), driver.touch_board_square("e7"))
    driver.show_virtual()
    assert driver.app.stage.table.state.reveal is None
    driver.tap("end")
    assert driver.view == "turn"


def test_ranks_are_seen_only_while_the_button_is_held(driver: Driver) -> None:
    assert "Hold to show Blue" in driver.texts()
    hidden = driver.pixels()
    finger = driver.touch_at(*driver.middle(driver.find("show_blue")))
    assert driver.app.touch_board
    assert driver.app.touch_board.shown == [Side.BLUE]
    assert driver.pixels() != hidden
    driver.release(finger)
    assert driver.app.touch_board.shown == []
    assert driver.pixels() == hidden


def test_a_finger_that_slides_off_the_button_hides_the_ranks(driver: Driver) -> None:
    finger = driver.touch_at(*driver.middle(driver.find("show_blue")))
    driver.slide(finger, 900, 200)
    driver.release(finger)
    assert driver.app.touch_board
    assert driver.app.touch_board.shown == []


@pytest.mark.parametrize(
    ("edition", "army"), [("isf", DUEL), ("isf", BARRAGE), ("nordic-2015", INFILTRATOR)]
)
def test_every_army_is_set_up_and_played(drive: Drive, edition: str, army: Army) -> None:
    driver = drive(
        source=Script.simulated(), edition=EDITIONS[edition].with_army(army.name), seed=8
    )
    driver.connect()
    driver.tap("begin")
    driver.tap("set_up")
    driver.show_virtual()
    assert f"{army.size} of {army.size}" in driver.texts()
    counts = Counter(rank.symbol for rank in army.pieces * 2)
    assert Counter(standing(driver)) == counts
    hidden = driver.pixels()
    finger = driver.touch_at(*driver.middle(driver.find("show_red")))
    assert driver.pixels() != hidden
    driver.release(finger)
    for side in ("red", "blue"):
        driver.tap_inside(side, "ready")
    assert driver.view == "turn"
    table = driver.app.stage.table
    source, target = next(
        (move.source, move.target)
        for move in table.referee.legal_moves()
        if move.target in NEIGHBOURS[move.source] and not table.expected.occupied >> move.target & 1
    )
    drag(driver, name(source), name(target))
    assert table.view.last_move == (source, target)
    before = driver.seen
    driver = drive(source=Script.simulated())
    driver.connect()
    driver.tap("resume")
    driver.show_virtual()
    assert driver.seen == before
    assert Counter(standing(driver)) == counts


def test_a_game_that_is_taken_up_stands_as_it_did(driver: Driver, drive: Drive) -> None:
    drag(driver, "e4", "e5")
    drag(driver, "a7", "a6")
    before = driver.seen
    driver = drive(source=Script.simulated())
    driver.connect()
    driver.tap("resume")
    driver.show_virtual()
    assert driver.seen == before
    assert driver.view == "turn"
