"""Sessions with sealed armies, and their commitments and openings."""

from dataclasses import replace

from companion.core.inputs import ArmySealed, Ready
from engine.board.geometry import Side, Square, square, squares_in
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.deduction.commitment import ArmyCommitment, Opening
from engine.game.actions import Declare
from engine.game.clocks import NO_CLOCK, TimeControl
from engine.rules.editions import DEFAULT
from tests.companion.core.table_driver import BOTH_ARMIES, TableDriver

RED, BLUE = Side.RED, Side.BLUE
SEALED = replace(DEFAULT, sealed_armies=True)
RANKS = [rank for rank, count in SEALED.army.counts.items() for _ in range(count)]


def army(side: Side, **chosen: Rank) -> dict[Square, Opening]:
    """Return an army set up in its own rows. `chosen` sets the ranks on some of the squares."""
    left = [*RANKS]
    wanted = {square(at): rank for at, rank in chosen.items()}
    for rank in wanted.values():
        left.remove(rank)
    ranks = {at: wanted[at] if at in wanted else left.pop() for at in squares_in(side.home)}
    return {at: Opening(rank, f"{at:032x}") for at, rank in ranks.items()}


ARMIES = {
    RED: army(RED, e4=Rank.CAPTAIN, f4=Rank.MINER, a4=Rank.BOMB),
    BLUE: army(BLUE, e7=Rank.SERGEANT, a7=Rank.SCOUT),
}


def seal(driver: TableDriver, side: Side) -> None:
    driver.submit(ArmySealed(driver.now, side, ArmyCommitment.of(side, ARMIES[side])))


def standing(control: TimeControl = NO_CLOCK) -> TableDriver:
    """Return a game in which both armies are set up but not sealed."""
    driver = TableDriver(SEALED, control=control)
    for side in Side:
        driver.stand(side, *squares_in(BOTH_ARMIES.of(side)))
    driver.wait()
    driver.forget()
    return driver


def begun(control: TimeControl = NO_CLOCK) -> TableDriver:
    driver = standing(control)
    for side in Side:
        seal(driver, side)
        driver.command(Ready(side))
    driver.wait()
    driver.forget()
    return driver


def declare(driver: TableDriver, side: Side, rank: Rank, at: str) -> None:
    """Declare a rank, using the salt of the piece that was set up on `at`."""
    driver.command(Declare(Secret(side, rank), Secret(side, ARMIES[side][square(at)].salt)))


def attacked_with_seals() -> TableDriver:
    """Return a game in which Red's captain attacks Blue's sergeant, with both pieces in hand."""
    driver = begun()
    driver.play("e4-e5 e7-e6")
    driver.lift("e5")
    driver.lift("e6")
    driver.wait()
    return driver
