"""For a random colour assignment, each player holds a finger on one half of the screen."""

from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from companion.core.events import ColoursDrawn
from companion.session.settings import Settings
from engine.board.geometry import Side
from tests.campaigns import RARE, slow_after_first
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import STANDING, begin

Drive = Callable[..., Driver]


@pytest.fixture
def announced(driver: Driver) -> list[object]:
    """Return a list that records all further public events."""
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
    ("seed", "drawn"),
    slow_after_first("variants", [(7, [Side.RED, Side.BLUE]), (8, [Side.BLUE, Side.RED])]),
)
def test_draw_needs_both_halves(
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


def test_draw_with_two_fingers(driver: Driver) -> None:
    open_draw_colours(driver)
    fingers = [driver.touch_at(*driver.middle(driver.find(half))) for half in ("left", "right")]

    assert sides(driver) == [Side.RED, Side.BLUE]
    for finger in fingers:
        driver.release(finger)
    assert sides(driver) == [Side.RED, Side.BLUE]


@RARE
def test_one_finger_takes_one_half(driver: Driver, announced: list[object]) -> None:
    open_draw_colours(driver)
    for _ in range(3):
        driver.tap("left")

    assert sides(driver) == [None, None]
    assert announced == []


def test_drawn_colours_stay(driver: Driver, announced: list[object]) -> None:
    open_draw_colours(driver)
    for half in ("left", "right", "left", "right"):
        driver.tap(half)

    assert sides(driver) == [Side.RED, Side.BLUE]
    assert announced == [ColoursDrawn("Left half", "Right half")], "announced once, publicly"


def test_draw_has_a_sound(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    monkeypatch.setattr(driver.app._sounds, "play", heard.append)
    open_draw_colours(driver)
    driver.tap("left")
    assert heard == []
    driver.tap("right")
    assert heard == ["lots"]


def test_draw_without_colour_vision(driver: Driver) -> None:
    open_draw_colours(driver)
    for half in ("left", "right"):
        driver.tap(half)

    assert [driver.find(half).title for half in ("left", "right")] == ["Red", "Blue"]


def test_game_starts_after_the_draw(driver: Driver) -> None:
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


def test_no_game_before_the_draw(driver: Driver) -> None:
    open_draw_colours(driver)
    driver.tap("left")
    assert "Two players" not in driver.texts().split("Tap here")[1]


def test_going_back_resets_the_draw(drive: Drive) -> None:
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


def test_draw_changes_nothing_else(drive: Drive, tmp_path: Path) -> None:
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
