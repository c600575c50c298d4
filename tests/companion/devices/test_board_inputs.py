"""Board faults that matter in a game are reported to the table."""

import pytest

from companion.core.inputs import BoardFaultReported
from companion.devices.live_board import BoardInputs
from engine.board.geometry import square
from firmware_bridge.link import MessageReceived
from firmware_bridge.wire import Fault, FaultCode

NOT_IN_A_GAME = {FaultCode.DRIFT, FaultCode.NO_GROUND}


@pytest.mark.parametrize("code", FaultCode)
def test_unreliable_square_is_reported(code: FaultCode) -> None:
    result = BoardInputs().take(1.0, MessageReceived(Fault(code, square("e4"), 0)))
    is_dying = code is FaultCode.DYING
    expected = [BoardFaultReported(1.0, square("e4"), is_dying=is_dying)]
    assert result == ([] if code in NOT_IN_A_GAME else expected)
