"""What is printed on simulated pieces never contradicts what the game has shown."""

from collections import Counter

import pytest

from companion.screens.dealing import deal, deal_again
from engine.actions import Action, Declare, Move, OpenAttack, PlaceArmies
from engine.editions import DEFAULT
from engine.ranks import IMMOBILE, ORIGINAL, Rank
from engine.referee import Referee
from engine.secrecy import Secret
from engine.sides import Side
from engine.squares import square

ARMIES = PlaceArmies(Side.RED.home, Side.BLUE.home)
SEEDS = range(20)


def move(names: str) -> Move:
    source, target = map(square, names.split())
    return Move(source, target)


def attack(names: str, attacker: Rank | None, defender: Rank) -> list[Action]:
    source, target = map(square, names.split())
    red = [Declare(Secret(Side.RED, attacker))] if attacker is not None else []
    return [OpenAttack(source, target), *red, Declare(Secret(Side.BLUE, defender))]


def test_a_deal_is_an_army() -> None:
    for side in Side:
        assert Counter(deal(ORIGINAL, side, 1).values()) == ORIGINAL.counts


def test_the_same_seed_deals_the_same() -> None:
    assert deal(ORIGINAL, Side.RED, 5) == deal(ORIGINAL, Side.RED, 5)
    assert deal(ORIGINAL, Side.RED, 5) != deal(ORIGINAL, Side.RED, 6)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_game_without_news_keeps_its_deal(seed: int) -> None:
    referee = Referee.replay(DEFAULT, [ARMIES])
    for side in Side:
        assert deal_again(referee, side, seed) == deal(ORIGINAL, side, seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_was_shown_stays_true(seed: int) -> None:
    moves = [move("a4 a5"), move("k7 k6"), move("e4 e5"), move("k6 k5"), move("e5 e6")]
    fight = attack("e6 e7", Rank.MINER, Rank.BOMB)
    actions = [ARMIES, *moves, move("i7 i6"), *fight]
    referee = Referee.replay(DEFAULT, actions)
    red, blue = (deal_again(referee, side, seed) for side in Side)
    assert red[square("e4")] is Rank.MINER
    assert blue[square("e7")] is Rank.BOMB
    for moved in (red[square("a4")], blue[square("k7")], blue[square("i7")]):
        assert not IMMOBILE >> moved & 1
    for dealt in (red, blue):
        assert Counter(dealt.values()) == ORIGINAL.counts


@pytest.mark.parametrize("seed", SEEDS)
def test_a_runner_is_a_scout_and_an_open_declaration_counts(seed: int) -> None:
    referee = Referee.replay(DEFAULT, [ARMIES, move("a4 a6"), move("k7 k6")])
    assert deal_again(referee, Side.RED, seed)[square("a4")] is Rank.SCOUT
    actions: list[Action] = [ARMIES, *map(move, ("e4 e5", "k7 k6", "e5 e6", "k6 k5"))]
    opened: list[Action] = [
        OpenAttack(square("e6"), square("e7")),
        Declare(Secret(Side.RED, Rank.SPY)),
    ]
    referee = Referee.replay(DEFAULT, [*actions, *opened])
    assert referee.attack
    assert deal_again(referee, Side.RED, seed)[square("e4")] is Rank.SPY
