"""Tests for take-backs and the arbiter's decisions on the screen."""

from collections.abc import Callable

import pytest

from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.game.rulings import Reason
from tests.campaigns import RARE, slow_after_first
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import STANDING, after, attack_on_screen, begin, declare, play

Drive = Callable[..., Driver]


@pytest.fixture
def begun(driver: Driver) -> Driver:
    begin(driver)
    return driver


@pytest.mark.parametrize(
    ("language", "asked", "agrees", "expected"),
    slow_after_first(
        "languages",
        [
            (
                "en",
                "Red asks to take back the last move.",
                "Blue agrees",
                "Taken back: put the pieces back where they were.",
            ),
            (
                "de",
                "Rot bittet um Rücknahme des letzten Zuges.",
                "Blau stimmt zu",
                "Zurückgenommen: Die Figuren müssen wieder dorthin, wo sie waren.",
            ),
        ],
    ),
)
def test_take_back_by_agreement(
    drive: Drive, language: str, asked: str, agrees: str, expected: str
) -> None:
    driver = drive(language=language)
    begin(driver)
    play(driver, STANDING, "e4 e5")
    driver.tap("menu")
    driver.tap("red_take_back")
    driver.confirm()
    assert asked in driver.texts()
    assert agrees in driver.texts()
    driver.tap("accept")
    driver.tap("no")
    assert driver.app.presenter.table.view.plies == 1
    driver.tap("accept")
    driver.confirm()
    assert driver.view == "recovery"
    assert driver.face.put == 1 << square("e4")
    assert expected in driver.texts()
    assert "!" not in driver.texts().splitlines(), "a take-back is not shown as a violation"
    driver.show(STANDING)
    assert driver.view == "turn"
    assert driver.app.presenter.table.view.plies == 0


@pytest.mark.parametrize("wanted", ["no", "yes"])
def test_resignation_is_taken_back(begun: Driver, wanted: str) -> None:
    play(begun, STANDING, "e4 e5")
    begun.tap("menu")
    begun.tap("red_resigns")
    begun.confirm()
    assert begun.view == "end"
    begun.tap("take_back")
    assert "Take back the end of the game?" in begun.texts()
    begun.press(wanted)
    assert begun.view == {"no": "end", "yes": "turn"}[wanted]
    assert begun.app.presenter.table.view.plies == 1


def test_no_take_back_before_the_first_move(begun: Driver) -> None:
    begun.tap("menu")
    assert begun.find("red_take_back").disabled
    begun.tap("red_take_back")
    assert begun.app.presenter.table.conversation.take_back_offer is None


def test_menu_accepts_a_take_back(begun: Driver) -> None:
    play(begun, STANDING, "e4 e5")
    begun.tap("menu")
    begun.tap("blue_take_back")
    begun.confirm()
    begun.tap("menu")
    assert begun.find("blue_take_back").disabled
    assert "Red allows the take-back" in begun.texts()
    begun.tap("red_take_back")
    begun.confirm()
    assert begun.app.presenter.table.view.plies == 0


def test_open_attack_is_taken_back(begun: Driver) -> None:
    attack_on_screen(begun, "e4", "e7")
    for side in ("red", "blue"):
        begun.tap("menu")
        begun.tap(f"{side}_take_back")
        begun.confirm()
    assert begun.view == "turn"
    assert begun.app.presenter.table.view.opened is None


@RARE
def test_taken_back_combat_disappears(begun: Driver) -> None:
    image = play(begun, STANDING, "e4 e5", "e7 e6")
    begun.show(after(image, "e5 e6"))
    declare(begun, Rank.MARSHAL)
    declare(begun, Rank.SCOUT)
    begun.tap("end")
    begun.tap("menu")
    begun.tap("blue_take_back")
    begun.confirm()
    begun.tap("accept")
    begun.confirm()
    assert begun.view == "recovery"
    assert "Marshal" not in begun.texts()
    assert begun.face.captured[Side.BLUE][Rank.SCOUT] == 0


