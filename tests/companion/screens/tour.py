"""A tour through every screen, by touches and by what the board shows."""

from collections.abc import Iterator

from engine.play.clocks import TIME_CONTROLS
from engine.ranks import Rank
from engine.rulebook.editions import MovedBomb
from engine.sides import Side
from engine.squares import set_of, square
from firmware_bridge.image import Image
from firmware_bridge.link import TroubleKind
from tests.companion.screens.bench import answer_last, plug_in
from tests.companion.screens.driver import Driver

STANDING = Image(red=Side.RED.home, blue=Side.BLUE.home)
EXCHANGED = Image(red=Side.BLUE.home, blue=Side.RED.home)


def squares(names: str) -> int:
    """The set of squares with these names."""
    return set_of(map(square, names.split()))


def after(image: Image, *moves: str) -> Image:
    """The image after moves such as ``"e4 e5"``; a single square loses its piece."""
    red, blue = image.red, image.blue
    for move in moves:
        source, _, target = move.partition(" ")
        landed = squares(target)
        if red & squares(source):
            red, blue = red & ~squares(source) | landed, blue & ~landed
        else:
            red, blue = red & ~landed, blue & ~squares(source) | landed
    return Image(red, blue)


def begin(driver: Driver) -> None:
    """Begin a game: two touches, set up, both ready."""
    driver.connect()
    driver.tap("begin")
    driver.show(STANDING)
    for side in ("red", "blue"):
        driver.tap_inside(side, "ready")
    driver.wait(lambda: driver.view == "turn")


def play(driver: Driver, image: Image, *moves: str) -> Image:
    """Let the board show moves, one after the other."""
    for move in moves:
        image = after(image, move)
        driver.show(image)
    return image


def attack_on_screen(driver: Driver, source: str, target: str) -> None:
    """Touch the own piece, the target and the button."""
    driver.tap_square(square(source))
    driver.tap_square(square(target))
    driver.tap("attack")


def open_curtain(driver: Driver) -> None:
    """Hold the curtain until it opens."""
    driver.hold("hold", 0.7)


def declare(driver: Driver, rank: Rank) -> None:
    """Open the curtain, choose a tile and confirm it."""
    open_curtain(driver)
    driver.tap_tile("tiles", rank)
    driver.tap("yes")


def insist(driver: Driver, rank: Rank) -> None:
    """Open the curtain, choose a rank that cannot be, and stay by it."""
    open_curtain(driver)
    driver.tap("missing")
    driver.tap_tile("others", rank)
    for answer in ("insist", "insists"):
        driver.tap(answer)


def tour(driver: Driver) -> Iterator[str]:
    """Go through all screens; at each, say its name."""
    yield from _tour_of_setting_up(driver)
    yield from _tour_of_a_turn(driver)
    yield from _tour_of_an_attack(driver)
    yield from _tour_of_the_end(driver)


def _tour_of_setting_up(driver: Driver) -> Iterator[str]:
    yield "start"
    driver.lose(TroubleKind.NO_BOARD)
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
    driver.connect(sees_colours=False)
    driver.show(STANDING)
    yield "turn-without-colours"
    driver.connect()
    driver.show(after(STANDING, "e4"))
    yield "lifted"
    driver.show(after(STANDING, "e4 f5"))
    yield "violation"
    driver.tap("let_stand")
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
    driver.tap("insist")
    yield "insist"
    driver.tap("insists")
    yield "dispute"
    driver.tap("declare_again")
    yield "dispute-question"
    driver.tap("yes")
    open_curtain(driver)
    driver.tap_tile("tiles", Rank.SERGEANT)
    yield "confirm"
    driver.tap("yes")
    yield "curtain-second"
    declare(driver, Rank.BOMB)
    driver.pass_time(0.5)
    yield "boom"
    driver.tap_at(400, 240)
    yield "reveal"
    for button in ("menu", "red_take_back", "yes"):
        driver.tap(button)
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
    driver.tap("yes")
    yield "draw-offered"
    driver.lose()
    yield "board-lost"
    driver.connect()
    driver.show(image)
    driver.tap("menu")
    driver.tap("leave")
    yield "start-continue"
    driver.tap("begin")
    driver.pass_time(1)
    yield "setup-again"
    driver.tap("back")
    driver.tap("resume")
    driver.show(image)
    driver.tap("menu")
    driver.tap("red_resigns")
    driver.tap("yes")
    yield "end"
    driver.tap("look")
    yield "replay-question"
    driver.tap("yes")
    driver.tap("back")
    yield "replay"
    driver.tap("close")
    driver.journal._connection.execute("UPDATE game SET begun = '2026-11-21 17:12:00'")
    driver.tap("games")
    yield "games"


