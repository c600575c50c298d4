"""Choose a clock by its name, or enter its times as numbers."""

from collections.abc import Callable

import pytest

from companion.ui.dialogs.clock_dialogs import StepRange
from engine.game.clocks import NO_CLOCK, TIME_CONTROLS, TimeControl
from tests.campaigns import RARE, slow_after_first
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import begin

Drive = Callable[..., Driver]
MINUTE = 60


@pytest.fixture
def driver(drive: Drive) -> Driver:
    """The clock choice, opened from the start screen."""
    return at_the_clock(drive())


def at_the_clock(driver: Driver) -> Driver:
    for button in ("rules", "more", "clock"):
        driver.tap(button)
    return driver


def chosen(driver: Driver) -> TimeControl:
    control = driver.app.presenter.settings.control
    assert isinstance(control, TimeControl)
    return control


def tap(driver: Driver, what: str, button: str, times: int = 1) -> None:
    for _ in range(times):
        driver.tap_inside(what, button)


def marked(driver: Driver) -> list[TimeControl]:
    return [option.value for option in driver.find("clocks").children if option.chosen]


@pytest.mark.parametrize("name", slow_after_first("variants", TIME_CONTROLS))
def test_named_clock_needs_one_touch(driver: Driver, name: str) -> None:
    driver.tap_option("clocks", TIME_CONTROLS[name])

    assert chosen(driver) is TIME_CONTROLS[name]
    assert marked(driver) == [TIME_CONTROLS[name]]


@RARE
def test_named_clock_shows_its_numbers(driver: Driver) -> None:
    driver.tap_option("clocks", TIME_CONTROLS["short"])

    texts = [driver.find(what).text for what in ("each", "delay", "whole", "setup")]
    assert texts == ["2 min", "3 s", "10 min", "2 min"]


@RARE
def test_custom_numbers_are_played(driver: Driver) -> None:
    driver.tap_option("clocks", TIME_CONTROLS["bronstein"])
    tap(driver, "each", "more", 3)
    tap(driver, "delay", "more", 6)
    tap(driver, "whole", "less", 2)
    tap(driver, "setup", "less")

    assert str(chosen(driver)) == "15+10,whole=53,setup=4"
    assert marked(driver) == [], "no named clock has these numbers"
    driver.tap("close")
    assert "15 min + 10 s each, 53 min in total, 4 min for setup …" in driver.texts()
    driver.tap("close")
    assert "15 min + 10 s each, 53 min in total, 4 min for setup" in driver.texts()
    driver.tap("close")
    begin(driver)
    assert driver.app.presenter.table.clock.control == chosen(driver)
    driver.tap("menu")
    assert "15 min + 10 s each, 53 min in total, 4 min for setup" in driver.texts()


def test_known_numbers_are_marked_by_name(driver: Driver) -> None:
    driver.tap_option("clocks", TIME_CONTROLS["bronstein"])
    tap(driver, "whole", "less", 5)

    assert marked(driver) == [TIME_CONTROLS["bronstein-50"]]


def test_default_numbers_without_a_clock(driver: Driver) -> None:
    assert not driver.find("each").can_fall
    assert not driver.find("delay").can_rise, "a delay needs a clock"

    for what in ("each", "delay", "whole", "setup"):
        tap(driver, what, "more")
    assert chosen(driver) is TIME_CONTROLS["bronstein"]


@RARE
def test_no_limit_below_one_minute(drive: Drive) -> None:
    driver = at_the_clock(drive(control=TimeControl.parse("2+3,whole=2,setup=1")))
    for what in ("each", "whole"):
        tap(driver, what, "less", 2)
    tap(driver, "setup", "less")

    assert driver.find("each").text == "no limit"
    assert chosen(driver) is NO_CLOCK, "without a time limit there is no delay"


def test_zero_delay_is_none(drive: Drive) -> None:
    driver = at_the_clock(drive(control=TimeControl.parse("5+1")))
    tap(driver, "delay", "less")

    assert driver.find("delay").text == "none"
    assert str(chosen(driver)) == "5"


