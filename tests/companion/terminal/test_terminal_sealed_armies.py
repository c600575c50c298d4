"""A game with sealed armies can continue at a terminal, but no commitments are opened there."""

from dataclasses import replace

import pytest

from companion.core.inputs import ArmySealed
from companion.setups.openings_file import Openings
from companion.setups.setup import preset_setups
from engine.board.geometry import Side
from engine.board.ranks import Rank
from engine.rules.editions import EDITIONS, Edition
from tests.companion.terminal.at_terminal import Cue, SitDown, TerminalDriver, beginning
from tests.fast_clock import fast_clock

SEALED = replace(EDITIONS["isf"], sealed_armies=True)
NORDIC = replace(EDITIONS["nordic-2015"], sealed_armies=True)
WAY_IN = ["e4-e5", "f7-f6", "e5-e6", "f6-f5", "e6-f6", "a7-a6", "f6-f7", "a6-a5"]
"""Moves that bring Red's e4 next to a piece whose rank it can guess."""


def sit_down_sealed(sit_down: SitDown, edition: Edition = SEALED) -> TerminalDriver:
    """Return a terminal for a game whose armies were sealed on phones."""
    driver = sit_down(edition)
    openings = Openings(driver.journal.path.with_name("phones.json"))
    (fort, *_) = preset_setups(edition.army)
    for side in Side:
        commitment = openings.seal(side, fort.setup)
        driver.session.handle(ArmySealed(fast_clock(), side, commitment))
    return driver


def test_sealed_question_names_the_way_out(sit_down: SitDown) -> None:
    driver = sit_down_sealed(sit_down)
    type_, choose = driver.type, driver.choose
    driver.play(
        *beginning(driver),
        ("Red to move", type_("attack e5 e6")),
        ("Red: take the keyboard", lambda: None),
        ("The arbiter types: break seals red", type_("break seals red")),
        ("The seals of Red no longer count.", type_("")),
        ("Type your rank", choose(Rank.CAPTAIN)),
        ("captain?", type_("y")),
        ("The arbiter types: break seals blue", type_("break seals blue", "")),
        ("Type your rank", choose(Rank.SCOUT)),
        ("scout?", type_("y")),
        ("Red: captain. Blue: scout.", type_("quit")),
    )


def test_seals_are_broken_once(sit_down: SitDown) -> None:
    driver = sit_down_sealed(sit_down)
    driver.play(
        *beginning(driver),
        ("Red to move", driver.type("break seals red")),
        ("The seals of Red no longer count.", driver.type("break seals red")),
        ("is not possible now", driver.type("quit")),
    )


def test_sealed_guess_names_the_way_out(sit_down: SitDown) -> None:
    driver = sit_down_sealed(sit_down, NORDIC)
    type_ = driver.type
    driver.play(
        *walking_in(driver),
        ("Red to move", type_("infiltrate f7 f9 marshal")),
        ("Blue, type: right · wrong", lambda: None),
        ("The arbiter types: break seals blue", type_("break seals blue", "wrong")),
        ("Blue to move", type_("quit")),
    )


def walking_in(driver: TerminalDriver) -> list[Cue]:
    ready = [
        ("Red 40, Blue 40", driver.type("ready red")),
        ("Red is ready", driver.type("ready blue")),
    ]
    sides = ("Red", "Blue")
    walks = [
        (f"{sides[n % 2]} to move", driver.move(*way.split("-"))) for n, way in enumerate(WAY_IN)
    ]
    return [*ready, *walks]


@pytest.mark.parametrize("line", ["break seals", "break seals green"])
def test_breaking_seals_needs_a_side(sit_down: SitDown, line: str) -> None:
    driver = sit_down_sealed(sit_down)
    driver.play(
        ("Type: ready red", driver.type(line)),
        ("break seals red", driver.type("quit")),
    )
    assert driver.session.table.sealed == {*Side}
