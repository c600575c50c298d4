"""Tests for the clocks on the screens, which show the time left, which clock is running, and when
time is short."""

from collections.abc import Callable
from typing import Any

import pytest

from companion.ui.widgets.side_panel import ClockFace
from engine.board.geometry import Side
from engine.game.clocks import TIME_CONTROLS
from engine.game.rulings import Reason
from tests.campaigns import RARE, slow_after_first
from tests.companion.ui.driver import Driver, is_shown, walk
from tests.companion.ui.playing import STANDING, after, begin, play
from tests.companion.ui.running_app import SETTLE

Drive = Callable[..., Driver]


@pytest.fixture
def driver(drive: Drive) -> Driver:
    """Game with half an hour per side and Red to move."""
    driver = drive(control=TIME_CONTROLS["total"])
    begin(driver)
    return driver


def faces(driver: Driver) -> dict[Side, Any]:
    found = (each for each in walk(driver.app.root) if isinstance(each, ClockFace))
    return {face.side: face for face in found if is_shown(face)}


@RARE
def test_no_clock_without_a_time_control(drive: Drive) -> None:
    driver = drive()
    begin(driver)
    assert faces(driver) == {}
    assert "Your turn" in driver.texts()


def test_clock_of_the_side_to_move_is_running(driver: Driver) -> None:
    driver.pass_time(100)
    assert {side: face.runs for side, face in faces(driver).items()} == {
        Side.RED: True,
        Side.BLUE: False,
    }
    red = faces(driver)[Side.RED].left
    assert 1690 < red <= 1700
    assert faces(driver)[Side.BLUE].text == "30:00"
    play(driver, STANDING, "e4 e5")
    driver.pass_time(60)
    assert faces(driver)[Side.RED].left <= red
    assert faces(driver)[Side.BLUE].runs
    assert faces(driver)[Side.BLUE].left < 1741


def test_knocked_board_stops_the_clock(driver: Driver) -> None:
    driver.show(after(STANDING, "a1 c5", "b1 k5", "a2 g5", "k4"))
    before = driver.app.presenter.table.clock.remaining(Side.RED, driver.now)
    driver.pass_time(100)
    driver.show(STANDING)
    left = faces(driver)[Side.RED].left
    assert before is not None
    assert before - left < 5
    assert faces(driver)[Side.RED].runs


def test_last_minute_is_highlighted(driver: Driver) -> None:
    driver.pass_time(1730)
    assert not faces(driver)[Side.RED].is_short
    assert "!" not in driver.texts()
    driver.pass_time(30)
    assert faces(driver)[Side.RED].is_short
    assert "!" in driver.texts()


@pytest.mark.parametrize(
    ("language", "expected"),
    slow_after_first(
        "languages",
        [
            ("en", "Blue wins: time is up. (organiser's rule: the end of the game)"),
            ("de", "Blau gewinnt, denn die Zeit ist um. (Regel des Veranstalters: das Ende"),
        ],
    ),
)
def test_expired_time_loses(drive: Drive, language: str, expected: str) -> None:
    driver = drive(language=language, control=TIME_CONTROLS["total"])
    begin(driver)
    driver.pass_time(1801)
    assert driver.view == "end"
    outcome = driver.app.presenter.table.view.outcome
    assert outcome
    assert outcome.reason is Reason.TIME
    assert expected in driver.texts()


def test_setup_time_is_shown(drive: Drive) -> None:
    driver = drive(control=TIME_CONTROLS["bronstein"])
    driver.connect()
    driver.tap("begin")
    driver.pass_time(30)
    assert "Time for setup: 4:30" in driver.texts()
    driver.pass_time(300)
    assert "Setup time is over." in driver.texts()
    driver.show(STANDING)
    for side in ("red", "blue"):
        driver.tap_inside(side, "ready")
    assert driver.view == "turn"


@RARE
def test_total_time_is_shown(drive: Drive) -> None:
    driver = drive(control=TIME_CONTROLS["bronstein"])
    begin(driver)
    driver.pass_time(100)
    assert "Whole game: 53:20 left" in driver.texts()


def test_correcting_a_move_costs_own_time(driver: Driver) -> None:
    driver.show(after(STANDING, "e4 f5"))
    assert driver.view == "recovery"
    before = faces(driver)[Side.RED].left
    driver.pass_time(30)
    assert faces(driver)[Side.RED].runs
    assert faces(driver)[Side.RED].left <= before - 30


def test_arrow_of_a_flat_clock(driver: Driver) -> None:
    """The arrow is beside the time, even if the clock previously had its tall layout."""
    face = faces(driver)[Side.RED]
    face.flat = True
    driver.frames(SETTLE)
    time, row = face.children
    *_, arrow = reversed(row.children)
    assert arrow.right <= time.center_x - time.texture_size[0] / 2
