"""Scripts for the stored move recognition cases.

Each script returns a session. `cases/NAME.txt` describes the case and the expected result.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from companion.core.inputs import AttackerNamed, TimePassed
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.game.actions import Attack
from firmware_bridge.wire import BoardKind
from tests.companion.core.table_driver import TableDriver, clash, fight

RED, BLUE = Side.RED, Side.BLUE
PRESENCE = BoardKind.PRESENCE


def fight_over(driver: TableDriver, source: str, target: str, *ranks: Rank) -> None:
    """Attack by lifting both pieces, for the side whose turn it is. Declare both ranks."""
    attacker = driver.table.referee.to_move
    driver.lift(source)
    driver.lift(target)
    driver.wait()
    for side, rank in zip((attacker, attacker.other), ranks, strict=True):
        driver.declare(side, rank)
    driver.wait()


def take(driver: TableDriver, source: str, target: str) -> None:
    """Lift an attacker. Between two frames, remove its target and set the attacker down there."""
    attacker = driver.lift(source)
    driver.board.lift(square(target))
    driver.place(attacker, target)
    driver.wait()


def answered_while_it_went_on(*, blue_is_first: bool) -> TableDriver:
    driver = TableDriver.begun()
    driver.move("e4", "e5", settle=0.3)
    answer = driver.lift("f7")
    driver.wait(0.1)
    captain = driver.lift("e5")
    driver.wait(0.1)
    placed = [(answer, "f6"), (captain, "e6")]
    for piece, target in placed if blue_is_first else reversed(placed):
        driver.place(piece, target)
        driver.wait(0.1)
    driver.wait()
    driver.move("a7", "a6")
    fight_over(driver, "e6", "e7", Rank.CAPTAIN, Rank.SERGEANT)
    return driver


def taken_where_it_stood_shortly(kind: BoardKind = BoardKind.COLOURS) -> TableDriver:
    driver = TableDriver.begun(kind)
    driver.play("e4-e5 a7-a6")
    driver.move("e5", "e6", settle=0.15)
    take(driver, "e7", "e6")
    if kind is PRESENCE:  # a board without colours reports only that Blue has lifted e7
        driver.submit(AttackerNamed(driver.now, BLUE))
    driver.declare(BLUE, Rank.MINER)
    return driver


def pushed_on_and_taken() -> TableDriver:
    driver = TableDriver.begun()
    driver.move("e4", "e5", settle=0.4)
    driver.move("e5", "e6", settle=0.15)
    take(driver, "e7", "e6")
    driver.declare(BLUE, Rank.MINER)
    return driver


def again_a_minute_later() -> TableDriver:
    driver = TableDriver.begun()
    driver.move("e4", "e5")
    driver.wait(60)
    driver.move("e5", "e6")
    driver.move("e6", "e5")
    driver.move("f7", "f6")
    return driver


def out_of_turn_and_answered(*, lifted_after: float) -> TableDriver:
    """Move k4-k5 out of turn, and a7-a6 a quarter of a second later."""
    driver = TableDriver.begun()
    driver.play("e4-e5")
    driver.move("k4", "k5", settle=lifted_after)
    piece = driver.lift("a7")
    driver.wait(0.23 - lifted_after)
    driver.place(piece, "a6")
    driver.wait()
    driver.move("k5", "k4")
    driver.move("k4", "k5")
    return driver


def stray_loser(kind: BoardKind = BoardKind.COLOURS) -> TableDriver:
    driver = TableDriver.begun(kind)
    driver.play("e4-e5 e7-e6 a4-a5")
    winner, loser = driver.lift("e6"), driver.lift("e5")
    driver.wait()
    driver.declare(BLUE, Rank.COLONEL)
    driver.declare(RED, Rank.CAPTAIN)
    driver.place(winner, "e5")
    driver.place(loser, "b5")
    driver.wait(15)
    thought = driver.lift("b4")
    driver.wait(4)
    driver.place(thought, "b4")
    driver.wait()
    driver.lift("b5")
    driver.wait()
    driver.move("b4", "b5")
    driver.move("f7", "f6")
    return driver


def sleeve(*, lies: float, kind: BoardKind = BoardKind.COLOURS) -> TableDriver:
    driver = TableDriver.begun(kind)
    tipped, pushed = driver.board.lift(square("h4")), driver.board.lift(square("i4"))
    driver.place(pushed, "i5")
    driver.wait(lies)
    driver.place(tipped, "h4")
    driver.wait(0.3)
    driver.move("i5", "i4")
    driver.move("e4", "e5")
    driver.move("f7", "f6")
    return driver


def glance_at_a_piece_far_away() -> TableDriver:
    driver = TableDriver.begun()
    thought = driver.lift("e4")
    driver.wait(0.5)
    looked = driver.lift("e7")
    driver.wait(0.75)
    driver.place(looked, "e7")
    driver.wait(0.3)
    driver.place(thought, "e5")
    driver.wait()
    return driver


def defender_lifted_first(*, has_just_moved: bool) -> TableDriver:
    driver = clash()
    if not has_just_moved:
        driver.play("a4-a5 a7-a6")
    driver.lift("e6")
    driver.wait(0.3)
    driver.lift("e5")
    driver.wait()
    if has_just_moved:
        driver.submit(AttackerNamed(driver.now, RED))
    return driver


def move_in_silence() -> TableDriver:
    driver = TableDriver.begun()
    driver.wait(1)
    piece = driver.lift("e4")
    driver.place(piece, "e5")
    _be_silent(driver)
    driver.board.lift(square("e5"))
    driver.place(piece, "e4")
    driver.wait()
    driver.move("e4", "e5")
    return driver


def attack_in_silence() -> TableDriver:
    driver = clash()
    driver.wait(1)
    pieces = [(name, driver.lift(name)) for name in ("e5", "e6")]
    _be_silent(driver)
    for name, piece in pieces:
        driver.board.place(piece, square(name))
    driver.wait()
    driver.move("f4", "f5")
    return driver


def _be_silent(driver: TableDriver) -> None:
    """Send no frame for half a second, then only report the time."""
    driver.now += 0.5
    driver.submit(TimePassed(driver.now))


def thought_better() -> TableDriver:
    driver = TableDriver.begun()
    driver.move("e4", "e6", settle=0.4)
    driver.move("e6", "e5")
    driver.move("e7", "e6")
    fight_over(driver, "e5", "e6", Rank.CAPTAIN, Rank.MINER)
    return driver


def beaten_attacker_laid_aside(kind: BoardKind = BoardKind.COLOURS) -> TableDriver:
    """Attack on the screen without lifting a piece. Then set the beaten attacker aside."""
    driver = clash(kind)
    driver.command(Attack(square("e5"), square("e6")))
    driver.declare(RED, Rank.CAPTAIN)
    driver.declare(BLUE, Rank.COLONEL)
    driver.wait()
    driver.lift("e5")
    driver.wait(30)
    return driver


def winner_taken_up_again() -> TableDriver:
    driver = fight(Rank.COLONEL, Rank.MINER)
    driver.stand(RED, square("e6"))
    driver.wait(0.15)
    winner = driver.lift("e6")
    driver.wait(30)
    driver.move("f7", "f6")
    driver.place(winner, "e6")
    driver.wait()
    driver.move("e6", "e5")
    return driver


def two_are_straightened(kind: BoardKind = BoardKind.COLOURS) -> TableDriver:
    driver = TableDriver.begun(kind)
    straightened = {name: driver.lift(name) for name in ("e4", "f4")}
    driver.wait(0.6)
    for name, piece in straightened.items():
        driver.place(piece, name)
    driver.wait()
    driver.move("e4", "e5")
    return driver


Script = Callable[[], TableDriver]
SCRIPTS: Final[Mapping[str, Script]] = {
    "answered-while-it-went-on": partial(answered_while_it_went_on, blue_is_first=True),
    "answered-after-it-went-on": partial(answered_while_it_went_on, blue_is_first=False),
    "taken-where-it-stood-shortly": taken_where_it_stood_shortly,
    "taken-where-it-stood-shortly-without-colours": partial(taken_where_it_stood_shortly, PRESENCE),
    "pushed-on-and-taken": pushed_on_and_taken,
    "again-a-minute-later": again_a_minute_later,
    "out-of-turn-and-answered": partial(out_of_turn_and_answered, lifted_after=0.14),
    "out-of-turn-and-answered-at-once": partial(out_of_turn_and_answered, lifted_after=0.04),
    "stray-loser": stray_loser,
    "stray-loser-without-colours": partial(stray_loser, PRESENCE),
    "sleeve-put-right-soon": partial(sleeve, lies=1.0),
    "sleeve-put-right-soon-without-colours": partial(sleeve, lies=1.0, kind=PRESENCE),
    "sleeve-put-right-late": partial(sleeve, lies=5.0),
    "sleeve-put-right-late-without-colours": partial(sleeve, lies=5.0, kind=PRESENCE),
    "glance-at-a-piece-far-away": glance_at_a_piece_far_away,
    "defender-lifted-first": partial(defender_lifted_first, has_just_moved=True),
    "defender-lifted-first-long-after-its-move": partial(
        defender_lifted_first, has_just_moved=False
    ),
    "move-in-silence": move_in_silence,
    "attack-in-silence": attack_in_silence,
    "thought-better": thought_better,
    "beaten-attacker-laid-aside": beaten_attacker_laid_aside,
    "beaten-attacker-laid-aside-without-colours": partial(beaten_attacker_laid_aside, PRESENCE),
    "winner-taken-up-again": winner_taken_up_again,
    "two-are-straightened": two_are_straightened,
    "two-are-straightened-without-colours": partial(two_are_straightened, PRESENCE),
}
