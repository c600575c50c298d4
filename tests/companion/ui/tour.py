"""A tour of every screen, driven by touches and board images."""

from collections.abc import Iterator

from companion.core.recognition_limits import LIMITS
from companion.session.settings import ScreenEdge
from companion.storage.journal_file import update_game_checksum
from companion.ui.widgets.buttons import HOLD_SECONDS
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from firmware_bridge.image import Image
from firmware_bridge.link import LinkErrorKind
from tests.companion.ui.bench import answer_last, plug_in
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import (
    EXCHANGED,
    STANDING,
    SURROUNDED,
    after,
    attack_on_screen,
    begin,
    choose_game,
    declare,
    open_curtain,
    play,
    take_crossed,
)


def tour(driver: Driver) -> Iterator[str]:
    """Go through all screens. Yield the name of each screen."""
    yield from _tour_of_setting_up(driver)
    yield from _tour_of_a_turn(driver)
    yield from _tour_of_an_attack(driver)
    yield from _tour_of_the_end(driver)


def _tour_of_setting_up(driver: Driver) -> Iterator[str]:
    yield "start"
    driver.lose(LinkErrorKind.NO_BOARD)
    yield "start-without-board"
    driver.connect()
    driver.tap("begin")
    driver.show(after(STANDING, "a1", "b1", "c1", "d1", "e1", "f1", "g1", "k10 a6"))
    yield "setup"
    driver.show(EXCHANGED)
    yield "setup-exchanged"
    driver.show(after(STANDING, "k10 b3", "a1", "b1 f5"))
    yield "setup-colour"
    driver.show(STANDING)
    driver.tap_inside("blue", "ready")
    yield "setup-ready"
    driver.tap_inside("red", "ready")


def _tour_of_a_turn(driver: Driver) -> Iterator[str]:
    yield "turn"
    driver.tap("table")
    yield "card-of-ranks"
    driver.tap("close")
    driver.tap("help")
    driver.hold("red", HOLD_SECONDS + 0.1)
    yield "hints"
    driver.hold("blue", HOLD_SECONDS + 0.1)
    driver.tap("help")
    yield "hint-danger"
    driver.tap_square(square("e7"))
    yield "hint-rank"
    driver.complain(square("e4"), None)
    yield "sensor-fails"
    driver.pass_time(LIMITS.fault_over_seconds)
    driver.connect(sees_colours=False)
    driver.show(STANDING)
    yield "turn-without-colours"
    driver.connect()
    driver.show(after(STANDING, "e4"))
    yield "lifted"
    driver.feel(Side.RED, 4.0, 3.5)
    yield "stands-badly"
    driver.show(after(STANDING, "e4 f5"))
    yield "violation"
    driver.tap("allow_move")
    yield "let-stand-question"
    driver.tap("no")
    driver.tap("menu")
    driver.tap("arbiter")
    yield "arbiter"
    driver.tap("close")
    driver.show(after(STANDING, "a1 c5", "b1 k5", "a2 g5", "k4"))
    yield "disturbed"
    driver.show(STANDING)
    play(driver, STANDING, "e4 e5", "b7 b6", "e5 e6", "a7 a6")
    attack_on_screen(driver, "e6", "b6")
    yield "not-allowed-on-screen"
    driver.tap_square(square("e6"))
    driver.tap_square(square("e7"))
    yield "attack-on-screen"
    driver.tap("attack")


