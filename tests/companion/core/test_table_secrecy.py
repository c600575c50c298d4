"""Two sessions that differ only in private declarations look identical to everyone but the owners.

The tests compare actions, events, sentences, lamps, notes, clocks, questions and deadlines, until a
combat reveals a rank.
"""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

import pytest

from companion.core.table import Table
from companion.jsonl import table_process
from companion.speech.announcer import Announcer
from companion.speech.i18n import Language, codes
from engine.board.ranks import Rank
from engine.game.actions import Action, Declare
from engine.records.serialization import write_action
from engine.records.transcript import Transcript
from engine.rules.editions import EDITIONS, Edition, MovedBombPenalty
from tests.campaigns import Campaign, slow_after_first
from tests.companion.core import table_pair
from tests.companion.core.table_pair import MIXED, LeakError, TablePair

SECRECY: Final = Campaign("secrecy", part=8, whole=2_000)
WITHIN: Final = 100
"""Number of pairs of sessions. An injected leak must be visible in at least one of them."""
ANNOUNCERS: Final = [Announcer(Language(code)) for code in codes()]


def edition(seed: int) -> Edition:
    """Return the edition for a seed.

    Consecutive seeds cycle through the rulebooks and bomb rules. Every third edition has no silent
    defence.
    """
    book = [*EDITIONS.values()][seed % len(EDITIONS)]
    bombs = [*MovedBombPenalty]
    return replace(
        book,
        army=MIXED,
        silent_defence=seed % 3 != 0,
        touch_move=seed % 2 == 0,
        moved_bomb=bombs[seed % len(bombs)],
    )


def play(seed: int) -> Counter[str]:
    """Play a pair of sessions. Raise `LeakError` if their public output differs."""
    tables = TablePair.of(edition(seed), seed, ANNOUNCERS[seed % len(ANNOUNCERS)])
    tables.play()
    return tables.done


def play_many(pairs: int) -> Counter[str]:
    return sum((play(seed) for seed in range(pairs)), Counter())


@SECRECY
def test_declared_rank_is_invisible_to_others() -> None:
    done = play_many(SECRECY.size)

    assert done["while ranks were hidden"] >= 2 * SECRECY.size
    assert done["revealed"] >= SECRECY.size // 5
    assert done["sheets"] >= SECRECY.size // 5


@dataclass(frozen=True)
class Sabotage:
    """A code change that leaks a rank, and the function that it patches."""

    of: Any
    name: str
    put: Callable[[Callable[..., Any]], Callable[..., Any]]


def _declared(table: Table) -> list[Rank]:
    return [each.rank.unseal() for each in table.referee.actions if isinstance(each, Declare)]


def _one_rank_in_a_line(_: Callable[..., Any]) -> Callable[..., Any]:
    def write(action: Action) -> dict[str, Any]:
        rank = action.rank.unseal().name if isinstance(action, Declare) else None
        return {"do": type(action).__name__, "rank": rank}

    return write


def _lamp_goes_out_for_a_marshal(real: Callable[..., Any]) -> Callable[..., Any]:
    return lambda table: () if Rank.MARSHAL in _declared(table)[-1:] else real(table)


def _wakes_later_for_a_marshal(real: Any) -> Any:
    return property(lambda table: (real.fget(table) or 0) + (Rank.MARSHAL in _declared(table)[-1:]))


def _marshal_may_go_nowhere(real: Callable[..., Any]) -> Callable[..., Any]:
    return lambda table, at: 0 if Rank.MARSHAL in _declared(table) else real(table, at)


def _as_long_as_its_rank(_: Callable[..., Any]) -> Callable[..., Any]:
    return lambda action: json.dumps(write_action(action))


def _marshal_in_the_sheet(real: Callable[..., Any]) -> Callable[..., Any]:
    def write(game: Transcript, *others: Any) -> str:
        ranks = [
            each.action.rank.unseal() for each in game.entries if isinstance(each.action, Declare)
        ]
        return f"{real(game, *others)}{Rank.MARSHAL in ranks}"

    return write


SABOTAGES: Final = {
    "one rank in a line": Sabotage(table_process, "write_accepted", _one_rank_in_a_line),
    "a lamp goes out": Sabotage(table_pair, "awaited", _lamp_goes_out_for_a_marshal),
    "the table wakes later": Sabotage(Table, "next_deadline", _wakes_later_for_a_marshal),
    "rows of the journal are as long as their ranks": Sabotage(
        table_pair, "action_text", _as_long_as_its_rank
    ),
    "the incident sheet names a marshal": Sabotage(
        table_pair, "incident_sheet", _marshal_in_the_sheet
    ),
    "a marshal's possible moves are shown": Sabotage(Table, "ways", _marshal_may_go_nowhere),
}


@pytest.mark.parametrize("name", slow_after_first("secrecy", SABOTAGES))
def test_planted_leak_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sabotage = SABOTAGES[name]
    real = getattr(sabotage.of, sabotage.name)
    monkeypatch.setattr(sabotage.of, sabotage.name, sabotage.put(real))
    with pytest.raises(LeakError):
        play_many(WITHIN)
