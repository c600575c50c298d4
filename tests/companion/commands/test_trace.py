"""Tests for ``boomboard trace``, and for the ``--trace`` option of other commands."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest

from companion import cli
from companion.recorder.redact import redact
from companion.recorder.trace_files import Bounds
from companion.recorder.trace_reader import read_trace
from companion.simulator.random_games import RandomGame
from engine.board.geometry import Side
from engine.board.ranks import Rank
from engine.rules.editions import DEFAULT
from firmware_bridge.wire import BoardKind
from tests.campaigns import Campaign
from tests.companion.commands.beginnings import WHOLE, cut_short
from tests.companion.core import game_lines as scenes
from tests.companion.core.table_driver import attack, clash, dispute, fight
from tests.companion.recorder import recordings
from tests.companion.recorder.recordings import change, difference, record_driver

PLIES = Campaign("whole-games", part=12, whole=WHOLE)
TABLE = [sys.executable, "-m", "companion", "table", "--edition", DEFAULT.id, "--json"]
IN_WORDS = """\
     2.200 s  accepted: place-armies
              Both armies are ready. Red begins.
     4.560 s  accepted: e4-e5
              Red: e4 to e5.
              1. e4-e5 (lifted 4.42 s, released 4.44 s)
              2. e4 has been in a hand since 4.42 s; \
a red piece of unknown origin has been on e5 since 4.44 s \
[misplaced or unexplained pieces 2, unusual movements 6]
     6.800 s  accepted: e7-e6
              Blue: e7 to e6.
              1. e7-e6 (lifted 6.66 s, released 6.68 s)
              2. e7 has been in a hand since 6.66 s; \
a blue piece of unknown origin has been on e6 since 6.68 s \
[misplaced or unexplained pieces 2, unusual movements 6]
     9.220 s  accepted: e5xe6
              e5 attacks e6.
              1. e5 has been in a hand since 8.90 s; e6 has been in a hand since 8.92 s
     9.220 s  question: rank-asked e5 red
    11.120 s  accepted: declare red
              Red has declared.
              1. e5 has been in a hand since 8.90 s; e6 has been in a hand since 8.92 s
    11.120 s  question: rank-asked e6 blue
    11.120 s  accepted: declare blue
              Blue has declared.
              Red: captain. Blue: scout. Red wins the combat.
    11.120 s  complaint: clear-up e6
              Put the red piece on e6.
