"""Handicaps at the table: smaller armies, open ranks, and take-backs without agreement."""

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
    """Return a game with this handicap, in which both armies are set up."""
    edition = rules(handicap)
    red, blue = (sum(1 << at for at in ranks) for ranks in armies(edition).values())
    return TableDriver.begun(edition=edition, armies=Image(red, blue))


def test_smaller_army_is_ready() -> None:
    evening = TableDriver(rules("red+general"))
    evening.stand(RED, *squares_in(RED.home))
    evening.stand(BLUE, *[*squares_in(BLUE.home)][2:])
    evening.wait()
    for side in Side:
        evening.say(Ready(side))
    evening.wait()
    assert evening.told(SetupSeen)[-1] == SetupSeen(40, 38, ())
    assert isinstance(evening.actions[0], PlaceArmies)
    assert evening.table.view.phase is Phase.PLAY


@pytest.mark.parametrize("count", [37, 39, 40])
def test_wrong_number_of_pieces_is_not_ready(count: int) -> None:
    evening = TableDriver(rules("red+general"))
    evening.stand(BLUE, *[*squares_in(BLUE.home)][:count])
    evening.wait()
    evening.say(Ready(BLUE))
    assert not evening.table.ready


def test_open_ranks_are_recorded() -> None:
    edition = rules("red+marshal+open")
    dealt = armies(edition)
    evening = TableDriver(edition)
    for side in Side:
        evening.stand(side, *dealt[side])
    evening.submit(RanksSeen(0.0, BLUE, dealt[BLUE]))
    evening.wait()
    for side in Side:
        evening.say(Ready(side))
    evening.wait()
    assert evening.table.view.open_ranks == dealt[BLUE]
    again = evening.replugged()
    assert again.table.view.open_ranks == dealt[BLUE]
    assert again.table.view.edition == edition


def test_doubled_time_survives_a_restart() -> None:
    edition, control = rules("blue+time"), TIME_CONTROLS["total"]
    evening = TableDriver.begun(edition=edition, control=control)
    for table in (evening.table, evening.replugged().table):
        assert table.clock.remaining(BLUE, 0) == 3600
        assert table.clock.remaining(RED, 0) == pytest.approx(1800, abs=5)


# -- take-backs


def play(evening: TableDriver, count: int) -> list[str]:
    """Make moves straight ahead, each with another piece; return them."""
    made = []
    for _ in range(count):
        position = evening.table.referee.position
        turn = next(
            turn
            for turn in evening.table.referee.legal_moves()
            if isinstance(turn, Move)
            and abs(turn.target - turn.source) == 10
            and not position.last_turn(position.to_move)
        )
        made.append(f"{name(turn.source)}-{name(turn.target)}")
        evening.play(made[-1])
        evening.wait()
    evening.forget()
    return made


def test_favoured_side_takes_back_alone() -> None:
    evening = begun("red+take-backs")
    (made,) = play(evening, 1)
    evening.say(OfferUndo(RED))
    assert evening.actions == [TakeBack()]
    assert not evening.told(OfferUndo)
    assert (evening.table.view.plies, evening.table.view.to_move) == (0, RED)
    evening.move(*reversed(made.split("-")))
    evening.wait()
    assert not evening.table.state.difference


def test_take_back_includes_the_reply() -> None:
    evening = begun("red+take-backs")
    made = play(evening, 2)
    evening.say(OfferUndo(RED))
    assert evening.actions == [TakeBack(), TakeBack()]
    assert (evening.table.view.plies, evening.table.view.to_move) == (0, RED)
    for each in reversed(made):
        evening.move(*reversed(each.split("-")))
    evening.wait()
    assert not evening.table.state.difference


def test_no_take_back_before_own_move() -> None:
    evening = begun("blue+take-backs")
    play(evening, 1)
    evening.say(OfferUndo(BLUE))
    assert not evening.actions
    assert evening.told(OfferUndo) == [OfferUndo(BLUE)]


def test_other_side_needs_agreement() -> None:
    evening = begun("red+take-backs")
    play(evening, 1)
    evening.say(OfferUndo(BLUE))
    assert not evening.actions
    assert evening.told(OfferUndo) == [OfferUndo(BLUE)]
    evening.say(OfferUndo(RED))
    assert evening.actions == [TakeBack()]


@pytest.mark.parametrize("handicap", ["red+marshal", "red+open+time"])
def test_other_handicaps_do_not_include_take_backs(handicap: str) -> None:
    evening = begun(handicap)
    play(evening, 1)
    evening.say(OfferUndo(RED))
    assert not evening.actions


def test_revealed_rank_needs_agreement_to_take_back() -> None:
    """Without this rule, the favoured side could attack every piece to learn its rank."""
    evening = begun("red+take-backs")
    attack = meet(evening)
    evening.say(OfferUndo(RED))
    assert not evening.actions, "the attack is open: it can be withdrawn, but it is not a move"
    owners = [evening.table.referee.position.board.side_at(at) for at in attack]
    for owner, at in zip(owners, attack, strict=True):
        assert owner
        possible = evening.table.referee.possible(name(at)) - {Rank.FLAG}
        evening.declare(owner, min(rank for rank in possible if MOVABLE >> rank & 1))
    evening.wait()
    assert evening.table.referee.position.last_combat
    evening.forget()
    evening.say(OfferUndo(RED))
    assert TakeBack() not in evening.actions


def meet(evening: TableDriver) -> tuple[int, int]:
    """Bring two pieces of a column together and attack with Red's; return attacker and target."""
    for each in ("a4-a5", "a7-a6"):
        evening.play(each)
        evening.wait()
    evening.say(Attack(square("a5"), square("a6")))
    evening.forget()
    return square("a5"), square("a6")
