"""Duel and Barrage at the table: a few pieces, placed anywhere in their own rows."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.events import SetupSeen
from companion.core.inputs import Ready
from engine.board.geometry import Side, set_of, square, squares_in
from engine.board.ranks import BARRAGE, DUEL, Army
from engine.game.actions import PlaceArmies
from engine.game.game_state import Phase
from engine.rules.editions import EDITIONS
from firmware_bridge.image import Image
from tests.companion.core.table_driver import TableDriver

RED, BLUE = Side.RED, Side.BLUE
SMALL = pytest.mark.parametrize("army", [DUEL, BARRAGE], ids=lambda army: army.name)
BEGUN = """
10   .   .   .   .   .   .   .   .   .   .
 9   .   .   .   .   .   .   .   .   .   .
 8   b   .   .   .   .   .   .   .   .   b
 7   b   b   .   .   b   b   .   .   b   b
 6   .   .   ~   ~   .   .   ~   ~   .   .
 5   .   .   ~   ~   .   .   ~   ~   .   .
 4   r   r   .   .   r   r   .   .   r   r
 3   r   .   .   .   .   .   .   .   .   .
 2   .   .   .   .   .   .   .   .   .   .
 1   .   .   .   .   .   .   .   .   .   r
"""


def sit_down(army: Army) -> TableDriver:
    driver = TableDriver(replace(EDITIONS["isf"], army=army))
    driver.forget()
    return driver


@SMALL
@settings(max_examples=20)
@given(data=st.data())
def test_small_army_anywhere_in_home_rows(army: Army, data: st.DataObject) -> None:
    driver = sit_down(army)
    chosen = {
        side: data.draw(st.permutations([*squares_in(side.home)]))[: army.size] for side in Side
    }
    for side in Side:
        driver.stand(side, *chosen[side])
        driver.command(Ready(side))
    driver.wait()
    for side in Side:
        driver.command(Ready(side))
    driver.wait()
    assert driver.actions == [PlaceArmies(set_of(chosen[RED]), set_of(chosen[BLUE]))]
    assert driver.table.referee.phase is Phase.PLAY


@SMALL
def test_small_army_is_counted(army: Army) -> None:
    driver = sit_down(army)
    driver.stand(RED, *[*squares_in(RED.home)][: army.size])
    driver.stand(BLUE, square("k10"))
    driver.wait()
    assert driver.emitted(SetupSeen) == [SetupSeen(army.size, 1, ())]


@SMALL
@pytest.mark.parametrize("wrong", [-1, 1])
def test_incomplete_small_army_is_not_ready(army: Army, wrong: int) -> None:
    driver = sit_down(army)
    driver.stand(RED, *[*squares_in(RED.home)][: army.size + wrong])
    driver.wait()
    driver.forget()
    driver.command(Ready(RED))
    assert driver.events == [SetupSeen(army.size + wrong, 0, ())]
    assert not driver.emitted(Ready)


def test_barrage() -> None:
    driver = TableDriver.begun(
        edition=replace(EDITIONS["isf"], army=BARRAGE), armies=Image.parse(BEGUN)
    )
    driver.play("e4-e5 e7-e6 f4-f6 f7-g7")
    assert driver.table.expected == driver.board.image()
