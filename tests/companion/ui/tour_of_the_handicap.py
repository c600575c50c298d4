"""Walk through a game with a handicap on the simulated board."""

from collections.abc import Iterator

from engine.game.clocks import TIME_CONTROLS
from engine.rules.editions import Omission
from tests.companion.ui.driver import Driver


def tour_of_the_handicap(driver: Driver) -> Iterator[str]:
    """Choose every type of advantage, begin a game, and open the menu that offers a take-back."""
    driver.app.presenter.settings.control = TIME_CONTROLS["total"]
    driver.connect()
    driver.tap("players")
    yield "players-without-names"
    driver.tap("handicap")
    yield "handicap-nobody"
    driver.tap_option("favoured", "red")
    driver.tap_option("omissions", Omission.MARSHAL_AND_GENERAL)
    for advantage in ("open_army", "take_backs", "double_time"):
        driver.tap(advantage)
    yield "handicap"
    driver.tap("close")
    yield "players-handicap"
    driver.tap("close")
    yield "start-handicap"
    driver.tap("alone")
    yield "alone-handicap"
    driver.tap("close")
    driver.tap("begin")
    yield "setup-handicap"
    driver.tap("set_up")
    driver.show_virtual()
    for side in ("red", "blue"):
        driver.tap_inside(side, "ready")
    driver.show_virtual()
    yield "turn-handicap"
    source, target = next(
        (turn.source, turn.target) for turn in driver.app.presenter.table.referee.legal_moves()
    )
    driver.tabletop.move(source, target)
    driver.show_virtual()
    driver.tap("menu")
    yield "menu-handicap"
    driver.tap("red_take_back")
    yield "take-back-alone"
