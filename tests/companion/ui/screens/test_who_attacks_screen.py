"""If either of two lifted pieces may be the attacker, the table asks which side attacks."""

import pytest

from engine.board.geometry import square
from engine.board.ranks import Rank
from engine.game.game_state import Phase
from firmware_bridge.image import Image
from tests.campaigns import slow_after_first
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import STANDING, after, attack_on_screen, begin, declare, play


@pytest.fixture
def set_down(driver: Driver) -> Image:
    """Image after a long move by Red's scout to e6, next to e7."""
    begin(driver)
    return play(driver, STANDING, "e4 e6")


def take_both(driver: Driver, image: Image) -> None:
    driver.show(after(image, "e6"), seconds=0.3)
    driver.show(after(image, "e6", "e7"), seconds=1.5)
    assert driver.view == "who-attacks"


@pytest.mark.parametrize(
    ("button", "expected", "ends"),
    slow_after_first(
        "variants",
        [
            ("red_attacks", "Red attacks", ("e4", "e7")),
            ("blue_attacks", "Blue attacks", ("e7", "e6")),
        ],
    ),
)
def test_button_for_each_side(
    driver: Driver, set_down: Image, button: str, expected: str, ends: tuple[str, str]
) -> None:
    take_both(driver, set_down)
    assert "Who attacks?" in driver.texts()
    assert expected in driver.texts()

    driver.tap(button)

    assert driver.view == "declaration"
    attack = driver.app.presenter.table.view.opened
    assert attack == tuple(map(square, ends))


def test_no_attack_answer(driver: Driver, set_down: Image) -> None:
    take_both(driver, set_down)
    driver.tap("no_attack")
    driver.pass_time(1)
    assert driver.view == "turn", "lifted pieces are only looked at"
    driver.show(set_down)
    assert driver.view == "turn"


def test_held_proved_pieces_fight(driver: Driver) -> None:
    """Red's f6 is a known scout, and Blue's e6 is a known major."""
    begin(driver)
    image = play(driver, STANDING, "e4 e5", "e7 e6")
    attack_on_screen(driver, "e5", "e6")
    declare(driver, Rank.CAPTAIN)
    declare(driver, Rank.MAJOR)
    image = after(image, "e5")
    driver.show(image)
    driver.tap("end")
    image = play(driver, image, "k7 k6", "f4 f6", "a7 a6")
    driver.show(after(image, "f6", "e6"), seconds=1.9)
    assert driver.view == "turn", "the players may only be looking at the pieces"
    driver.pass_time(0.5)
    assert driver.view == "reveal"


def test_question_ends_when_both_are_put_back(driver: Driver, set_down: Image) -> None:
    take_both(driver, set_down)
    driver.show(set_down)
    assert driver.view == "turn"


def test_scout_attack_by_touch(driver: Driver, set_down: Image) -> None:
    driver.tap_square(square("e6"))
    driver.tap_square(square("e7"))
    assert "Attack e7 with e6" in driver.texts()
    driver.tap("attack")

    attack = driver.app.presenter.table.view.opened
    assert attack == (square("e4"), square("e7"))


@pytest.mark.parametrize("lifted", slow_after_first("variants", [False, True]))
def test_scout_attack_without_colours(driver: Driver, lifted: bool) -> None:
    driver.connect()
    begin(driver)
    driver.connect(sees_colours=False)
    image = after(STANDING, "e4 e6")
    driver.show(Image(unknown=image.occupied))
    if lifted:
        driver.show(Image(unknown=after(image, "e6").occupied))
    for touched in ("e6", "e7"):
        driver.tap_square(square(touched))
    driver.tap("attack")
    assert driver.app.presenter.table.view.phase is Phase.ATTACK
    assert driver.app.presenter.table.view.to_move.value == "red"


def test_attack_on_the_scout_by_touch(driver: Driver, set_down: Image) -> None:
    driver.tap_square(square("e7"))
    driver.tap_square(square("e6"))
    assert "Attack e6 with e7" in driver.texts()
    driver.tap("attack")
    assert driver.app.presenter.table.view.to_move.value == "blue"


def test_other_pieces_of_the_waiting_side_are_not_selected(driver: Driver, set_down: Image) -> None:
    driver.tap_square(square("a4"))
    assert driver.face.chosen is None
