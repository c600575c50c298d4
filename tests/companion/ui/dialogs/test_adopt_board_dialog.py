"""Using the screen, the players accept the board as it stands."""

import pytest

from engine.board.geometry import Side, square
from engine.game.actions import AdoptBoard, Relocation
from firmware_bridge.image import Image
from tests.companion.ui import playing
from tests.companion.ui.driver import Driver

E4_F5 = Relocation(square("e4"), square("f5"))


@pytest.fixture
def wrong(driver: Driver) -> Driver:
    """Game with an illegal move by Red from e4 to f5."""
    playing.begin(driver)
    driver.show(playing.after(playing.STANDING, "e4 f5"))
    assert driver.view == "recovery"
    return driver


def test_both_agree_to_the_board(wrong: Driver) -> None:
    wrong.tap("board_right")
    assert "The piece from e4 is on f5." in wrong.texts()
    wrong.tap_option("to_move", Side.BLUE)
    wrong.tap("blue_agrees")
    assert "Blue has agreed" in wrong.texts()
    wrong.tap("red_agrees")
    wrong.pass_time(1)

    table = wrong.app.presenter.table
    assert table.referee.actions[-1] == AdoptBoard((E4_F5,), 0, Side.BLUE)
    assert wrong.view == "turn"
    assert "Is the board right?" not in wrong.texts()
    assert "Both players agree: the board is right." in wrong.texts()
    playing.play(wrong, wrong.seen, "e7 e6")
    assert table.view.to_move is Side.RED


def test_turn_must_be_named_before_agreeing(wrong: Driver) -> None:
    wrong.tap("board_right")
    for side in ("red", "blue"):
        assert wrong.find(f"{side}_agrees").disabled
        wrong.tap(f"{side}_agrees")
    assert wrong.app.presenter.table.adoption.offer is None


def test_different_turn_is_asked_again(wrong: Driver) -> None:
    wrong.tap("board_right")
    wrong.tap_option("to_move", Side.BLUE)
    wrong.tap("red_agrees")
    assert wrong.find("red_agrees").disabled
    wrong.tap_option("to_move", Side.RED)
    assert not wrong.find("red_agrees").disabled
    wrong.tap("blue_agrees")
    assert not isinstance(wrong.app.presenter.table.referee.actions[-1], AdoptBoard)


def test_agreement_of_one_side_is_kept(wrong: Driver) -> None:
    wrong.tap("board_right")
    wrong.tap_option("to_move", Side.BLUE)
    wrong.tap("red_agrees")
    wrong.tap("close")
    wrong.tap("board_right")
    assert "Red has agreed" in wrong.texts()


def test_restored_board_closes_the_dialog(wrong: Driver) -> None:
    wrong.tap("board_right")
    wrong.show(playing.STANDING)
    assert wrong.view == "turn"
    assert "Is the board right?" not in wrong.texts()


def test_all_differences_are_listed_and_drawn(driver: Driver) -> None:
    playing.begin(driver)
    knocked = playing.after(
        playing.STANDING, "a1 a5", "b1 b5", "i9 i6", "k9 k6", "e10", "f10", "g10"
    )
    driver.show(knocked, seconds=5)
    driver.tap("board_right")
    sentences = driver.find("sentences")
    assert len(sentences.lines) == 7
    assert len(driver.find("board").shifted) == 4
    assert driver.find("board").gone == playing.squares("e10 f10 g10")
    assert driver.find("scroll").do_scroll_y


def test_surplus_piece_prevents_agreement(driver: Driver) -> None:
    playing.begin(driver)
    driver.show(
        Image(playing.STANDING.red, playing.STANDING.blue | playing.squares("a5")), seconds=5
    )
    driver.tap("board_right")
    assert "There is one piece too many on a5." in driver.texts()
    assert "agrees" not in driver.texts()
    driver.tap("close")
    assert driver.view == "recovery"


def test_unrevealed_losses_are_question_marks(driver: Driver) -> None:
    playing.begin(driver)
    driver.show(playing.after(playing.STANDING, "a1 a5", "k9"), seconds=5)
    driver.tap("board_right")
    driver.tap_option("to_move", Side.RED)
    driver.tap("red_agrees")
    driver.tap("blue_agrees")
    driver.pass_time(1)
    assert driver.view == "turn"
    assert driver.face.captured[Side.BLUE][None] == 1
    assert driver.face.captured[Side.RED][None] == 0


def test_menu_offers_the_board_during_a_question(driver: Driver) -> None:
    playing.begin(driver)
    image = playing.play(driver, playing.STANDING, "e4 e5", "a7 a6")
    playing.take_crossed(driver, image, "e5", "f4", "f5")
    assert driver.view == "choose-move"
    driver.tap("menu")
    driver.tap("board_right")
    assert "is off the board." in driver.texts()


def test_menu_without_a_difference(driver: Driver) -> None:
    playing.begin(driver)
    driver.tap("menu")
    assert "The board is right" not in driver.texts()
