"""A double tap never does what one tap would not: what has just come takes no touch."""

import random
from pathlib import Path
from typing import Any

import pytest
from kivy.uix.behaviors import ButtonBehavior

from companion.screens.base.stage import Stage
from tests.campaigns import Campaign
from tests.companion.screens.driver import Driver, is_shown, walk
from tests.companion.screens.tours import TOURS

doubles = Campaign("double-taps", part=2, whole=200)
MOST = 30
"""How far a tour is led at most."""


def touchables(driver: Driver) -> list[Any]:
    """All that can be touched, what lies on top last."""
    found = (each for each in walk(driver.app.root) if isinstance(each, ButtonBehavior))
    return [each for each in found if is_shown(each) and not each.disabled and each.height]


def under(driver: Driver, x: float, y: float) -> Any:
    """What a finger at a point touches."""
    there = [each for each in touchables(driver) if each.collide_point(*each.to_widget(x, y))]
    return there[-1] if there else None


def does_more(path: Path, number: int) -> str:
    """Go anywhere in any tour and tap something twice; say what the second tap has done."""
    dice = random.Random(number)
    tour, board = dice.choice(TOURS)
    stop = dice.randrange(MOST)
    home = path / str(number)
    home.mkdir()
    with Driver(home / "games.sqlite", source=board()) as driver:
        where = [name for _, name in zip(range(stop + 1), tour(driver), strict=False)][-1]
        point = driver.middle(dice.choice(touchables(driver)))
        first = under(driver, *point)
        driver.tap_at(*point)
        second, shown = under(driver, *point), driver.texts()
        driver.release(driver.touch_again_at(*point))
        if second is first or driver.texts() == shown:
            return ""
        return f"{where}, {point}: {shown!r} became {driver.texts()!r}"


def test_without_the_guard_it_would(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Stage, "is_new", False)
    soon = 3
    assert any(does_more(tmp_path, number) for number in range(soon, doubles.whole))


@doubles
def test_no_double_tap_does_more_than_one(tmp_path: Path) -> None:
    assert [more for number in range(doubles.size) if (more := does_more(tmp_path, number))] == []
