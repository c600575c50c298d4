"""The network traffic does not reveal Red's declarations before a combat."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

import pytest

from companion.core.table import Table
from companion.pads import pad_feed
from companion.pads.pad_feed import PadFeed, ShownClock
from companion.pads.player_view import PadView
from engine.board.geometry import Side
from engine.board.ranks import Rank
from engine.game.actions import Declare
from tests.campaigns import Campaign, slow_after_first
from tests.companion.core.table_pair import LeakError
from tests.companion.core.test_table_secrecy import ANNOUNCERS, edition
from tests.companion.pads.pad_pair import PadPair
from tests.companion.pads.sealed_pair import SealedPair

PADS_SECRECY: Final = Campaign("pads-secrecy", part=6, whole=1_000)
WITHIN: Final = 60
"""Number of pairs of sessions. Each planted leak must be visible in at least one of them."""


def play_many(pairs: int, pair: type[PadPair] = PadPair) -> Counter[str]:
    done: Counter[str] = Counter()
    for seed in range(pairs):
        rules = replace(edition(seed), sealed_armies=pair is SealedPair)
        tables = pair.of(rules, seed, ANNOUNCERS[seed % len(ANNOUNCERS)])
        tables.play()
        done += tables.done
    return done


@PADS_SECRECY
def test_other_pages_do_not_depend_on_declared_ranks() -> None:
    done = play_many(PADS_SECRECY.size)

    assert done["while ranks were hidden"] >= PADS_SECRECY.size
    assert done["revealed"] >= PADS_SECRECY.size // 10
    assert done["frames"] >= 10 * PADS_SECRECY.size


@PADS_SECRECY
def test_other_pages_do_not_depend_on_sealed_ranks() -> None:
    done = play_many(PADS_SECRECY.size, SealedPair)

    assert done["while ranks were hidden"] >= PADS_SECRECY.size // 2
    assert done["revealed"] >= PADS_SECRECY.size // 10
    assert done["frames"] >= 10 * PADS_SECRECY.size


@dataclass(frozen=True)
class Leak:
    """A code change that makes a function leak a rank, and the function that it patches."""

    of: Any
    name: str
    put: Callable[[Callable[..., Any]], Callable[..., Any]]


def _declared(table: Table) -> list[Rank]:
    """Return the ranks that Red has declared in private."""
    ranks = [each.rank for each in table.referee.actions if isinstance(each, Declare)]
    return [rank.unseal() for rank in ranks if rank.owner is Side.RED]


def _a_byte_in_the_page(real: Callable[..., Any]) -> Callable[..., Any]:
    def view(table: Table, *others: Any) -> dict[str, Any]:
        shown: dict[str, Any] = real(table, *others)
        shown["text"] += " " * (Rank.MARSHAL in _declared(table))
        return shown

    return view


def _another_order_of_offers(real: Callable[..., Any]) -> Callable[..., Any]:
    def available_commands(view: PadView) -> list[Any]:
        offers: list[Any] = real(view)
        return offers[:: -1 if Rank.MARSHAL in _declared(view._table) else 1]

    return available_commands


def _another_moment(real: Callable[..., Any]) -> Callable[..., Any]:
    def view(clock: ShownClock, table: Table, now: float) -> Any:
        clock._anchor = None if _declared(table)[-1:] == [Rank.MARSHAL] else clock._anchor
        return real(clock, table, now)

    return view


def _sent_though_nothing_has_changed(real: Callable[..., Any]) -> Callable[..., Any]:
    def look(followed: PadFeed) -> Any:
        table = followed._host.table
        if table and _declared(table)[-1:] == [Rank.MARSHAL]:
            followed._game += 1
        return real(followed)

    return look


LEAKS: Final = {
    "a byte in the page": Leak(pad_feed, "public_view", _a_byte_in_the_page),
    "an order": Leak(PadView, "available_commands", _another_order_of_offers),
    "a time of the clock": Leak(ShownClock, "view", _another_moment),
    "something is sent": Leak(PadFeed, "look", _sent_though_nothing_has_changed),
}


@pytest.mark.parametrize(
    ("name", "pair"),
    slow_after_first(
        "pads-secrecy",
        [*((name, PadPair) for name in LEAKS), ("a byte in the page", SealedPair)],
    ),
)
def test_planted_leak_is_found(
    name: str, pair: type[PadPair], monkeypatch: pytest.MonkeyPatch
) -> None:
    leak = LEAKS[name]
    monkeypatch.setattr(leak.of, leak.name, leak.put(getattr(leak.of, leak.name)))
    with pytest.raises(LeakError):
        play_many(WITHIN, pair)
