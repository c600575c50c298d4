"""Tests for take-backs: undone actions leave no trace, and ranks revealed by them are forgotten."""

import pytest

from engine.board import OutOfPhaseError
from engine.board.ranks import Rank, ranks_in
from engine.board.visibility import Secret
from engine.game import actions
from engine.game import referee as referee_module
from engine.game.game_state import Phase
from engine.game.referee import Referee
from engine.game.rulings import TakenBack
from engine.rules.editions import EDITIONS
from engine.rules.rules import Violation, ViolationKind
from tests.engine.tables import BLUE, RED, SKIRMISH, Table, declare, moment, state, way


@pytest.fixture
def table() -> Table:
    table = Table.of(SKIRMISH, rules=EDITIONS["isf"])
    table.play("e4-e5 e7-e6")
    return table


def replayed(referee: Referee) -> object:
    return state(Referee.replay(referee.edition, referee.actions))


TURNS: dict[str, list[actions.Action]] = {
    "a move": [actions.Move(*way("e5 e4"))],
    "a run": [actions.Move(*way("k4 k6"))],
    "an open attack": [actions.Attack(*way("e5 e6"))],
    "half an attack": [actions.Attack(*way("e5 e6")), declare(BLUE, Rank.LIEUTENANT)],
    "an attack": [
        actions.Attack(*way("e5 e6")),
        declare(RED, Rank.GENERAL),
        declare(BLUE, Rank.LIEUTENANT),
    ],
    "a dispute": [
        actions.Attack(*way("e5 e6")),
        actions.UpholdDeclaration(Secret(RED, Rank.MARSHAL)),
    ],
    "a dispute that was refused": [
        actions.Attack(*way("e5 e6")),
        actions.UpholdDeclaration(Secret(RED, Rank.MARSHAL)),
        actions.SettleDispute(accepted=False),
        declare(RED, Rank.GENERAL),
    ],
    "a dispute that was accepted": [
        actions.Attack(*way("e5 e6")),
        actions.UpholdDeclaration(Secret(RED, Rank.MARSHAL)),
        actions.SettleDispute(accepted=True),
        declare(BLUE, Rank.LIEUTENANT),
    ],
    "an irregular move": [actions.Override(*way("e5 d4"))],
    "a move out of turn": [actions.Override(*way("f7 f6"))],
    "an irregular attack": [
        actions.Override(*way("e6 e5")),
        declare(BLUE, Rank.LIEUTENANT),
        declare(RED, Rank.GENERAL),
    ],
}


@pytest.mark.parametrize("turn", TURNS.values(), ids=list(TURNS))
def test_whole_turn_is_taken_back(table: Table, turn: list[actions.Action]) -> None:
    referee, before = table.referee, moment(table.referee)
    for action in turn:
        referee.apply(action)
    assert moment(referee) != before

    assert referee.apply(actions.TakeBack()) == (TakenBack(),)

    assert moment(referee) == before
    assert referee.actions[-len(turn) - 1 :] == [*turn, actions.TakeBack()], (
        "the list of actions keeps the undone turn"
    )
    assert replayed(referee) == state(referee)


@pytest.mark.parametrize("turn", TURNS.values(), ids=list(TURNS))
def test_game_continues_after_take_back(table: Table, turn: list[actions.Action]) -> None:
    other = Referee.replay(table.referee.edition, table.referee.actions)
    for action in (*turn, actions.TakeBack()):
        table.referee.apply(action)
    for action in (actions.Attack(*way("e5 e6")), declare(RED, Rank.GENERAL)):
        assert table.referee.apply(action) == other.apply(action)

    assert moment(table.referee) == moment(other)


def test_take_back_to_the_start() -> None:
    table, seen = Table.of(SKIRMISH, rules=EDITIONS["isf"]), []
    for move in ("e4-e5", "e7-e6", "e5xe6", "k7-k5"):
        seen.append(moment(table.referee))
        table.play(move)

    while seen:
        table.take_back()
        assert moment(table.referee) == seen.pop()
    with pytest.raises(OutOfPhaseError, match="expected a turn to take back"):
        table.take_back()
    assert replayed(table.referee) == state(table.referee)


def test_repeated_turn_can_be_taken_back_again(table: Table) -> None:
    before = moment(table.referee)
    for move in ("e5-e4", "e5-f5", "e5-e4"):
        table.play(move)
        table.take_back()
        assert moment(table.referee) == before
    assert len(table.referee.in_force) == 3


def test_taken_back_turn_proves_nothing(table: Table) -> None:
    table.play("k4-k6")
    assert table.referee.possible("k6") == {Rank.SCOUT}
    table.take_back()
    assert table.referee.possible("k4") == set(ranks_in(table.setup.army.ranks))


