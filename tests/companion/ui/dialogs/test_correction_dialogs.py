"""The arbiter corrects a misread square and a wrong rank."""

from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from firmware_bridge.image import Image
from tests.campaigns import RARE
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import STANDING, after, attack_on_screen, begin, declare, play


def open_arbiter(driver: Driver, choice: str) -> None:
    driver.tap("menu")
    driver.tap("arbiter")
    driver.tap(choice)


def doubt(driver: Driver, where: str) -> None:
    open_arbiter(driver, "doubt")
    driver.tap_square(square(where))
    driver.confirm()


def test_phantom_piece_does_not_end_the_game(driver: Driver) -> None:
    begin(driver)
    ghost = Image(STANDING.red, STANDING.blue | 1 << square("a5"))
    driver.show(ghost)
    assert driver.view == "recovery"

    doubt(driver, "a5")
    driver.pass_time(1)

    assert driver.view == "turn"
    assert "Sensor ignored: a5" in driver.texts()
    play(driver, ghost, "k4 k5")
    assert driver.app.presenter.table.view.plies == 1


def test_move_to_a_doubted_square_by_touch(driver: Driver) -> None:
    begin(driver)
    doubt(driver, "a5")
    driver.show(after(STANDING, "a4"))
    driver.tap_square(square("a5"))
    assert "Move a4 to a5" in driver.texts()
    driver.tap("attack")
    assert driver.app.presenter.table.view.board.red >> square("a5") & 1


def test_sensor_is_trusted_again(driver: Driver) -> None:
    begin(driver)
    doubt(driver, "a5")
    doubt(driver, "a5")
    assert not driver.app.presenter.table.doubted
    assert "Sensor ignored" not in driver.texts()


def test_touch_elsewhere_makes_no_move(driver: Driver) -> None:
    begin(driver)
    driver.show(after(STANDING, "a4"))
    driver.tap_square(square("a5"))
    assert "Move" not in driver.texts()


def test_dead_square_does_not_block_setup(driver: Driver) -> None:
    driver.connect()
    driver.tap("begin")
    driver.show(after(STANDING, "b3"))
    assert "Is a piece not counted? Tap its square here." in driver.texts()
    driver.tap_square(square("b3"))
    driver.confirm()
    driver.pass_time(1)
    assert "Sensor ignored: b3" in driver.texts()
    driver.tap_inside("red", "ready")
    driver.tap_inside("blue", "ready")
    driver.pass_time(1)
    assert driver.view == "turn"


def fight_as_colonel(driver: Driver) -> None:
    """Beat a miner on e6 with a red colonel, and wait until both players have read the result."""
    begin(driver)
    image = play(driver, STANDING, "e4 e5", "e7 e6")
    attack_on_screen(driver, "e5", "e6")
    declare(driver, Rank.COLONEL)
    declare(driver, Rank.MINER)
    driver.show(after(image, "e5 e6"), 20)


def test_rank_correction(driver: Driver) -> None:
    fight_as_colonel(driver)
    open_arbiter(driver, "correct")
    driver.tap("wrong_rank")
    driver.tap_square(square("a4"))
    assert "The rank of this piece was never shown." in driver.texts()
    driver.tap_square(square("e6"))
    driver.tap_tile("guesses", Rank.CAPTAIN)
    driver.confirm()

    position = driver.app.presenter.table.referee.position
    assert position.ranks_at(square("e6")) == 1 << Rank.CAPTAIN
    assert driver.view == "turn"
    assert driver.app.presenter.table.view.to_move is Side.BLUE
    assert "The rank of the piece on e6 was corrected." in driver.texts()
    assert "aptain" not in driver.texts()


def test_exchange_correction(driver: Driver) -> None:
    fight_as_colonel(driver)
    open_arbiter(driver, "correct")
    driver.tap("exchanged")
    driver.tap_square(square("e4"))
    assert "There is no piece there." in driver.texts()
    driver.tap_square(square("e6"))
    assert driver.find("board").marked == 1 << square("e6")
    driver.tap_square(square("e6"))
    assert not driver.find("board").marked
    driver.tap_square(square("e6"))
    driver.tap_square(square("a7"))
    assert "Both pieces must be on the same side." in driver.texts()
    driver.tap_square(square("a4"))
    assert "e6 and a4 swapped?" in driver.texts()
    driver.confirm()

    position = driver.app.presenter.table.referee.position
    assert position.ranks_at(square("a4")) == 1 << Rank.COLONEL
    assert position.ranks_at(square("e6")) != 1 << Rank.COLONEL
    assert driver.view == "turn"
    assert "e6" in driver.app.presenter.news
    assert "olonel" not in driver.texts()


def test_long_move_correction(driver: Driver) -> None:
    begin(driver)
    play(driver, STANDING, "e4 e6")
    open_arbiter(driver, "correct")
    driver.tap("no_long_move")
    driver.tap_square(square("a4"))
    assert "The record has no long move by this piece." in driver.texts()
    driver.tap_square(square("e6"))
    assert "e6: never further than one square?" in driver.texts()
    driver.confirm()
    ranks = driver.app.presenter.table.referee.position.ranks_at(square("e6"))
    assert ranks >> Rank.MARSHAL & 1
    assert driver.view == "turn"
    assert "e6" in driver.app.presenter.news


@RARE
def test_back_leaves_one_correction_step(driver: Driver) -> None:
    fight_as_colonel(driver)
    open_arbiter(driver, "correct")
    driver.tap("wrong_rank")
    driver.tap_square(square("e6"))
    driver.find("guesses")
    for _ in range(4):
        driver.tap("close")
    assert driver.view == "turn"
    assert "Arbiter" not in driver.texts()


def test_no_correction_during_an_attack(driver: Driver) -> None:
    begin(driver)
    attack_on_screen(driver, "e4", "e7")
    driver.tap("menu")
    driver.tap("arbiter")
    assert driver.find("correct").disabled


def test_impossible_rank_is_refused(driver: Driver) -> None:
    fight_as_colonel(driver)
    open_arbiter(driver, "correct")
    driver.tap("wrong_rank")
    driver.tap_square(square("e6"))
    driver.tap_tile("guesses", Rank.BOMB)
    driver.confirm()
    assert "That cannot be true. The rank stays as it was." in driver.texts()