def _tour_of_an_attack(driver: Driver) -> Iterator[str]:
    yield "curtain"
    finger = driver.touch_at(*driver.middle(driver.find("hold")))
    driver.pass_time(0.4)
    yield "curtain-held"
    driver.pass_time(0.4)
    driver.release(finger)
    yield "tiles"
    driver.tap("missing")
    yield "tiles-impossible"
    driver.tap_tile("others", Rank.BOMB)
    yield "contradiction"
    finger = driver.touch_at(*driver.middle(driver.find("insist")))
    driver.frames(1)
    driver.pass_time(0.4)
    yield "insist-held"
    driver.pass_time(0.4)
    driver.release(finger)
    yield "dispute"
    driver.tap("declare_again")
    yield "dispute-question"
    driver.confirm()
    open_curtain(driver)
    finger = driver.touch_tile("tiles", Rank.SERGEANT)
    driver.pass_time(0.4)
    yield "tile-held"
    driver.pass_time(0.4)
    driver.release(finger)
    yield "curtain-second"
    declare(driver, Rank.BOMB)
    driver.pass_time(0.9)
    yield "boom"
    driver.tap_at(400, 240)
    driver.pass_time(2)  # the cards appear and turn
    yield "reveal"
    for button in ("menu", "red_take_back"):
        driver.tap(button)
    driver.confirm()
    yield "reveal-take-back"
    driver.show(after(driver.seen, "e6"))
    yield "reveal-cleared"
    driver.tap("end")


def _tour_of_the_end(driver: Driver) -> Iterator[str]:
    image = driver.seen
    driver.tap("menu")
    yield "menu"
    driver.tap("red_draw")
    yield "question"
    driver.confirm()
    yield "draw-offered"
    driver.lose()
    yield "board-lost"
    driver.connect()
    driver.show(image)
    driver.tap("menu")
    driver.tap("leave")
    yield "start-continue"
    driver.tap("begin")
    driver.tap("yes")
    driver.pass_time(1)
    yield "setup-again"
    driver.tap("back")
    driver.tap("resume")
    driver.show(image)
    driver.tap("menu")
    driver.tap("red_resigns")
    driver.confirm()
    yield "end"
    driver.tap("look")
    yield "replay-question"
    driver.confirm()
    driver.tap("back")
    yield "replay"
    driver.tap("known")
    yield "replay-known"
    driver.tap("story")
    yield "story"
    driver.tap("forward")
    yield "story-step"
    driver.tap("close")
    driver.tap("close")
    driver.tap("leave")
    connection = driver.journal.file.connection
    connection.execute("UPDATE game SET begun = '2026-11-21 17:12:00'")
    update_game_checksum(connection, 1)
    driver.tap("games")
    yield "games"


def tour_of_a_strike(driver: Driver) -> Iterator[str]:
    """Move a scout next to a bomb, and attack the bomb with it. Later, a sleeve pushes the bomb to
    another square."""
    driver.connect()
    choose_game(driver, "gravopedia-2006")
    begin(driver)
    image = play(driver, STANDING, "e4 e6")
    driver.tap_square(square("e6"))
    driver.tap_square(square("e7"))
    yield "strike-on-screen"
    driver.show(after(image, "e6"), seconds=0.3)
    driver.show(after(image, "e6", "e7"), seconds=1.5)
    yield "who-attacks"
    driver.tap("red_attacks")
    declare(driver, Rank.BOMB)
    driver.pass_time(3)
    image = after(image, "e6")
    driver.show(image)
    driver.tap("end")
    driver.show(after(image, "e7 e6"))
    yield "bomb-moved"


def tour_of_the_hands(driver: Driver) -> Iterator[str]:
    """Play turns that can be read from the images in several ways. Then lift pieces as if for an
    attack."""
    begin(driver)
    image = play(driver, STANDING, "e4 e5", "a7 a6")
    driver.show(after(image, "e5"), seconds=0.3)
    driver.show(after(image, "e5 f5"), seconds=0.06)
    yield "set-down"
    image = take_crossed(driver, image, "e5", "f4", "f5")
    yield "choose-move"
    driver.tap("none_of_them")
    driver.show(image)
    yield from _tour_of_several_turns(driver, image)
    driver.tap("menu")
    driver.tap("leave")
    choose_game(driver, "nordic-2015", "bronstein")
    begin(driver)
    image = play(driver, STANDING, *SURROUNDED)
    driver.show(after(image, "f7"), seconds=3)
    yield "attacks-offered"


