"""Helpers for playing on the screens: setup, moves and declarations."""

from companion.ui.screens.reveal_screen import COMES, FALLS, FLIES, TURNS
from companion.ui.widgets.buttons import HOLD_SECONDS
from engine.board.geometry import Side, set_of, square
from engine.board.ranks import Rank
from engine.game.clocks import TIME_CONTROLS
from firmware_bridge.image import Image
from tests.companion.ui.driver import Driver

STANDING = Image(red=Side.RED.home, blue=Side.BLUE.home)


EXCHANGED = Image(red=Side.BLUE.home, blue=Side.RED.home)


def squares(names: str) -> int:
    return set_of(map(square, names.split()))


def after(image: Image, *moves: str) -> Image:
    """Return the image after moves such as ``"e4 e5"``. A single square (``"e4"``) is emptied."""
    red, blue = image.red, image.blue
    for move in moves:
        source, _, target = move.partition(" ")
        landed = squares(target)
        if red & squares(source):
            red, blue = red & ~squares(source) | landed, blue & ~landed
        else:
            red, blue = red & ~landed, blue & ~squares(source) | landed
    return Image(red, blue)


def tap_begin(driver: Driver) -> None:
    driver.tap("begin")
    if driver.on_top("yes"):
        driver.tap("yes")


def enlarge(driver: Driver) -> None:
    for button in ("settings", "accessibility", "letters", "close", "close"):
        driver.tap(button)


def begin(driver: Driver) -> None:
    driver.begin(STANDING)


def play(driver: Driver, image: Image, *moves: str) -> Image:
    """Show moves on the board. Return the last image."""
    for move in moves:
        image = after(image, move)
        driver.show(image)
    return image


def attack_on_screen(driver: Driver, source: str, target: str) -> None:
    """Tap a piece, its target and the attack button."""
    driver.tap_square(square(source))
    driver.tap_square(square(target))
    driver.tap("attack")


def open_curtain(driver: Driver) -> None:
    driver.hold("hold", HOLD_SECONDS + 0.1)


def begin_simulated(driver: Driver) -> None:
    """Begin a game on the simulated board, where one tap sets up both armies."""
    driver.connect()
    tap_begin(driver)
    driver.tap("set_up")
    driver.show_virtual()
    for side in ("red", "blue"):
        driver.tap_inside(side, "ready")
    assert driver.view == "turn"


def turn_cards(driver: Driver) -> None:
    """Wait until the explosion and the card and piece animations have finished."""
    driver.app.presenter.end_boom()
    driver.frames(1)
    driver.pass_time(COMES + TURNS + FALLS + FLIES)


def declare(driver: Driver, rank: Rank) -> None:
    """Open the curtain, then press and hold the tile of a rank."""
    open_curtain(driver)
    printed = driver.face._behind.printed
    if printed is rank:
        driver.hold("sealed", HOLD_SECONDS + 0.1)
        return
    if printed is not None:
        driver.tap("another")
    driver.hold_tile("tiles", rank)
    if printed is not None:
        assert "Printed on the piece" in driver.texts()
        driver.hold("insist", HOLD_SECONDS + 0.1)


def insist(driver: Driver, rank: Rank) -> None:
    """Open the curtain, choose an impossible rank, and stand by the declaration."""
    open_curtain(driver)
    driver.tap("missing")
    driver.tap_tile("others", rank)
    driver.hold("insist", HOLD_SECONDS + 0.1)


def choose_game(driver: Driver, edition: str, clock: str = "none", *options: str) -> None:
    """Choose a game, and return to the start screen."""
    open_game(driver, edition, clock, *options)
    for _cover in ("what the rulebook leaves open", "the rulebooks"):
        driver.tap("close")


def open_game(driver: Driver, edition: str, clock: str = "none", *options: str) -> None:
    """Choose a game, but stay in the dialog."""
    driver.tap("rules")
    driver.tap_option("editions", edition)
    driver.tap("more")
    driver.tap("clock")
    driver.tap_option("clocks", TIME_CONTROLS[clock])
    driver.tap("close")
    for option in options:
        driver.tap(option)


INTO_ENEMY_ROWS = ("e4 e5", "f7 f6", "e5 e6", "f6 f5", "e6 f6", "a7 a6", "f6 f7", "a6 a5")
"""Moves that bring Red's piece from e4 to f7. An infiltrator can guess a rank there."""


def infiltrate(driver: Driver, source: str, target: str, guess: Rank) -> None:
    """Tap the piece, its target, the button and the guessed rank, and confirm."""
    driver.tap_square(square(source))
    driver.tap_square(square(target))
    driver.tap("infiltrate")
    driver.tap_tile("guesses", guess)
    driver.confirm()


SURROUNDED = (
    *("e4 e5", "f7 f6", "e5 e6", "f6 f5", "e6 f6"),
    *("a7 a6", "f6 f7", "a6 a5", "k4 k5", "f5 f6"),
)
"""Image with Red to move. Red's piece is on f7, between Blue's pieces."""


def take_crossed(driver: Driver, image: Image, one: str, other: str, target: str) -> Image:
    """Lift two pieces of a side, and set one of them down.

    The sensors do not show which of the two was set down. Return the previous image.
    """
    driver.show(image)
    driver.show(after(image, one), seconds=0.1)
    driver.show(after(image, one, other), seconds=0.1)
    driver.show(after(image, one, f"{other} {target}"), seconds=2)
    return image


def defend_in_silence(driver: Driver, image: Image, *, attack: str, defender: Rank) -> Image:
    """Attack with Red's captain, which loses to a blue piece whose rank is not revealed."""
    driver.show(after(image, attack))
    declare(driver, Rank.CAPTAIN)
    declare(driver, defender)
    image = after(image, attack.partition(" ")[0])
    driver.show(image)
    driver.tap("end")
    return image


def lie_in_silence(driver: Driver) -> None:
    """Declare a bomb for a blue piece, move that piece, and attack it again."""
    begin(driver)
    image = play(driver, STANDING, "e4 e5", "k7 k6", "e5 e6", "k6 k5")
    image = defend_in_silence(driver, image, attack="e6 e7", defender=Rank.BOMB)
    image = play(driver, image, "e7 e6", "e3 e4", "e6 e5")
    driver.show(after(image, "e4 e5"))
    declare(driver, Rank.SERGEANT)
