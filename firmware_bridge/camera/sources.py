"""Image sources: a camera, a video file, or a folder of numbered images with timestamps.

The names of the images in a folder end in a number before the extension. ``times.txt`` holds the
time of each image in seconds, one per line, in the order of the numbers.
"""

import math
import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from firmware_bridge.camera.pose import Picture

TIMES: Final = "times.txt"
PICTURES: Final = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".webp", ".tif", ".tiff", ".ppm"})
_RETRY: Final = 1.0
"""Interval between attempts to reopen a camera, in seconds."""
_WIDTH: Final = 1280
_HEIGHT: Final = 720
_USUAL_RATE: Final = 25.0
"""Frame rate, in images per second, assumed for a video file that does not specify one."""


class SourceError(Exception):
    """The source cannot be read. The message is a sentence that gives the reason."""


@dataclass(frozen=True)
class TimedPicture:
    """An image with its timestamp in seconds. The image is None while the camera is unplugged."""

    at: float
    picture: Picture | None


def open_source(source: str) -> Iterator[TimedPicture]:
    """Return the images of a camera, a video file or a folder.

    Raises SourceError if the source is unusable.
    """
    path = Path(source)
    if path.is_dir():
        return _folder(path)
    # A camera that is unplugged has no device file.
    device = source.startswith(("/dev/video", "/dev/v4l/")) or path.is_char_device()
    if source.isdecimal() or device:
        return _camera(int(source) if source.isdecimal() else source)
    if path.is_file():
        return _video(path)
    raise SourceError(f"{source} is neither a camera, a video file nor a folder of images.")


def paced(pictures: Iterable[TimedPicture]) -> Iterator[TimedPicture]:
    """Yield each image at its recorded time, relative to the first image.

    Late images are yielded at once.
    """
    begun: float | None = None
    for timed in pictures:
        if begun is None:
            begun = time.monotonic() - timed.at
        time.sleep(max(0.0, begun + timed.at - time.monotonic()))
        yield timed


def _folder(path: Path) -> Iterator[TimedPicture]:
    names = numbered_pictures(path)
    if not names:
        raise SourceError(f"{path} contains no numbered images, such as 0001.png.")
    times = read_times(path)
    if len(times) != len(names):
        raise SourceError(
            f"{path / TIMES} has {len(times)} times, but the folder has {len(names)} images; "
            "expected a time in seconds for each image."
        )
    return _read_all(names, times)


def _read_all(names: list[Path], times: list[float]) -> Iterator[TimedPicture]:
    for name, at in zip(names, times, strict=True):
        picture = cv2.imread(str(name), cv2.IMREAD_COLOR)
        if picture is None:
            raise SourceError(
                f"{name} cannot be read as an image; replace it, or remove it and its line in "
                f"{TIMES}."
            )
        yield TimedPicture(at, np.asarray(picture, np.uint8))


def numbered_pictures(path: Path) -> list[Path]:
    """Return the images of a folder in the order of their numbers."""
    found = []
    for each in path.iterdir():
        number = re.search(r"(\d+)$", each.stem)
        if number and each.suffix.lower() in PICTURES:
            found.append((int(number[1]), each))
    return [each for _, each in sorted(found)]


def read_times(path: Path) -> list[float]:
    """Return the times of a folder's images.

    Raises SourceError if times are missing, malformed or out of order.
    """
    try:
        lines = (path / TIMES).read_text(encoding="utf-8-sig").split("\n")
    except OSError as error:
        raise SourceError(
            f"{path / TIMES} cannot be read ({error.strerror}); expected a time in seconds for "
            "each image."
        ) from error
    except UnicodeDecodeError as error:
        raise SourceError(f"{path / TIMES} is not UTF-8 text.") from error
    times: list[float] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            # A second column may hold the name of the image.
            at = float(line.split()[0])
        except ValueError:
            at = math.nan
        if not math.isfinite(at):
            raise SourceError(
                f"Line {number} of {path / TIMES} is {line.strip()!r}; expected a time in seconds."
            )
        if times and at < times[-1]:
            raise SourceError(f"Line {number} of {path / TIMES} is earlier than the previous line.")
        times.append(at)
    return times


def _video(path: Path) -> Iterator[TimedPicture]:
    capture = cv2.VideoCapture(str(path))
    if not capture.isOpened():
        raise SourceError(f"{path} cannot be read as a video.")
    rate = capture.get(cv2.CAP_PROP_FPS) or _USUAL_RATE
    return _frames(capture, rate)


def _frames(capture: cv2.VideoCapture, rate: float) -> Iterator[TimedPicture]:
    number = 0
    while True:
        is_read, picture = capture.read()
        if not is_read:
            capture.release()
            return
        yield TimedPicture(number / rate, np.asarray(picture, np.uint8))
        number += 1


def _camera(device: int | str) -> Iterator[TimedPicture]:
    capture = _open_camera(device)
    if capture is None:
        raise SourceError(
            f"Camera {device} cannot be opened; is it plugged in, or is another program using it?"
        )
    return _live(device, capture)


def _live(device: int | str, capture: cv2.VideoCapture | None) -> Iterator[TimedPicture]:
    """Read a camera until the program exits. If the camera is unplugged, reopen it later."""
    while True:
        is_read, picture = capture.read() if capture else (False, None)
        if is_read:
            yield TimedPicture(time.monotonic(), np.asarray(picture, np.uint8))
            continue
        if capture:
            capture.release()
        yield TimedPicture(time.monotonic(), None)
        time.sleep(_RETRY)
        capture = _open_camera(device)


def _open_camera(device: int | str) -> cv2.VideoCapture | None:
    capture = cv2.VideoCapture(device)
    if not capture.isOpened():
        capture.release()
        return None
    # A camera that does not support this size uses the nearest one. The table needs the newest
    # image, so the buffer is short.
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, _WIDTH)
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, _HEIGHT)
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return capture
