"""Armies are sealed on the touchscreen before the game."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from companion.session.tabletop import standing_setup
from companion.ui.dialogs.setup_dialogs import PATIENCE_SECONDS
from companion.ui.widgets.buttons import HOLD_SECONDS
from engine.board.geometry import Side, square, squares_in
from engine.board.ranks import BARRAGE
from engine.rules.editions import EDITIONS
from firmware_bridge.image import Image
from tests.campaigns import RARE
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import (
    STANDING,
    after,
    attack_on_screen,
    choose_game,
    open_curtain,
    play,
)
from tests.companion.ui.running_app import Script
from tests.companion.ui.sealing import (
    CORNERS,
    FORT,
    SEALED,
    begin_to_seal,
    draw_up,
    seal,
    seal_on_phone,
    sealed_rank,
)

Drive = Callable[..., Driver]


@pytest.fixture
def setting_up(driver: Driver) -> Driver:
    """Game in which both armies are set up but not sealed."""
    begin_to_seal(driver)
    return driver


@RARE
def test_option_is_shown_and_kept(driver: Driver, drive: Drive) -> None:
    choose_game(driver, "isf", "none", "sealed_armies")
    assert "sealed armies" in driver.texts()
    assert drive().app.presenter.settings.edition == SEALED


def test_both_players_seal(setting_up: Driver) -> None:
    for side in Side:
        seal(setting_up, side)
        assert setting_up.app.presenter.table.sealed >= {side}
        assert "Sealed" in setting_up.texts()
        setting_up.tap_inside(side.value, "ready")
    assert setting_up.view == "turn"
    assert setting_up.app.presenter.table.view.sealed == {*Side}


def test_ready_requires_sealing(setting_up: Driver) -> None:
    assert "Ready when sealed" in setting_up.texts()
    setting_up.tap_inside("red", "ready")
    assert setting_up.app.presenter.table.ready == frozenset()
    seal(setting_up, Side.RED)
    setting_up.tap_inside("red", "ready")
    assert setting_up.app.presenter.table.ready == {Side.RED}


@RARE
def test_misplaced_sealed_army_is_shown(drive: Drive) -> None:
    """In the short game, an army has only eight pieces, so a piece may be put on a wrong square."""
    edition = replace(EDITIONS["isf"].with_army(BARRAGE.name), sealed_armies=True)
    driver = drive(edition=edition)
    driver.connect()
    driver.tap("begin")
    draw_up(driver, Side.RED, "Bodyguard")
    driver.tap("seal")
    driver.tap("close")
    drawn = driver.app.presenter.seals.sealed(Side.RED)
    assert drawn
    stands = sum(1 << at for at in drawn.on_squares_of(Side.RED))
    taken, free = next(squares_in(stands)), next(squares_in(Side.RED.home & ~stands))
    driver.show(Image(stands & ~(1 << taken) | 1 << free, 0))
    assert "Red has not sealed this army." in driver.texts()
    assert driver.face.marked == 1 << taken | 1 << free
    driver.tap_inside("red", "ready")
    assert driver.app.presenter.table.ready == frozenset()
    driver.show(Image(stands, 0))
    assert driver.face.marked == 0
    driver.tap_inside("red", "ready")
    assert driver.app.presenter.table.ready == {Side.RED}


@RARE
def test_army_can_be_sealed_again(setting_up: Driver) -> None:
    for name in (FORT.name, CORNERS.name):
        seal(setting_up, Side.RED, name)
    seal(setting_up, Side.BLUE)
    setting_up.tap_inside("red", "ready")
    setting_up.tap("setups")
    setting_up.hold("red", HOLD_SECONDS + 0.1)
    assert "Red is ready" in setting_up.texts()
    assert "Your setup" not in setting_up.texts()
    setting_up.tap("close")
    setting_up.tap_inside("blue", "ready")
    setting_up.show(after(STANDING, "e4 e5"))
    play(setting_up, after(STANDING, "e4 e5"), "e7 e6")
    attack_on_screen(setting_up, "e5", "e6")
    open_curtain(setting_up)
    tile = setting_up.find("sealed")
    assert tile.rank is sealed_rank(Side.RED, "e4", CORNERS.setup)
    assert tile.rank is not sealed_rank(Side.RED, "e4", FORT.setup)


@RARE
def test_unsealed_draft_is_kept_behind_the_curtain(
    setting_up: Driver,
) -> None:
    draw_up(setting_up, Side.RED)
    assert setting_up.app.presenter.table.sealed == frozenset()
    setting_up.pass_time(PATIENCE_SECONDS + 1)
    assert "Whose setup?" in setting_up.texts()
    setting_up.hold("red", HOLD_SECONDS + 0.1)
    assert "40 of 40" in setting_up.texts()
    setting_up.tap("keep")
    setting_up.tap_answer("letters", "A")
    setting_up.tap("close")
    setting_up.hold("red", HOLD_SECONDS + 0.1)
    setting_up.tap("seal")
    assert setting_up.app.presenter.seals.sealed(Side.RED) == FORT.setup


@RARE
def test_seals_are_cleared_for_the_next_game(setting_up: Driver) -> None:
    draw_up(setting_up, Side.RED)
    for button in ("close", "close", "back", "begin", "setups"):
        setting_up.tap(button)
    setting_up.hold("red", HOLD_SECONDS + 0.1)
    assert "0 of 40" in setting_up.texts()


@RARE
def test_incomplete_army_cannot_be_sealed(setting_up: Driver) -> None:
    draw_up(setting_up, Side.RED)
    rows = setting_up.find("rows")
    setting_up.drag(
        setting_up.middle(rows.spot(square("a1"))),
        setting_up.middle(next(each for each in setting_up.find("box").children)),
    )
    assert "39 of 40" in setting_up.texts()
    assert setting_up.on_top("seal") is None
    assert setting_up.app.presenter.table.sealed == frozenset()


def test_sealing_by_phone(setting_up: Driver) -> None:
    seal_on_phone(setting_up, Side.BLUE)
    assert "Sealed" in setting_up.texts()
    setting_up.tap_inside("blue", "ready")
    assert setting_up.app.presenter.table.ready == {Side.BLUE}


def red_is_ready_before_a_simulated_board(drive: Drive) -> Driver:
    driver = drive(source=Script.with_simulated_board(), edition=SEALED)
    driver.connect()
    for button in ("begin", "set_up"):
        driver.tap(button)
    driver.show_virtual()
    driver.tap_inside("red", "ready")
    return driver


def test_ready_seals_on_the_simulated_board(drive: Drive) -> None:
    driver = red_is_ready_before_a_simulated_board(drive)
    assert driver.on_top("set_up") is None, "a sealed army cannot be changed"
    driver.tap_inside("blue", "ready")
    assert driver.view == "turn"
    for side in Side:
        standing = standing_setup(driver.tabletop.board, side)
        assert driver.app.presenter.seals.sealed(side) == standing


def test_quick_swap_before_sealing(drive: Drive) -> None:
    """Two pieces are swapped before the board has reported that either was lifted."""
    driver = red_is_ready_before_a_simulated_board(drive)
    before = standing_setup(driver.tabletop.board, Side.RED)
    for way in ("a4 e5", "b4 a4", "e5 b4"):
        driver.carry(*way.split())
    changed = standing_setup(driver.tabletop.board, Side.RED)
    assert changed != before
    assert driver.app.presenter.table.ready == frozenset(), (
        "players must declare again that they are ready"
    )
    for side in ("blue", "red"):
        driver.tap_inside(side, "ready")
    assert driver.view == "turn"
    assert driver.app.presenter.seals.sealed(Side.RED) == changed


@RARE
def test_sealed_setup_is_placed_on_the_simulated_board(drive: Drive) -> None:
    driver = drive(source=Script.with_simulated_board(), edition=SEALED)
    driver.connect()
    driver.tap("begin")
    draw_up(driver, Side.BLUE)
    assert not standing_setup(driver.tabletop.board, Side.BLUE).ranks
    driver.tap("seal")
    assert standing_setup(driver.tabletop.board, Side.BLUE) == FORT.setup
    assert driver.app.presenter.seals.sealed(Side.BLUE) == FORT.setup


@RARE
def test_no_sealing_alone(drive: Drive) -> None:
    driver = drive(source=Script.with_simulated_board(), edition=SEALED)
    driver.connect()
    for button in ("alone", "chosen"):
        driver.tap(button)
    assert not driver.app.presenter.table.view.edition.sealed_armies
