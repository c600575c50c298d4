"""A single player at the simulated board: the table is given the ranks drawn there."""

import pytest

from companion.core.inputs import RanksSeen, Ready
from companion.core.recognition_limits import LIMITS
from companion.recorder.input_codec import encode_input, read_given, write_secret
from companion.session.tabletop import deal
from engine.board.geometry import Side, name, square, squares_in
from engine.board.ranks import IMMOBILE, Rank
from engine.game.actions import PlaceArmies
from engine.game.rulings import AttackOpened, Declared
from engine.rules.editions import EDITIONS
from firmware_bridge.image import Image
from tests.companion.core.table_driver import TableDriver

RED, BLUE = Side
ISF = EDITIONS["isf"]
RANKS = deal(ISF.army, RED, 1)
SEEN = RanksSeen(0.0, RED, RANKS)


def begun(*seen: RanksSeen) -> TableDriver:
    """A game in which the table was given these ranks."""
    evening = TableDriver(ISF)
    for side in Side:
        evening.stand(side, *squares_in(side.home))
    for each in seen:
        evening.submit(each)
    evening.wait()
    for side in Side:
        evening.say(Ready(side))
    evening.wait()
    return evening


def test_the_referee_has_the_latest_ranks_and_the_game_keeps_them() -> None:
    evening = begun(RanksSeen(0.0, RED, deal(ISF.army, RED, 2)), SEEN)
    assert evening.actions == [PlaceArmies(RED.home, BLUE.home, ranks=RANKS)]
    for at in squares_in(RED.home):
        assert bool(evening.table.ways(at)) <= (not IMMOBILE >> RANKS[at] & 1)


WRONG = {
    "a piece elsewhere": {**{at: RANKS[at] for at in RANKS if at}, 45: RANKS[0]},
    "another army": {**RANKS, 0: Rank.MARSHAL, 1: Rank.MARSHAL},
    "nothing": {},
}


@pytest.mark.parametrize("ranks", WRONG.values(), ids=WRONG)
def test_ranks_that_do_not_fit_are_ignored(ranks: dict[int, Rank]) -> None:
    evening = begun(RanksSeen(0.0, RED, ranks))
    assert evening.actions == [PlaceArmies(RED.home, BLUE.home)]


def test_a_seen_bomb_that_is_moved_has_to_go_back_and_loses_nothing() -> None:
    bomb = next(at for at in RANKS if at >= 30 and RANKS[at] is Rank.BOMB)
    evening = begun(SEEN)
    evening.move(name(bomb), "e5")
    evening.wait(LIMITS.moved_bomb_loses_seconds + 1)
    assert evening.table.view.outcome is None
    assert evening.table.state.violation
    evening.move("e5", name(bomb))
    evening.wait()
    assert not evening.table.state.difference


def test_only_the_other_side_is_asked_for_a_rank() -> None:
    scout = next(at for at in range(30, 40) if RANKS[at] is Rank.SCOUT and at % 10 in (0, 1, 4, 5))
    target = square("abcdefghik"[scout % 10] + "7")
    evening = begun(SEEN)
    evening.lift(name(target))
    evening.place(evening.lift(name(scout)), name(target))
    evening.wait()
    (opened,) = evening.told(AttackOpened)
    assert opened.awaited == (BLUE,)
    evening.declare(BLUE, Rank.MARSHAL)
    assert evening.told(Declared) == [Declared(BLUE)]


def test_a_trace_reads_them_back() -> None:
    public = encode_input(SEEN, Image())
    assert write_secret(SEEN) == {}
    assert read_given(public, Image(), {}) == SEEN
