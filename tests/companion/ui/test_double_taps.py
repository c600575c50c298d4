"""A double tap does no more than a single tap, because new widgets ignore touches at first."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from kivy.uix.behaviors import ButtonBehavior

from companion.ui.base import presenter
from companion.ui.base.presenter import GamePresenter
from tests.campaigns import RARE, Campaign
from tests.companion.ui.driver import Driver, is_shown, walk
from tests.companion.ui.tours import TOURS

doubles = Campaign("double-taps", part=1, whole=200)
late = Campaign("late-taps", part=1, whole=200)
LATE = 0.45
"""Seconds after a screen change during which a tap may still be meant for the old screen."""
MOST = 30
"""Maximum number of steps of the tour before a double tap."""


def touchables(driver: Driver) -> list[Any]:
    """Return all touchable widgets, with the topmost last."""
    found = (each for each in walk(driver.app.root) if isinstance(each, ButtonBehavior))
    return [each for each in found if is_shown(each) and not each.disabled and each.height]


def under(driver: Driver, x: float, y: float) -> Any:
    """Return the widget under a point, or None."""
    there = [each for each in touchables(driver) if each.collide_point(*each.to_widget(x, y))]
    return there[-1] if there else None


@contextmanager
def anywhere(path: Path, dice: random.Random) -> Iterator[tuple[Driver, str]]:
    """Go to a random point of a random tour. Yield the app and the name of the screen."""
    tour, board = dice.choice(TOURS)
    stop = dice.randrange(MOST)
    path.mkdir()
    with Driver(path / "games.sqlite", source=board()) as driver:
        names = [name for _, name in zip(range(stop + 1), tour(driver), strict=False)]
        yield driver, names[-1]


def does_more(path: Path, number: int) -> str:
    """Tap a random widget twice. Return what the second tap did, or an empty string."""
    dice = random.Random(number)
    with anywhere(path / str(number), dice) as (driver, where):
        point = driver.middle(dice.choice(touchables(driver)))
        first = under(driver, *point)
        driver.tap_at(*point)
        second, shown = under(driver, *point), driver.texts()
        driver.release(driver.touch_again_at(*point))
        if second is first or driver.texts() == shown:
            return ""
        return f"{where}, {point}: {shown!r} became {driver.texts()!r}"


@RARE
def test_double_tap_without_the_guard_acts_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(GamePresenter, "is_new", False)
    soon = 3
    assert any(does_more(tmp_path, number) for number in range(soon, doubles.whole))


@doubles
def test_double_taps_act_once(tmp_path: Path) -> None:
    assert [more for number in range(doubles.size) if (more := does_more(tmp_path, number))] == []


def acts_late(path: Path, number: int) -> str:
    """Disconnect and reconnect the board. Each time, tap a control of the previous screen too late.

    Return a description of what a tap changed, or an empty string if no tap had an effect.
    """
    dice = random.Random(number)
    with anywhere(path / str(number), dice) as (driver, where):
        for change in (driver.lose, driver.connect):
            point, before = driver.middle(dice.choice(touchables(driver))), driver.texts()
            driver.pass_time(1)
            change()
            if not driver.app.presenter.is_new:
                continue  # no new screen has opened that a late tap could hit
            driver.now += LATE
            driver.frames(1)
            shown = driver.texts()
            driver.release(driver.touch_again_at(*point))
            if driver.texts() != shown:
                return f"{where}, {point}: {before!r}, {shown!r} became {driver.texts()!r}"
    return ""


@RARE
def test_shorter_guard_lets_late_taps_act(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presenter, "UNASKED_SECONDS", presenter.NEW_SECONDS)
    assert any(acts_late(tmp_path, number) for number in range(late.whole))


@late
def test_taps_on_new_screens_are_ignored(tmp_path: Path) -> None:
    assert [done for number in range(late.size) if (done := acts_late(tmp_path, number))] == []
