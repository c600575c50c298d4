"""Tours of screens that depend on the rules or that an arbiter uses."""

from collections.abc import Iterator

from companion.core.inputs import Command, CommandInput
from companion.core.table import Table
from companion.devices.watchdog import STAYS_ON
from companion.session.game_host import Submit
from companion.session.settings import ScreenEdge
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.game.actions import Action
from engine.rules.editions import EDITIONS, MovedBombPenalty
from firmware_bridge.image import Image
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import (
    INTO_ENEMY_ROWS,
    STANDING,
    after,
    attack_on_screen,
    begin,
    choose_game,
    declare,
    defend_in_silence,
    infiltrate,
    lie_in_silence,
    open_curtain,
    open_game,
    play,
    turn_cards,
)


def tour_of_the_choices(driver: Driver) -> Iterator[str]:
    """Go through the choices before a game, and assign colours at random."""
    driver.connect()
    driver.tap("rules")
    yield "rulebooks"
    driver.tap("read")
    yield "rules-to-read"
    driver.tap("close")
    driver.tap_option("editions", "isf")
    driver.tap("more")
    yield "rules-isf"
    driver.tap("close")
    driver.tap_option("editions", "travel-2017")
    driver.tap("more")
    driver.tap_option("moved_bomb", MovedBombPenalty.LOSES)
    driver.tap("touch_move")
    yield "rules-travel"
    driver.tap("touch_move")
    driver.tap("clock")
    for number in ("each", "delay"):
        driver.tap_inside(number, "more")
    yield "clock-free"
    for _ in range(3):
        driver.tap("close")
    open_game(driver, "nordic-2015", "bronstein", "silent")
    yield "rules"
    driver.tap("clock")
    yield "clock"
    for _ in range(3):
        driver.tap("close")
    yield "start-chosen"
    driver.app.presenter.settings.set_player_name(Side.RED, "Wilhelmina")
    driver.app.presenter.settings.set_player_name(Side.BLUE, "Jan")
    driver.tap("players")
    driver.app.presenter.settings.take_seat(Side.BLUE, ScreenEdge.OPPOSITE)
    yield "players"
    driver.tap_inside("red", "name")
    yield "name"
    for button in ("close", "lots"):
        driver.tap(button)
    yield "lots"
    driver.tap("right")
    yield "lots-taken"
    driver.tap("left")
    yield "lots-drawn"
    driver.tap("close")
    driver.tap("close")
    yield from _tour_of_the_settings(driver)
    yield from _tour_of_the_seats(driver)


def _tour_of_the_settings(driver: Driver) -> Iterator[str]:
    driver.tap("settings")
    yield "settings"
    driver.tap("accessibility")
    yield "accessibility"
    driver.tap("rotation")
    yield "rotation"
    driver.tap_option("rotations", 180)
    yield "rotation-question"
    for button in ("no", "close", "close", "language"):
        driver.tap(button)
    yield "languages"
    for button in ("close", "code"):
        driver.tap(button)
    yield "code"
    for button in ("close", "close"):
        driver.tap(button)
    driver.app.presenter.switch_off = lambda: STAYS_ON
    driver.tap("settings")
    yield "settings-of-the-appliance"
    driver.tap("switch_off")
    yield "switch-off-question"
    driver.confirm()
    yield "switched-off-in-vain"
    driver.app.presenter.switch_off, driver.app.presenter.settings.problem = None, ""


def _tour_of_the_seats(driver: Driver) -> Iterator[str]:
    """Attack while the players sit at different edges of the screen."""
    settings = driver.app.presenter.settings
    settings.edition = EDITIONS["nordic-2015"]
    settings.take_seat(Side.RED, ScreenEdge.LEFT)
    begin(driver)
    play(driver, STANDING, "e4 e5", "a7 a6", "e5 e6", "a6 a5")
    attack_on_screen(driver, "e6", "e7")
    yield "curtain-left"
    open_curtain(driver)
    yield "tiles-left"
    driver.tap("missing")
    driver.tap_tile("others", Rank.BOMB)
    yield "contradiction-left"
    driver.tap("again")
    driver.hold_tile("tiles", Rank.MINER)
    yield "curtain-opposite"


def tour_of_an_infiltration(driver: Driver) -> Iterator[str]:
    """Go through the screens for a clock, the infiltrator and silent defence."""
    driver.connect()
    choose_game(driver, "nordic-2015", "bronstein", "silent")
    driver.tap("begin")
    driver.show(after(STANDING, "a1", "b1"), seconds=25)
    yield "setup-clock"
    driver.show(STANDING)
    for side in ("red", "blue"):
        driver.tap_inside(side, "ready")
    driver.pass_time(70)
    yield "turn-clock"
    for button in ("menu", "pause"):
        driver.tap(button)
    yield "pause"
    driver.tap("go_on")
    driver.show(STANDING)
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
    driver.confirm()
    yield "guess"
    driver.tap("right")
    yield "guess-question"
    driver.confirm()
    turn_cards(driver)
    yield "guess-right"
    image = after(image, "f9")
    driver.show(image)
    driver.tap("end")
    yield from _tour_of_second_thoughts(driver, image)


