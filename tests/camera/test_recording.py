"""Record images, and compare the rulings with a hand-written ground truth."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from companion.cli import main
from companion.commands.camera import RulingCheck
from engine.board.geometry import Side, square
from firmware_bridge.camera.notices import LearningPhase
from firmware_bridge.camera.observer import Observation
from firmware_bridge.camera.recording import judge, read_truth, record
from firmware_bridge.camera.sources import SourceError, TimedPicture, open_source
from tests.camera.renderer import Arm, Look, block_on
from tests.camera.scenes import SHOTS, Studio, army_blocks

TRUTH = "0.0 empty\n\n0.9 armies\n3.0 a4-a5\n5.0 b4xb7 none\n"


def film() -> Iterator[TimedPicture]:
    """Yield a game of one move, one image per second.

    The last image follows so soon that it is not recorded.
    """
    studio = Studio(Look(), SHOTS[0])
    blocks = army_blocks(Random(1))
    yield TimedPicture(10.0, studio.picture())
    yield TimedPicture(11.0, studio.picture(blocks.values()))
    moved = {**blocks, square("a5"): block_on(Side.RED, square("a5"))}
    del moved[square("a4")]
    yield TimedPicture(12.0, studio.picture(moved.values(), arms=[Arm((2, -6), (0.5, 4))]))
    yield TimedPicture(13.0, None)
    yield TimedPicture(14.0, studio.picture(moved.values()))
    yield TimedPicture(14.05, studio.picture(moved.values()))


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("camera") / "recording"
    assert record(film(), folder) == 4
    (folder / "truth.txt").write_text(TRUTH)
    return folder


def test_recording_is_judged(recorded: Path) -> None:
    assert (recorded / "times.txt").read_text() == "0.000\n1.000\n2.000\n4.000\n"
    pictures = [*open_source(str(recorded)), TimedPicture(5.0, None)]
    seen: list[Observation] = []
    result = judge(pictures, read_truth(recorded), seen.append)
    assert [each.at for each in seen] == [0.0, 1.0, 2.0, 4.0]
    assert "missed: 1: b4xb7 none." in str(result)
    assert (result.wrong, result.ignored) == (0, 1)
    assert result.missed == ["b4xb7 none"]
    assert result.delays == pytest.approx([0.0, 0.1, 1.0])


def test_the_command_judges_rulings(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["camera", "judge", str(recorded)]) == 1
    assert capsys.readouterr().out.endswith(
        "Turns ruled as made: 0, not judged: 1.\n"
        "No ruling for a4-a5.\n"
        "Questions about moves: 0, about attacks: 0.\n"
        "Median delay of the rulings: unknown.\n"
    )


def check_rulings(folder: Path, truth: str, *, shown: str = "") -> list[str]:
    """Check the rulings against the game `truth`, and return the report.

    The images show the game `shown` or, if `shown` is empty, the game `truth`.
    """
    (folder / "truth.txt").write_text(truth)
    boards = read_truth(folder)
    check = RulingCheck(boards)
    (folder / "truth.txt").write_text(shown or truth)
    visible = read_truth(folder)
    for tenth in range(int(10 * boards[-1].at) + 40):
        image = [board.image for board in visible if board.at <= tenth / 10][-1]
        check.take(Observation(tenth / 10, LearningPhase.PLAYING, image, None))
    check.end()
    return str(check).splitlines()


MOVES = "0 empty\n1 armies\n5 a4-a5\n9 a7-a6\n"


def test_turns_and_attacks_are_ruled_as_made(tmp_path: Path) -> None:
    assert check_rulings(tmp_path, f"{MOVES}13 a5xa6 blue captain general\n17 a6-a5\n") == [
        "Turns ruled as made: 4, not judged: 0.",
        "Questions about moves: 0, about attacks: 1.",
        "Median delay of the rulings: 0.20 s.",
    ]


@pytest.mark.parametrize(
    ("more", "shown", "error"),
    [
        ("13 a5xa6 blue\n17 a6-a5\n", "", "The ranks of a5xa6 blue are missing."),
        ("13 a5-b5\n", "13 b4-b5\n", "a5-b5 was ruled as b4-b5."),
        ("13 g7-g6\n", "", "g7-g6 was ruled as a violation (not-your-piece)."),
        ("13 a5-b5\n", "18 empty\n", "No ruling for a5-b5."),
    ],
)
def test_a_check_of_rulings_stops(tmp_path: Path, more: str, shown: str, error: str) -> None:
    lines = check_rulings(tmp_path, f"{MOVES}{more}", shown=shown and f"{MOVES}{shown}")
    assert error in lines


def test_the_command_prints_readings(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["camera", "--source", str(recorded), "--print"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == '{"at": 0.0, "found": {"colours": true}}'
    assert lines[1] == f'{{"at": 0.0, "board": "{"." * 100}"}}'
    assert lines[2] == f'{{"at": 1.0, "board": "{"b" * 40}{"." * 20}{"r" * 40}"}}'
    assert len(lines) == 4


def test_unwritable_pictures_are_reported(
    tmp_path: Path,
    recorded: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("cv2.imwrite", lambda *_: False)  # as on a full disk
    folder = tmp_path / "recording"
    assert main(["camera", "record", str(folder), "--source", str(recorded)]) == 2
    assert "000001.jpg cannot be written" in capsys.readouterr().err


def test_folder_without_truth_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"truth\.txt cannot be read"):
        read_truth(tmp_path)


@pytest.mark.parametrize(
    "line", ["1.0 a5-a6", "1.0 a4-a3", "1.0 e4xe5 red", "0.4 a4-a5", "nan a4-a5"]
)
def test_malformed_truth_is_refused(tmp_path: Path, line: str) -> None:
    (tmp_path / "truth.txt").write_text(f"0.5 armies\n{line}\n")
    with pytest.raises(SourceError, match=rf"Line 2 of .* is '{line}'; expected a time"):
        read_truth(tmp_path)


def test_encodings_of_the_truth(tmp_path: Path) -> None:
    (tmp_path / "truth.txt").write_text("0.0 armies\n", encoding="utf-8-sig")
    assert [each.change for each in read_truth(tmp_path)] == ["armies"]
    (tmp_path / "truth.txt").write_text("0.0 armies\n", encoding="utf-16")
    with pytest.raises(SourceError, match="is not UTF-8 text"):
        read_truth(tmp_path)


def test_missing_camera_leaves_no_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "recording"
    assert main(["camera", "record", str(folder), "--source", str(tmp_path / "none")]) == 2
    assert "is neither a camera" in capsys.readouterr().err
    assert not folder.exists()


def test_a_folder_without_a_frame_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    studio = Studio(Look(), SHOTS[0])
    record(iter([TimedPicture(0.0, studio.picture(frame=False))]), tmp_path / "bare")
    assert main(["camera", "--source", str(tmp_path / "bare"), "--print"]) == 2
    assert "The camera does not see the printed frame." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("source", "reason"),
    [("nowhere", "is neither a camera"), (".", "contains no numbered images")],
)
def test_unusable_sources_are_refused(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    source: str,
    reason: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["camera", "--source", source, "--print"]) == 2
    assert reason in capsys.readouterr().err
