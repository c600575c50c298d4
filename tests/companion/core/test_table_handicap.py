"""Handicaps at the table: smaller armies, revealed ranks, and take-backs without agreement."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from companion.core.events import SetupSeen
from companion.core.inputs import OfferUndo, RanksSeen, Ready
from companion.session.tabletop import deal
from engine.board.geometry import Side, Square, name, square, squares_in
from engine.board.ranks import MOVABLE, Rank
from engine.game.actions import Attack, Move, PlaceArmies, TakeBack
from engine.game.clocks import TIME_CONTROLS
from engine.game.game_state import Phase
from engine.rules.editions import EDITIONS, Edition, Handicap
from firmware_bridge.image import Image
from tests.companion.core.table_driver import TableDriver

RED, BLUE = Side


def rules(handicap: str) -> Edition:
    return replace(EDITIONS["isf"], handicap=Handicap.parse(handicap))


def armies(edition: Edition) -> dict[Side, Mapping[Square, Rank]]:
    return {side: deal(edition.army_of(side), side, 1) for side in Side}


def begun(handicap: str) -> TableDriver:
    """Return a game with the given handicap, in which both armies are set up."""
    edition = rules(handicap)
    red, blue = (sum(1 << at for at in ranks) for ranks in armies(edition).values())
    return TableDriver.begun(edition=edition, armies=Image(red, blue))


def test_smaller_army_is_ready() -> None:
    driver = TableDriver(rules("red+general"))
    driver.stand(RED, *squares_in(RED.home))
    driver.stand(BLUE, *[*squares_in(BLUE.home)][2:])
    driver.wait()
    for side in Side:
        driver.command(Ready(side))
    driver.wait()
    assert driver.emitted(SetupSeen)[-1] == SetupSeen(40, 38, ())
    assert isinstance(driver.actions[0], PlaceArmies)
    assert driver.table.view.phase is Phase.PLAY


@pytest.mark.parametrize("count", [37, 39, 40])
def test_wrong_number_of_pieces_is_not_ready(count: int) -> None:
    driver = TableDriver(rules("red+general"))
    driver.stand(BLUE, *[*squares_in(BLUE.home)][:count])
    driver.wait()
    driver.command(Ready(BLUE))
    assert not driver.table.ready


def test_open_ranks_are_recorded() -> None:
    edition = rules("red+marshal+open")
    dealt = armies(edition)
    driver = TableDriver(edition)
    for side in Side:
        driver.stand(side, *dealt[side])
    driver.submit(RanksSeen(0.0, BLUE, dealt[BLUE]))
    driver.wait()
    for side in Side:
        driver.command(Ready(side))
    driver.wait()
    assert driver.table.view.open_ranks == dealt[BLUE]
    again = driver.replugged()
    assert again.table.view.open_ranks == dealt[BLUE]
    assert again.table.view.edition == edition


def test_doubled_time_survives_a_restart() -> None:
    edition, control = rules("blue+time"), TIME_CONTROLS["total"]
    driver = TableDriver.begun(edition=edition, control=control)
    for table in (driver.table, driver.replugged().table):
        assert table.clock.remaining(BLUE, 0) == 3600
        assert table.clock.remaining(RED, 0) == pytest.approx(1800, abs=5)


def play(driver: TableDriver, count: int) -> list[str]:
    """Move several pieces straight ahead, each once. Return the moves made."""
    made = []
    for _ in range(count):
        position = driver.table.referee.position
        turn = next(
            turn
            for turn in driver.table.referee.legal_moves()
            if isinstance(turn, Move)
            and abs(turn.target - turn.source) == 10
            and not position.last_turn(position.to_move)
        )
        made.append(f"{name(turn.source)}-{name(turn.target)}")
        driver.play(made[-1])
        driver.wait()
    driver.forget()
    return made


def test_favoured_side_takes_back_alone() -> None:
    driver = begun("red+take-backs")
    (made,) = play(driver, 1)
    driver.command(OfferUndo(RED))
    assert driver.actions == [TakeBack()]
    assert not driver.emitted(OfferUndo)
    assert (driver.table.view.plies, driver.table.view.to_move) == (0, RED)
    driver.move(*reversed(made.split("-")))
    driver.wait()
    assert not driver.table.state.difference


def test_take_back_includes_the_reply() -> None:
    driver = begun("red+take-backs")
    made = play(driver, 2)
    driver.command(OfferUndo(RED))
    assert driver.actions == [TakeBack(), TakeBack()]
    assert (driver.table.view.plies, driver.table.view.to_move) == (0, RED)
    for each in reversed(made):
        driver.move(*reversed(each.split("-")))
    driver.wait()
    assert not driver.table.state.difference


def test_no_take_back_before_own_move() -> None:
    driver = begun("blue+take-backs")
    play(driver, 1)
    driver.command(OfferUndo(BLUE))
    assert not driver.actions
    assert driver.emitted(OfferUndo) == [OfferUndo(BLUE)]


def test_other_side_needs_agreement() -> None:
    driver = begun("red+take-backs")
    play(driver, 1)
    driver.command(OfferUndo(BLUE))
    assert not driver.actions
    assert driver.emitted(OfferUndo) == [OfferUndo(BLUE)]
    driver.command(OfferUndo(RED))
    assert driver.actions == [TakeBack()]


@pytest.mark.parametrize("handicap", ["red+marshal", "red+open+time"])
def test_other_handicaps_do_not_include_take_backs(handicap: str) -> None:
    driver = begun(handicap)
    play(driver, 1)
    driver.command(OfferUndo(RED))
    assert not driver.actions


def test_revealed_rank_needs_agreement_to_take_back() -> None:
    """Without this rule, the favoured side could attack, learn a rank and take the attack back."""
    driver = begun("red+take-backs")
    attack = meet(driver)
    driver.command(OfferUndo(RED))
    assert not driver.actions, "the attack is open: it can be withdrawn, but it is not a move"
    owners = [driver.table.referee.position.board.side_at(at) for at in attack]
    for owner, at in zip(owners, attack, strict=True):
        assert owner
        possible = driver.table.referee.possible(name(at)) - {Rank.FLAG}
        driver.declare(owner, min(rank for rank in possible if MOVABLE >> rank & 1))
    driver.wait()
    assert driver.table.referee.position.last_combat
    driver.forget()
    driver.command(OfferUndo(RED))
    assert TakeBack() not in driver.actions


def meet(driver: TableDriver) -> tuple[int, int]:
    """Make Red attack along a column. Return the attacker's and the target's squares."""
    for each in ("a4-a5", "a7-a6"):
        driver.play(each)
        driver.wait()
    driver.command(Attack(square("a5"), square("a6")))
    driver.forget()
    return square("a5"), square("a6")