def test_half_minutes_are_rounded(drive: Drive) -> None:
    driver = at_the_clock(drive(control=TimeControl.parse("12:30,whole=20:30")))
    assert driver.find("each").text == "12:30 min"
    tap(driver, "each", "more")
    tap(driver, "whole", "less")

    assert str(chosen(driver)) == "13,whole=20"


def test_held_button_repeats(driver: Driver) -> None:
    driver.tap_option("clocks", TIME_CONTROLS["total"])
    button = driver.find("each").ids.more
    finger = driver.touch_at(*driver.middle(button))
    assert chosen(driver).each == 31 * MINUTE
    driver.pass_time(0.4)
    assert chosen(driver).each == 31 * MINUTE
    driver.pass_time(1)
    minutes = (chosen(driver).each or 0) / MINUTE
    assert 38 <= minutes <= 48
    driver.release(finger)
    driver.pass_time(2)
    assert chosen(driver).each == minutes * MINUTE


@pytest.mark.parametrize(
    ("what", "button", "text"),
    slow_after_first(
        "variants",
        [
            ("each", "more", "180 min"),
            ("delay", "more", "60 s"),
            ("whole", "more", "360 min"),
            ("setup", "more", "60 min"),
            ("each", "less", "no limit"),
            ("setup", "less", "no limit"),
        ],
    ),
)
@RARE
def test_held_button_stops_at_the_bound(driver: Driver, what: str, button: str, text: str) -> None:
    driver.tap_option("clocks", TIME_CONTROLS["bronstein"])
    finger = driver.touch_at(*driver.middle(driver.find(what).ids[button]))
    driver.wait(lambda: driver.find(what).ids[button].disabled, frames=800)
    driver.release(finger)

    assert driver.find(what).text == text
    assert driver.find(what).ids[button].disabled
    before = chosen(driver)
    tap(driver, what, button)
    assert chosen(driver) == before
    tap(driver, what, "less" if button == "more" else "more")
    assert chosen(driver) != before


def test_larger_value_is_shown_and_reducible(drive: Drive) -> None:
    driver = at_the_clock(drive(control=TimeControl.parse("240")))
    assert driver.find("each").text == "240 min"
    tap(driver, "each", "more")
    assert str(chosen(driver)) == "240"
    tap(driver, "each", "less")
    assert str(chosen(driver)) == "239"


def test_total_time_alone(drive: Drive) -> None:
    driver = drive(control=TimeControl.parse("none,whole=20"))
    begin(driver)

    assert "Whole game: 20:00 left" in driver.texts()
    assert "Your turn" in driver.texts()


@RARE
def test_custom_numbers_survive_a_power_cut(drive: Drive) -> None:
    driver = at_the_clock(drive())
    driver.tap_option("clocks", TIME_CONTROLS["short"])
    tap(driver, "each", "more")
    driver = drive()
    assert "3 min + 3 s each, 10 min in total, 2 min for setup" in driver.texts()
    assert str(chosen(driver)) == "3+3,whole=10,setup=2"


def test_resumed_game_keeps_custom_numbers(drive: Drive) -> None:
    control = TimeControl.parse("7:30+9,whole=33,setup=4")
    driver = drive(control=control)
    begin(driver)
    driver = drive(control=NO_CLOCK)
    driver.connect()
    driver.tap("resume")

    assert driver.app.presenter.table.clock.control == control
    (kept,) = driver.journal.games()
    assert driver.journal.transcript(kept.number).control == control


@pytest.mark.parametrize(
    ("value", "up", "down"),
    [
        (None, 120, None),
        (1, 60, None),
        (60, 120, None),
        (61, 120, 60),
        (119, 120, 60),
        (120, 180, 60),
        (180, 180, 120),
        (181, 181, 180),
    ],
)
def test_steps_round_to_whole_units(value: float | None, up: float, down: float | None) -> None:
    steps = StepRange(unit=60, highest=180, usual=120)

    assert (steps.up(value), steps.down(value)) == (up, down)
