"""Every public event can be encoded and decoded."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.events import BoardDisconnected, write_event
from companion.core.inputs import AdjustClock, AnswerCall, CallArbiter, WithdrawCall
from companion.hall.protocol.feed import _NOTES, _RULINGS, read_event
from engine.board.geometry import Side, set_of, square
from engine.board.ranks import Rank
from engine.board.visibility import Public
from engine.game import rulings
from engine.game.actions import NotAScout, RankCorrection, Relocation, SwapCorrection
from engine.records.serialization import published_name
from engine.rules.movement import CombatResult
from engine.rules.rules import Citation, Interpretation, Rule, Violation, ViolationKind
from engine.rules.setup import Placed

A4, A5, B4 = square("a4"), square("a5"), square("b4")
CITED = Citation("ISF game rules", next(iter(Rule)), "10.1", next(iter(Interpretation)))
BROKEN = Violation(next(iter(ViolationKind)), set_of([A4, A5]), CITED, 3, Side.BLUE)
EVENTS: list[Public] = [
    rulings.ArmiesPlaced(),
    rulings.Moved(Side.RED, A4, A5, long_move=False),
    rulings.AttackOpened(Side.RED, A4, A5, (Side.RED, Side.BLUE)),
    rulings.AttackWithdrawn(),
    rulings.Declared(Side.BLUE),
    rulings.Combat(Side.RED, A4, A5, Rank.MINER, Rank.BOMB, CombatResult.ATTACKER_WINS),
    rulings.Combat(Side.RED, A4, A5, Rank.MINER, None, CombatResult.DEFENDER_WINS),
    rulings.Disputed(Side.RED, A5),
    rulings.Disputed(Side.RED, A5, is_as_sealed=True),
    rulings.SealsBroken(Side.BLUE),
    rulings.ArmyOpened(Side.RED, (Placed(A4, Side.RED, Rank.FLAG),), set_of([A4])),
    rulings.DisputeSettled(Side.RED, accepted=True),
    rulings.InfiltrationOpened(Side.RED, A4, A5, Rank.SPY, Side.BLUE),
    rulings.InfiltrationOpened(Side.RED, A4, A5, Rank.SPY, None),
    rulings.Infiltrated(Side.RED, A4, A5, Rank.SPY, right=True),
    rulings.Overridden(BROKEN),
    rulings.Corrected(RankCorrection(A4, Rank.SCOUT), (A5,), set_of([A5])),
    rulings.Corrected(SwapCorrection(A4, B4), (A4, B4), set_of([A4, B4])),
    rulings.Corrected(NotAScout(A4), (A4,), 0),
    rulings.BoardAdopted((Relocation(A4, A5),), set_of([B4]), Side.RED),
    rulings.AdoptionRejected(rulings.AdoptionError.FLAG, set_of([B4])),
    rulings.TakenBack(),
    rulings.Touched(A4),
    rulings.Touched(A4, carried=True),
    rulings.TouchedFreed(A4),
    rulings.StalemateClaimed(Side.RED),
    rulings.MoveRequired(Side.RED),
    rulings.GameOver(None, rulings.Reason.AGREED_DRAW),
    rulings.GameOver(Side.RED, rulings.Reason.FLAG_CAPTURED, CITED),
    BROKEN,
    AdjustClock(Side.RED, -30),
    CallArbiter(Side.BLUE),
    WithdrawCall(None),
    AnswerCall(),
    BoardDisconnected(),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: published_name(type(event)))
def test_event_round_trip(event: Public) -> None:
    read = read_event(write_event(event))  # type: ignore[arg-type]
    assert read == event
    assert write_event(read) == write_event(event)  # type: ignore[arg-type]


def test_a_missing_field() -> None:
    plain = write_event(rulings.Disputed(Side.RED, A5))
    del plain["is_as_sealed"]
    with pytest.raises(
        ValueError,
        match=r'^"is_as_sealed" of the event must be true or false or null; found nothing$',
    ):
        read_event(plain)


def test_public_rulings_are_complete() -> None:
    refused = {published_name(rulings.CorrectionRefused)}  # never in a journal
    tried = {published_name(type(event)) for event in EVENTS}
    notes = set(map(published_name, _NOTES))
    assert set(map(published_name, _RULINGS)) - notes - refused == tried - notes


@given(
    st.sampled_from(EVENTS),
    st.sampled_from([None, 1, "", "red", "a4", [], ["z9"], {}, {"mistake": "none"}]),
    st.data(),
)
def test_random_input_is_read_or_refused(event: Public, junk: object, data: st.DataObject) -> None:
    plain = write_event(event)  # type: ignore[arg-type]
    field = data.draw(st.sampled_from(sorted(plain)))
    with suppress(ValueError):
        read_event({**plain, field: junk})
