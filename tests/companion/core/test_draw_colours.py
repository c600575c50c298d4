"""Random colour assignment is fair, is announced to both sides and has no other effect."""

import random
from itertools import count

import pytest

from companion.core.events import ColoursDrawn
from companion.core.game_options import draw_colours
from companion.speech.announcer import Announcer
from companion.speech.i18n import Language


def test_both_can_draw_both_colours() -> None:
    numbers = count()
    lots = [draw_colours("Anna", "Ben", lambda: next(numbers)) for _ in range(4)]

    assert lots == 2 * [ColoursDrawn(red="Ben", blue="Anna"), ColoursDrawn(red="Anna", blue="Ben")]


def test_draws_are_even() -> None:
    chance = random.Random(1992)
    lots = [draw_colours("Anna", "Ben", lambda: chance.getrandbits(32)) for _ in range(1000)]

    assert 450 < sum(lot.red == "Anna" for lot in lots) < 550


def test_order_of_names_gives_no_advantage() -> None:
    assert draw_colours("Anna", "Ben", lambda: 1).red == "Anna"
    assert draw_colours("Ben", "Anna", lambda: 1).red == "Ben"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("en", "Anna plays Red and begins. Ben plays Blue."),
        ("de", "Anna spielt Rot und beginnt. Ben spielt Blau."),
    ],
)
def test_drawn_colours_are_announced(code: str, expected: str) -> None:
    assert Announcer(Language(code)).sentence(ColoursDrawn("Anna", "Ben")) == expected
