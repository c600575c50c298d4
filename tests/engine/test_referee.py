"""The conversation with the referee: what fits which phase, and the actions are the game."""

import pytest

from engine.play.actions import (
    Action,
    AgreeDraw,
    AnswerGuess,
    Attack,
    CannotMove,
    Forfeit,
    Infiltrate,
    Insist,
    Move,
    Override,
    PlaceArmies,
    Resign,
    RunOut,
    SettleDispute,
    TakeBack,
    WithdrawAttack,
)
from engine.play.moment import OutOfPhaseError, Phase
from engine.play.referee import Referee
from engine.ranks import Rank
from engine.rulebook.editions import DEFAULT, EDITIONS
from engine.secrecy import Secret
from tests.engine.tables import (
    BLUE,
    RED,
    SKIRMISH,
    Table,
    declare,
    refusal,
    state,
    told_ranks,
    way,
)

ACTIONS: dict[str, Action] = {
    "place": PlaceArmies(RED.home, BLUE.home),
    "move": Move(*way("f4 f5")),
    "attack": Attack(*way("k4 k7")),
    "withdraw": WithdrawAttack(),
    "declare": declare(RED, Rank.GENERAL),
    "cannot": CannotMove(),
    "insist": Insist(Secret(RED, Rank.BOMB)),
    "settle": SettleDispute(accepted=False),
    "infiltrate": Infiltrate(*way("a8 a10"), Rank.SPY),
    "answer": AnswerGuess(right=False),
    "override": Override(*way("b7 b6")),
    "take back": TakeBack(),
    "resign": Resign(RED),
    "draw": AgreeDraw(),
    "run out": RunOut(None),
    "forfeit": Forfeit(BLUE),
}
ANY_TIME = {"take back", "resign", "draw", "run out", "forfeit"}
FITTING = {
    Phase.SETUP: {"place"},
    Phase.PLAY: {"move", "attack", "infiltrate", "override", "cannot", *ANY_TIME},
    Phase.ATTACK: {"withdraw", "declare", "insist", *ANY_TIME},
    Phase.DISPUTE: {"settle", *ANY_TIME},
    Phase.GUESS: {"answer", *ANY_TIME},
    Phase.OVER: {"take back"},
}


NEAR_THE_FLAG = (
    SKIRMISH.replace("r5", "rI").replace("b5", "bI").replace("r3", "r1").replace("b3", "b1")
)


def in_phase(phase: Phase) -> Referee:
    if phase is Phase.SETUP:
        return Referee(DEFAULT)
    table = Table.of(NEAR_THE_FLAG, rules=EDITIONS["nordic-2015"])
    table.override("i4-a8")
    table.play("e7-e6 e4-e5 f7-f6")
    if phase in (Phase.ATTACK, Phase.DISPUTE):
        table.referee.apply(Attack(*way("e5 e6")))
    if phase is Phase.DISPUTE:
        table.referee.apply(Insist(Secret(RED, Rank.BOMB)))
    if phase is Phase.GUESS:
        table.referee.apply(Infiltrate(*way("a8 a10"), Rank.SPY))
    if phase is Phase.OVER:
        table.referee.apply(Resign(BLUE))
    return table.referee


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("kind", ACTIONS)
def test_what_fits_which_phase(phase: Phase, kind: str) -> None:
    referee = in_phase(phase)
    assert referee.phase is phase
    before, accepted = state(referee), len(referee.actions)

    if kind in FITTING[phase]:
        assert refusal(referee.apply(ACTIONS[kind])) is None
        assert referee.actions[accepted:] == [ACTIONS[kind]]
        return
    with pytest.raises(OutOfPhaseError, match=f"{type(ACTIONS[kind]).__name__}.*'{phase.value}'"):
        referee.apply(ACTIONS[kind])
    assert len(referee.actions) == accepted
    assert state(referee) == before


def test_the_wrong_phase_is_told_without_the_rank(referee: Referee) -> None:
    with pytest.raises(OutOfPhaseError) as refused:
        referee.apply(declare(RED, Rank.MARSHAL))

    assert not told_ranks(str(refused.value))


# -- replaying


def test_the_accepted_actions_are_the_game(table: Table) -> None:
    referee = table.referee
    setup = referee.actions[0]
    opened, general = Attack(*way("e5 e6")), declare(RED, Rank.GENERAL)
    table.play("e4-e5 e7-e6")
    for action in (
        Move(*way("a1 a2")),
        Move(*way("k1 k2")),  # refused: nothing is there
        Move(*way("b7 b6")),
        Move(*way("b6 b5")),  # refused: Red is to move
        opened,
        WithdrawAttack(),
        opened,
        declare(RED, Rank.BOMB),  # refused: it attacks
        general,
        declare(BLUE, Rank.SPY),  # refused: the army has none
    ):
        referee.apply(action)

    assert referee.actions == [
        setup,
        Move(*way("e4 e5")),
        Move(*way("e7 e6")),
        Move(*way("a1 a2")),
        Move(*way("b7 b6")),
        opened,
        WithdrawAttack(),
        opened,
        general,
    ]
    assert state(Referee.replay(referee.edition, referee.actions)) == state(referee)
    for number in range(len(referee.actions)):
        shorter = Referee.replay(referee.edition, referee.actions[:number])
        assert state(shorter) != state(referee)
