"""Tests for the referee's protocol: valid actions in each phase, and replay."""

from dataclasses import replace

import pytest

from engine.board import OutOfPhaseError
from engine.board.geometry import square
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.game import actions
from engine.game.game_state import Phase
from engine.game.referee import Referee
from engine.rules.editions import EDITIONS
from tests.engine.cases import each
from tests.engine.tables import (
    BLUE,
    RED,
    SKIRMISH,
    Table,
    declare,
    ranks_named,
    refusal,
    state,
    way,
)

ACTIONS: dict[str, actions.Action] = {
    "place": actions.PlaceArmies(RED.home, BLUE.home),
    "move": actions.Move(*way("f4 f5")),
    "attack": actions.Attack(*way("k4 k7")),
    "amend": actions.Amend(*way("f6 f8")),
    "touch": actions.Touch(square("f4")),
    "withdraw": actions.WithdrawAttack(),
    "declare": declare(RED, Rank.GENERAL),
    "cannot": actions.ClaimStalemate(),
    "nor can you": actions.AnswerStalemate(able=False),
    "insist": actions.UpholdDeclaration(Secret(RED, Rank.BOMB)),
    "settle": actions.SettleDispute(accepted=False),
    "infiltrate": actions.Infiltrate(*way("a8 a10"), Rank.SPY),
    "answer": actions.AnswerGuess(right=False),
    "override": actions.Override(*way("b7 b6")),
    "correct": actions.Correct(actions.SwapCorrection(*way("e4 f4"))),
    "accept": actions.AdoptBoard((), 1 << square("k7"), RED),
    "take back": actions.TakeBack(),
    "resign": actions.Resign(RED),
    "draw": actions.AgreeDraw(),
    "run out": actions.TimeExpired(None),
    "forfeit": actions.Forfeit(BLUE),
}
BY_BLUE: dict[str, actions.Action] = {
    "move": actions.Move(*way("k7 k6")),
    "attack": actions.Attack(*way("k7 k4")),
}
"""Actions for the phase in which Blue must prove that it can move."""
ANY_TIME = {"take back", "resign", "draw", "run out", "forfeit"}
FITTING = {
    Phase.SETUP: {"place"},
    Phase.PLAY: {
        *(
            "move",
            "attack",
            "amend",
            "touch",
            "infiltrate",
            "override",
            "correct",
            "accept",
            "cannot",
        ),
        *ANY_TIME,
    },
    Phase.ATTACK: {"withdraw", "declare", "insist", *ANY_TIME},
    Phase.DISPUTE: {"settle", *ANY_TIME},
    Phase.GUESS: {"answer", *ANY_TIME},
    Phase.STALEMATE: {"nor can you", *ANY_TIME},
    Phase.SHOWING: {"move", "attack", "accept", "nor can you", *ANY_TIME},
    Phase.OVER: {"take back"},
}
RULES = replace(EDITIONS["nordic-2015"], both_immobile_draw=True, touch_move=True)
"""Edition with every option enabled, unlike any published rulebook."""
NEAR_THE_FLAG = (
    SKIRMISH.replace("r5", "rI").replace("b5", "bI").replace("r3", "r1").replace("b3", "b1")
)


def in_phase(phase: Phase) -> Referee:
    if phase is Phase.SETUP:
        return Referee.waiting(RULES)
    table = Table.of(NEAR_THE_FLAG, rules=RULES)
    table.override("i4-a8")
    table.play("e7-e6 e4-e5 f7-f6")
    if phase in (Phase.ATTACK, Phase.DISPUTE):
        table.referee.apply(actions.Attack(*way("e5 e6")))
    if phase is Phase.DISPUTE:
        table.referee.apply(actions.UpholdDeclaration(Secret(RED, Rank.BOMB)))
    if phase is Phase.GUESS:
        table.referee.apply(actions.Infiltrate(*way("a8 a10"), Rank.SPY))
    if phase in (Phase.STALEMATE, Phase.SHOWING):
        table.referee.apply(actions.ClaimStalemate())
    if phase is Phase.SHOWING:
        table.referee.apply(actions.AnswerStalemate(able=True))
    if phase is Phase.OVER:
        table.referee.apply(actions.Resign(BLUE))
    return table.referee


