"""Tests for tournament files, including faulty ones."""

import fcntl
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from companion.hall.tournament import events
from companion.hall.tournament.tournament import Tournament, begin, fold
from companion.hall.tournament.tournament_file import TournamentFileError, add, create, read
from companion.hall.tournament.trf import read_trf, write_trf
from engine.board.geometry import Side
from engine.game.rulings import GameOver, Reason
from tests.companion.hall.tournament.played import played

BEGUN = events.Created("Cup", 3, events.FEDERATION)


def noted(event: events.Event) -> events.RecordedEvent:
    return events.RecordedEvent("2026-03-07T10:00:00+01:00", "Ada", event)


def test_event_round_trip() -> None:
    for _, event in played(9, 3, seed=3, unrest=0.3):
        assert events.read_line(events.write_line(noted(event))) == noted(event)


@pytest.mark.parametrize(
    ("event", "content"),
    [
        (BEGUN, '"do": "begin", "name": "Cup", "rounds": 3, "points": "6-3-1"'),
        (events.PlayerAdded("Zoë", 1800), '"do": "enter", "name": "Zoë", "rating": 1800'),
        (events.Withdrew(7), '"do": "withdraw", "player": 7'),
        (events.Returned(7), '"do": "return", "player": 7'),
        (
            events.Paired(((1, 2), (4, 3)), (5,)),
            '"do": "pair", "games": [[1, 2], [4, 3]], "byes": [5], "half_byes": []',
        ),
        (events.RoundUndone(), '"do": "unpair"'),
        (
            events.ResultSet(1, 4, events.GameResult.RED_ABSENT, "late"),
            '"do": "result", "round": 1, "table": 4, "result": "red-absent", "reason": "late"',
        ),
        (
            events.ResultSet(1, 4, None),
            '"do": "result", "round": 1, "table": 4, "result": null, "reason": ""',
        ),
    ],
    ids=lambda given: type(given).__name__,
)
def test_line_format_is_stable(event: events.Event, content: str) -> None:
    """Files of earlier tournaments contain these entries, so the format must not change."""
    line = f'{{"at": "2026-03-07T10:00:00+01:00", "by": "Ada", {content}}}'
    assert events.write_line(noted(event)) == line
    assert events.read_line(line) == noted(event)


def test_events_are_appended_atomically(tmp_path: Path) -> None:
    path = tmp_path / "cup.jsonl"
    create(path, [noted(BEGUN)])
    with pytest.raises(events.TournamentError, match="Ada already takes part"):
        add(path, lambda _: [noted(events.PlayerAdded("Ada")), noted(events.PlayerAdded("Ada"))])
    assert read(path).tournament.players == ()
    add(path, lambda _: [noted(events.PlayerAdded("Ada")), noted(events.PlayerAdded("Grace"))])
    kept = read(path)
    assert [player.name for player in kept.tournament.players] == ["Ada", "Grace"]
    assert {each.by for each in kept.events} == {"Ada"}


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85", "\n", "\udc80", "Zoë\ud800"])
def test_reason_can_contain_any_character(mark: str, tmp_path: Path) -> None:
    path = tmp_path / "cup.jsonl"
    players = [noted(events.PlayerAdded(name)) for name in ("Ada", "Grace")]
    reason = events.ResultSet(1, 1, events.GameResult.DRAW, f"one{mark}two")
    added = [*players, noted(events.Paired(((1, 2),))), noted(reason)]
    create(path, [noted(BEGUN)])
    add(path, lambda _: added)
    assert read(path).events == (noted(BEGUN), *added)


def test_entry_that_is_too_long_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cup.jsonl"
    create(path, [noted(BEGUN)])
    endless = events.RecordedEvent("now", "x" * events.LONGEST, events.PlayerAdded("Ada"))
    with pytest.raises(events.TournamentError, match="The entry is too long"):
        add(path, lambda _: [endless])
    assert read(path).events == (noted(BEGUN),)


def test_empty_file_is_no_tournament(tmp_path: Path) -> None:
    path = tmp_path / "cup.jsonl"
    path.touch()
    with pytest.raises(TournamentFileError, match="is empty"):
        read(path)


def entering(player: str) -> Callable[[Tournament], list[events.RecordedEvent]]:
    entered = noted(events.PlayerAdded(player))
    return lambda _: [entered]


