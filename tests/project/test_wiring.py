"""Tests that the firmware's header, the table in Python, the chart and the page match
hardware/wiring.toml."""

import re
from collections.abc import Mapping
from pathlib import Path
from xml.etree.ElementTree import Element, fromstring

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.board.geometry import COLUMNS, SQUARES, WIDTH, Square, name, square
from firmware_bridge.board_hardware import CHANNEL_OF, TILE_CHANNEL_OF, WIRINGS
from firmware_bridge.wire import CHANNELS, Geometry
from hardware.wiring import CHART, HEADER, PAGE, SOURCE, TABLE, TILES, files, parse
from hardware.wiring_chart import label

SVG = "{http://www.w3.org/2000/svg}"

GROUND = CHANNELS - 1
ON_TILES = parse(TILES.read_text(encoding="utf-8"), Geometry.TILES)
FREE = [channel for channel in range(Geometry.BY_HAND * CHANNELS) if channel % CHANNELS != GROUND]
wirings = st.permutations(FREE).map(lambda mixed: mixed[: len(SQUARES)])
"""Random channels, one for each square."""
BY_ROWS = FREE[: len(SQUARES)]
"""Channels in the order of the squares: the first fifteen are on the first multiplexer, and so
on."""


def lists_of(channels: list[int], multiplexers: int = Geometry.BY_HAND) -> list[list[str]]:
    squares = {channel: name(square) for square, channel in enumerate(channels)}
    return [
        [
            "ground" if n == GROUND else squares.get(CHANNELS * multiplexer + n, "-")
            for n in range(CHANNELS)
        ]
        for multiplexer in range(multiplexers)
    ]


def wiring_file(channels: list[int]) -> str:
    return "[multiplexers]\n" + "".join(
        f"{n} = {inputs}\n" for n, inputs in enumerate(lists_of(channels))
    )


def in_header(header: str, prefix: str = "HAND") -> dict[Square, int]:
    (body,) = re.findall(rf"#define {prefix}_CHANNELS \\\n *\{{([\d, \\\n]*)\}}\n", header)
    return dict(enumerate(map(int, re.findall(r"\d+", body))))


def face(chart: str, called: str) -> Element:
    (drawing,) = fromstring(chart).findall(f"{SVG}g[@class='{called}']")
    return drawing


def board(chart: str, called: str) -> list[Element]:
    """Return the squares of a chart, row by row from the upper left."""

    def place(drawn: Element) -> tuple[float, float]:
        x, y = re.findall(r"-?[\d.]+", drawn.attrib["transform"])
        return float(y), float(x)

    return sorted(face(chart, called).findall(f"{SVG}g[@class='square']"), key=place)


def texts(drawn: Element) -> list[str]:
    """Return the text on a square of the chart: its name and its channel."""
    return [text.text or "" for text in drawn.iter(f"{SVG}text")]


def in_chart(chart: str, called: str) -> dict[Square, int]:
    found = {}
    for drawn in board(chart, called):
        shown, channel = texts(drawn)
        multiplexer, place = channel.split(".")
        found[square(shown.removesuffix(" lake"))] = CHANNELS * int(multiplexer) + int(place)
    return found


@pytest.mark.parametrize("path", [HEADER, TABLE, CHART, PAGE], ids=lambda path: path.name)
def test_wiring_files_are_current(path: Path) -> None:
    current = files(parse(SOURCE.read_text(encoding="utf-8")), ON_TILES)[path]
    assert path.read_text(encoding="utf-8") == current, "the file is outdated: run make wiring"


def test_channels_are_unique() -> None:
    assert WIRINGS[Geometry.BY_HAND].channel_of == CHANNEL_OF
    assert WIRINGS[Geometry.TILES].channel_of == TILE_CHANNEL_OF
    for geometry, wiring in WIRINGS.items():
        assert len(wiring.channel_of) == len(wiring.square_of) == len(SQUARES)
        assert set(wiring.channel_of) <= set(range(geometry * CHANNELS))
        assert all(wiring.channel_of[square] == at for at, square in wiring.square_of.items())


@settings(max_examples=25)
@given(wirings)
def test_header_and_chart_agree_on_any_wiring(channels: list[int]) -> None:
    made = files(parse(wiring_file(channels)), ON_TILES)
    wanted: Mapping[Square, int] = dict(enumerate(channels))
    assert in_header(made[HEADER]) == wanted
    assert in_header(made[HEADER], "TILE") == dict(enumerate(TILE_CHANNEL_OF))
    assert in_chart(made[CHART], "above") == wanted
    assert in_chart(made[CHART], "below") == wanted


