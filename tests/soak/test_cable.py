"""Test the simulated cable. A frame that it delivers must be rejected, or must be equal to a frame
that was sent."""

from random import Random

import pytest

from firmware_bridge.image import ARMIES
from firmware_bridge.wire import FROM_BOARD, BadFrame, Decoder, Encoder, State
from tests.soak.board_source import Cable, CableFault

FRAMES = 200


@pytest.mark.parametrize("fault", [None, *CableFault])
def test_received_bytes_were_sent(fault: CableFault | None) -> None:
    cable, encoder, decoder = Cable(Random(1)), Encoder(), Decoder(FROM_BOARD)
    cable.fault = fault
    sent = [State(20 * number, ARMIES) for number in range(FRAMES)]
    came = [each for state in sent for each in decoder.receive(cable.carry(encoder.encode(state)))]
    whole = [each for each in came if not isinstance(each, BadFrame)]
    assert all(each in sent for each in whole)
    assert (len(whole) == len(came) == FRAMES) == (fault is None)
