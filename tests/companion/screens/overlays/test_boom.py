"""Boom! Short, skippable, and calm where it is wanted."""

from engine.ranks import Rank
from tests.companion.screens.driver import Driver
from tests.companion.screens.tour import attack_on_screen, begin, declare


def explode(driver: Driver) -> None:
    begin(driver)
    attack_on_screen(driver, "e4", "e7")
    declare(driver, Rank.BOMB)


def test_it_goes_by_itself(driver: Driver) -> None:
    explode(driver)
    assert driver.app.face._boom
    driver.pass_time(2)
    assert driver.app.face._boom is None
    assert driver.view == "reveal"


def test_a_touch_ends_it(driver: Driver) -> None:
    explode(driver)
    driver.tap_at(700, 100)
    assert driver.app.face._boom is None


def test_calm_it_stands_still(driver: Driver) -> None:
    driver.tap("calm")
    explode(driver)
    one = driver.pixels()
    driver.pass_time(0.05)
    assert driver.pixels() == one
    driver.pass_time(0.5)
    assert driver.pixels() == one


def test_lively_it_flashes_and_moves(driver: Driver) -> None:
    explode(driver)
    one = driver.pixels()
    driver.pass_time(0.2)
    assert driver.pixels() != one
