"""Redacted traces contain no secret rank, but can still be replayed."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from companion.recorder.redact import redact
from companion.recorder.replay import replay
from companion.recorder.trace_files import TraceError
from companion.recorder.trace_reader import read_trace
from engine.board.geometry import Side
from engine.board.ranks import Rank
from engine.game.actions import SettleDispute
from engine.records.serialization import write_rank
from engine.rules.editions import DEFAULT
from tests.companion.core.sealed_table_driver import ARMIES, attacked_with_seals, declare
from tests.companion.core.table_driver import TableDriver, attack, clash, dispute, fight
from tests.companion.recorder.recordings import lines_of, record, record_driver, unpacked
from tests.companion.recorder.test_replaying import resumed, resumed_after

SILENT = replace(DEFAULT, silent_defence=True)
RANKS = re.compile(rf"\b({'|'.join(map(write_rank, Rank))})\b")


def taken_back(rank: Rank) -> TableDriver:
    """Return a game in which Red declared a rank and the attack was then taken back."""
    driver = attack(clash())
    driver.declare(Side.RED, rank)
    driver.take_back()
    driver.wait()
    return driver


def unnamed(rank: Rank) -> TableDriver:
    """Return a game in which a sergeant attacks a blue piece whose rank is not revealed."""
    return fight(Rank.SERGEANT, rank, SILENT)


PAIRS: dict[str, tuple[Callable[[Rank], TableDriver], Rank, Rank]] = {
    "refused and insisted on": (dispute, Rank.BOMB, Rank.FLAG),
    "declared and taken back": (taken_back, Rank.CAPTAIN, Rank.MAJOR),
    "never named": (unnamed, Rank.CAPTAIN, Rank.MAJOR),
}


def stripped(driver: TableDriver, folder: Path) -> Path:
    path = record_driver(driver, folder)
    bare = folder / "stripped"
    bare.write_bytes(redact(path))
    return bare


@pytest.mark.parametrize("name", PAIRS)
def test_stripped_traces_do_not_depend_on_hidden_ranks(name: str, tmp_path: Path) -> None:
    make, one, other = PAIRS[name]
    first, second = (
        lines_of(stripped(make(rank), tmp_path / write_rank(rank))) for rank in (one, other)
    )
    for lines in (first, second):
        del lines[0]["begun"]
    assert first == second


@pytest.mark.parametrize("name", ["refused and insisted on", "declared and taken back"])
def test_stripped_trace_has_no_hidden_ranks(name: str, tmp_path: Path) -> None:
    make, rank, _ = PAIRS[name]
    whole, bare = make(rank), stripped(make(rank), tmp_path)
    assert write_rank(rank) in unpacked(record_driver(whole, tmp_path / "whole"))
    assert RANKS.findall(unpacked(bare)) == []
    assert RANKS.search(bare.read_bytes().decode("latin-1")) is None


def test_stripped_trace_has_no_silent_ranks(tmp_path: Path) -> None:
    assert set(RANKS.findall(unpacked(stripped(unnamed(Rank.MAJOR), tmp_path)))) == {"sergeant"}


@pytest.mark.parametrize("name", PAIRS)
def test_stripped_trace_is_replayed_with_equivalent_ranks(name: str, tmp_path: Path) -> None:
    make, rank, _ = PAIRS[name]
    trace = read_trace(stripped(make(rank), tmp_path))
    assert trace.is_stripped
    assert not trace.has_all_ranks
    assert not [each.difference for each in replay(trace) if each.difference]


def test_shown_ranks_are_replayed(tmp_path: Path) -> None:
    trace = read_trace(stripped(fight(Rank.CAPTAIN, Rank.SCOUT), tmp_path))
    assert not [each.difference for each in replay(trace) if each.difference]


def test_accepted_disputed_rank_is_replayed(tmp_path: Path) -> None:
    driver = dispute(Rank.BOMB)
    driver.command(SettleDispute(accepted=True))
    driver.wait()
    trace = read_trace(stripped(driver, tmp_path))
    assert not [each.difference for each in replay(trace) if each.difference]


def test_resumed_trace_with_hidden_ranks_is_not_replayed(tmp_path: Path) -> None:
    driver = resumed()
    path = record(driver.inputs, resumed_after(driver), tmp_path)
    path.write_bytes(redact(path))
    assert "captain" in unpacked(path), "the combat revealed the rank"
    assert "captain" not in str(lines_of(path)[0]), (
        "the rank was not revealed before the game was resumed"
    )
    with pytest.raises(TraceError, match="whose ranks were redacted"):
        list(replay(read_trace(path)))


def test_stripped_trace_has_no_openings(tmp_path: Path) -> None:
    driver = attacked_with_seals()
    declare(driver, Side.RED, Rank.CAPTAIN, "e4")
    declare(driver, Side.BLUE, Rank.SERGEANT, "e7")
    driver.wait()
    salts = {opening.salt for army in ARMIES.values() for opening in army.values()}
    path = record_driver(driver, tmp_path)

    assert not [each.difference for each in replay(read_trace(path)) if each.difference]
    assert sum(salt in unpacked(path) for salt in salts) == 2
    path.write_bytes(redact(path))
    assert not any(salt in unpacked(path) for salt in salts)
    with pytest.raises(TraceError, match="openings of the seals were redacted"):
        list(replay(read_trace(path)))


def test_resumed_sealed_game_is_replayed(tmp_path: Path) -> None:
    """Both ranks are public, but only the referee has the salts that open their seals."""
    before = attacked_with_seals()
    declare(before, Side.RED, Rank.CAPTAIN, "e4")
    declare(before, Side.BLUE, Rank.SERGEANT, "e7")
    before.wait()
    driver = before.replugged(3.0)
    driver.wait()
    beginning = replace(
        resumed_after(driver),
        edition=driver.table.referee.edition,
        actions=tuple(before.table.referee.actions),
        clock=[step.clock for step in before.steps if step.actions][-1],
        saved=before.steps[-1].saved,
    )
    path = record(driver.inputs, beginning, tmp_path)

    assert not [each.difference for each in replay(read_trace(path)) if each.difference]


def test_resumed_trace_with_shown_ranks_is_replayed(tmp_path: Path) -> None:
    before = fight(Rank.CAPTAIN, Rank.SCOUT)
    driver = before.replugged(3.0)
    driver.wait()
    beginning = replace(
        resumed_after(driver),
        actions=tuple(before.table.referee.actions),
        clock=[step.clock for step in before.steps if step.actions][-1],
        saved=before.steps[-1].saved,
    )
    path = record(driver.inputs, beginning, tmp_path)
    path.write_bytes(redact(path))
    assert not [each.difference for each in replay(read_trace(path)) if each.difference]
