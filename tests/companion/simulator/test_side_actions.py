"""With corrections and similar actions between turns, a game stays identical or equivalent."""

import random
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from companion.core.inputs import OfferUndo
from companion.session.session import Session
from companion.simulator import side_actions
from companion.simulator.random_games import RandomGame
from companion.simulator.simulated_match import MatchResult, Profile, SimulatedPlayers
from companion.simulator.simulation import BoardRig
from companion.storage.journal import Journal
from engine.board.geometry import Side, squares_in
from engine.game.actions import Action, Correct, FreeTouched, Move, SwapCorrection, TakeBack, Touch
from engine.rules.editions import EDITIONS
from firmware_bridge.simulated_board.board import SimulatedBoard
from firmware_bridge.simulated_board.port import SimulatedPort


def play(
    folder: Path,
    side_action: side_actions.SideAction,
    *,
    seed: int = 1,
    plies: int = 3,
    touch_move: bool = False,
    sealed_armies: bool = False,
) -> tuple[MatchResult, list[Action]]:
    """Play a short game in which players also perform `side_action` between turns.

    Return the counts and the actions.
    """
    rules = replace(
        EDITIONS["isf"].with_army("duel"), touch_move=touch_move, sealed_armies=sealed_armies
    )
    game = RandomGame(rules, seed)
    game.length = plies
    with closing(Journal(folder / "games.sqlite")) as journal:
        session = Session.begin(journal, rules, seed)
        pieces = SimulatedBoard()
        with BoardRig(session, pieces, SimulatedPort(pieces)) as board:
            players = SimulatedPlayers(board, game, seed, Profile.CLEAN, [side_action])
            players.play()
    return players.tally, session.table.referee.actions


RARE = {
    "withdraw-attack": 4,
    "correct-rank": 4,
    "strike-on": 8,
    "insist-and-give-in": 8,
    "insist-and-take-back": 8,
}
"""For each action that is rarely possible, the seed of a game in which it is possible."""


@pytest.fixture(autouse=True)
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before every turn, make the players do something else."""
    monkeypatch.setattr(side_actions, "OFTEN", 1)


@pytest.mark.parametrize("side_action", side_actions.SIDE_ACTIONS, ids=side_actions.name)
def test_table_follows_side_actions(side_action: side_actions.SideAction, tmp_path: Path) -> None:
    called = side_actions.name(side_action)
    plies = 12 if called in RARE else 4
    seed, sealed = RARE.get(called, 1), side_action is side_actions.break_seals
    touch_move = side_action is side_actions.carry_off
    tally, actions = play(
        *(tmp_path, side_action),
        seed=seed,
        plies=plies,
        sealed_armies=sealed,
        touch_move=touch_move,
    )
    assert (FreeTouched() in actions) is touch_move
    assert tally.side_actions[called]
    assert (tally.plies, tally.wrong, tally.missed) == (plies, 0, 0)


def test_take_back_keeps_the_touched_piece(tmp_path: Path) -> None:
    tally, actions = play(tmp_path, side_actions.take_turn_back, touch_move=True)
    assert (tally.plies, tally.wrong, tally.missed) == (3, 0, 0)
    made = [type(each) for each in actions]
    assert [Touch, Move, TakeBack, Move] in (made[n : n + 4] for n in range(len(made)))


def test_changed_game_is_wrong(tmp_path: Path) -> None:
    def exchange_once(context: side_actions.SideActionContext) -> side_actions.SideActionResult:
        board = context.people.referee.position.board
        one, other, *_ = (board.piece_at(square) for square in squares_in(board.blue))
        context.people.submit(Correct(SwapCorrection(one, other)))
        return context.find_same()

    tally, _ = play(tmp_path, exchange_once, plies=1)
    assert (tally.plies, tally.wrong, tally.missed) == (1, 1, 0)


def test_ignored_action_is_missed(tmp_path: Path) -> None:
    def ask_alone(context: side_actions.SideActionContext) -> side_actions.SideActionResult:
        context.people.submit(OfferUndo(Side.RED))
        return (
            side_actions.SideActionResult.DONE
            if TakeBack() in context.people.referee.actions
            else side_actions.SideActionResult.MISSED
        )

    tally, _ = play(tmp_path, ask_alone)
    assert (tally.plies, tally.wrong, tally.missed) == (0, 0, 1)


def test_all_side_actions_occur() -> None:
    def never(_: side_actions.SideActionContext) -> side_actions.SideActionResult:
        return side_actions.SideActionResult.UNFIT

    def one(_: side_actions.SideActionContext) -> side_actions.SideActionResult:
        return side_actions.SideActionResult.DONE

    def other(_: side_actions.SideActionContext) -> side_actions.SideActionResult:
        return side_actions.SideActionResult.BEGUN

    chosen, dice = side_actions.SideActionChooser([never, one, other]), random.Random(1)
    context = cast("side_actions.SideActionContext", None)
    answers = [chosen.perform_perhaps(lambda: context, dice) for _ in range(10)]
    assert chosen.done == {"one": 5, "other": 5}
    assert side_actions.SideActionResult.UNFIT not in answers
