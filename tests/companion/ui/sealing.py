"""Helpers for sealing armies on the screens."""

from dataclasses import replace
from pathlib import Path

from companion.core.inputs import ArmySealed
from companion.setups.setup import Setup, preset_setups
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import HOLD_SECONDS
from engine.board.geometry import Side, Square, square
from engine.board.ranks import ORIGINAL, Rank
from engine.deduction.commitment import ArmyCommitment, Opening
from engine.rules.editions import EDITIONS
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import STANDING, attack_on_screen, play

SEALED = replace(EDITIONS["isf"], sealed_armies=True)
FORT, CORNERS, *_others = preset_setups(ORIGINAL)


def begin_to_seal(driver: Driver) -> None:
    """Begin a game with sealed armies, and set up both armies."""
    driver.connect()
    driver.app.presenter.settings.edition = SEALED
    driver.tap("begin")
    driver.show(STANDING)


def seal(driver: Driver, side: Side, name: str = FORT.name) -> None:
    """Seal a preset behind the curtain, and return to the board."""
    draw_up(driver, side, name)
    driver.tap("seal")
    driver.tap("close")


def draw_up(driver: Driver, side: Side, name: str = FORT.name) -> None:
    """Choose a preset behind the curtain."""
    driver.tap("setups")
    driver.hold(side.value, HOLD_SECONDS + 0.1)
    driver.tap("list")
    driver.tap_answer("names", _(name))
    driver.tap("take")


def seal_on_phone(driver: Driver, side: Side) -> dict[Square, Opening]:
    """Seal an army on a phone. Return the openings."""
    (fort, *_others) = preset_setups(driver.app.presenter.table.view.edition.army)
    ranks = fort.setup.on_squares_of(side)
    army = {at: Opening(rank, f"{at:032x}") for at, rank in ranks.items()}
    driver.app.host.submit(ArmySealed(driver.now, side, ArmyCommitment.of(side, army)))
    driver.frames(4)
    return army


def begin_sealed(driver: Driver) -> None:
    """Begin a game with both armies sealed on the screen."""
    begin_to_seal(driver)
    for side in Side:
        seal(driver, side)
        driver.tap_inside(side.value, "ready")
    assert driver.view == "turn"


def sealed_rank(side: Side, where: str, setup: Setup = FORT.setup) -> Rank:
    """Return the sealed rank of a piece, given its setup square."""
    return setup.on_squares_of(side)[square(where)]


def declare_as_sealed(driver: Driver) -> None:
    """Open the curtain, then press and hold the tile of the sealed rank."""
    driver.hold("hold", HOLD_SECONDS + 0.1)
    driver.hold("sealed", HOLD_SECONDS + 0.1)


def attack_sealed(driver: Driver) -> Driver:
    """Seal the fort setup for both sides. Then attack Blue's scout with Red's general."""
    begin_sealed(driver)
    return _attack(driver)


def attack_sealed_on_phone(driver: Driver) -> Driver:
    """Seal Red's army on a phone and Blue's on the screen. Then attack with Red."""
    begin_to_seal(driver)
    seal_on_phone(driver, Side.RED)
    seal(driver, Side.BLUE)
    for side in Side:
        driver.tap_inside(side.value, "ready")
    return _attack(driver)


def _attack(driver: Driver) -> Driver:
    play(driver, STANDING, "e4 e5", "e7 e6")
    attack_on_screen(driver, "e5", "e6")
    return driver


def armies_in(path: Path) -> set[str]:
    """Return the digests of the armies whose seals can be opened with the data in a file."""
    return {line.split(" ")[0] for line in path.read_text("ascii").splitlines()}
