"""A game with sealed armies at a terminal: it opens no commitment, and the game continues."""

from dataclasses import replace

import pytest

from companion.core.inputs import ArmySealed
from companion.setups.openings_file import Openings
from companion.setups.saved_setups import preset_setups
from engine.board.geometry import Side
from engine.board.ranks import Rank
from engine.rules.editions import EDITIONS, Edition
from tests.companion.terminal.at_terminal import Cue, SitDown, TerminalDriver, beginning
from tests.fast_clock import fast_clock

SEALED = replace(EDITIONS["isf"], sealed_armies=True)
NORDIC = replace(EDITIONS["nordic-2015"], sealed_armies=True)
WAY_IN = ["e4-e5", "f7-f6", "e5-e6", "f6-f5", "e6-f6", "a7-a6", "f6-f7", "a6-a5"]
"""Moves of Red's e4 to a square from which an infiltrator can guess."""


def sit_down_sealed(sit_down: SitDown, edition: Edition = SEALED) -> TerminalDriver:
    """Both players have sealed their armies on their phones."""
    evening = sit_down(edition)
    openings = Openings(evening.journal.path.with_name("phones.json"))
    (fort, *_) = preset_setups(edition.army)
    for side in Side:
        commitment = openings.seal(side, fort.setup)
        evening.session.handle(ArmySealed(fast_clock(), side, commitment))
    return evening


def test_who_is_asked_is_told_how_the_game_goes_on(sit_down: SitDown) -> None:
    evening = sit_down_sealed(sit_down)
    type_, choose = evening.type, evening.choose
    evening.play(
        *beginning(evening),
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


def test_seals_that_do_not_count_are_not_broken_again(sit_down: SitDown) -> None:
    evening = sit_down_sealed(sit_down)
    evening.play(
        *beginning(evening),
        ("Red to move", evening.type("break seals red")),
        ("The seals of Red no longer count.", evening.type("break seals red")),
        ("is not possible now", evening.type("quit")),
    )


def test_who_answers_a_guess_is_told_as_well(sit_down: SitDown) -> None:
    evening = sit_down_sealed(sit_down, NORDIC)
    type_ = evening.type
    evening.play(
        *walking_in(evening),
        ("Red to move", type_("infiltrate f7 f9 marshal")),
        ("Blue, type: right · wrong", lambda: None),
        ("The arbiter types: break seals blue", type_("break seals blue", "wrong")),
        ("Blue to move", type_("quit")),
    )


def walking_in(evening: TerminalDriver) -> list[Cue]:
    """Both sides are ready, and Red plays these moves."""
    ready = [
        ("Red 40, Blue 40", evening.type("ready red")),
        ("Red is ready", evening.type("ready blue")),
    ]
    sides = ("Red", "Blue")
    walks = [
        (f"{sides[n % 2]} to move", evening.move(*way.split("-"))) for n, way in enumerate(WAY_IN)
    ]
    return [*ready, *walks]


@pytest.mark.parametrize("line", ["break seals", "break seals green"])
def test_it_has_to_be_said_whose_seals(sit_down: SitDown, line: str) -> None:
    evening = sit_down_sealed(sit_down)
    evening.play(
        ("Type: ready red", evening.type(line)),
        ("break seals red", evening.type("quit")),
    )
    assert evening.session.table.sealed == {*Side}
