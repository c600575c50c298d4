"""Test the geometry of the printed frame, and find the frame in rendered images of its PDF."""

import re

import cv2
import numpy as np
import pytest

from firmware_bridge.camera import marker_frame
from firmware_bridge.camera.frame_pdf import frame_pdf
from firmware_bridge.camera.pose import find_markers, find_pose
from tests.camera.renderer import REACH, TEXTURE, Array, Look, Renderer, Scene, Shot

DOTS = 4.0
"""Resolution of a rendered page in pixels per millimetre, about 100 dpi."""


def pages(document: bytes) -> list[Array]:
    """Rasterize the rectangles in a PDF that this program has written."""
    found = []
    sizes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", document)
    contents = re.findall(rb"stream\n(.*?)\nendstream", document, re.DOTALL)
    for (width, height), content in zip(sizes, contents, strict=True):
        scale = DOTS * 25.4 / 72
        wide, high = round(float(width) * scale), round(float(height) * scale)
        page = np.full((high, wide), 255, np.uint8)
        for line in content.decode().splitlines():
            rectangle = re.fullmatch(r"([-\d.]+) ([-\d.]+) ([\d.]+) ([\d.]+) re", line)
            if rectangle:
                x, y, w, h = (float(each) * scale for each in rectangle.groups())
                page[round(high - y - h) : round(high - y), round(x) : round(x + w)] = 0
        found.append(page)
    return found


def photograph(page: Array) -> Array:
    return np.asarray(cv2.cvtColor(page, cv2.COLOR_GRAY2BGR), np.uint8)


def test_marker_codes_match_the_aruco_dictionary() -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for marker in range(len(marker_frame.CODES)):
        drawn = cv2.aruco.generateImageMarker(dictionary, marker, marker_frame.MODULES)
        black = {(int(column), int(row)) for row, column in np.argwhere(drawn == 0)}
        assert black == set(marker_frame.black_cells(marker))


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("board", [300, 600])
def test_markers_are_printed_once_and_recognized(paper: str, board: int) -> None:
    seen: list[int] = []
    for page in pages(frame_pdf(board, paper)):
        seen += find_markers(photograph(cv2.GaussianBlur(page, (3, 3), 0)))
    assert sorted(seen) == list(range(28))


@pytest.mark.parametrize("board", [300, 450, 600])
def test_strips_are_numbered_from_one(board: int) -> None:
    labels = re.findall(rb"side (\d), piece (\d+)", frame_pdf(board, "a4"))
    for side in b"1", b"2", b"3", b"4":
        numbers = [int(number) for each, number in labels if each == side]
        assert numbers == [*range(1, len(numbers) + 1)]


def test_printed_markers_have_the_size_of_the_contract() -> None:
    (page,) = pages(frame_pdf(400, "whole"))
    seen = find_markers(photograph(page))
    for marker, quad in seen.items():
        expected = [
            (
                (x + marker_frame.STRIP) * 40 * DOTS,
                page.shape[0] - (y + marker_frame.STRIP) * 40 * DOTS,
            )
            for x, y in marker_frame.corners(marker)
        ]
        assert np.abs(quad - expected).max() < 2.0
    assert len(seen) == 28


def test_photographed_print_is_found() -> None:
    (page,) = pages(frame_pdf(400, "whole"))
    shot = Shot(tilt=35, distance=20)
    renderer = Renderer(Look(), shot)
    size = round((10 + 2 * marker_frame.STRIP) * TEXTURE)
    printed = cv2.resize(page, (size, size), interpolation=cv2.INTER_AREA)
    low = round((REACH - marker_frame.STRIP) * TEXTURE)
    paper = np.repeat(20 + printed[..., None].astype(np.float32) * 0.85, 3, axis=2)
    inner = slice(round(marker_frame.STRIP * TEXTURE), -round(marker_frame.STRIP * TEXTURE))
    board = renderer._base[low : low + size, low : low + size][inner, inner].copy()
    renderer._base[low : low + size, low : low + size] = paper
    renderer._base[low : low + size, low : low + size][inner, inner] = board
    seen = find_markers(renderer.render(Scene(Look(), shot)))
    pose = find_pose(seen, (shot.width, shot.height))
    assert len(seen) >= 24
    assert pose is not None
    assert np.linalg.norm(pose.camera - renderer.eye) < 1.0


def test_unsupported_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="expected a board of 300 to 600 mm; found 200"):
        frame_pdf(200, "a4")
    with pytest.raises(ValueError, match="expected a paper size: a4, letter, whole; found a3"):
        frame_pdf(400, "a3")


class TestNoFrame:
    """A displaced marker is ignored. With too few markers or wrong ids, no pose is found."""

    @staticmethod
    def seen() -> tuple[dict[int, Array], tuple[int, int]]:
        (page,) = pages(frame_pdf(400, "whole"))
        return dict(find_markers(photograph(page))), (page.shape[1], page.shape[0])

    def test_displaced_marker_is_ignored(self) -> None:
        seen, size = self.seen()
        pose = find_pose(seen, size)
        seen[3] = seen[3] + 60
        again = find_pose(seen, size)
        assert pose is not None
        assert again is not None
        assert np.allclose(pose.camera, again.camera, rtol=0.02)

    def test_too_few_or_shuffled_markers_give_no_pose(self) -> None:
        seen, size = self.seen()
        assert find_pose(dict(list(seen.items())[:4]), size) is None
        numbers = list(seen)
        shuffled = dict(zip(numbers, [seen[n] for n in numbers[::2] + numbers[1::2]], strict=True))
        assert find_pose(shuffled, size) is None
