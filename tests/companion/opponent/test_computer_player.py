"""The computer player plays legal turns in all editions, and is deterministic and fast."""

import time
from dataclasses import replace
from statistics import median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.opponent.computer_player import ComputerPlayer
from companion.opponent.knowledge import collect_knowledge
from companion.opponent.levels import Level
from engine import EDITIONS
from engine.board.geometry import NEIGHBOURS, Side
from engine.board.ranks import Rank
from engine.game.actions import Infiltrate
from engine.rules.editions import Edition
from tests.campaigns import RARE, Campaign
from tests.companion.opponent.games import decisions, make, started

LEGAL = Campaign("opponent", part=4, whole=100)

every_army = st.sampled_from(
    [edition.with_army(army.name) for edition in EDITIONS.values() for army in edition.armies]
)
editions = st.builds(
    replace,
    every_army,
    silent_defence=st.booleans(),
    aggressor_advantage=st.booleans(),
)
levels = st.fixed_dictionaries({side: st.sampled_from(Level) for side in Side})


@given(every_army, st.sampled_from(Side), st.integers(0, 10**6))
def test_setup_is_complete_and_the_flag_is_not_bare(
    edition: Edition, side: Side, seed: int
) -> None:
    setup = ComputerPlayer(edition, side, Level.MARSHAL, seed).setup
    assert sorted(setup.values()) == sorted(edition.army.pieces)
    assert all(side.home >> square & 1 for square in setup)
    flag = next(square for square, rank in setup.items() if rank is Rank.FLAG)
    assert Rank.BOMB in {setup.get(beside) for beside in NEIGHBOURS[flag]}


def test_setups_vary() -> None:
    edition = EDITIONS["isf"]
    setups = [ComputerPlayer(edition, Side.RED, Level.MARSHAL, n).setup for n in range(50)]
    assert len({tuple(sorted(setup.items())) for setup in setups}) == 50


@LEGAL
@settings(max_examples=LEGAL.size, deadline=None)
@given(editions, levels, st.integers(0, 10**6))
def test_turns_are_legal(edition: Edition, players: dict[Side, Level], seed: int) -> None:
    """The referee accepts every turn, and every turn is possible for the piece's real rank."""
    for decided in decisions(edition, players, seed, plies=150):
        turn, ranks = decided.turn, decided.knowledge.state.ranks
        rank = ranks[turn.source]
        if isinstance(turn, Infiltrate):
            assert rank is Rank.INFILTRATOR
        else:
            assert rank not in (Rank.BOMB, Rank.FLAG)
            assert turn.target in NEIGHBOURS[turn.source] or rank is Rank.SCOUT


def test_player_is_deterministic() -> None:
    """A restarted player chooses the same turn as one that has played the whole game."""
    edition = EDITIONS["original-1992"]
    both = dict.fromkeys(Side, Level.MARSHAL)
    for decided in decisions(edition, both, seed=3, plies=60):
        if decided.side is Side.RED:
            again = ComputerPlayer(edition, Side.RED, Level.MARSHAL, 3)
            assert again.choose(decided.knowledge) == decided.turn


def test_take_back() -> None:
    edition = EDITIONS["original-1992"]
    player = ComputerPlayer(edition, Side.RED, Level.MARSHAL, 5)
    armies = {
        Side.RED: player.setup,
        Side.BLUE: ComputerPlayer(edition, Side.BLUE, Level.CADET, 6).setup,
    }
    referee = started(edition, armies)
    for _ in range(30):
        knowledge = collect_knowledge(referee, Side.RED, player.setup)
        turn = player.choose(knowledge)
        make(referee, turn, armies)
        make(referee, referee.legal_moves()[0], armies)
        referee.undo()
        referee.undo()
        assert player.choose(collect_knowledge(referee, Side.RED, player.setup)) == turn
        make(referee, turn, armies)
        reply = ComputerPlayer(edition, Side.BLUE, Level.CADET, 6)
        make(
            referee, reply.choose(collect_knowledge(referee, Side.BLUE, armies[Side.BLUE])), armies
        )


@RARE
def test_thinking_time() -> None:
    """The time limit leaves a margin for a busy computer."""
    taken = []
    both = dict.fromkeys(Side, Level.MARSHAL)
    started_at = time.process_time()
    for _ in decisions(EDITIONS["original-1992"], both, seed=1, plies=200):
        taken.append(time.process_time() - started_at)
        started_at = time.process_time()
    assert median(taken) < 0.02


def test_no_turn() -> None:
    edition = EDITIONS["isf"]
    both = dict.fromkeys(Side, Level.CADET)
    first = next(decisions(edition, both, seed=1, plies=1))
    waiting = collect_knowledge(first.referee, Side.BLUE, {})
    with pytest.raises(ValueError, match="no legal turn"):
        ComputerPlayer(edition, Side.BLUE, Level.CADET, 1).choose(waiting)
