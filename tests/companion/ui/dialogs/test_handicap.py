"""Choose a handicap by touch, and play games with it."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from companion.session.settings import Settings
from companion.ui.dialogs.game_choice import QUICK
from engine.board.geometry import Side, squares_in
from engine.board.ranks import Rank
from engine.game.actions import TakeBack
from engine.game.clocks import TIME_CONTROLS
from engine.game.game_state import Phase
from engine.rules.editions import EDITIONS, Handicap, Omission
from tests.campaigns import RARE
from tests.companion.ui.blank_person import BlankPerson
from tests.companion.ui.driver import Driver
from tests.companion.ui.running_app import Script

Drive = Callable[..., Driver]
BARRAGE = EDITIONS["isf"].with_army("barrage")


@pytest.fixture
def driver(drive: Drive) -> Driver:
    driver = drive(source=Script.with_simulated_board())
    driver.connect()
    return driver


def settings(driver: Driver) -> Settings:
    return driver.app.presenter.settings


def choose(driver: Driver, handicap: str, opens: str = "players") -> None:
    """Choose a handicap, then return to the start screen."""
    wanted = Handicap.parse(handicap)
    driver.tap(opens)
    driver.tap("handicap")
    driver.tap_option("favoured", wanted.favoured.value)
    if wanted.omission is not Omission.NOTHING:
        driver.tap_option("omissions", wanted.omission)
    for advantage in ("open_army", "take_backs", "double_time"):
        if getattr(wanted, advantage):
            driver.tap(advantage)
    for _ in range(2):
        driver.tap("close")


def begin(driver: Driver) -> None:
    driver.tap("begin")
    driver.tap("set_up")
    driver.show_virtual()
    for side in ("red", "blue"):
        driver.tap_inside(side, "ready")
    driver.show_virtual()
    assert driver.view == "turn"


def pass_until(driver: Driver, condition: Callable[[], object]) -> None:
    for _ in range(60):
        if condition():
            return
        driver.show_virtual()
        driver.pass_time(0.6)
    raise AssertionError(f"stuck on {driver.view}: {driver.texts()}")


def has_played(driver: Driver, count: int) -> bool:
    return plies(driver) == count


def plies(driver: Driver) -> int:
    return int(driver.app.presenter.table.view.plies)


def test_handicaps_are_chosen_by_touch(drive: Drive) -> None:
    driver = drive(source=Script.with_simulated_board(), language=None)
    driver.connect()
    settings(driver).control = TIME_CONTROLS["total"]
    choose(driver, "blue+scouts+open+take-backs+time")
    chosen = Handicap(Side.BLUE, Omission.SCOUTS, True, True, True)
    assert settings(driver).edition.handicap == chosen
    assert "Handicap" in driver.texts()
    again = drive(source=Script.with_simulated_board(), language=None)
    assert settings(again).edition.handicap == chosen


@RARE
def test_more_time_needs_a_clock(driver: Driver) -> None:
    driver.tap("players")
    driver.tap("handicap")
    driver.tap_option("favoured", "red")
    assert "may take back moves" in driver.texts()
    assert "has twice the time" not in driver.texts()


def test_handicap_can_be_removed(driver: Driver) -> None:
    choose(driver, "red+marshal+open")
    driver.tap("players")
    driver.tap("handicap")
    driver.tap_option("favoured", "nobody")
    assert settings(driver).edition.handicap is None
    driver.tap_option("favoured", "red")
    assert settings(driver).edition.handicap is None, "no kind of handicap is chosen yet"


def test_handicap_names_what_the_army_lacks(driver: Driver) -> None:
    """In barrage, a side has a single bomb."""
    settings(driver).edition = BARRAGE
    for opens in ("players", "alone"):
        driver.tap(opens)
        driver.tap("handicap")
        driver.tap_option("favoured", "red")
        driver.tap_option("omissions", Omission.HALF_THE_BOMBS)
        assert "no bombs" in driver.texts()
        assert "half the bombs" not in driver.texts()
        assert "Quick game" not in driver.texts(), "the army is the same"
        for _ in range(2):
            driver.tap("close")


def test_handicap_of_a_quick_game_is_named(driver: Driver) -> None:
    """A lone player chooses between two armies only after the handicap."""
    settings(driver).edition = EDITIONS["isf"]
    driver.tap("alone")
    driver.tap("handicap")
    driver.tap_option("favoured", "red")
    driver.tap_option("omissions", Omission.SPY)
    assert "Quick game" not in driver.texts()
    driver.tap_option("omissions", Omission.HALF_THE_BOMBS)
    assert "half the bombs" in driver.texts()
    assert "Quick game: no bombs" in driver.texts()


@RARE
def test_handicap_follows_swapped_colours(driver: Driver) -> None:
    choose(driver, "red+marshal")
    driver.tap("players")
    driver.tap("exchange")
    assert settings(driver).edition.handicap == Handicap.parse("blue+marshal")


@RARE
def test_no_handicap_in_a_hall(driver: Driver) -> None:
    choose(driver, "red+marshal")
    driver.app.host.far_arbiter = SilentConnection()
    driver.tap("players")
    driver.tap("handicap")
    assert "In a tournament there are no handicaps." in driver.texts()
    for _ in range(2):
        driver.tap("close")
    driver.tap("begin")
    assert driver.app.presenter.table.view.edition.handicap is None


class SilentConnection:
    """Connection to a hall whose arbiters never send an order."""

    def carry_out(self, *_: object) -> None:
        pass


def test_game_with_fewer_pieces_and_open_ranks(driver: Driver) -> None:
    choose(driver, "red+general+open")
    begin(driver)
    view, tabletop = driver.app.presenter.table.view, driver.tabletop
    assert view.board.blue.bit_count() == 38
    assert len(view.open_ranks) == 38
    assert not {Rank.MARSHAL, Rank.GENERAL} & {*view.open_ranks.values()}
    assert (tabletop.shows(Side.RED), tabletop.shows(Side.BLUE)) == (False, True)
    for button in ("menu", "leave", "resume"):
        driver.tap(button)
    assert driver.app.presenter.table.view.open_ranks == view.open_ranks
    for button in ("menu", "leave"):
        driver.tap(button)
    assert not tabletop.shows(Side.BLUE)


@RARE
def test_preset_setup_omits_the_same_pieces(driver: Driver) -> None:
    choose(driver, "red+bombs")
    driver.tap("begin")
    driver.tap("setups")
    driver.hold("blue", 1.2)
    driver.tap("list")
    driver.tap("take")
    (placed,) = [driver.find("rows").setup]
    assert sum(rank is Rank.BOMB for rank in placed.ranks.values()) == 3
    assert len(placed.ranks) == 37


@RARE
def test_favoured_player_takes_back_alone(driver: Driver) -> None:
    choose(driver, "red+take-backs")
    begin(driver)
    for count in (1, 2):
        turn = next(
            turn
            for turn in driver.app.presenter.table.referee.legal_moves()
            if abs(turn.target - turn.source) == 10
        )
        driver.tabletop.move(turn.source, turn.target)
        driver.show_virtual()
        pass_until(driver, partial(has_played, driver, count))
    driver.tap("menu")
    assert "Red takes back a move" in driver.texts()
    assert "Blue asks for a take-back" in driver.texts()
    driver.tap("red_take_back")
    driver.tap("yes")
    assert driver.app.presenter.table.referee.actions[-2:] == [TakeBack(), TakeBack()]
    assert plies(driver) == 0


def test_handicapped_computer(driver: Driver) -> None:
    choose(driver, "red+marshal+open", opens="alone")
    driver.tap("alone")
    driver.tap("chosen")
    driver.show_virtual()
    driver.tap_inside("red", "ready")
    pass_until(driver, lambda: driver.view == "turn")
    view = driver.app.presenter.table.view
    assert view.edition.handicap == Handicap.parse("red+marshal+open")
    assert len(view.open_ranks) == 39
    assert Rank.MARSHAL not in view.open_ranks.values()
    turn = next(
        turn
        for turn in driver.app.presenter.table.referee.legal_moves()
        if abs(turn.target - turn.source) == 10
    )
    driver.tabletop.move(turn.source, turn.target)
    pass_until(driver, lambda: plies(driver) == 2)


@RARE
def test_handicaps_against_the_computer(driver: Driver) -> None:
    settings(driver).control = TIME_CONTROLS["total"]
    choose(driver, "red+take-backs+time")
    driver.tap("alone")
    driver.tap("handicap")
    assert "may take back moves" not in driver.texts()
    assert "has twice the time" not in driver.texts()
    driver.tap("close")
    driver.tap("quick")
    assert driver.app.presenter.table.view.edition == replace(QUICK, handicap=None)


def test_open_blank_army_shows_ranks(drive: Drive) -> None:
    driver = drive(edition=replace(BARRAGE, handicap=Handicap.parse("red+marshal+open")), seed=3)
    driver.connect()
    driver.tap("alone")
    driver.tap("chosen")
    person = BlankPerson(driver, BARRAGE.army, 3)
    person.blanks = 7  # all pieces except the marshal
    person.set_up()
    table = driver.app.presenter.table
    assert table.view.phase is Phase.PLAY
    assert {*table.view.open_ranks} == {*squares_in(table.view.board.blue)}
    assert driver.face.open_ranks == table.view.open_ranks
    assert Rank.MARSHAL not in table.view.open_ranks.values()
