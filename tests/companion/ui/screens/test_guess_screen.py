"""On the guess screen, choose a piece and its target, guess a rank, and answer a guess."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from companion.ui.base.base_screen import READING_SECONDS
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.game.game_state import Phase
from engine.rules.editions import EDITIONS
from firmware_bridge.image import Image
from tests.campaigns import RARE, slow_after_first
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import (
    INTO_ENEMY_ROWS,
    STANDING,
    after,
    attack_on_screen,
    begin,
    begin_simulated,
    declare,
    defend_in_silence,
    infiltrate,
    open_curtain,
    play,
    turn_cards,
)
from tests.companion.ui.running_app import Script

Drive = Callable[..., Driver]
NORDIC = EDITIONS["nordic-2015"]
ARRIVED: Image = after(STANDING, *INTO_ENEMY_ROWS)


@pytest.fixture
def driver(drive: Drive) -> Driver:
    """Game in which Red's piece from e4 has reached f7, with Red to move."""
    return arrive(drive())


def arrive(driver: Driver) -> Driver:
    driver.app.presenter.settings.edition = NORDIC
    begin(driver)
    play(driver, STANDING, *INTO_ENEMY_ROWS)
    return driver


def choose(driver: Driver, source: str, target: str) -> None:
    driver.tap_square(square(source))
    driver.tap_square(square(target))


def offers_infiltration(driver: Driver, source: str, target: str) -> bool:
    choose(driver, source, target)
    return bool(driver.face.infiltrate_text)


@RARE
def test_infiltrate_button_only_when_legal(driver: Driver) -> None:
    assert offers_infiltration(driver, "f7", "f8")
    assert offers_infiltration(driver, "f7", "f9")
    assert offers_infiltration(driver, "f7", "d7")
    assert not offers_infiltration(driver, "f7", "f10")
    assert not offers_infiltration(driver, "f7", "g8")
    assert not offers_infiltration(driver, "a4", "a5")


def test_attack_button_uses_the_space(driver: Driver) -> None:
    assert offers_infiltration(driver, "f7", "f8")
    assert not offers_infiltration(driver, "a4", "a5")
    attack = driver.find("attack")
    driver.tap_at(attack.parent.right - 10, driver.middle(attack)[1])
    assert driver.view == "declaration"


def test_no_infiltrate_button_with_other_armies(drive: Drive) -> None:
    driver = drive()
    begin(driver)
    play(driver, STANDING, *INTO_ENEMY_ROWS)
    assert not offers_infiltration(driver, "f7", "f8")


def test_no_infiltrate_button_for_a_scout(drive: Drive) -> None:
    driver = drive()
    driver.app.presenter.settings.edition = NORDIC
    begin(driver)
    play(driver, STANDING, "e4 e6", "f7 f6", "i4 i5", "f6 f5", "e6 f6", "a7 a6", "f6 f7", "a6 a5")
    assert not offers_infiltration(driver, "f7", "f8")


@pytest.mark.parametrize(
    ("language", "asked", "right"),
    slow_after_first(
        "languages",
        [
            ("en", "Blue\nRed infiltrates f9:\n8 · Colonel?", "Right!"),
            ("de", "Blau\nRot infiltriert f9:\n8 · Oberst?", "Richtig!"),
        ],
    ),
)
def test_right_guess(drive: Drive, language: str, asked: str, right: str) -> None:
    driver = arrive(drive(language=language))
    infiltrate(driver, "f7", "f9", Rank.COLONEL)
    assert driver.view == "guess"
    assert asked in driver.texts()
    driver.tap("right")
    driver.tap("no")
    assert driver.app.presenter.table.view.phase is Phase.GUESS
    driver.tap("right")
    driver.confirm()
    assert driver.view == "reveal"
    turn_cards(driver)
    assert right in driver.texts()
    driver.pass_time(30)
    assert driver.view == "reveal"
    assert "f9" in driver.texts()
    driver.show(after(ARRIVED, "f9"))
    assert driver.view == "turn"
    assert driver.face.captured[Side.BLUE][Rank.COLONEL] == 1
    assert driver.app.presenter.table.view.to_move is Side.BLUE


@RARE
def test_wrong_guess(driver: Driver) -> None:
    infiltrate(driver, "f7", "f8", Rank.BOMB)
    driver.tap("wrong")
    driver.confirm()
    turn_cards(driver)
    assert "Not the bomb" in driver.texts()
    assert "stays hidden" in driver.texts()
    driver.tap("end")
    assert driver.view == "turn"
    assert "Bomb" not in driver.texts()
    assert driver.app.presenter.table.view.to_move is Side.BLUE