@RARE
def test_offer_returns_after_an_attack(begun: Driver) -> None:
    play(begun, STANDING, "e4 e5")
    begun.tap("menu")
    begun.tap("red_take_back")
    begun.confirm()
    begun.tap_square(square("e7"))
    begun.tap_square(square("e5"))
    assert "Attack e5 with e7" in begun.texts()
    assert "Blue agrees" not in begun.texts()
    begun.tap_square(square("k5"))
    assert "Blue agrees" in begun.texts()


def test_two_offers_are_shown(begun: Driver) -> None:
    play(begun, STANDING, "e4 e5")
    for button in ("red_take_back", "blue_draw"):
        begun.tap("menu")
        begun.tap(button)
        begun.confirm()
    assert "Red asks to take back the last move. Blue offers a draw." in begun.texts()
    begun.tap("accept")
    begun.tap("blue_take_back")
    begun.confirm()
    assert begun.app.presenter.table.view.plies == 0
    begun.show(STANDING)
    assert "Blue offers a draw." not in begun.texts(), "the offer ended with the next move"


@pytest.mark.parametrize(
    ("language", "button", "question"),
    slow_after_first(
        "languages",
        [
            ("en", "Arbiter: allow it", "Arbiter: allow it?"),
            ("de", "Schiedsrichter: Der Zug gilt", "Schiedsrichter: Der Zug gilt?"),
        ],
    ),
)
def test_arbiter_allows_an_illegal_move(
    drive: Drive, language: str, button: str, question: str
) -> None:
    driver = drive(language=language)
    begin(driver)
    driver.show(after(STANDING, "e4 f5"))
    assert button in driver.texts()
    driver.tap("allow_move")
    assert question in driver.texts()
    driver.tap("no")
    assert driver.view == "recovery"
    driver.tap("allow_move")
    driver.confirm()
    assert driver.view == "turn"
    assert driver.app.presenter.table.view.last_move == (square("e4"), square("f5"))


@RARE
def test_no_button_for_impossible_overrides(begun: Driver) -> None:
    begun.show(after(STANDING, "a1 c5", "b1 k5", "a2 g5", "k4"))
    assert begun.view == "recovery"
    assert "allow it" not in begun.texts()
    begun.tap("menu")
    begun.tap("arbiter")
    assert "Allow it" not in begun.texts()


def test_restored_board_closes_the_question(begun: Driver) -> None:
    begun.show(after(STANDING, "e4 f5"))
    begun.tap("allow_move")
    begun.show(STANDING)
    assert begun.view == "turn"
    assert "allow it" not in begun.texts()


def test_arbiter_allows_a_refused_attack(begun: Driver) -> None:
    attack_on_screen(begun, "a4", "b7")
    assert begun.view == "turn"
    begun.tap("menu")
    begun.tap("arbiter")
    assert "straight along a row or a column" in begun.texts()
    begun.tap("allow_move")
    begun.confirm()
    assert begun.view == "declaration"


@pytest.mark.parametrize("loser", slow_after_first("variants", list(Side)))
def test_arbiter_ends_a_game(begun: Driver, loser: Side) -> None:
    begun.tap("menu")
    begun.tap("arbiter")
    begun.tap(f"{loser.value}_forfeits")
    begun.confirm()
    outcome = begun.app.presenter.table.view.outcome
    assert outcome
    assert (outcome.winner, outcome.reason) == (loser.other, Reason.FORFEIT)
    assert "the arbiter has decided" in begun.texts()
    assert "organiser's rule" in begun.texts()


@RARE
def test_arbiter_declares_a_double_loss(begun: Driver) -> None:
    begun.tap("menu")
    begun.tap("arbiter")
    begun.tap("both_forfeit")
    assert "Arbiter: both lose?" in begun.texts()
    begun.confirm()
    outcome = begun.app.presenter.table.view.outcome
    assert outcome
    assert (outcome.winner, outcome.reason) == (None, Reason.FORFEIT)
    assert "Both lose" in begun.texts()
    assert "Draw" not in begun.texts()


@RARE
def test_arbiter_menu_can_be_left(begun: Driver) -> None:
    begun.tap("menu")
    begun.tap("arbiter")
    begun.tap("close")
    assert begun.view == "turn"
    assert "loses" not in begun.texts()
