"""Players' names and seats are remembered for the next game."""

from collections.abc import Callable

import pytest

from companion.session.settings import ScreenEdge
from companion.storage.game_rows import PlayerNames
from engine.board.geometry import Side
from engine.board.ranks import BARRAGE, Rank
from engine.game.clocks import TIME_CONTROLS
from engine.rules.editions import EDITIONS
from tests.campaigns import RARE, slow_after_first
from tests.companion.ui import playing
from tests.companion.ui.driver import Driver

MEETING = ("e4 e5", "a7 a6", "e5 e6", "a6 a5")
Drive = Callable[..., Driver]


def write(driver: Driver, side: str, name: str) -> None:
    driver.tap_inside(side, "name")
    for letter in name:
        key = {" ": "space", "-": "hyphen"}.get(letter)
        driver.tap(key) if key else driver.tap_answer("letters", letter.upper())
    driver.tap("close")


def name_both(driver: Driver) -> None:
    driver.tap("players")
    write(driver, "red", "anna")
    write(driver, "blue", "jan-ole")
    driver.tap("close")


@RARE
def test_names_are_shown(driver: Driver) -> None:
    name_both(driver)
    assert "Anna and Jan-Ole" in driver.texts()
    playing.begin(driver)
    assert "Anna" in driver.texts()
    image = playing.play(driver, playing.STANDING, "e4 e5")
    assert "Jan-Ole" in driver.texts()
    for button in ("menu", "leave", "resume"):
        driver.tap(button)
    driver.show(image)
    for button in ("menu", "blue_resigns"):
        driver.tap(button)
    driver.confirm()
    assert "Anna wins" in driver.texts()
    assert driver.app.host.archive.load(1).players == ("Anna", "Jan-Ole")
    driver.tap("again")
    assert driver.view == "setup"
    assert driver.app.host.players == PlayerNames("Anna", "Jan-Ole")


def test_known_name_needs_one_touch(drive: Drive) -> None:
    name_both(drive())
    driver = drive()
    driver.tap("players")
    write(driver, "red", "")
    driver.tap_inside("red", "name")
    for _ in range(len("Anna")):
        driver.tap("erase")
    driver.tap("close")
    assert driver.app.presenter.settings.players == PlayerNames("", "Jan-Ole")
    driver.tap_inside("red", "name")
    driver.tap_answer("known", "Anna")
    assert driver.app.presenter.settings.players == PlayerNames("Anna", "Jan-Ole")


def test_long_names_are_shortened(driver: Driver) -> None:
    driver.tap("players")
    write(driver, "red", "wwwwwwwwwwwwwww")
    assert driver.app.presenter.settings.players.red == "Wwwwwwwwww"


@pytest.mark.parametrize(
    ("seed", "red"), slow_after_first("variants", [(7, "Anna"), (8, "Jan-Ole")])
)
@RARE
def test_draw_with_names(drive: Drive, seed: int, red: str) -> None:
    driver = drive(seed=seed)
    name_both(driver)
    driver.tap("players")
    finger = driver.find("red").ids.seats
    (option,) = (each for each in finger.children if each.value is ScreenEdge.OPPOSITE)
    driver.tap_at(*driver.middle(option))
    for button in ("lots", "left", "right", "begin"):
        driver.tap(button)
    assert driver.app.host.players.red == red
    seats = {
        driver.app.host.players.of(side): driver.app.presenter.settings.seat(side) for side in Side
    }
    assert seats == {"Anna": ScreenEdge.OPPOSITE, "Jan-Ole": ScreenEdge.FRONT}


@pytest.mark.parametrize(
    "seat", slow_after_first("variants", [ScreenEdge.LEFT, ScreenEdge.RIGHT, ScreenEdge.OPPOSITE])
)
def test_private_screens_face_their_player(driver: Driver, seat: ScreenEdge) -> None:
    driver.app.presenter.settings.take_seat(Side.RED, seat)
    playing.begin(driver)
    playing.play(driver, playing.STANDING, *MEETING)
    playing.attack_on_screen(driver, "e6", "e7")
    straight = driver.find("hold")
    upright = straight.to_window(*straight.pos), straight.to_window(straight.x, straight.top)
    dx, dy = (upright[1][i] - upright[0][i] for i in (0, 1))
    up = {ScreenEdge.LEFT: (1, 0), ScreenEdge.RIGHT: (-1, 0), ScreenEdge.OPPOSITE: (0, -1)}[seat]
    assert (round(dx / straight.height), round(dy / straight.height)) == up
    playing.open_curtain(driver)
    assert driver.face.is_open
    driver.hold_tile("tiles", Rank.MINER)
    playing.declare(driver, Rank.BOMB)
    assert driver.view == "reveal", "Blue's curtain is rotated together with its touch areas"


def test_again_tile(driver: Driver) -> None:
    settings = driver.app.presenter.settings
    driver.connect()
    assert driver.on_top("again") is None
    settings.set_rulebook(EDITIONS["isf"])
    settings.set_army(BARRAGE.name)
    for button in ("begin", "back"):
        driver.tap(button)
    settings.set_rulebook(EDITIONS["nordic-2015"])
    driver.frames(2)
    driver.tap("again")
    table = driver.app.presenter.table
    assert (table.view.edition.id, table.view.edition.army) == ("isf", BARRAGE)
    assert table.clock.control is TIME_CONTROLS["short"]
    assert settings.edition.id == "nordic-2015"
