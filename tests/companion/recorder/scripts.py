"""Hand movements that the table once misread: the scripts for the stored cases.

Each script returns a session whose inputs are stored in a trace. `cases/NAME.txt` describes what
happens, how the table once misread it, and the expected result.
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


def fight_over(evening: TableDriver, source: str, target: str, *ranks: Rank) -> None:
    """The side to move attacks with both pieces in hand, and both declare."""
    attacker = evening.table.referee.to_move
    evening.lift(source)
    evening.lift(target)
    evening.wait()
    for side, rank in zip((attacker, attacker.other), ranks, strict=True):
        evening.declare(side, rank)
    evening.wait()


def take(evening: TableDriver, source: str, target: str) -> None:
    """Take a piece off its square and put the attacker there, between two frames."""
    attacker = evening.lift(source)
    evening.board.lift(square(target))
    evening.place(attacker, target)
    evening.wait()


# Turns in quick succession


def answered_while_it_went_on(*, blue_is_first: bool) -> TableDriver:
    evening = TableDriver.begun()
    evening.move("e4", "e5", settle=0.3)
    answer = evening.lift("f7")
    evening.wait(0.1)
    captain = evening.lift("e5")
    evening.wait(0.1)
    placed = [(answer, "f6"), (captain, "e6")]
    for piece, target in placed if blue_is_first else reversed(placed):
        evening.place(piece, target)
        evening.wait(0.1)
    evening.wait()
    evening.move("a7", "a6")
    fight_over(evening, "e6", "e7", Rank.CAPTAIN, Rank.SERGEANT)
    return evening


def taken_where_it_stood_shortly(kind: BoardKind = BoardKind.COLOURS) -> TableDriver:
    evening = TableDriver.begun(kind)
    evening.play("e4-e5 a7-a6")
    evening.move("e5", "e6", settle=0.15)
    take(evening, "e7", "e6")
    if kind is PRESENCE:  # this board reports only that Blue has lifted e7
        evening.submit(AttackerNamed(evening.now, BLUE))
    evening.declare(BLUE, Rank.MINER)
    return evening


def pushed_on_and_taken() -> TableDriver:
    evening = TableDriver.begun()
    evening.move("e4", "e5", settle=0.4)
    evening.move("e5", "e6", settle=0.15)
    take(evening, "e7", "e6")
    evening.declare(BLUE, Rank.MINER)
    return evening


def again_a_minute_later() -> TableDriver:
    evening = TableDriver.begun()
    evening.move("e4", "e5")
    evening.wait(60)
    evening.move("e5", "e6")
    evening.move("e6", "e5")
    evening.move("f7", "f6")
    return evening


def out_of_turn_and_answered(*, lifted_after: float) -> TableDriver:
    """Blue to move. Red plays k4-k5, and a quarter of a second later Blue plays a7-a6."""
    evening = TableDriver.begun()
    evening.play("e4-e5")
    evening.move("k4", "k5", settle=lifted_after)
    piece = evening.lift("a7")
    evening.wait(0.23 - lifted_after)
    evening.place(piece, "a6")
    evening.wait()
    evening.move("k5", "k4")
    evening.move("k4", "k5")
    return evening


# Pieces moved by accident


def stray_loser(kind: BoardKind = BoardKind.COLOURS) -> TableDriver:
    evening = TableDriver.begun(kind)
    evening.play("e4-e5 e7-e6 a4-a5")
    winner, loser = evening.lift("e6"), evening.lift("e5")
    evening.wait()
    evening.declare(BLUE, Rank.COLONEL)
    evening.declare(RED, Rank.CAPTAIN)
    evening.place(winner, "e5")
    evening.place(loser, "b5")
    evening.wait(15)
    thought = evening.lift("b4")
    evening.wait(4)
    evening.place(thought, "b4")
    evening.wait()
    evening.lift("b5")
    evening.wait()
    evening.move("b4", "b5")
    evening.move("f7", "f6")
    return evening


def sleeve(*, lies: float, kind: BoardKind = BoardKind.COLOURS) -> TableDriver:
    evening = TableDriver.begun(kind)
    tipped, pushed = evening.board.lift(square("h4")), evening.board.lift(square("i4"))
    evening.place(pushed, "i5")
    evening.wait(lies)
    evening.place(tipped, "h4")
    evening.wait(0.3)
    evening.move("i5", "i4")
    evening.move("e4", "e5")
    evening.move("f7", "f6")
    return evening


def glance_at_a_piece_far_away() -> TableDriver:
    evening = TableDriver.begun()
    thought = evening.lift("e4")
    evening.wait(0.5)
    looked = evening.lift("e7")
    evening.wait(0.75)
    evening.place(looked, "e7")
    evening.wait(0.3)
    evening.place(thought, "e5")
    evening.wait()
    return evening


def defender_lifted_first(*, has_just_moved: bool) -> TableDriver:
    evening = clash()
    if not has_just_moved:
        evening.play("a4-a5 a7-a6")
    evening.lift("e6")
    evening.wait(0.3)
    evening.lift("e5")
    evening.wait()
    if has_just_moved:
        evening.submit(AttackerNamed(evening.now, RED))
    return evening


# A silent connection


def move_in_silence() -> TableDriver:
    evening = TableDriver.begun()
    evening.wait(1)
    piece = evening.lift("e4")
    evening.place(piece, "e5")
    _be_silent(evening)
    evening.board.lift(square("e5"))
    evening.place(piece, "e4")
    evening.wait()
    evening.move("e4", "e5")
    return evening


def attack_in_silence() -> TableDriver:
    evening = clash()
    evening.wait(1)
    pieces = [(name, evening.lift(name)) for name in ("e5", "e6")]
    _be_silent(evening)
    for name, piece in pieces:
        evening.board.place(piece, square(name))
    evening.wait()
    evening.move("f4", "f5")
    return evening


def _be_silent(evening: TableDriver) -> None:
    """No frame arrives for half a second, and the table only receives the time."""
    evening.now += 0.5
    evening.submit(TimePassed(evening.now))


# Changed moves


def thought_better() -> TableDriver:
    evening = TableDriver.begun()
    evening.move("e4", "e6", settle=0.4)
    evening.move("e6", "e5")
    evening.move("e7", "e6")
    fight_over(evening, "e5", "e6", Rank.CAPTAIN, Rank.MINER)
    return evening


# Pieces off the board


def beaten_attacker_laid_aside(kind: BoardKind = BoardKind.COLOURS) -> TableDriver:
    """The attack is made on the screen, so the winner need not be lifted."""
    evening = clash(kind)
    evening.say(Attack(square("e5"), square("e6")))
    evening.declare(RED, Rank.CAPTAIN)
    evening.declare(BLUE, Rank.COLONEL)
    evening.wait()
    evening.lift("e5")
    evening.wait(30)
    return evening


def winner_taken_up_again() -> TableDriver:
    evening = fight(Rank.COLONEL, Rank.MINER)
    evening.stand(RED, square("e6"))
    evening.wait(0.15)
    winner = evening.lift("e6")
    evening.wait(30)
    evening.move("f7", "f6")
    evening.place(winner, "e6")
    evening.wait()
    evening.move("e6", "e5")
    return evening


def two_are_straightened(kind: BoardKind = BoardKind.COLOURS) -> TableDriver:
    evening = TableDriver.begun(kind)
    straightened = {name: evening.lift(name) for name in ("e4", "f4")}
    evening.wait(0.6)
    for name, piece in straightened.items():
        evening.place(piece, name)
    evening.wait()
    evening.move("e4", "e5")
    return evening


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
"""The scripts, by case name."""
