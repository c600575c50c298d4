"""Drawing lots for the colours on the screen: each player takes a half, then the lot is drawn."""

from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from companion.core.events import ColoursDrawn
from companion.session.settings import Settings
from engine.board.geometry import Side
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import STANDING, begin

Drive = Callable[..., Driver]


@pytest.fixture
def told(driver: Driver) -> list[object]:
    """Return a list of the public events from now on."""
    heard: list[object] = []
    driver.app.host.listen(heard.append)
    return heard


def open_draw_colours(driver: Driver) -> None:
    driver.tap("players")
    driver.tap("lots")


def sides(driver: Driver) -> list[Side | None]:
    return [driver.find(half).side for half in ("left", "right")]


@pytest.mark.parametrize("order", [("left", "right"), ("right", "left")])
@pytest.mark.parametrize(
    ("seed", "drawn"), [(7, [Side.RED, Side.BLUE]), (8, [Side.BLUE, Side.RED])]
)
def test_the_lot_falls_when_both_halves_are_taken(
    drive: Drive, order: tuple[str, str], seed: int, drawn: list[Side]
) -> None:
    driver = drive(seed=seed)
    open_draw_colours(driver)
    driver.tap(order[0])
    assert sides(driver) == [None, None]
    assert "Yours" in driver.texts()
    driver.tap(order[1])

    assert sides(driver) == drawn
    assert "You begin.\nSet up on rows 1 to 4." in driver.texts()
    assert "Red begins.\nSet up on rows 7 to 10." in driver.texts()


def test_two_fingers_at_once(driver: Driver) -> None:
    open_draw_colours(driver)
    fingers = [driver.touch_at(*driver.middle(driver.find(half))) for half in ("left", "right")]

    assert sides(driver) == [Side.RED, Side.BLUE]
    for finger in fingers:
        driver.release(finger)
    assert sides(driver) == [Side.RED, Side.BLUE]


def test_one_finger_alone_takes_one_half(driver: Driver, told: list[object]) -> None:
    open_draw_colours(driver)
    for _ in range(3):
        driver.tap("left")

    assert sides(driver) == [None, None]
    assert told == []


def test_a_lot_that_has_fallen_stays(driver: Driver, told: list[object]) -> None:
    open_draw_colours(driver)
    for half in ("left", "right", "left", "right"):
        driver.tap(half)

    assert sides(driver) == [Side.RED, Side.BLUE]
    assert told == [ColoursDrawn("Left half", "Right half")], "told once, to everybody"


def test_it_is_heard(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    monkeypatch.setattr(driver.app._sounds, "play", heard.append)
    open_draw_colours(driver)
    driver.tap("left")
    assert heard == []
    driver.tap("right")
    assert heard == ["lots"]


def test_it_can_be_told_without_colours(driver: Driver) -> None:
    open_draw_colours(driver)
    for half in ("left", "right"):
        driver.tap(half)

    assert [driver.find(half).title for half in ("left", "right")] == ["Red", "Blue"]


def test_from_the_lots_a_game_begins_at_a_touch(driver: Driver) -> None:
    driver.connect()
    open_draw_colours(driver)
    for half in ("left", "right"):
        driver.tap(half)
    driver.tap("begin")

    assert driver.view == "setup"
    driver.show(STANDING)
    for side in ("red", "blue"):
        driver.tap_inside(side, "ready")
    driver.wait(lambda: driver.view == "turn")


def test_before_the_lot_has_fallen_no_game_begins(driver: Driver) -> None:
    open_draw_colours(driver)
    driver.tap("left")
    assert "Two players" not in driver.texts().split("Tap here")[1]


def test_who_goes_back_draws_anew(drive: Drive) -> None:
    numbers = count(1)
    driver = drive()
    driver.app.host.draw = lambda: next(numbers)
    for drawn in ([Side.RED, Side.BLUE], [Side.BLUE, Side.RED]):
        open_draw_colours(driver)
        assert sides(driver) == [None, None]
        for half in ("left", "right"):
            driver.tap(half)
        assert sides(driver) == drawn
        driver.tap("close")
        driver.tap("close")


def test_nothing_else_comes_of_it(drive: Drive, tmp_path: Path) -> None:
    driver = drive(language=None)
    open_draw_colours(driver)
    for half in ("left", "right"):
        driver.tap(half)
    for _ in range(2):
        driver.tap("close")

    assert driver.app.presenter.settings == Settings(
        language=driver.app.presenter.settings.language
    )
    assert not (tmp_path / "settings.json").exists()
    assert driver.journal.games() == []
    begin(driver)
    assert driver.app.presenter.table.referee.to_move is Side.RED
