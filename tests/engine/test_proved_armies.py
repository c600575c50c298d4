"""Tests that sealed armies are verified after the game."""

import pytest

from engine.board import OutOfPhaseError
from engine.board.geometry import Side, names, set_of, square
from engine.board.ranks import Rank
from engine.game import actions, rulings
from engine.game.game_state import Game, Phase
from engine.game.referee import Referee
from engine.game.views import public_view
from engine.records.adjudication import judge_transcript
from engine.records.transcript import Transcript, TranscriptError, as_record, transcribe
from engine.rules.rules import ViolationKind
from tests.engine.sealed_table import SealedTable, attacked
from tests.engine.tables import BLUE, RED, state, way


@pytest.fixture
def table() -> SealedTable:
    return attacked()


def over(table: SealedTable) -> SealedTable:
    table.referee.apply(actions.Resign(BLUE))
    return table


def test_armies_are_proved_after_the_game(table: SealedTable) -> None:
    over(table)

    for side in Side:
        (proved,) = table.referee.apply(actions.OpenArmy(side, table.armies[side]))
        assert isinstance(proved, rulings.ArmyOpened)
        assert not proved.wrong
        assert {each.square: each.rank for each in proved.army} == {
            at: rank for at, (its, rank) in table.setup.pieces.items() if its is side
        }
    assert set(public_view(table.referee).proved) == {RED, BLUE}


def test_no_proof_before_the_end(table: SealedTable) -> None:
    with pytest.raises(OutOfPhaseError, match="phase"):
        table.referee.apply(actions.OpenArmy(RED, table.armies[RED]))


def test_refused_take_back_of_a_finished_game_changes_nothing(table: SealedTable) -> None:
    """A game that was read as text after its end has no stored state before the end."""
    again = Referee.of_game(Game(over(table).referee.game.state))
    again.apply(actions.OpenArmy(RED, table.armies[RED]))
    before, in_force = state(again), again.in_force

    with pytest.raises(OutOfPhaseError, match="expected an action to take back"):
        again.undo()

    assert state(again) == before
    assert again.in_force == in_force


def test_partial_opening_proves_nothing(table: SealedTable) -> None:
    over(table)
    exchanged = {
        **table.armies[RED],
        square("e4"): table.opening("f4"),
        square("f4"): table.opening("e4"),
    }
    lacking = {at: each for at, each in table.armies[RED].items() if at != square("b4")}

    assert table.referee.apply(actions.OpenArmy(RED, exchanged)) == (
        rulings.OpeningFailed(RED, set_of(map(square, ("e4", "f4")))),
    )
    assert table.referee.apply(actions.OpenArmy(RED, lacking)) == (
        rulings.OpeningFailed(RED, 1 << square("b4")),
    )
    assert not public_view(table.referee).proved
    timed = enumerate([*table.referee.actions, actions.OpenArmy(RED, lacking)])
    with pytest.raises(TranscriptError, match="the openings do not match the commitments"):
        transcribe(table.referee.edition, list(timed))


def test_surplus_rank_is_detected() -> None:
    """Red has committed its miner as a second general."""
    table = over(SealedTable(f4="general"))

    (proved,) = table.referee.apply(actions.OpenArmy(RED, table.armies[RED]))
    assert isinstance(proved, rulings.ArmyOpened)
    assert names(proved.wrong) == "e4 f4"


def test_unattacked_moved_bomb_is_detected() -> None:
    table = SealedTable()
    table.play("b4-b5 b7-b6")
    over(table)

    (proved,) = table.referee.apply(actions.OpenArmy(RED, table.armies[RED]))
    assert isinstance(proved, rulings.ArmyOpened)
    assert names(proved.wrong) == "b4"


def recorded(table: SealedTable) -> Transcript:
    """Return the game as it is saved and replayed."""
    return transcribe(table.referee.edition, ((0.0, action) for action in table.referee.actions))


def test_proved_ranks_are_known_in_replay(table: SealedTable) -> None:
    over(table)
    assert recorded(table).ranks == {}
    table.referee.apply(actions.OpenArmy(RED, table.armies[RED]))
    assert recorded(table).ranks == {at: each.rank for at, each in table.armies[RED].items()}
    table.referee.apply(actions.OpenArmy(BLUE, table.armies[BLUE]))
    assert recorded(table).ranks == table.setup.ranks
    assert as_record(recorded(table)).ranks == table.setup.ranks


def test_accepted_rank_is_kept_beside_the_proof(table: SealedTable) -> None:
    """Red's general was accepted as a scout. The record keeps this rank, although the commitment,
    when opened, proves that the piece is the general."""
    table.declare("e4", "scout", "")
    table.insist("e4", "scout", "")
    table.referee.apply(actions.SettleDispute(accepted=True))
    table.declare("e7")
    over(table).referee.apply(actions.OpenArmy(RED, table.armies[RED]))

    assert recorded(table).ranks[square("e4")] is Rank.SCOUT


def test_relocated_sealed_bomb_is_detected() -> None:
    table = SealedTable()
    table.referee.apply(actions.AdoptBoard((actions.Relocation(*way("b4 b5")),), 0, RED))
    over(table)
    assert not judge_transcript(recorded(table), table.referee.edition).violations
    (proved,) = table.referee.apply(actions.OpenArmy(RED, table.armies[RED]))
    assert isinstance(proved, rulings.ArmyOpened)
    assert not proved.wrong

    (found,) = judge_transcript(recorded(table), table.referee.edition).violations
    assert (found.fault, names(found.squares)) == (ViolationKind.IMMOBILE, "b4")


def test_take_back_of_the_end_drops_the_proof(table: SealedTable) -> None:
    table.referee.apply(actions.Resign(BLUE))
    table.referee.apply(actions.OpenArmy(RED, table.armies[RED]))
    table.referee.apply(actions.TakeBack())

    assert table.referee.phase is Phase.ATTACK
    assert not public_view(table.referee).proved


def test_only_sealed_armies_are_proved_once(table: SealedTable) -> None:
    table.referee.apply(actions.BreakSeals(RED))
    over(table)
    table.referee.apply(actions.OpenArmy(BLUE, table.armies[BLUE]))

    for side in Side:
        with pytest.raises(OutOfPhaseError, match=r"unopened commitments of .*"):
            table.referee.apply(actions.OpenArmy(side, table.armies[side]))