def open_game(driver: Driver, edition: str, clock: str = "none", *options: str) -> None:
    """Choose a game at the start."""
    driver.tap("rules")
    driver.tap_option("editions", edition)
    driver.tap("clock")
    driver.tap_option("clocks", TIME_CONTROLS[clock])
    driver.tap("close")
    for option in options:
        driver.tap(option)


INTO_ENEMY_ROWS = ("e4 e5", "f7 f6", "e5 e6", "f6 f5", "e6 f6", "a7 a6", "f6 f7", "a6 a5")
"""Red's e4 walks to f7, where an infiltrator can do what it is there for."""


def infiltrate(driver: Driver, source: str, target: str, guess: Rank) -> None:
    """Touch the own piece, the target, the button and the guessed rank, and mean it."""
    driver.tap_square(square(source))
    driver.tap_square(square(target))
    driver.tap("infiltrate")
    driver.tap_tile("guesses", guess)
    driver.tap("yes")


def tour_of_the_choices(driver: Driver) -> Iterator[str]:
    """Go through what is chosen before a game, and draw lots."""
    driver.connect()
    driver.tap("rules")
    driver.tap_option("editions", "isf")
    yield "rules-isf"
    driver.tap_option("editions", "travel-2017")
    driver.tap_option("moved_bomb", MovedBomb.LOSES)
    driver.tap("touch_move")
    yield "rules-travel"
    driver.tap("touch_move")
    driver.tap("clock")
    for number in ("each", "delay"):
        driver.tap_inside(number, "more")
    yield "clock-free"
    for _ in range(2):
        driver.tap("close")
    open_game(driver, "nordic-2015", "bronstein", "silent")
    yield "rules"
    driver.tap("clock")
    yield "clock"
    driver.tap("close")
    driver.tap("close")
    yield "start-chosen"
    driver.tap("lots")
    yield "lots"
    driver.tap("right")
    yield "lots-taken"
    driver.tap("left")
    yield "lots-drawn"


def tour_of_an_infiltration(driver: Driver) -> Iterator[str]:
    """Go through what a clock, the infiltrator and silent defence bring to the screens."""
    driver.connect()
    open_game(driver, "nordic-2015", "bronstein", "silent")
    driver.tap("close")
    driver.tap("begin")
    driver.show(after(STANDING, "a1", "b1"), seconds=25)
    yield "setup-clock"
    driver.show(STANDING)
    for side in ("red", "blue"):
        driver.tap_inside(side, "ready")
    driver.pass_time(70)
    yield "turn-clock"
    driver.show(after(STANDING, "e4 f5"))
    yield "violation-clock"
    driver.show(STANDING)
    image = play(driver, STANDING, *INTO_ENEMY_ROWS)
    driver.tap_square(square("f7"))
    driver.tap_square(square("f9"))
    yield "infiltrate-on-screen"
    driver.tap("infiltrate")
    yield "infiltrate-guess"
    driver.tap_tile("guesses", Rank.COLONEL)
    yield "infiltrate-question"
    driver.tap("yes")
    yield "guess"
    driver.tap("right")
    yield "guess-question"
    driver.tap("yes")
    yield "guess-right"
    image = after(image, "f9")
    driver.show(image)
    driver.tap("end")
    yield from _tour_of_second_thoughts(driver, image)