@each("phase", Phase)
@each("kind", ACTIONS)
def test_actions_by_phase(phase: Phase, kind: str) -> None:
    referee = in_phase(phase)
    assert referee.phase is phase
    before, accepted = state(referee), len(referee.actions)
    action = BY_BLUE.get(kind, ACTIONS[kind]) if phase is Phase.SHOWING else ACTIONS[kind]

    if kind in FITTING[phase]:
        assert refusal(referee.apply(action)) is None
        assert referee.actions[accepted:] == [action]
        return
    with pytest.raises(OutOfPhaseError):
        referee.apply(action)
    assert len(referee.actions) == accepted
    assert state(referee) == before


def test_wrong_phase_is_reported(referee: Referee) -> None:
    with pytest.raises(OutOfPhaseError, match=r"in the phase 'play', found settle-dispute yes"):
        referee.apply(actions.SettleDispute(accepted=True))


def test_wrong_phase_error_hides_the_rank(referee: Referee) -> None:
    with pytest.raises(OutOfPhaseError) as refused:
        referee.apply(declare(RED, Rank.MARSHAL))

    assert not ranks_named(str(refused.value))


# -- replaying


def test_accepted_actions_replay_the_game(table: Table) -> None:
    referee = table.referee
    setup = referee.actions[0]
    opened, general = actions.Attack(*way("e5 e6")), declare(RED, Rank.GENERAL)
    table.play("e4-e5 e7-e6")
    for action in (
        actions.Move(*way("a1 a2")),
        actions.Move(*way("k1 k2")),  # refused: the square is empty
        actions.Move(*way("b7 b6")),
        actions.Move(*way("b6 b5")),  # refused: Red is to move
        opened,
        actions.WithdrawAttack(),
        opened,
        declare(RED, Rank.BOMB),  # refused: the piece is attacking
        general,
        declare(BLUE, Rank.SPY),  # refused: not in this army
    ):
        referee.apply(action)

    assert referee.actions == [
        setup,
        actions.Move(*way("e4 e5")),
        actions.Move(*way("e7 e6")),
        actions.Move(*way("a1 a2")),
        actions.Move(*way("b7 b6")),
        opened,
        actions.WithdrawAttack(),
        opened,
        general,
    ]
    assert state(Referee.replay(referee.edition, referee.actions)) == state(referee)
    for number in range(len(referee.actions)):
        shorter = Referee.replay(referee.edition, referee.actions[:number])
        assert state(shorter) != state(referee)


# -- copies and undo


def test_copy_and_original_are_independent(table: Table) -> None:
    table.play("e4-e5 e7-e6")
    referee, before = table.referee, state(table.referee)

    copy = referee.copy()
    assert state(copy) == before
    assert copy.ruled == referee.ruled
    copy.apply(actions.Move(*way("e5 e4")))
    copy.apply(actions.Move(*way("k7 k5")))

    assert state(referee) == before, "actions of the copy do not change the original"
    assert (referee.plies, copy.plies) == (2, 4)
    moved = state(copy)
    table.play("e5xe6")
    assert state(copy) == moved
    for one in (referee, copy):
        assert state(Referee.replay(one.edition, one.actions)) == state(one)


def test_copy_can_undo_as_far(table: Table) -> None:
    begun = table.referee.position
    table.play("e4-e5 e7-e6 e5xe6")
    copy = table.referee.copy()

    for _ in range(3):
        copy.undo()

    assert copy.position == begun
    assert table.referee.plies == 3


def test_copy_before_the_setup() -> None:
    waiting = Referee.waiting(RULES)
    copy = waiting.copy()
    copy.apply(ACTIONS["place"])

    assert waiting.phase is Phase.SETUP
    assert copy.phase is Phase.PLAY


def test_undo_by_turns(table: Table) -> None:
    game, stood = table.referee, []
    for move in ["e4-e5", "e7-e6", "e5xe6", "k7-k5"]:
        stood.append(game.position)
        table.play(move)

    while stood:
        game.undo()
        assert game.position == stood.pop()
    with pytest.raises(ValueError, match="expected a turn to take back"):
        game.undo()
