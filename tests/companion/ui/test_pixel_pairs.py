"""Attacks that differ in declared ranks have identical public screenshots.

A seed determines the rulebook, the language, the squares, the ranks and additional actions. Such
actions are, for example, looking behind the curtain, opening the menu or unplugging the board.
Screenshots are compared until the ranks are shown.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import pytest

from companion.speech.i18n import codes
from companion.ui.base.base_screen import READING_SECONDS
from engine.board.ranks import Rank
from engine.rules.editions import EDITIONS
from firmware_bridge.image import Image
from tests.campaigns import Campaign
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import STANDING, after, begin, declare, open_curtain, play

PAIRS = Campaign("pixels", part=1, whole=200)
FIGHTS = (
    (("e4 e5", "a7 a6", "e5 e6", "a6 a5"), "e6 e7", False),
    (("e4 e5", "e7 e6"), "e5 e6", True),
    (("a4 a5", "f7 f6", "a5 a6", "f6 f5"), "a6 a7", False),
    (("k4 k5", "k7 k6"), "k5 k6", True),
)
"""For each attack: the preceding moves, the attack, and whether the attacked piece has moved."""
SILENT = 0.5
"""Fraction of attacks in games with the silent-defence option."""
STANDS_STILL = frozenset({Rank.BOMB, Rank.FLAG})

Drive = Callable[..., Driver]


class Attack:
    """An attack with two hidden ranks. With the same seed, it can be repeated with different
    ranks."""

    def __init__(self, driver: Driver, seed: int) -> None:
        self._driver = driver
        self._dice = Random(f"{seed} players")

    def pictures(self, fight: int, attacker: Rank, defender: Rank) -> Iterator[bytes]:
        """Play the attack. Yield a screenshot whenever the screen shows nothing private."""
        moves, attack, _ = FIGHTS[fight]
        begin(self._driver)
        standing = after(play(self._driver, STANDING, *moves), attack)
        self._driver.show(standing)
        for rank in (attacker, defender):
            assert self._driver.view == "declaration"
            yield self._seen()
            for _ in range(self._dice.randrange(3)):
                yield from self._interlude(rank, standing)
            declare(self._driver, rank)
        assert self._driver.view != "declaration"

    def _interlude(self, rank: Rank, standing: Image) -> Iterator[bytes]:
        driver = self._driver
        match self._dice.randrange(3):
            case 0:
                open_curtain(driver)
                driver.tap_tile("tiles", rank)
                driver.pass_time(READING_SECONDS + 1)
            case 1:
                driver.tap("menu")
                yield self._seen()
                driver.tap("close")
            case 2:
                driver.lose()
                yield self._seen()
                driver.connect()
                driver.show(standing)
        yield self._seen()

    def _seen(self) -> bytes:
        """Return everything that is public: the screen and the lamps."""
        return self._driver.pixels() + repr(self._driver.script.lit).encode()


@PAIRS
@pytest.mark.parametrize("seed", range(PAIRS.size))
def test_declared_ranks_are_invisible_in_pixels(drive: Drive, seed: int) -> None:
    dice = Random(seed)
    edition = dice.choice([*EDITIONS.values()])
    language, fight = dice.choice(codes()), dice.randrange(len(FIGHTS))
    full = [army for army in edition.armies if army.size == STANDING.red.bit_count()]
    army = dice.choice(full or [edition.army])
    edition = replace(edition, army=army, silent_defence=dice.random() < SILENT)
    ranks = sorted(set(army.pieces))
    moving = [rank for rank in ranks if rank not in STANDS_STILL]
    attackers = dice.sample(moving, 2)
    defenders = dice.sample(moving if FIGHTS[fight][2] else ranks, 2)
    one, other = (
        [*Attack(drive(edition=edition, language=language), seed).pictures(fight, *hidden)]
        for hidden in zip(attackers, defenders, strict=True)
    )
    assert len(one) == len(other) >= 2
    assert [a == b for a, b in zip(one, other, strict=True)] == [True] * len(one)