def _tour_of_second_thoughts(driver: Driver, image: Image) -> Iterator[str]:
    driver.tap("menu")
    driver.tap("red_take_back")
    yield "take-back-question"
    driver.tap("yes")
    yield "take-back-offer"
    driver.tap("accept")
    driver.tap("yes")
    yield "take-back-board"
    driver.show(after(STANDING, *INTO_ENEMY_ROWS))
    infiltrate(driver, "f7", "f8", Rank.BOMB)
    driver.tap("wrong")
    driver.tap("yes")
    yield "guess-wrong"
    driver.tap("end")
    image = after(STANDING, *INTO_ENEMY_ROWS)
    driver.show(after(image, "a5 a4"))
    open_curtain(driver)
    yield "tiles-infiltrator"
    driver.tap_tile("tiles", Rank.SERGEANT)
    driver.tap("yes")
    declare(driver, Rank.MARSHAL)
    yield "reveal-unnamed"
    driver.show(after(image, "a5"))
    driver.tap("end")
    driver.pass_time(600)
    yield "turn-clock-short"
    driver.pass_time(200)
    yield "end-time"


def tour_of_a_strike(driver: Driver) -> Iterator[str]:
    """A scout is set down before a piece and strikes on; it is a bomb, and a sleeve pushes it."""
    driver.connect()
    open_game(driver, "gravopedia-2006")
    driver.tap("close")
    begin(driver)
    image = play(driver, STANDING, "e4 e6")
    driver.tap_square(square("e6"))
    driver.tap_square(square("e7"))
    yield "strike-on-screen"
    driver.show(after(image, "e6"), seconds=0.3)
    driver.show(after(image, "e6", "e7"))
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
    """Do with the hands what the table cannot tell, and what it only thinks may be an attack."""
    begin(driver)
    image = play(driver, STANDING, "e4 e5", "a7 a6")
    driver.show(after(image, "e5"), seconds=0.3)
    driver.show(after(image, "e5 f5"), seconds=0.06)
    yield "set-down"
    image = take_crossed(driver, image, "e5", "f4", "f5")
    yield "which-course"
    driver.tap("none_of_them")
    driver.show(image)
    yield from _tour_of_several_turns(driver, image)
    driver.tap("menu")
    driver.tap("leave")
    open_game(driver, "nordic-2015", "bronstein")
    driver.tap("close")
    begin(driver)
    image = play(driver, STANDING, *SURROUNDED)
    driver.show(after(image, "f7"), seconds=3)
    yield "attacks-offered"


SURROUNDED = (
    *("e4 e5", "f7 f6", "e5 e6", "f6 f5", "e6 f6"),
    *("a7 a6", "f6 f7", "a6 a5", "k4 k5", "f5 f6"),
)
"""Red's e4 walks to f7 and has Blue's pieces on all sides; it is Red's turn."""


def take_crossed(driver: Driver, image: Image, one: str, other: str, target: str) -> Image:
    """Take up two pieces of a side; one of them, and no sensor tells which, is set down.

    Returns what stood before.
    """
    driver.show(image)
    driver.show(after(image, one), seconds=0.1)
    driver.show(after(image, one, other), seconds=0.1)
    driver.show(after(image, one, f"{other} {target}"), seconds=2)
    return image


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
    """Go through what is different with a simulated board beside the screen."""
    assert driver.script.virtual
    driver.tap("sensors")
    plug_in(driver, driver.script.virtual)
    driver.pass_time(0.3)
    driver.tap("calibrate")
    driver.tap("go_on")
    answer_last(driver, driver.script.virtual)
    yield "simulated-calibration"
    driver.tap("stop")
    answer_last(driver, driver.script.virtual)
    for button in ("go_on", "close", "begin"):
        driver.tap(button)
    yield "simulated-empty"
    driver.tap("set_up")
    driver.show_virtual()
    yield "simulated"
    finger = driver.touch_at(*driver.middle(driver.find("show_red")))
    yield "simulated-ranks"
    driver.release(finger)
    for side in ("red", "blue"):
        driver.tap_inside(side, "ready")
    finger = driver.touch_at(*driver.touch_board_square("d4"))
    driver.slide(finger, *driver.touch_board_square("e5"))
    driver.show_virtual()
    yield "simulated-in-hand"
    driver.release(finger)