def test_the_chart_shows_both_faces_of_the_board() -> None:
    chart = CHART.read_text(encoding="utf-8")
    above = [texts(drawn)[0].removesuffix(" lake") for drawn in board(chart, "above")]
    below = [texts(drawn)[0].removesuffix(" lake") for drawn in board(chart, "below")]
    rows = [above[first : first + WIDTH] for first in SQUARES[::WIDTH]]
    assert rows[0] == [f"{letter}10" for letter in COLUMNS]
    assert rows[-1] == [f"{letter}1" for letter in COLUMNS]
    assert below == [called for row in rows for called in reversed(row)]


def test_each_multiplexer_has_a_colour_of_its_own() -> None:
    colours = {
        (texts(drawn)[1].split(".")[0], box.attrib["fill"])
        for drawn in board(CHART.read_text(encoding="utf-8"), "below")
        for box in drawn.iter(f"{SVG}rect")
    }
    assert (
        len(colours) == len(dict(colours)) == len({fill for _, fill in colours}) == Geometry.BY_HAND
    )


def test_thick_lines_separate_multiplexers() -> None:
    def lines(channels: list[int]) -> set[str]:
        drawing = face(files(parse(wiring_file(channels)), ON_TILES)[CHART], "above")
        return {line.attrib["points"] for line in drawing.findall(f"{SVG}polyline")}

    stray = BY_ROWS.copy()
    stray[square("c3")] = 110
    # A line already separated c3 from c2 and from c4. The new lines separate c3 from b3 and d3,
    # which are still on the multiplexer that c3 has left.
    assert lines(stray) - lines(BY_ROWS) == {"126,441 126,504", "189,441 189,504"}
    assert lines(BY_ROWS) < lines(stray)


def test_channel_names() -> None:
    assert [label(0), label(55), label(111)] == ["0.00", "3.07", "6.15"]


@pytest.mark.parametrize(
    ("right", "wrong", "sentence"),
    [
        ("'c1'", "'j1'", "'j1', given for input C2 of multiplexer 0, is not a square."),
        ("'a1'", "1", "'1', given for input C0 of multiplexer 0, is not a square."),
        (
            "'c1'",
            "'g2'",
            "Square g2 is on input C2 of multiplexer 0 and again on input C1 of multiplexer 1.",
        ),
        ("'c1'", "'-'", "Square c1 is on no multiplexer."),
        ("'c1', ", "", "Multiplexer 0 has 16 inputs, but 15 are listed."),
        ("'c1', ", "'c1', '-', ", "Multiplexer 0 has 16 inputs, but 17 are listed."),
        ("'ground']\n1", "'-']\n1", "Every multiplexer needs an input called 'ground'"),
        ("0 = [", "7 = [", "There is no multiplexer 7; the numbers are 0 to 6."),
        ("0 = [", "7 = [", "Multiplexer 0 has no list of 16 squares."),
        ("0 = [", "0 = 'a1 b1' # ", "Multiplexer 0 has no list of 16 squares."),
        ("[multiplexers]", "", "The section [multiplexers] is missing."),
        ("'c1', ", "'c1' ", "(at line 2, column 23)"),
    ],
)
def test_wiring_fault_names_its_place(right: str, wrong: str, sentence: str) -> None:
    written = wiring_file(BY_ROWS)
    assert written.count(right) == 1
    with pytest.raises(ValueError, match=re.escape(sentence)):
        parse(written.replace(right, wrong))


def test_grounded_inputs() -> None:
    spread = [CHANNELS * (n // 14) + n % 14 + (n % 14 > 6) for n in range(len(SQUARES))]
    written = "[multiplexers]\n" + "".join(
        f"{n} = {[*inputs[:7], 'ground', *inputs[8:]]}\n"
        for n, inputs in enumerate(lists_of(spread, 8))
    )
    wiring = parse(written, 8)
    assert (wiring.grounds, wiring.ground) == ((7, 15), 15)


def test_wiring_faults_are_reported_together() -> None:
    with pytest.raises(ValueError, match=r"'l1'.*\n.*'a0'.*\n.*a1 is.*\n.*k10 is.*") as raised:
        parse(wiring_file(BY_ROWS).replace("'a1'", "'l1'").replace("'k10'", "'a0'"))
    assert len(str(raised.value).splitlines()) == 4
