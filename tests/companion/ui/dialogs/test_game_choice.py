"""Choose a game by touch."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from companion.speech.i18n import Language, codes
from companion.speech.small_texts import RULEBOOK_NAMES
from engine.board.geometry import square
from engine.board.ranks import BARRAGE, DUEL, ORIGINAL
from engine.game.actions import Touch
from engine.game.clocks import NO_CLOCK, TIME_CONTROLS
from engine.rules.editions import DEFAULT, EDITIONS, MovedBombPenalty
from tests.campaigns import RARE, slow_after_first
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import STANDING, after, begin, choose_game, open_game, play

Drive = Callable[..., Driver]


def test_default_game_in_two_touches(driver: Driver) -> None:
    assert "Original, 40 pieces · no clock" in driver.texts()
    assert "silent" not in driver.texts()
    begin(driver)
    table = driver.app.presenter.table
    assert table.view.edition == DEFAULT
    assert table.clock.control == NO_CLOCK


@pytest.mark.parametrize(
    ("language", "named"),
    slow_after_first(
        "languages",
        [
            ("en", "two-squares limit: 5 · silent defence · aggressor advantage"),
            ("de", "Zwei-Felder-Grenze: 5 · stille Verteidigung · Angreifervorteil"),
        ],
    ),
)
def test_chosen_game_is_played(drive: Drive, language: str, named: str) -> None:
    driver = drive(language=language)
    open_game(driver, "isf", "total", "silent", "advantage")
    driver.tap_option("armies", "duel")
    driver.tap_option("limits", 5)
    for _ in range(2):
        driver.tap("close")
    assert {"Tournament", "Turnier"} & set(driver.texts().splitlines())
    assert named in driver.texts()
    driver.connect()
    driver.tap("begin")
    table = driver.app.presenter.table
    edition = table.view.edition
    assert (edition.id, edition.army, edition.two_squares_limit) == ("isf", DUEL, 5)
    assert (edition.silent_defence, edition.aggressor_advantage) == (True, True)
    assert table.clock.control == TIME_CONTROLS["total"]


def test_only_armies_of_the_edition_are_offered(driver: Driver) -> None:
    driver.tap("rules")
    for edition in EDITIONS.values():
        driver.tap_option("editions", edition.id)
        driver.tap("more")
        usual = RULEBOOK_NAMES[edition.id].name
        assert f"{usual} ({edition.rulebook})" in driver.texts().splitlines()
        offered = [option.value for option in reversed(driver.find("armies").children)]
        assert offered == [army.name for army in edition.armies]
        assert driver.app.presenter.settings.edition == edition
        driver.tap("close")


@pytest.mark.parametrize("code", slow_after_first("languages", codes()))
def test_quick_game_is_not_named_after_another_army(drive: Drive, code: str) -> None:
    driver = drive(language=code)
    driver.tap("alone")
    assert driver.find("quick").detail.startswith(_text(code, "Barrage"))
    assert _text(code, "Duel").lower() not in driver.find("quick").text.lower()


def _text(code: str, message: str) -> str:
    return Language(code).text(message)


@RARE
def test_other_edition_keeps_options(driver: Driver) -> None:
    open_game(driver, "isf", "none", "silent")
    driver.tap_option("armies", "barrage")
    assert driver.app.presenter.settings.edition.army == BARRAGE
    driver.tap("close")
    driver.tap_option("editions", "compact-1992")
    edition = driver.app.presenter.settings.edition
    assert edition.army == ORIGINAL
    assert edition.silent_defence
    driver.tap("more")
    driver.tap("silent")
    assert driver.app.presenter.settings.edition == EDITIONS["compact-1992"]


@RARE
def test_moved_bomb_choice(driver: Driver) -> None:
    open_game(driver, "travel-2017", "none", "touch_move")
    driver.tap_option("moved_bomb", MovedBombPenalty.LOSES)
    for _ in range(2):
        driver.tap("close")
    assert "moving a bomb loses · touch-move" in driver.texts()
    begin(driver)
    edition = driver.app.presenter.table.view.edition
    assert edition.moved_bomb is MovedBombPenalty.LOSES
    assert edition.touch_move


@RARE
def test_touch_move_is_kept_across_editions(driver: Driver) -> None:
    open_game(driver, "travel-2017", "none", "touch_move")
    driver.tap_option("moved_bomb", MovedBombPenalty.LOSES)
    driver.tap("close")
    driver.tap_option("editions", "nordic-2015")
    driver.tap("more")
    edition = driver.app.presenter.settings.edition
    assert edition == replace(EDITIONS["nordic-2015"], touch_move=True)
    assert "A moved bomb" not in driver.texts()


def test_touched_piece_is_announced(driver: Driver) -> None:
    choose_game(driver, "original-1992", "none", "touch_move")
    begin(driver)
    moved = after(after(STANDING, "e4 e5"), "e7 e6")
    driver.show(after(STANDING, "e4 e5"))
    driver.show(moved)
    driver.show(after(moved, "e5"))
    driver.show(moved)
    assert "The piece on e5 was touched" in driver.texts()
    driver.show(after(moved, "a4 a5"))
    assert driver.view == "recovery"
    assert "The piece on e5 was touched first" in driver.texts()
    driver.show(moved)
    play(driver, moved, "e5 e4")
    assert driver.app.presenter.table.view.plies == 3


@pytest.mark.parametrize("answer", ["It can move", "It cannot move"])
@RARE
def test_private_claim_about_a_touched_piece(driver: Driver, answer: str) -> None:
    choose_game(driver, "original-1992", "none", "touch_move")
    begin(driver)
    driver.tap("menu")
    assert "Touched" not in driver.texts()
    driver.tap("close")
    driver.show(after(STANDING, "e4 a6"))
    assert driver.view == "recovery"
    driver.show(STANDING)
    assert "The piece on e4 was moved away" in driver.texts()
    driver.tap("menu")
    before = driver.texts()
    driver.tap("touched")
    assert "Blue: look away." in driver.texts()
    assert "It cannot move" not in driver.texts()
    driver.hold("hold", 1.0)
    assert "Can your piece on e4 move?" in driver.texts()
    driver.tap("first" if driver.find("first").text == answer else "second")
    assert driver.app.presenter.table.referee.actions[-1] == Touch(square("e4"), carried=True)
    driver.tap("menu")
    assert driver.texts() == before
    driver.tap("close")
    driver.show(after(STANDING, "k4 k5"))
    assert driver.app.presenter.table.view.plies == (answer == "It cannot move")


def test_selection_is_marked_without_colour(driver: Driver) -> None:
    driver.tap("rules")
    chosen = [option.value for option in driver.find("editions").children if option.chosen]
    assert chosen == [DEFAULT.id]
    driver.tap("more")
    before = driver.pixels()
    driver.tap("silent")
    assert driver.find("silent").chosen
    assert driver.pixels() != before


def test_menu_names_the_rules(driver: Driver) -> None:
    choose_game(driver, "travel-2017", "none", "silent")
    begin(driver)
    driver.tap("menu")
    assert "Travel · Original, 40 pieces · no clock · silent defence" in driver.texts()
    driver.tap("close")
    driver.show(STANDING)
    assert driver.view == "turn"
