"""Tests for two players with phones, from the QR code to the end of a game."""

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser

from companion.core.inputs import BoardSeen, Ready, RevealDismissed, TimePassed
from companion.pads import Pads, Presence
from companion.pads.protocols import PATIENCE
from engine.board.geometry import Side, Square
from engine.board.ranks import Rank
from engine.game.actions import Attack, Declare
from engine.game.game_state import Phase
from engine.records.gravon import read_gravon_xml
from engine.records.record import RecordedMove
from firmware_bridge.image import Image
from tests.companion.core.random_inputs import carried
from tests.companion.core.table_pair import RESTED
from tests.companion.pads.pad_driver import PadDriver, pads_of
from tests.integration.pads.failing_phone import FailingPhone
from tests.integration.pads.playing import A_FINGER, chromium, phone, sit, touch_twice, until

GAME: Final = read_gravon_xml(
    (Path(__file__).parents[3] / "companion/samples/classic-2004.xml").read_bytes()
)
SLEEPS: Final = 50
RELOADS: Final = 5
SOON: Final = 10
"""Maximum time from opening the link until taking the seat, in seconds."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


class SampleGame(PadDriver):
    """Recorded game between players who know the ranks of their pieces."""

    def stand(self, side: Side, *squares: int) -> None:
        """Do nothing, because images go directly to the table."""

    def shows(self, image: Image) -> None:
        """Show an image until the table accepts it as stable."""
        self.now += 1
        self.submit(BoardSeen(self.now, image))
        self.now += RESTED
        self.submit(TimePassed(self.now))

    def set_up(self) -> None:
        self.shows(self.table.required_image)
        for side in Side:
            self.command(Ready(side))
        self.shows(self.table.required_image)
        assert self.table.view.phase is Phase.PLAY

    def rank_at(self, square: Square) -> Rank:
        return GAME.ranks[self.table.view.board.piece_at(square)]

    def declared(self) -> list[tuple[Side, Rank]]:
        ranks = (each.rank for each in self.actions if isinstance(each, Declare))
        return [(rank.owner, rank.unseal()) for rank in ranks]


class PadGame:
    """Game at the board with two failing phones."""

    def __init__(self, game: SampleGame, pads: Pads, phones: dict[Side, FailingPhone]) -> None:
        self.game, self.pads, self.phones = game, pads, phones
        self.meant: list[tuple[Side, Rank]] = []
        self.elsewhere = 0
        """Number of times that a page showed rank tiles to a player who was not asked."""
        self._chance = random.Random(3)
        self._page = next(iter(phones.values())).page

    def until(self, condition: Callable[[], object]) -> None:
        until(self.pads, self._page, condition)

    def turn(self, move: RecordedMove) -> None:
        table, way = self.game.table, (move.source, move.target)
        if not table.view.board.side_at(move.target):
            self.game.shows(carried(table.expected, *way))
            return
        self.game.command(Attack(*way))
        while asked := table.conversation.question:
            self.declare(asked.owner, self.game.rank_at(asked.square))
        if not table.view.outcome:
            self.game.shows(table.required_image)
            self.game.submit(RevealDismissed(self.game.now))

    def declare(self, side: Side, rank: Rank) -> None:
        """Declare a rank while faults occur on the phones."""
        self.meant.append((side, rank))
        self.pads.tick()
        phone, other = self.phones[side], self.phones[side.other]
        if self._chance.random() < 0.5:
            self.nap(self._chance.choice([phone, other]))
        touch_twice(self.pads, phone.page, f".tile[data-rank={rank.name.lower()}]")
        if self._chance.random() < 0.3:
            self.nap(phone)
        self.until(lambda: len(self.game.declared()) == len(self.meant))
        self.elsewhere += other.page.locator(".tile").count() and not self.is_asked(side.other)

    def is_asked(self, side: Side) -> bool:
        asked = self.game.table.conversation.question
        return asked is not None and asked.owner is side

    def nap(self, phone: FailingPhone) -> None:
        """Put a phone to sleep until it is reported as away. Sometimes reload its page first."""
        if phone.done["sleeps"] % 6 == 5 and self.reloads < RELOADS:
            phone.reload()
        side = next(side for side, each in self.phones.items() if each is phone)
        self.until(lambda: self.pads.presence(side) is Presence.HERE)
        phone.sleep()
        self.until(lambda: self._is_away(side))
        self.pads.tick()
        phone.wake()
        self.until(lambda: self.pads.presence(side) is Presence.HERE)

    def _is_away(self, side: Side) -> bool:
        """Advance time by the limit after which a silent phone counts as away. Return whether the
        phone is away. If a late message has just arrived, it is not."""
        self.game.now += PATIENCE
        return self.pads.presence(side) is Presence.AWAY

    @property
    def reloads(self) -> int:
        return sum(phone.done["reloads"] for phone in self.phones.values())

    @property
    def sleeps(self) -> int:
        return sum(phone.done["sleeps"] for phone in self.phones.values())


def test_join_by_code(browser: Browser) -> None:
    driver = PadDriver()
    with pads_of(driver) as pads:
        for side in Side:
            began = time.monotonic()
            page = sit(pads, phone(browser), side)
            until(pads, page, page.locator(".clock.you").count)
            took = time.monotonic() - began
            print(f"from the code to {side.value}'s seat: {took:.1f} s")
            assert took < SOON
            assert pads.presence(side) is Presence.HERE
            assert "#" not in page.url


def test_phone_without_a_seat(browser: Browser) -> None:
    with pads_of(PadDriver()) as pads:
        first, second = (sit(pads, phone(browser), Side.RED) for _ in range(2))
        until(pads, first, first.locator(".clock.you").count)
        problem = second.locator("#problem")
        until(pads, second, lambda: "Another phone has this seat" in problem.inner_text())
        pads.renew(Side.RED)
        until(pads, first, lambda: "no longer valid" in first.locator("#problem").inner_text())
        assert not first.locator("#board").is_visible()
        second.goto(pads.address(Side.RED))
        until(pads, second, second.locator(".clock.you").count)
        assert not problem.is_visible()


def test_repeated_code_keeps_the_seat(browser: Browser) -> None:
    with pads_of(PadDriver()) as pads:
        context = phone(browser)
        until(pads, page := sit(pads, context, Side.RED), page.locator(".clock.you").count)
        page.close()
        until(pads, page := sit(pads, context, Side.RED), page.locator(".clock.you").count)
        assert pads.presence(Side.RED) is Presence.HERE


def test_declaration_needs_a_second_touch(browser: Browser) -> None:
    game = SampleGame()
    with pads_of(game) as pads:
        page = sit(pads, phone(browser), Side.RED)
        game.set_up()
        draw = page.locator("[data-do=draw]")
        until(pads, page, draw.count)
        page.wait_for_timeout(A_FINGER)
        tap = "document.querySelector('[data-do=draw]').click();"
        page.evaluate(tap + tap)  # a double tap counts only once
        pads.tick()
        assert "Tap again" in draw.inner_text()
        assert game.table.conversation.draw_offer is None
        page.wait_for_timeout(A_FINGER)
        draw.tap()
        until(pads, page, lambda: game.table.conversation.draw_offer is Side.RED)


def test_game_with_network_faults(browser: Browser) -> None:
    game = SampleGame()
    with pads_of(game) as pads:
        phones = {side: FailingPhone(phone(browser), seed) for seed, side in enumerate(Side)}
        for side, each in phones.items():
            each.page.goto(pads.address(side))
        driver = PadGame(game, pads, phones)
        game.set_up()
        for move in GAME.moves:
            driver.turn(move)
        while driver.sleeps < SLEEPS:
            driver.nap(phones[Side.RED])
        sent = b"".join(body for each in phones.values() for body in each.sent)
        done = sum((each.done for each in phones.values()), Counter())
        for each in phones.values():
            each.page.context.close()

    print(f"{len(driver.meant)} declarations by phones; {dict(done)}")
    assert game.declared() == driver.meant
    assert driver.elsewhere == 0
    assert b"declare" not in sent
    assert driver.reloads == RELOADS
    befallen = done["lost"] + done["answer lost"] + done["doubled"]
    assert befallen >= 0.28 * done["requests"]
