"""Single-player game on the simulated board: the table knows the player's ranks."""

import pytest

from companion.core.inputs import RanksSeen, Ready
from companion.core.recognition_limits import LIMITS
from companion.recorder.input_codec import encode_input, read_given, write_secret
from companion.session.tabletop import deal
from engine.board.geometry import Side, name, square, squares_in
from engine.board.ranks import IMMOBILE, Rank
from engine.game.actions import ClaimStalemate, PlaceArmies
from engine.game.rulings import AttackOpened, Declared, StalemateClaimed
from engine.rules.editions import EDITIONS
from firmware_bridge.image import Image
from tests.companion.core.table_driver import TableDriver

RED, BLUE = Side
ISF = EDITIONS["isf"]
RANKS = deal(ISF.army, RED, 1)
SEEN = RanksSeen(0.0, RED, RANKS)


def begun(*seen: RanksSeen, computer: Side | None = None) -> TableDriver:
    """Return a game in which the table knows the given ranks."""
    driver = TableDriver(ISF, computer=computer)
    for side in Side:
        driver.stand(side, *squares_in(side.home))
    for each in seen:
        driver.submit(each)
    driver.wait()
    for side in Side:
        driver.command(Ready(side))
    driver.wait()
    return driver


def test_latest_known_ranks_are_kept() -> None:
    driver = begun(RanksSeen(0.0, RED, deal(ISF.army, RED, 2)), SEEN)
    assert driver.actions == [PlaceArmies(RED.home, BLUE.home, ranks=RANKS)]
    for at in squares_in(RED.home):
        assert bool(driver.table.ways(at)) <= (not IMMOBILE >> RANKS[at] & 1)


WRONG = {
    "a piece elsewhere": {**{at: RANKS[at] for at in RANKS if at}, 45: RANKS[0]},
    "another army": {**RANKS, 0: Rank.MARSHAL, 1: Rank.MARSHAL},
    "nothing": {},
}


@pytest.mark.parametrize("ranks", WRONG.values(), ids=WRONG)
def test_contradicting_ranks_are_ignored(ranks: dict[int, Rank]) -> None:
    driver = begun(RanksSeen(0.0, RED, ranks))
    assert driver.actions == [PlaceArmies(RED.home, BLUE.home)]


def test_known_ranks_are_not_part_of_the_public_position() -> None:
    assert begun(SEEN).table.referee.to_text() == begun().table.referee.to_text()


def test_known_bomb_is_put_back_without_loss() -> None:
    bomb = next(at for at in RANKS if at >= 30 and RANKS[at] is Rank.BOMB)
    driver = begun(SEEN)
    driver.move(name(bomb), "e5")
    driver.wait(LIMITS.moved_bomb_loses_seconds + 1)
    assert driver.table.view.outcome is None
    assert driver.table.state.violation
    driver.move("e5", name(bomb))
    driver.wait()
    assert not driver.table.state.difference


@pytest.mark.parametrize("computer", [None, BLUE])
@pytest.mark.parametrize("seen", [(), (SEEN,)])
def test_mistaken_claim_against_the_computer(
    seen: tuple[RanksSeen, ...], computer: Side | None
) -> None:
    """A single player cannot claim by mistake to be unable to move if the ranks are known."""
    driver = begun(*seen, computer=computer)
    is_refused = bool(computer and seen)
    assert driver.table.conversation.can_claim_stalemate is not is_refused
    driver.command(ClaimStalemate())
    assert bool(driver.emitted(StalemateClaimed)) is not is_refused


def test_only_unknown_ranks_are_asked() -> None:
    scout = next(at for at in range(30, 40) if RANKS[at] is Rank.SCOUT and at % 10 in (0, 1, 4, 5))
    target = square("abcdefghik"[scout % 10] + "7")
    driver = begun(SEEN)
    driver.lift(name(target))
    driver.place(driver.lift(name(scout)), name(target))
    driver.wait()
    (opened,) = driver.emitted(AttackOpened)
    assert opened.awaited == (BLUE,)
    driver.declare(BLUE, Rank.MARSHAL)
    assert driver.emitted(Declared) == [Declared(BLUE)]


def test_known_ranks_in_a_trace() -> None:
    public = encode_input(SEEN, Image())
    assert write_secret(SEEN) == {}
    assert read_given(public, Image(), {}) == SEEN