def test_concurrent_writers_lose_nothing(tmp_path: Path) -> None:
    path, writers = tmp_path / "cup.jsonl", 4
    create(path, [noted(BEGUN)])
    ready = threading.Barrier(writers)

    def enter(writer: int) -> None:
        ready.wait()
        for number in range(5):
            add(path, entering(f"Player {writer}.{number}"))

    with ThreadPoolExecutor(writers) as pool:
        list(pool.map(enter, range(writers)))
    assert len(read(path).tournament.players) == 5 * writers


def test_concurrent_writer_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, flock = tmp_path / "cup.jsonl", fcntl.flock
    create(path, [noted(BEGUN)])

    def decide(_: Tournament) -> list[events.RecordedEvent]:
        with monkeypatch.context() as patch:
            patch.setattr("fcntl.flock", lambda file, how: flock(file, how | fcntl.LOCK_NB))
            with pytest.raises(BlockingIOError):
                add(path, lambda _: [noted(events.PlayerAdded("Grace"))])
        return [noted(events.PlayerAdded("Ada"))]

    add(path, decide)
    assert [player.name for player in read(path).tournament.players] == ["Ada"]


def test_existing_tournament_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "cup.jsonl"
    create(path, [noted(BEGUN)])
    with pytest.raises(TournamentFileError, match="already exists"):
        create(path, [noted(BEGUN)])


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "line 2: this is not a line of JSON"),
        ("[]", "line 2: this is not a JSON object"),
        (
            '{"at": "", "by": "", "do": "enter", "name": "A"}',
            'line 2: "rating" of the line must be a whole number; found nothing',
        ),
        (
            '{"at": "", "by": "", "do": "dance"}',
            'line 2: "do" of the line must be one of begin, enter, .*; found another string',
        ),
        (
            '{"at": "", "by": "", "do": "unpair", "x": 1}',
            "line 2: the line must be an object of no fields and no others; found another field",
        ),
        ('{"at": "", "do": "unpair"}', 'line 2: "by" of the line must be a string; found nothing'),
        ('{"at": "", "by": "", "do": "withdraw", "player": 7}', "line 2: There is no player 7"),
        ('{"at": "", "by": "", "do": "withdraw", "player": true}', "a whole number; found true"),
    ],
)
def test_damaged_line_is_named(line: str, why: str, tmp_path: Path) -> None:
    path = tmp_path / "cup.jsonl"
    create(path, [noted(BEGUN)])
    path.write_text(path.read_text(encoding="utf-8") + line + "\n", encoding="utf-8")
    with pytest.raises(TournamentFileError, match=why):
        read(path)


def test_trf_export_is_read_by_another_program() -> None:
    *_, (tournament, _) = played(12, 4, seed=2, unrest=0)
    text = write_trf(tournament)
    first, *others = read_trf(text)
    assert write_trf(fold(begin(first), others)) == text


def test_earlier_trf_version_is_read() -> None:
    *_, (tournament, _) = played(5, 2, seed=2, unrest=0)
    text = write_trf(tournament)
    old = text.replace("142 ", "XXR ").replace(
        "162  W 6.0    D 3.0    L 1.0", "XXS W=6.0 D=3.0 WL=1.0"
    )
    assert old != text
    assert read_trf(old) == read_trf(text)


def test_half_points_in_a_trf_are_doubled() -> None:
    text = "012 Cup\n142 3\n001    1      Ada\n001    2      Bo\n"
    assert read_trf(text.replace("142", "162  W 1.0    D 0.5    L 0.0\n142"))[0] == events.Created(
        "Cup", 3, events.Points(2, 1, 0)
    )


def test_contradicting_trf_is_refused() -> None:
    *_, (tournament, _) = played(4, 1, seed=2, unrest=0)
    text = write_trf(tournament).replace(" w 1", " w 0")
    with pytest.raises(events.TournamentError, match="line 10: "):
        read_trf(text + "001 nonsense\n")


@pytest.mark.parametrize("text", ["6-3", "1-2-3", "six", "3-1-2", "6-3-1-0"])
def test_unordered_points_are_refused(text: str) -> None:
    with pytest.raises(events.TournamentError, match="oints"):
        events.read_points(text)


def test_table_result_is_stored() -> None:
    assert events.result_of(GameOver(Side.BLUE, Reason.FLAG_CAPTURED)) is events.GameResult.BLUE
    assert events.result_of(GameOver(None, Reason.AGREED_DRAW)) is events.GameResult.DRAW
    assert events.result_of(GameOver(None, Reason.FORFEIT)) is events.GameResult.BOTH_LOST
