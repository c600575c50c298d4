"""Walk through the screens on which the players accept the board as it stands."""

from collections.abc import Iterator

from engine.board.geometry import Side
from firmware_bridge.image import Image
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import STANDING, after, begin, squares


def tour_of_adopting_the_board(driver: Driver) -> Iterator[str]:
    """Accept the board after a piece has been moved, and after the board has been bumped. Then, an
    extra piece is detected."""
    begin(driver)
    image = after(STANDING, "e4 f5")
    driver.show(image)
    driver.tap("board_right")
    yield "board-right"
    driver.tap_option("to_move", Side.BLUE)
    driver.tap("red_agrees")
    yield "board-right-half"
    driver.tap("blue_agrees")
    yield "board-right-agreed"
    knocked = after(image, "a4 a5", "b4 b6", "k7 k6", "e7 e6", "i7", "h7")
    driver.show(knocked, seconds=3)
    yield "knocked"
    driver.tap("menu")
    yield "menu-knocked"
    driver.tap("board_right")
    yield "board-right-many"
    driver.tap_option("to_move", Side.RED)
    for side in Side:
        driver.tap(f"{side.value}_agrees")
    yield "board-right-gone"
    driver.show(Image(knocked.red | squares("e5"), knocked.blue), seconds=3)
    driver.tap("board_right")
    yield "board-right-too-many"