def _tour_of_second_thoughts(driver: Driver, image: Image) -> Iterator[str]:
    driver.tap("menu")
    driver.tap("red_take_back")
    yield "take-back-question"
    driver.confirm()
    yield "take-back-offer"
    driver.tap("accept")
    driver.confirm()
    yield "take-back-board"
    driver.show(after(STANDING, *INTO_ENEMY_ROWS))
    infiltrate(driver, "f7", "f8", Rank.BOMB)
    driver.tap("wrong")
    driver.confirm()
    turn_cards(driver)
    yield "guess-wrong"
    driver.tap("end")
    image = after(STANDING, *INTO_ENEMY_ROWS)
    driver.show(after(image, "a5 a4"))
    open_curtain(driver)
    yield "tiles-infiltrator"
    driver.hold_tile("tiles", Rank.SERGEANT)
    declare(driver, Rank.MARSHAL)
    turn_cards(driver)
    yield "reveal-unnamed"
    driver.show(after(image, "a5"))
    driver.tap("end")
    driver.pass_time(600)
    yield "turn-clock-short"
    driver.pass_time(200)
    yield "end-time"


class Arbiters:
    """Arbiters of a hall, who have not given any orders yet."""

    def __init__(self) -> None:
        self.orders: list[Action | Command] = []

    def carry_out(self, at: float, _game: int | None, _table: Table, submit: Submit) -> None:
        """Submit the orders that the arbiters have given."""
        ordered, self.orders = self.orders, []
        for each in ordered:
            submit(CommandInput(at, each))


def tour_of_the_arbiter(driver: Driver) -> Iterator[str]:
    """As an arbiter, correct a square that the board has misread, and a wrong rank that has already
    been shown."""
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
    driver.confirm()
    yield "square-not-believed"
    driver.app.host.far_arbiter = Arbiters()
    for button in ("menu", "arbiter"):
        driver.tap(button)
    yield "arbiter-in-a-hall"
    driver.tap("call")
    yield "arbiter-called"
    for button in ("menu", "arbiter"):
        driver.tap(button)
    yield "arbiter-call-open"
    driver.app.host.far_arbiter = None
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
    driver.tap("no")
    driver.app.presenter.settings.code = "1234"
    for button in ("menu", "arbiter", "correct", "wrong_rank"):
        driver.tap(button)
    driver.tap_square(square("e6"))
    driver.tap_tile("guesses", Rank.CAPTAIN)
    yield "arbiter-code"
    driver.enter_code("1234")
    yield "rank-set-right"


def tour_of_private_words(driver: Driver) -> Iterator[str]:
    """Show every private message of silent defence."""
    driver.connect()
    choose_game(driver, "nordic-2015", "none", "silent")
    begin(driver)
    image = play(driver, STANDING, *INTO_ENEMY_ROWS)
    image = defend_in_silence(driver, image, attack="a4 a5", defender=Rank.MARSHAL)
    image = play(driver, image, "k7 k6")
    infiltrate(driver, "f7", "f9", Rank.MARSHAL)
    driver.tap("right")
    driver.confirm()
    yield "guess-curtain"
    open_curtain(driver)
    yield "guess-refused"
    for button in ("read", "menu", "leave"):
        driver.tap(button)
    lie_in_silence(driver)
    open_curtain(driver)
    yield "private-word"


def tour_of_a_touched_piece(driver: Driver) -> Iterator[str]:
    """Under touch-move, carry a piece away, then claim that the piece cannot move."""
    driver.connect()
    choose_game(driver, "original-1992", "none", "touch_move")
    begin(driver)
    driver.show(after(STANDING, "e4 a6"))
    driver.show(STANDING)
    yield "touched"
    driver.tap("menu")
    yield "touched-menu"
    driver.tap("touched")
    yield "touched-curtain"
    driver.hold("hold", 1.0)
    yield "touched-question"
    driver.tap("close")


def tour_of_a_stalemate(driver: Driver) -> Iterator[str]:
    """Claim a stalemate, which may be a draw. Then end the game as the arbiter."""
    driver.connect()
    choose_game(driver, "isf")
    begin(driver)
    driver.tap("menu")
    driver.tap("cannot_move")
    yield "cannot-move-question"
    driver.confirm()
    yield "stalemate"
    driver.tap("no")
    yield "cannot-move-either-question"
    driver.tap("no")
    driver.tap("yes")
    driver.confirm()
    yield "show-a-move"
    driver.tap("unable")
    yield "cannot-move-after-all-question"
    driver.tap("no")
    for button in ("menu", "arbiter", "both_forfeit"):
        driver.tap(button)
    yield "both-forfeit-question"
    driver.confirm()
    yield "end-both-lost"