def test_taken_back_crossing_does_not_count() -> None:
    table = Table.of(SKIRMISH, rules=EDITIONS["isf"])
    for _ in range(5):
        table.play("e4-e5")
        table.take_back()
    table.play("e4-e5 e7-e6 e5-e4 f7-f6 e4-e5 k7-k6")

    (violation,) = table.play("e5-e4")
    assert isinstance(violation, Violation)
    assert violation.fault is ViolationKind.TO_AND_FRO
    table.take_back()
    table.take_back()
    table.play("f4-f5 k7-k6")
    assert table.referee.find_violation(*way("e4 e5")) is None


def test_take_back_restores_the_chase() -> None:
    table = Table.of(CHASE, rules=EDITIONS["isf"])
    table.play("e4-e5 f7-f6 e5-e6 f6-f5 e6-f6 f5-e5 f6-f5 e5-e6 f5-e5 e6-f6")
    for move in ("e5-f5", "e5-d4"):
        (table.play if move == "e5-f5" else table.override)(move)
        table.take_back()

    (violation,) = table.play("e5-e6")
    assert isinstance(violation, Violation)
    assert (violation.fault, violation.count) == (ViolationKind.CHASE_REPEATS, 7)
    table.take_back()
    table.play("k10-k9")
    assert table.referee.find_violation(*way("e5 e6")) is None, (
        "this time Blue has not evaded the threat"
    )


CHASE = """
    10   .   .   .   .   .   .   .   .   .  b3
     9   .   .   .   .   .   .   .   .   .   .
     8   .   .   .   .   .   .   .   .   .   .
     7   .   .   .   .   .  b7   .   .   .  bF
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4   .   .   .   .  r7   .   .   .   .   .
     3   .   .   .   .   .   .   .   .   .   .
     2  rF   .   .   .   .   .   .   .   .   .
     1  r3   .   .   .   .   .   .   .   .   .
         a   b   c   d   e   f   g   h   i   k
"""


# -- after the end


@pytest.mark.parametrize(
    "end",
    [
        actions.Resign(RED),
        actions.AgreeDraw(),
        actions.TimeExpired(None),
        actions.Forfeit(BLUE),
        actions.Forfeit(None),
    ],
)
def test_take_back_after_the_end_undoes_only_the_ending(table: Table, end: actions.Action) -> None:
    before = moment(table.referee)
    table.referee.apply(end)
    assert table.referee.phase is Phase.OVER

    table.take_back()

    assert moment(table.referee) == before
    table.take_back()
    assert table.referee.plies == 1


def test_resignation_during_an_attack_is_taken_back(table: Table) -> None:
    table.referee.apply(actions.Attack(*way("e5 e6")))
    table.referee.apply(declare(RED, Rank.GENERAL))
    before = moment(table.referee)
    table.referee.apply(actions.Resign(BLUE))

    table.take_back()

    assert moment(table.referee) == before
    assert table.referee.open_attack
    assert table.referee.open_attack.awaited == (BLUE,)


def test_final_declaration_is_declared_again() -> None:
    """The last declaration may have been a slip, so only that declaration is undone, not the
    attack."""
    table = Table.of(SKIRMISH, rules=EDITIONS["isf"])
    table.override("e4-b10")
    table.play("e7-e6")
    referee = table.referee
    referee.apply(actions.Attack(*way("b10 a10")))
    referee.apply(declare(RED, Rank.GENERAL))
    referee.apply(declare(BLUE, Rank.FLAG))
    assert referee.outcome

    table.take_back()

    assert referee.open_attack
    assert referee.open_attack.awaited == (BLUE,)
    assert referee.phase is Phase.ATTACK
    assert not referee.position.player(BLUE).captured
    assert replayed(referee) == state(referee)


def test_losing_bomb_move_is_taken_back() -> None:
    table = Table.of(SKIRMISH, rules=EDITIONS["gravopedia-2006"])
    table.play("i4-i5 k7-k6 i5-i6 k6-k7 i6xi7")
    before = moment(table.referee)
    table.play("i7-i6")
    assert table.referee.outcome

    table.take_back()

    assert moment(table.referee) == before
    assert replayed(table.referee) == state(table.referee)


def test_no_take_back_before_the_first_turn() -> None:
    table = Table.of(SKIRMISH)
    before = state(table.referee)
    with pytest.raises(OutOfPhaseError, match="expected a turn to take back"):
        table.take_back()
    assert state(table.referee) == before


def test_no_take_back_before_the_setup() -> None:
    with pytest.raises(OutOfPhaseError, match="expected an action to take back"):
        Referee.waiting(EDITIONS["isf"]).apply(actions.TakeBack())


def test_take_back_does_not_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    """A take-back restores a stored position, so its cost does not depend on the game's length."""
    table = Table.of(SKIRMISH, rules=EDITIONS["isf"])
    table.play("e4-e5 e7-e6 e5xe6 k7-k5 i4-i5 k5-k6")
    judged: list[actions.Action] = []
    monkeypatch.setattr(referee_module, "apply", lambda *call: judged.append(call[1]))

    for _ in range(6):
        table.take_back()

    assert judged == []
    assert table.referee.plies == 0