@RARE
def test_impossible_answer_is_refused_privately(drive: Drive) -> None:
    driver = drive()
    driver.app.presenter.settings.edition = replace(NORDIC, silent_defence=True)
    begin(driver)
    image = play(driver, STANDING, *INTO_ENEMY_ROWS)
    image = defend_in_silence(driver, image, attack="a4 a5", defender=Rank.MARSHAL)
    play(driver, image, "k7 k6")
    infiltrate(driver, "f7", "f9", Rank.MARSHAL)
    driver.tap("right")
    driver.confirm()
    assert driver.view == "guess"
    assert "Red: look away." in driver.texts()
    assert "arshal" not in driver.texts()

    open_curtain(driver)
    assert "All your pieces of this rank are already known: marshal × 1." in driver.texts()
    driver.pass_time(READING_SECONDS + 1)
    assert "marshal" not in driver.texts()
    assert "Red: look away." not in driver.texts()
    driver.tap("wrong")
    driver.confirm()
    turn_cards(driver)
    assert "Not the marshal" in driver.texts()


@RARE
def test_refused_answer_and_guess_are_taken_back(drive: Drive) -> None:
    driver = drive()
    driver.app.presenter.settings.edition = replace(NORDIC, silent_defence=True)
    begin(driver)
    image = play(driver, STANDING, *INTO_ENEMY_ROWS)
    image = defend_in_silence(driver, image, attack="a4 a5", defender=Rank.MARSHAL)
    image = play(driver, image, "k7 k6")
    infiltrate(driver, "f7", "f9", Rank.MARSHAL)
    driver.tap("right")
    driver.confirm()
    open_curtain(driver)
    driver.tap("read")
    for button in ("menu", "red_take_back", "yes", "menu", "blue_take_back"):
        driver.tap(button)
    driver.confirm()
    driver.show(image)
    assert driver.view == "turn"


def test_right_guess_of_the_flag(driver: Driver) -> None:
    infiltrate(driver, "f7", "f8", Rank.FLAG)
    driver.tap("right")
    driver.confirm()
    turn_cards(driver)
    assert "The flag is captured!" in driver.texts()
    driver.show(after(ARRIVED, "f8"))
    driver.pass_time(9)
    assert driver.view == "end"
    assert "Red wins" in driver.texts()


@RARE
def test_guess_can_be_cancelled(driver: Driver) -> None:
    choose(driver, "f7", "f8")
    driver.tap("infiltrate")
    assert "Infiltrate f8: which rank is it?" in driver.texts()
    driver.tap("close")
    driver.tap("infiltrate")
    driver.tap_tile("guesses", Rank.SPY)
    assert "f8: 1 · Spy?" in driver.texts()
    driver.tap("no")
    assert driver.view == "turn"
    assert driver.app.presenter.table.view.phase is Phase.PLAY
    driver.tap("attack")
    assert driver.view == "declaration"


@RARE
def test_only_possible_ranks_are_guessed(driver: Driver) -> None:
    infiltrate(driver, "f7", "f8", Rank.BOMB)
    driver.tap("wrong")
    driver.confirm()
    driver.tap("end")
    play(driver, ARRIVED, "a5 b5")
    choose(driver, "f7", "f8")
    driver.tap("infiltrate")
    offered = {tile.rank for tile in driver.find("guesses").children}
    assert offered == set(Rank) - {Rank.BOMB}


@RARE
def test_infiltrator_has_a_sign(driver: Driver) -> None:
    attack_on_screen(driver, "f7", "f8")
    declare(driver, Rank.INFILTRATOR)
    declare(driver, Rank.SCOUT)
    card = driver.find("attacker")
    assert (card.name, card.number) == ("Infiltrator", "")


@pytest.fixture
def by_hand(drive: Drive) -> Driver:
    """Like `driver`, but on the simulated board, with real touches."""
    driver = drive(source=Script.with_simulated_board(), edition=NORDIC)
    begin_simulated(driver)
    for way in INTO_ENEMY_ROWS:
        driver.carry(*way.split())
        driver.show_virtual()
    assert driver.app.presenter.table.view.plies == len(INTO_ENEMY_ROWS)
    return driver


def tap(driver: Driver, *places: str) -> None:
    for place in places:
        driver.tap_at(*driver.on_board(place))
        driver.show_virtual()


@pytest.mark.parametrize("target", slow_after_first("variants", ["f8", "f9"]))
def test_second_tap_asks_attack_or_infiltrate(by_hand: Driver, target: str) -> None:
    before = by_hand.tabletop.standing
    tap(by_hand, "f7", target)
    assert by_hand.tabletop.standing == before, "no piece is captured"
    assert by_hand.view == "turn"
    assert f"Infiltrate {target}" in by_hand.texts()
    assert f"Attack {target} with f7" in by_hand.texts()
    by_hand.tap("infiltrate")
    by_hand.tap_tile("guesses", Rank.COLONEL)
    by_hand.confirm()
    assert by_hand.app.presenter.table.view.guess is Rank.COLONEL


@RARE
def test_attack_button(by_hand: Driver) -> None:
    tap(by_hand, "f7", "f8")
    by_hand.tap("attack")
    assert by_hand.view == "declaration"


def test_drag_attacks_at_once(by_hand: Driver) -> None:
    by_hand.carry("f7", "f8")
    by_hand.show_virtual()
    assert by_hand.view == "declaration"


@RARE
def test_second_tap_places_other_pieces(by_hand: Driver) -> None:
    tap(by_hand, "a4", "a5")
    assert by_hand.view == "declaration"
