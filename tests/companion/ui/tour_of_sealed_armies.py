"""Walk through the screens for sealed armies."""

from collections.abc import Iterator

from companion.ui.widgets.buttons import HOLD_SECONDS
from engine.board.geometry import Side
from engine.board.ranks import Rank
from tests.companion.ui import playing, sealing
from tests.companion.ui.driver import Driver


def tour_of_sealed_armies(driver: Driver) -> Iterator[str]:
    """Seal both armies, declare ranks, dispute a declaration, and prove one of the armies."""
    driver.connect()
    playing.choose_game(driver, "isf", "none", "sealed_armies")
    driver.tap("begin")
    driver.show(playing.after(playing.STANDING, "k10"))
    yield "sealing"
    driver.tap("setups")
    driver.hold("red", HOLD_SECONDS + 0.1)
    yield "sealing-nothing"
    driver.tap("close")
    driver.tap("close")
    sealing.draw_up(driver, Side.RED)
    yield "sealing-army"
    driver.tap("seal")
    driver.pass_time(2)
    yield "sealing-one"
    driver.hold("red", HOLD_SECONDS + 0.1)
    yield "sealing-again"
    driver.tap("close")
    driver.tap("close")
    sealing.seal(driver, Side.BLUE)
    driver.pass_time(2)
    yield "sealed"
    driver.show(playing.STANDING)
    driver.tap_inside("red", "ready")
    driver.tap_inside("blue", "ready")
    yield from _tour_of_a_declaration(driver)
    yield from _tour_of_the_proof(driver)


def _tour_of_a_declaration(driver: Driver) -> Iterator[str]:
    playing.play(driver, playing.STANDING, "e4 e5", "e7 e6")
    playing.attack_on_screen(driver, "e5", "e6")
    playing.open_curtain(driver)
    yield "sealed-tile"
    driver.tap("another")
    yield "sealed-others"
    driver.tap("close")
    driver.hold("sealed", HOLD_SECONDS + 0.1)
    playing.open_curtain(driver)
    driver.tap("another")
    driver.hold_tile("tiles", Rank.MARSHAL)
    yield "sealed-contradiction"
    driver.hold("insist", HOLD_SECONDS + 0.1)
    yield "sealed-dispute"
    for button in ("menu", "arbiter"):
        driver.tap(button)
    yield "sealed-arbiter"
    driver.tap("break_blue")
    yield "break-seals-question"
    driver.tap("no")
    driver.tap("counts")
    driver.confirm()
    playing.turn_cards(driver)


def _tour_of_the_proof(driver: Driver) -> Iterator[str]:
    for button in ("menu", "red_resigns"):
        driver.tap(button)
    driver.confirm()
    driver.pass_time(4)
    yield "sealed-end"
    driver.tap("red_setup")
    yield "prove-question"
    driver.confirm()
    yield "proved-setup"
    driver.tap("close")
    yield "proved-end"


def tour_of_sealed_armies_on_phones(driver: Driver) -> Iterator[str]:
    """Play by the rulebook with the infiltrator. Only the players' phones can open the sealed
    armies."""
    driver.connect()
    playing.choose_game(driver, "nordic-2015", "none", "sealed_armies")
    driver.tap("begin")
    driver.show(playing.STANDING)
    for side in Side:
        sealing.seal_on_phone(driver, side)
        driver.tap_inside(side.value, "ready")
    image = playing.play(driver, playing.STANDING, *playing.INTO_ENEMY_ROWS)
    playing.infiltrate(driver, "f7", "f9", Rank.MARSHAL)
    yield "sealed-guess-on-phone"
    driver.tap("right")
    driver.confirm()
    driver.tap("wrong")
    driver.confirm()
    playing.turn_cards(driver)
    driver.tap("end")
    image = playing.play(driver, image, "k7 k6")
    driver.show(playing.after(image, "a4 a5"))
    yield "sealed-on-phone"
