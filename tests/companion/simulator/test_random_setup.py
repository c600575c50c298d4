"""The ranks of simulated pieces never contradict the game."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.session.tabletop import deal, deal_again
from engine.board.geometry import Side, set_of, square
from engine.board.ranks import BARRAGE, DUEL, IMMOBILE, INFILTRATOR, ORIGINAL, Army, Rank, ranks_in
from engine.board.visibility import Secret
from engine.game import actions
from engine.game.game_state import Phase
from engine.game.referee import Referee
from engine.game.views import public_view
from engine.rules.editions import DEFAULT, EDITIONS

ARMIES = actions.PlaceArmies(Side.RED.home, Side.BLUE.home)
SEEDS = range(20)


def move(names: str) -> actions.Move:
    source, target = map(square, names.split())
    return actions.Move(source, target)


def attack(names: str, attacker: Rank | None, defender: Rank) -> list[actions.Action]:
    source, target = map(square, names.split())
    red = [actions.Declare(Secret(Side.RED, attacker))] if attacker is not None else []
    return [actions.Attack(source, target), *red, actions.Declare(Secret(Side.BLUE, defender))]


@pytest.mark.parametrize("army", [ORIGINAL, INFILTRATOR, DUEL, BARRAGE])
def test_random_setup_is_an_army(army: Army) -> None:
    for side in Side:
        dealt = deal(army, side, 1)
        assert Counter(dealt.values()) == Counter(army.counts)
        assert not set_of(dealt) & ~side.home


def test_random_setup_is_reproducible() -> None:
    assert deal(ORIGINAL, Side.RED, 5) == deal(ORIGINAL, Side.RED, 5)
    assert deal(ORIGINAL, Side.RED, 5) != deal(ORIGINAL, Side.RED, 6)


@pytest.mark.parametrize("seed", SEEDS)
def test_setup_is_kept_without_new_facts(seed: int) -> None:
    referee = Referee.replay(DEFAULT, [ARMIES])
    for side in Side:
        assert deal_again(referee, side, seed) == deal(ORIGINAL, side, seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_setup_keeps_shown_ranks(seed: int) -> None:
    moves = [move("a4 a5"), move("k7 k6"), move("e4 e5"), move("k6 k5"), move("e5 e6")]
    fight = attack("e6 e7", Rank.MINER, Rank.BOMB)
    played = [ARMIES, *moves, move("i7 i6"), *fight]
    referee = Referee.replay(DEFAULT, played)
    red, blue = (deal_again(referee, side, seed) for side in Side)
    assert red[square("e4")] is Rank.MINER
    assert blue[square("e7")] is Rank.BOMB
    for moved in (red[square("a4")], blue[square("k7")], blue[square("i7")]):
        assert not IMMOBILE >> moved & 1
    for dealt in (red, blue):
        assert Counter(dealt.values()) == Counter(ORIGINAL.counts)


@pytest.mark.parametrize("seed", SEEDS)
def test_setup_respects_long_moves_and_declarations(seed: int) -> None:
    referee = Referee.replay(DEFAULT, [ARMIES, move("a4 a6"), move("k7 k6")])
    assert deal_again(referee, Side.RED, seed)[square("a4")] is Rank.SCOUT
    played: list[actions.Action] = [ARMIES, *map(move, ("e4 e5", "k7 k6", "e5 e6", "k6 k5"))]
    opened: list[actions.Action] = [
        actions.Attack(square("e6"), square("e7")),
        actions.Declare(Secret(Side.RED, Rank.SPY)),
    ]
    referee = Referee.replay(DEFAULT, [*played, *opened])
    assert referee.open_attack
    assert deal_again(referee, Side.RED, seed)[square("e4")] is Rank.SPY


def play_on(referee: Referee, data: st.DataObject) -> None:
    """Take a random legal action."""
    attack = referee.open_attack
    if attack:
        owner = attack.awaited[0]
        rank = data.draw(st.sampled_from(list(ranks_in(attack.possible[owner]))))
        referee.apply(actions.Declare(Secret(owner, rank)))
    elif referee.phase is Phase.GUESS:
        referee.apply(actions.AnswerGuess(data.draw(st.booleans())))
    else:
        turns: list[actions.Action] = [*referee.legal_moves()]
        infiltrations = public_view(referee).infiltrations
        turns += [actions.Infiltrate(*way, Rank.MINER) for way in infiltrations]
        referee.apply(data.draw(st.sampled_from(turns)))


@given(data=st.data(), army=st.sampled_from([INFILTRATOR, DUEL]))
def test_setup_agrees_with_known_facts(data: st.DataObject, army: Army) -> None:
    red, blue = (set_of(deal(army, side, 1)) for side in Side)
    edition = EDITIONS["nordic-2015"].with_army(army.name)
    referee = Referee.replay(edition, [actions.PlaceArmies(red, blue)])
    for _ in range(data.draw(st.integers(0, 40))):
        if referee.phase is not Phase.OVER:
            play_on(referee, data)
    for side in Side:
        dealt = deal_again(referee, side, data.draw(st.integers(0, 9)))
        assert Counter(dealt.values()) == Counter(army.counts)
        for piece, rank in dealt.items():
            assert referee.position.player(side).deduction.possible(piece) >> rank & 1


def test_setup_keeps_accepted_declarations() -> None:
    played: list[actions.Action] = [ARMIES, *map(move, ("e4 e5", "k7 k6", "e5 e6", "k6 k5"))]
    played += attack("e6 e7", Rank.MARSHAL, Rank.SCOUT)
    played += map(move, ("i7 i6", "a4 a5", "i6 i5", "a5 a6", "i5 i6"))
    played += [
        actions.Attack(square("a6"), square("a7")),
        actions.UpholdDeclaration(Secret(Side.RED, Rank.MARSHAL)),
        actions.SettleDispute(accepted=True),
    ]
    dealt = deal_again(Referee.replay(DEFAULT, played), Side.RED, 1)
    assert dealt[square("e4")] is dealt[square("a4")] is Rank.MARSHAL