"""
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    return record_driver(fight(Rank.CAPTAIN, Rank.SCOUT), tmp_path / "traces")


def run_trace(capsysbinary: pytest.CaptureFixture[bytes], *arguments: object) -> tuple[int, str]:
    code = cli.main(["trace", *map(str, arguments)])
    out, err = capsysbinary.readouterr()
    assert err == b""
    return code, out.decode()


def refusal(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """Return the error message, which must be a single sentence."""
    assert cli.main(["trace", *map(str, arguments)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith(".")
    return line.removeprefix("boomboard: ")


def test_replay_in_words(capsysbinary: pytest.CaptureFixture[bytes], trace: Path) -> None:
    code, out = run_trace(capsysbinary, "replay", trace)
    assert code == 0
    assert out.startswith(IN_WORDS)
    assert out.endswith("s. The replay gives the same results, bit for bit.\n")


def test_replay_as_json(capsysbinary: pytest.CaptureFixture[bytes], trace: Path) -> None:
    code, out = run_trace(capsysbinary, "replay", trace, "--json")
    *decisions, summary = map(json.loads, out.splitlines())
    assert code == 0
    assert [each["decision"] for each in decisions][:3] == ["accepted"] * 3
    assert decisions[1]["action"] == {"do": "move", "source": "e4", "target": "e5"}
    assert decisions[1]["events"][0]["event"] == "moved"
    likeliest, other = decisions[1]["explanations"]
    assert likeliest == {
        "turns": ["e4-e5"],
        "wrong": [],
        "held": [],
        "strays": [],
        "phantoms": [],
        "cost": {"amiss": 0, "rushed": 0, "early": 0.0, "oddity": 0, "counts": False},
    }
    assert (other["held"], other["strays"]) == (["e4"], ["e5"])
    assert (summary["same"], summary["end"], summary["difference"]) == (True, "closed", None)


def test_difference_is_reported(capsysbinary: pytest.CaptureFixture[bytes], trace: Path) -> None:
    change(trace, "actions", [{"do": "move", "source": "e7", "target": "e5"}], number=3)
    code, out = run_trace(capsysbinary, "replay", trace)
    assert code == 1
    assert "     6.800 s  DIFFERS in the accepted actions\n" in out
    assert 'recorded: [{"do": "move", "source": "e7", "target": "e5"}]\n' in out
    assert 'replayed: [{"do": "move", "source": "e7", "target": "e6"}]\n' in out
    assert "The replay differs from what was recorded, first at 6.800 s." in out
    code, out = run_trace(capsysbinary, "replay", trace, "--json")
    assert code == 1
    found = json.loads(out.splitlines()[-1])["difference"]
    assert (found["what"], round(found["seconds"], 3)) == ("actions", 6.8)


def test_sealed_rank_is_never_printed(
    capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    path = record_driver(dispute(Rank.BOMB), tmp_path)
    for options in ([], ["--json"]):
        code, out = run_trace(capsysbinary, "replay", path, *options)
        assert code == 0
        courses = [line for line in out.splitlines() if "rank-asked" not in line]
        assert "bomb" not in "".join(courses)
    change(path, "sealed", {"events": []}, number=0)
    code, out = run_trace(capsysbinary, "replay", path)
    assert code == 1
    assert "DIFFERS in the events of one player" in out
    assert "bomb" not in out
    assert "recorded: sealed" in out


def test_truncated_trace_is_replayed(
    capsysbinary: pytest.CaptureFixture[bytes], trace: Path
) -> None:
    trace.write_bytes(trace.read_bytes()[:-10])
    code, out = run_trace(capsysbinary, "replay", trace)
    assert code == 0
    assert out.endswith("bit for bit. The trace is cut off there, as by a power cut.\n")


def test_continued_trace_names_the_next_file(
    capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    record_driver(clash(), tmp_path, Bounds(bytes_a_file=1))
    code, out = run_trace(capsysbinary, "replay", tmp_path / "trace-000001.jsonl.gz")
    assert code == 0
    assert out.endswith("The trace continues in a later file.\n")


def test_table_exception_is_reported(
    capsysbinary: pytest.CaptureFixture[bytes], trace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_over(*_: object) -> None:
        raise ZeroDivisionError("by hand")

    monkeypatch.setattr("companion.core.table.Table._take_command", break_over)
    code, out = run_trace(capsysbinary, "replay", trace)
    assert code == 1
    assert "The table fails at the last of them: ZeroDivisionError: by hand." in out


def test_many_hypotheses_only_with_all(
    capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    driver = clash(BoardKind.PRESENCE)
    pieces = [driver.lift(name) for name in ("a4", "b4", "e5", "f4")]
    for name, piece in zip(("a5", "b5", "f5"), pieces, strict=False):
        driver.place(piece, name)
    driver.wait()
    path = record_driver(driver, tmp_path)
    _, few = run_trace(capsysbinary, "replay", path)
    _, every = run_trace(capsysbinary, "replay", path, "--all")
    assert "more; --all prints them." in few
    assert len(every) > len(few)


def test_trace_picture(capsysbinary: pytest.CaptureFixture[bytes], trace: Path) -> None:
    code, out = run_trace(capsysbinary, "show", trace)
    assert code == 0
    texts = [str(each.text) for each in fromstring(out).iter(f"{SVG}text")]
    assert [text for text in texts if text in ("e4", "e5", "e6", "e7", "a1")] == [
        "e7",
        "e6",
        "e5",
        "e4",
    ]
    assert {"e4-e5", "e5xe6", "declare red", "clear-up e6", "red", "no board"} <= set(texts)
    assert "time since the trace began, in seconds" in texts


def test_trace_picture_is_not_cut_off(
    capsysbinary: pytest.CaptureFixture[bytes], trace: Path
) -> None:
    for span in ([], ["--from", "4.5", "--to", "4.6"], ["--from", "11", "--to", "11.121"]):
        _, out = run_trace(capsysbinary, "show", trace, *span)
        drawn = fromstring(out)
        *_, width, height = map(float, drawn.attrib["viewBox"].split())
        for each in drawn.iter(f"{SVG}text"):
            wide = 7 * len(str(each.text))
            left = (
                float(each.attrib["x"])
                - {"start": 0, "middle": wide / 2, "end": wide}[each.attrib["text-anchor"]]
            )
            assert left >= -2
            assert left + wide <= width + 2
            assert 0 < float(each.attrib["y"]) < height


def test_squares_and_a_span_can_be_chosen(
    capsysbinary: pytest.CaptureFixture[bytes], trace: Path
) -> None:
    _, out = run_trace(
        capsysbinary, "show", trace, "--squares", "a1,e4", "--from", "5", "--to", "8.5"
    )
    texts = [each.text for each in fromstring(out).iter(f"{SVG}text")]
    assert {"a1", "e4", "e7-e6"} <= set(texts)
    assert not {"e5", "e4-e5"} & set(texts)
    assert any("5 to 8.5 s" in str(text) for text in texts)


def test_trace_picture_as_png(
    capsysbinary: pytest.CaptureFixture[bytes], trace: Path, tmp_path: Path
) -> None:
    out = tmp_path / "picture.png"
    assert run_trace(capsysbinary, "show", trace, "-o", out) == (0, "")
    assert out.read_bytes().startswith(b"\x89PNG")


def test_quiet_span_and_lost_board_are_drawn(
    capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    driver = attack(clash())
    driver.lose_board()
    path = record_driver(driver, tmp_path)
    _, out = run_trace(capsysbinary, "show", path, "--from", "0.1", "--to", "0.2")
    assert "No square changes in this span." in out


def test_trace_without_its_first_file_is_drawn(
    capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.recorder.trace_files.MUCH", 4)
    last = record_driver(clash(), tmp_path, Bounds(bytes_a_file=2_000))
    (tmp_path / "trace-000001.jsonl.gz").unlink()
    assert run_trace(capsysbinary, "show", last)[0] == 0


def test_a_stripped_trace(capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path) -> None:
    driver = attack(clash())
    driver.declare(Side.RED, Rank.CAPTAIN)
    path, bare = record_driver(driver, tmp_path / "traces"), tmp_path / "bare.jsonl.gz"
    assert run_trace(capsysbinary, "strip", path, "-o", bare) == (0, "")
    assert "captain" in recordings.unpacked(path)
    assert "captain" not in recordings.unpacked(bare)
    assert run_trace(capsysbinary, "replay", bare)[0] == 0


def test_unreadable_trace(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    letter, none = tmp_path / "letter", tmp_path / "none"
    letter.write_text("Dear Sir,")
    for doing in ("replay", "show", "strip"):
        extra = [] if doing == "replay" else ["-o", tmp_path / "out"]
        assert refusal(capsys, doing, letter, *extra) == (
            f"{letter} is not a trace of Boomboard; record one with --trace."
        )
        assert refusal(capsys, doing, none, *extra) == (
            f"{none} cannot be read (No such file or directory); choose another file."
        )


def test_damaged_trace_names_its_place(capsys: pytest.CaptureFixture[str], trace: Path) -> None:
    data = bytearray(trace.read_bytes())
    data[len(data) // 2] ^= 1
    trace.write_bytes(bytes(data))
    assert f"{trace} is damaged after byte " in refusal(capsys, "replay", trace)


def test_span_out_of_range(capsys: pytest.CaptureFixture[str], trace: Path) -> None:
    message = refusal(capsys, "show", trace, "--from", "100", "-o", trace.with_name("x"))
    assert "covers 0 to 13.320 s; choose a span within this range." in message


def test_existing_picture_is_kept(capsys: pytest.CaptureFixture[str], trace: Path) -> None:
    assert "already exists" in refusal(capsys, "strip", trace, "-o", trace)


def test_invalid_square_of_a_trace(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["trace", "show", "x", "--squares", "e4,z9"])
    assert "expected squares such as e4,e5" in capsys.readouterr().err


def given_to_table(folder: Path, given: list[dict[str, Any]]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*TABLE, "--seed", "1", "--trace", str(folder)],
        input="".join(json.dumps(line) + "\n" for line in given),
        capture_output=True,
        text=True,
        check=False,
    )


def test_table_process_writes_a_trace(tmp_path: Path) -> None:
    scene = scenes.fought()
    done = given_to_table(tmp_path, scene.given)
    assert [json.loads(line) for line in done.stdout.splitlines()] == scene.answers
    assert (done.returncode, done.stderr) == (0, "")
    (path,) = tmp_path.iterdir()
    assert len(read_trace(path).notes) == len(scene.given)
    assert difference(path) is None


def test_unwritable_trace_folder_does_not_stop_the_table(tmp_path: Path) -> None:
    scene = scenes.clash()
    (tmp_path / "file").write_text("")
    done = given_to_table(tmp_path / "file", scene.given)
    assert [json.loads(line) for line in done.stdout.splitlines()] == scene.answers
    assert done.returncode == 0
    assert done.stderr.startswith(f"boomboard: The trace in {tmp_path / 'file'} breaks off (")
    assert done.stderr.endswith(".\n")


def test_simulated_games_write_traces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RandomGame, "length", 40)
    code = cli.main(
        [
            "simulate",
            "--random",
            "2",
            "--edition",
            "isf",
            "--army",
            "duel",
            "--trace",
            str(tmp_path),
        ]
    )
    assert code == 0
    files = sorted(tmp_path.iterdir())
    assert len(files) == 2
    assert [difference(each) for each in files] == [None, None]


@PLIES
@pytest.mark.parametrize("options", [[], ["--silent-defence", "--clock", "bronstein"]])
def test_referee_writes_a_whole_trace(tmp_path: Path, options: list[str]) -> None:
    game = cut_short(tmp_path, PLIES.size, with_end=True)
    folder, bare = tmp_path / "traces", tmp_path / "bare"
    chosen = ["--data", str(tmp_path), "--trace", str(folder), *options]
    code = cli.main(["referee", "--game", str(game), *chosen])
    (path,) = folder.iterdir()
    bare.write_bytes(redact(path))
    assert code == 0
    assert [difference(each) for each in (path, bare)] == [None, None]