def tour_of_the_arbiter(driver: Driver) -> Iterator[str]:
    """Set right what the board sees wrongly, and what was shown wrongly."""
    begin(driver)
    image = play(driver, STANDING, "e4 e5", "e7 e6")
    attack_on_screen(driver, "e5", "e6")
    declare(driver, Rank.COLONEL)
    declare(driver, Rank.MINER)
    image = after(image, "e5 e6")
    driver.show(image, 20)
    driver.tap("menu")
    driver.tap("arbiter")
    driver.tap("doubt")
    yield "arbiter-square"
    driver.tap_square(square("a5"))
    yield "arbiter-square-question"
    driver.tap("yes")
    yield "square-not-believed"
    driver.tap("menu")
    driver.tap("arbiter")
    driver.tap("correct")
    yield "arbiter-mistake"
    driver.tap("exchanged")
    driver.tap_square(square("a4"))
    yield "arbiter-exchange"
    driver.tap_square(square("e6"))
    yield "arbiter-exchange-question"
    driver.tap("no")
    for button in ("menu", "arbiter", "correct", "no_long_move"):
        driver.tap(button)
    driver.tap_square(square("a4"))
    yield "arbiter-long-move"
    for button in ("close", "wrong_rank"):
        driver.tap(button)
    yield "arbiter-piece"
    driver.tap_square(square("e6"))
    yield "arbiter-rank"
    driver.tap_tile("guesses", Rank.CAPTAIN)
    yield "arbiter-rank-question"
    driver.tap("yes")
    yield "rank-set-right"


def defend_in_silence(driver: Driver, image: Image, *, attack: str, defender: Rank) -> Image:
    """Let Red's captain lose against a piece of Blue's that stays unnamed."""
    driver.show(after(image, attack))
    declare(driver, Rank.CAPTAIN)
    declare(driver, defender)
    image = after(image, attack.partition(" ")[0])
    driver.show(image)
    driver.tap("end")
    return image


def tour_of_private_words(driver: Driver) -> Iterator[str]:
    """Go through what silent defence may give one player to read alone."""
    driver.connect()
    open_game(driver, "nordic-2015", "none", "silent")
    driver.tap("close")
    begin(driver)
    image = play(driver, STANDING, *INTO_ENEMY_ROWS)
    image = defend_in_silence(driver, image, attack="a4 a5", defender=Rank.MARSHAL)
    image = play(driver, image, "k7 k6")
    infiltrate(driver, "f7", "f9", Rank.MARSHAL)
    driver.tap("right")
    driver.tap("yes")
    yield "guess-curtain"
    open_curtain(driver)
    yield "guess-refused"
    for button in ("read", "menu", "leave"):
        driver.tap(button)
    lie_in_silence(driver)
    open_curtain(driver)
    yield "private-word"


def lie_in_silence(driver: Driver) -> None:
    """Let Blue say bomb of a piece that then moves, and be asked about it once more."""
    begin(driver)
    image = play(driver, STANDING, "e4 e5", "k7 k6", "e5 e6", "k6 k5")
    image = defend_in_silence(driver, image, attack="e6 e7", defender=Rank.BOMB)
    image = play(driver, image, "e7 e6", "e3 e4", "e6 e5")
    driver.show(after(image, "e4 e5"))
    declare(driver, Rank.SERGEANT)


def tour_of_a_standstill(driver: Driver) -> Iterator[str]:
    """Say that no move is left where that may be a draw, and let the arbiter end it."""
    driver.connect()
    open_game(driver, "isf")
    driver.tap("close")
    begin(driver)
    driver.tap("menu")
    driver.tap("cannot_move")
    yield "cannot-move-question"
    driver.tap("yes")
    yield "standstill"
    driver.tap("no")
    yield "cannot-move-either-question"
    driver.tap("no")
    driver.find("yes")
    for button in ("yes", "yes"):
        driver.tap(button)
    yield "show-a-move"
    driver.tap("unable")
    yield "cannot-move-after-all-question"
    driver.tap("no")
    for button in ("menu", "arbiter", "both_forfeit"):
        driver.tap(button)
    yield "both-forfeit-question"
    driver.tap("yes")
    yield "end-both-lost"
