"""Read images from a folder, a video file or a camera."""

import time
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware_bridge.camera import sources
from firmware_bridge.camera.sources import SourceError, TimedPicture, open_source, paced

GREY = np.full((48, 64, 3), 128, np.uint8)


def folder(path: Path, times: str, *names: str) -> Path:
    for name in names:
        cv2.imwrite(str(path / name), GREY)
    (path / "times.txt").write_text(times, encoding="utf-8")
    return path


def test_folder_is_read_in_numeric_order(tmp_path: Path) -> None:
    path = folder(tmp_path, "0.5\n1.25 b10.png\n\n2\n", "a9.png", "b10.png", "b011.jpg")
    pictures = list(open_source(str(path)))
    assert [each.at for each in pictures] == [0.5, 1.25, 2.0]
    assert all(each.picture is not None for each in pictures)


def test_a_recording_is_replayed_at_its_own_times() -> None:
    pictures = [TimedPicture(at, GREY) for at in (5.0, 5.02, 5.05)]
    begun = time.monotonic()
    assert list(paced(pictures)) == pictures
    assert time.monotonic() - begun >= 0.05


@pytest.mark.parametrize(
    ("times", "names", "why"),
    [
        ("", (), "contains no numbered images"),
        ("1\n", ("1.png", "2.png"), "has 1 times, but the folder has 2 images"),
        ("1\nsoon\n", ("1.png", "2.png"), "Line 2 of .*times.txt is 'soon'; expected a time"),
        ("1\nnan\n", ("1.png", "2.png"), "Line 2 of .*times.txt is 'nan'; expected a time"),
        ("2\n1\n", ("1.png", "2.png"), "Line 2 of .*times.txt is earlier than the previous line"),
    ],
)
def test_unreadable_folder_is_refused(
    times: str, names: tuple[str, ...], why: str, tmp_path: Path
) -> None:
    path = folder(tmp_path, times, *names)
    with pytest.raises(SourceError, match=why):
        list(open_source(str(path)))


def test_folder_without_times_is_refused(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), GREY)
    with pytest.raises(SourceError, match=r"times.txt cannot be read \(No such file"):
        open_source(str(tmp_path))


def test_invalid_picture_is_named(tmp_path: Path) -> None:
    path = folder(tmp_path, "1\n", "1.png")
    (path / "1.png").write_bytes(b"no picture")
    with pytest.raises(SourceError, match=r"1\.png cannot be read as an image"):
        list(open_source(str(path)))


def test_video_times_follow_the_frame_rate(tmp_path: Path) -> None:
    path = tmp_path / "game.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for _ in range(3):
        writer.write(GREY)
    writer.release()
    assert [each.at for each in open_source(str(path))] == pytest.approx([0.0, 0.1, 0.2])


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("nothing", "nothing is neither a camera, a video file nor a folder of images"),
        ("97", "Camera 97 cannot be opened; is it plugged in"),
    ],
)
def test_missing_source_is_named(source: str, why: str) -> None:
    with pytest.raises(SourceError, match=why):
        open_source(source)


def test_invalid_video_is_named(tmp_path: Path) -> None:
    path = tmp_path / "game.avi"
    path.write_bytes(b"no video")
    with pytest.raises(SourceError, match="cannot be read as a video"):
        open_source(str(path))


def test_unplugged_camera_is_reopened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A video file stands in for the camera. Reaching its end looks like unplugging the camera."""
    path = tmp_path / "camera.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    writer.write(GREY)
    writer.release()
    opened = iter([str(path), "", str(path)])
    monkeypatch.setattr(sources, "_RETRY", 0.0)
    monkeypatch.setattr(cv2, "VideoCapture", lambda _, real=cv2.VideoCapture: real(next(opened)))
    shown = [each.picture is not None for each in islice(open_source("0"), 4)]
    assert shown == [True, False, False, True]