def _tour_of_several_turns(driver: Driver, image: Image) -> Iterator[str]:
    image = play(driver, image, "e5 e6", "f7 f6", "e6 e5", "a6 a5")
    driver.show(after(image, "e5"), seconds=3)
    yield "attack-offered"
    driver.show(image)
    red = after(image, "e5", "f4 f5")
    driver.show(after(image, "e5"), seconds=0.1)
    driver.show(after(image, "e5", "f4"), seconds=0.1)
    driver.show(red, seconds=0.1)
    driver.show(after(red, "f6"), seconds=0.1)
    driver.show(after(red, "f6", "f5"), seconds=0.1)
    driver.show(after(red, "f6 f5"), seconds=2)
    yield "which-turns"


def simulated_tour(driver: Driver) -> Iterator[str]:
    """Go through the screens that differ on a simulated board."""
    assert driver.script.simulated
    driver.tap("sensors")
    plug_in(driver, driver.script.simulated)
    driver.pass_time(0.3)
    driver.tap("calibrate")
    driver.tap("go_on")
    answer_last(driver, driver.script.simulated)
    yield "simulated-calibration"
    driver.tap("stop")
    answer_last(driver, driver.script.simulated)
    for button in ("go_on", "close", "begin"):
        driver.tap(button)
    yield "simulated-empty"
    settings = driver.app.presenter.settings
    settings.take_seat(Side.RED, ScreenEdge.LEFT)
    settings.take_seat(Side.BLUE, ScreenEdge.OPPOSITE)
    driver.tap("setups")
    yield "setups-whose"
    for player, where in ((Side.BLUE, "opposite"), (Side.RED, "left")):
        driver.hold(player.value, HOLD_SECONDS + 0.1)
        yield f"workshop-{where}"
        if where == "left":
            yield from _tour_of_a_small_square(driver)
        driver.tap("list")
        yield f"setups-{where}"
        for button in ("close", "close"):
            driver.tap(button)
    driver.tap("close")
    for seated in Side:
        settings.take_seat(seated, ScreenEdge.FRONT)
    driver.tap("set_up")
    driver.show_virtual()
    yield "simulated"
    finger = driver.touch_at(*driver.middle(driver.find("red").ids["eye"]))
    yield "simulated-ranks"
    driver.release(finger)
    for side in ("red", "blue"):
        driver.tap_inside(side, "ready")
    finger = driver.touch_at(*driver.on_board("e4"))
    driver.slide(finger, *driver.on_board("e5"))
    driver.show_virtual()
    yield "simulated-in-hand"
    driver.release(finger)
    driver.show_virtual()
    driver.tap("menu")
    yield "simulated-menu"
    driver.tap("faults")
    driver.tap_square(square("f4"))
    driver.tap("dead")
    yield "board-faults"


def _tour_of_a_small_square(driver: Driver) -> Iterator[str]:
    driver.tap_at(*driver.middle(driver.find("box").children[0]))
    finger = driver.touch_at(*driver.middle(driver.find("rows").spot(square("c3"))))
    yield "workshop-enlarged"
    driver.release(finger)


def tour_alone(driver: Driver) -> Iterator[str]:
    """Play alone on the simulated board, up to the computer's first reply."""
    driver.connect()
    yield "simulated-start"
    driver.tap("alone")
    yield "alone-choice"
    driver.tap("chosen")
    driver.show_virtual()
    yield "alone-setup"
    driver.tap("setups")
    for spot in (driver.find("rows").spot(square("e2")), driver.find("box").children[0]):
        driver.tap_at(*driver.middle(spot))
    yield "workshop"
    driver.tap("list")
    yield "setups"
    for button in ("take", "close"):
        driver.tap(button)
    driver.show_virtual()
    driver.tap_inside("red", "ready")
    for _ in range(3):
        driver.pass_time(1)
        driver.show_virtual()
    yield "alone"
