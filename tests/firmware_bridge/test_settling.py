"""How long an image has stood."""

from firmware_bridge.image import Image
from firmware_bridge.settling import Settling

EMPTY, ONE = Image(), Image(red=1)


def test_an_image_stands_from_when_it_was_first_seen() -> None:
    settling = Settling()
    settling.see(1.0, ONE)
    settling.see(1.5, ONE)
    assert (settling.image, settling.since) == (ONE, 1.0)


def test_another_image_starts_anew() -> None:
    settling = Settling()
    settling.see(1.0, ONE)
    settling.see(1.1, EMPTY)
    settling.see(1.2, ONE)
    assert (settling.image, settling.since) == (ONE, 1.2)


def test_at_first_there_is_none() -> None:
    assert Settling().image is None
