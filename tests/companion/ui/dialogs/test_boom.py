"""The explosion is short and can be skipped. With reduced motion, it is subdued."""

from itertools import pairwise

import pytest

from companion.speech.i18n import Language, codes
from companion.ui.base.presenter import BOOM_SECONDS, FUSE_SECONDS
from companion.ui.effects.boom import can_be_written
from engine.board.ranks import Rank
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import attack_on_screen, begin, declare


def explode(driver: Driver) -> None:
    begin(driver)
    attack_on_screen(driver, "e4", "e7")
    declare(driver, Rank.BOMB)


def test_explosion_ends_by_itself(driver: Driver) -> None:
    explode(driver)
    assert driver.app.face._boom
    driver.pass_time(BOOM_SECONDS)
    assert driver.app.face._boom is None
    assert driver.view == "reveal"


def test_explosion_flashes_once(driver: Driver) -> None:
    explode(driver)
    driver.app.presenter._boom_until = driver.now + BOOM_SECONDS  # the explosion starts now
    whites = []
    for _frame in range(int(30 * BOOM_SECONDS) - 1):
        driver.frames(1)
        assert driver.app.face._boom
        whites.append(driver.app.face._boom.white > 0.1)
        driver.now += 1 / 30
    changes = [one != next_ for one, next_ in pairwise(whites)]
    assert changes.count(True) == 2, "one change to white and one back"


@pytest.mark.parametrize("reduced_motion", [False, True])
def test_fuse_is_silent(
    driver: Driver, monkeypatch: pytest.MonkeyPatch, reduced_motion: bool
) -> None:
    heard: list[str] = []
    monkeypatch.setattr(driver.app._sounds, "play", heard.append)
    driver.app.presenter.settings.reduced_motion = reduced_motion
    explode(driver)
    assert ("boom" in heard) == reduced_motion
    assert driver.app._sounds.is_calm == reduced_motion, "the explosion is half as loud"
    driver.pass_time(FUSE_SECONDS)
    assert heard.count("boom") == 1


def test_skipped_explosion_is_silent(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    monkeypatch.setattr(driver.app._sounds, "play", heard.append)
    explode(driver)
    driver.app.presenter._boom_until = driver.now + BOOM_SECONDS  # the explosion starts now
    driver.app.presenter._bang_at = driver.now + 10
    driver.tap_at(700, 100)
    driver.pass_time(11)
    assert "boom" not in heard


@pytest.mark.parametrize("code", codes())
def test_explosion_words_have_glyphs(code: str) -> None:
    assert can_be_written(Language(code).cry)


def test_touch_skips_the_explosion(driver: Driver) -> None:
    explode(driver)
    driver.tap_at(700, 100)
    assert driver.app.face._boom is None


def test_quiet_explosion_is_static(driver: Driver) -> None:
    for button in ("settings", "reduced_motion", "close"):
        driver.tap(button)
    explode(driver)
    one = driver.pixels()
    driver.pass_time(0.05)
    assert driver.pixels() == one
    driver.pass_time(0.5)
    assert driver.pixels() == one


def test_full_explosion_is_animated(driver: Driver) -> None:
    explode(driver)
    one = driver.pixels()
    driver.pass_time(0.2)
    assert driver.pixels() != one
