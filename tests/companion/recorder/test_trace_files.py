"""Trace files are bounded, rotated, and readable after a power cut."""

import errno
import gzip
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.game_options import GameOptions
from companion.core.inputs import BoardSeen, Input
from companion.core.table import Table
from companion.recorder import recorder as recorder_module
from companion.recorder import trace_files
from companion.recorder.recorder import Recorder
from companion.recorder.trace_files import Bounds, TraceError, pack, read_lines
from companion.recorder.trace_reader import read_part, read_trace
from engine.board.geometry import square
from engine.board.ranks import Rank
from engine.rules.editions import DEFAULT
from firmware_bridge.image import Image
from tests.companion.core.table_driver import TableDriver, clash, fight
from tests.companion.recorder.recordings import difference, record, record_driver


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write a few lines at a time, so that a short session produces many gzip members."""
    monkeypatch.setattr(trace_files, "MUCH", 4)


@pytest.fixture(scope="module")
def driver() -> TableDriver:
    return fight(Rank.CAPTAIN, Rank.SCOUT)


@pytest.fixture
def path(often: None, driver: TableDriver, tmp_path: Path) -> Path:
    return record_driver(driver, tmp_path)


def test_trace_files_are_private(path: Path) -> None:
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_full_file_is_rotated(often: None, driver: TableDriver, tmp_path: Path) -> None:
    last = record_driver(driver, tmp_path, Bounds(bytes_a_file=2_000))
    files = sorted(tmp_path.iterdir())
    assert len(files) > 2
    assert [read_part(each).end for each in files] == ["full"] * (len(files) - 1) + ["closed"]
    assert [read_part(each).after for each in files[1:]] == [each.name for each in files[:-1]]
    assert max(each.stat().st_size for each in files) < 4_000
    assert [note.given for note in read_trace(last).notes] == driver.inputs
    assert difference(last) is None
    assert difference(files[1]) is None, "every earlier file is a valid, shorter trace"


def test_oldest_files_are_deleted(often: None, driver: TableDriver, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("not ours")
    last = record_driver(driver, tmp_path, Bounds(bytes_a_file=2_000, files=2))
    names = sorted(each.name for each in tmp_path.iterdir())
    assert names[0] == "letter.txt"
    assert len(names) == 3
    with pytest.raises(TraceError, match=r"continues trace-.* no longer in the same folder"):
        read_trace(last)
    assert read_part(last).notes, "a trace without its start can still be drawn"


def test_one_file_per_game(driver: TableDriver, tmp_path: Path) -> None:
    for _ in range(3):
        record_driver(clash(), tmp_path, Bounds(files=2))
    assert [each.name for each in sorted(tmp_path.iterdir())] == [
        "trace-000002.jsonl.gz",
        "trace-000003.jsonl.gz",
    ]


def test_power_cut_keeps_written_lines(path: Path, driver: TableDriver) -> None:
    whole = path.read_bytes()

    @settings(max_examples=60)
    @given(st.integers(0, len(whole) - 1))
    def cut(length: int) -> None:
        path.write_bytes(whole[:length])
        try:
            trace = read_trace(path)
        except TraceError:
            assert length < 1_000, "only a trace without its first lines is unreadable"
            return
        given = [note.given for note in trace.notes]
        assert given == driver.inputs[: len(given)]
        assert trace.end is None
        assert difference(path) is None

    cut()


def test_changed_bytes_are_detected(path: Path) -> None:
    whole, lines = path.read_bytes(), list(read_lines(path))

    @settings(max_examples=300)
    @given(st.integers(0, len(whole) - 1), st.integers(1, 255))
    def tamper(place: int, bits: int) -> None:
        path.write_bytes(whole[:place] + bytes([whole[place] ^ bits]) + whole[place + 1 :])
        try:
            found = list(read_lines(path))
        except TraceError:
            return
        assert found == lines[: len(found)], "a damaged trace is cut, never altered"

    tamper()


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "is not a trace of Boomboard"),
        (b"Dear Sir,", "is not a trace of Boomboard"),
        (pack([]), "is not a trace of Boomboard"),
        (pack([{"name": "x"}]), "is not a trace of Boomboard"),
        (pack([{"trace": 99}]), "a trace of version 99, expected 1"),
        (pack([{"trace": 1}]), "damaged in line 1"),
        (b"\x1f\x8bnonsense", "damaged after byte 0"),
    ],
)
def test_other_file_is_refused(tmp_path: Path, data: bytes, expected: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)
    with pytest.raises(TraceError) as refused:
        read_trace(path)
    assert expected in str(refused.value)
    assert str(refused.value).startswith(str(path))


@pytest.mark.parametrize(
    "line",
    [
        {"at": "now", "time": True},
        {"at": 1.0},
        {"at": 1.0, "board": {"z9": "r"}},
        {"at": 1.0, "board": {"e4": "x"}},
        {"same": []},
        {"at": 1.0, "seal": "shout", "side": "red"},
        {"at": 1.0, "do": {"do": "fly"}},
    ],
)
def test_invalid_line_is_reported_by_number(path: Path, line: dict[str, object]) -> None:
    lines = list(read_lines(path))
    head = lines[: next(n for n, each in enumerate(lines) if "sum" in each)]
    path.write_bytes(pack([*head, line]))
    with pytest.raises(TraceError, match=r"damaged in line \d+"):
        read_trace(path)


def test_decompression_is_bounded(path: Path) -> None:
    path.write_bytes(path.read_bytes() + gzip.compress(b"\n" * (100 * 2**20), 1))
    with pytest.raises(TraceError, match="unpacks to more than any trace"):
        read_trace(path)


def test_trace_with_too_many_inputs_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.recorder.trace_reader.MOST_NOTES", 10_000)
    frames = {"same": [0.0] * 9_000, "sum": "0"}
    path.write_bytes(pack([*read_lines(path), frames, frames]))
    with pytest.raises(TraceError, match="unpacks to more than any trace"):
        read_trace(path)


def test_circular_files_are_refused(path: Path) -> None:
    head, *rest = read_lines(path)
    path.write_bytes(pack([{**head, "after": path.name}, *rest]))
    with pytest.raises(TraceError, match="damaged in line 1"):
        read_trace(path)


def test_uncreatable_folder_does_not_stop_the_game(tmp_path: Path, driver: TableDriver) -> None:
    (tmp_path / "file").write_text("")
    errors = errors_of(tmp_path / "file" / "traces", driver)
    assert errors == [
        f"The trace in {tmp_path / 'file' / 'traces'} breaks off (Not a directory), and the game "
        "goes on without one; name a folder on another disk with --trace."
    ]


@pytest.mark.parametrize("fails_at", [1, 2, 3])
def test_full_disk_does_not_stop_the_game(
    tmp_path: Path,
    driver: TableDriver,
    monkeypatch: pytest.MonkeyPatch,
    often: None,
    fails_at: int,
) -> None:
    written = []

    def fill(file: int) -> None:
        written.append(file)
        if len(written) == fails_at:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", fill)
    (errors,) = errors_of(tmp_path, driver)
    assert "breaks off (No space left on device), and the game goes on" in errors
    assert len(written) == fails_at, "nothing is written after the failure"


def test_slow_disk_does_not_stop_the_game(tmp_path: Path, driver: TableDriver) -> None:
    (errors,) = errors_of(tmp_path, driver, most_waiting=0)
    assert "(the disk is too slow)" in errors


def errors_of(folder: Path, driver: TableDriver, most_waiting: int = 10_000) -> list[str]:
    """Replay a session into a recorder. Return the errors that the recorder reports."""
    errors: list[str] = []
    table = Table(DEFAULT, driver.seed)
    with Recorder(folder, errors.append, most_waiting=most_waiting) as recorder:
        recorder.begin(GameOptions(DEFAULT, driver.seed))
        for heard, step in zip(driver.inputs, driver.steps, strict=True):
            recorder.hear(heard)
            assert table.handle(heard) == step
            recorder.note(step, table.next_deadline)
    return errors


def test_lines_are_synced_after_a_while(
    tmp_path: Path, driver: TableDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder_module, "FLUSH_SECONDS", 0.01)
    table = Table(DEFAULT, driver.seed)
    with Recorder(tmp_path, pytest.fail) as recorder:
        recorder.begin(GameOptions(DEFAULT, driver.seed))
        recorder.hear(driver.inputs[0])
        recorder.note(table.handle(driver.inputs[0]), table.next_deadline)
        while not (files := list(tmp_path.iterdir())) or not part_of(files[0]):
            pass
        assert part_of(files[0]) == driver.inputs[:1]
    assert read_trace(files[0]).end == "closed"


def part_of(path: Path) -> list[object]:
    try:
        return [note.given for note in read_part(path).notes]
    except TraceError:  # the file's first lines have not been written yet
        return []


def faint_inputs() -> list[Input]:
    """Return inputs in which Red moves e4-e5 between two frames. The reading at e5 stays faint."""
    driver = TableDriver.begun()
    given = driver.inputs
    e4, e5, at, image = square("e4"), square("e5"), driver.now, driver.board.image()
    moved = image.patched(1 << e4 | 1 << e5, Image(red=1 << e5))
    frames = [BoardSeen(at + 0.02, moved, ((e4, at + 0.003), (e5, at + 0.011)), 1 << e5)]
    frames += [BoardSeen(at + 0.02 * n, moved, faint=1 << e5) for n in range(2, 400)]
    frames += [BoardSeen(at + 0.02 * n, moved) for n in range(400, 500)]
    return [*given, *frames]


@pytest.mark.parametrize("bounds", [Bounds(), Bounds(bytes_a_file=1_500)])
@pytest.mark.usefixtures("often")
def test_other_board_messages_are_recorded(tmp_path: Path, bounds: Bounds) -> None:
    inputs = faint_inputs()
    path = record(inputs, GameOptions(DEFAULT, 1), tmp_path, bounds)
    assert [note.given for note in read_trace(path).notes] == inputs
    assert difference(path) is None
    assert len(list(read_lines(path))) < len(inputs) / 4, "equal frames share a line"


def test_trace_without_other_messages(tmp_path: Path, driver: TableDriver) -> None:
    for line in read_lines(record_driver(driver, tmp_path)):
        assert not {"moments", "faint"} & set(line)
