"""Tests for noise on the serial line between board and host."""

from firmware_bridge.image import Image
from firmware_bridge.simulated_board.port import clean, noisy
from firmware_bridge.wire import FROM_BOARD, BadFrame, Decoder, Encoder, State


def test_clean_line() -> None:
    assert clean(b"\1\2\0") == b"\1\2\0"


def test_noise_is_reproducible() -> None:
    encoder, decoder = Encoder(), Decoder(FROM_BOARD)
    sent = [State(20 * n, Image(red=n)) for n in range(500)]
    frames = [encoder.encode(state) for state in sent]
    assert [noisy(frame) for frame in frames] == [noisy(frame) for frame in frames]
    received = [found for frame in frames for found in decoder.receive(noisy(frame))]
    assert [found for found in received if not isinstance(found, BadFrame)] == sent
    assert sum(isinstance(found, BadFrame) for found in received) > 50, "the noise damages frames"
