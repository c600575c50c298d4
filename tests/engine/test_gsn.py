"""Tests for the reader of the Gravon archive's .gsn files, which may contain chat."""

import re
from dataclasses import replace
from functools import partial
from time import process_time

import pytest

from engine.board.geometry import Side, name, names
from engine.game.rulings import GameOver, Reason
from engine.records.gravon import read_gravon_xml
from engine.records.record import GameKind, Record
from engine.records.record_files import read, read_gsn
from tests.engine import damage
from tests.engine.cases import each
from tests.engine.gravon import FIELD, PLACES, as_gsn, results

SMALL = f"""\
#X38FA11 Stratego-Notation v1
type 0
{FIELD}
B1-B2
I:-I9
END
Ada vs Bob result 4 winner 2
"""


def moves_of(record: Record) -> list[str]:
    return [f"{name(move.source)} {name(move.target)}" for move in record.moves]


spoil = partial(damage.spoil, SMALL)
bad = partial(damage.refusal, read_gsn)


# -- valid files


def test_a_small_record() -> None:
    record = read_gsn(SMALL.encode())

    assert names(record.red) == "a1 b1 c1"
    assert names(record.blue) == "h10 i10 k10"
    assert moves_of(record) == ["b1 b2", "i10 i9"]
    assert record.result == GameOver(None, Reason.AGREED_DRAW)
    assert record.kind is GameKind.CLASSIC
    assert record.players == ("Ada", "Bob")


def test_real_game_is_equal_in_both_formats(recorded: bytes) -> None:
    record = read_gsn(as_gsn(recorded))

    assert len(record.moves) == 206
    assert record == read_gravon_xml(recorded)


def test_every_square() -> None:
    for number, place in enumerate(PLACES):
        move = read_gsn(spoil("B1-B2", f"{place}-{place}").encode()).moves[0]
        assert (move.source, move.target) == (number, number)


def test_column_j_is_read_as_k() -> None:
    assert moves_of(read_gsn(spoil("B1-B2", "J1-J2").encode()))[0] == "k1 k2"


@each(
    ("line", "moves"),
    [
        # The format writes row 10 as a colon.
        ("A:-A9", ["a10 a9"]),
        ("A9-A:", ["a9 a10"]),
        ("A:-B:", ["a10 b10"]),
        # A line with a colon as its third character is chat.
        ("A::A9", []),
        ("A1:A2", []),
        ("A1:", []),
        ("A::::", []),
        (":::::", []),
        ("ab: good luck!", []),
        ("ab:END", []),
        ("ab:cd vs ef result 1 winner 0", []),
        ("00:\x0bB1-B2\x0c\x1c\x85\u2028B2-B3", []),
        ("12: <field/> \0 é \ud7ff", []),
        ("", []),
        (" \t", []),
    ],
)
def test_moves_and_chat(line: str, moves: list[str]) -> None:
    record = read_gsn(spoil("I:-I9", line).encode())

    assert moves_of(record) == ["b1 b2", *moves]


def test_chat_in_any_encoding() -> None:
    data = spoil("I:-I9", "ab:é").replace("Ada", "Zoé").encode("latin-1")

    record = read_gsn(data)

    assert moves_of(record) == ["b1 b2"]
    assert record.players == ("Zo\N{REPLACEMENT CHARACTER}", "Bob")


@each("end", ["\n", "\r\n", "\r", " \n", "\n\n"])
@each("mark", [b"", b"\xef\xbb\xbf"])
def test_line_endings(mark: bytes, end: str) -> None:
    data = mark + SMALL.replace("\n", end).encode()

    assert read(data) == read_gsn(data) == read_gsn(SMALL.rstrip().encode())


@each(
    ("number", "kind"),
    [
        ("0", GameKind.CLASSIC),
        ("1", GameKind.BARRAGE),
        ("2", GameKind.CLASSIC_FREE),
        ("3", GameKind.ULTIMATE_LIGHTNING),
        ("4", None),
        ("00", None),
        ("13", None),
    ],
)
def test_every_type_is_read(number: str, kind: GameKind | None) -> None:
    record = read_gsn(spoil("type 0", f"type {number}").encode())

    assert record == replace(read_gsn(SMALL.encode()), kind=kind)


@results
@each(("label", "winner"), [("0", Side.RED), ("1", Side.BLUE), ("2", None)])
def test_results(number: str, reason: Reason, label: str, winner: Side | None) -> None:
    text = spoil("result 4 winner 2", f"result {number} winner {label}")

    assert read_gsn(text.encode()).result == GameOver(winner, reason)


@each(
    ("line", "players"),
    [
        ("a vs b", ("a", "b")),
        (" vs ", ("", "")),
        ("a vs ", ("a", "")),
        (" vs b", ("", "b")),
        (" a  vs  b ", (" a ", " b ")),
        ("END vs END", ("END", "END")),
        ("A1-A2 vs <b>&amp;", ("A1-A2", "<b>&amp;")),
        ("a result 1 winner 0 vs b", ("a result 1 winner 0", "b")),
        # The boundary between the two names is ambiguous, so both names are omitted.
        ("a vs b vs c", None),
        ("a vs vs b", None),
    ],
)
def test_names_may_be_anything(line: str, players: tuple[str, str] | None) -> None:
    record = read_gsn(spoil("Ada vs Bob", line).encode())

    assert record == replace(read_gsn(SMALL.encode()), players=players)


def test_a_game_without_moves() -> None:
    assert moves_of(read_gsn(spoil("B1-B2\nI:-I9\n", "").encode())) == []


# -- invalid files


@each(
    ("old", "new", "expected"),
    [
        (
            "#X38FA11",
            "X38FA11",
            "line 1: the line does not begin with #X38FA11, so this is not a Gravon .gsn record",
        ),
        ("type 0", "0", "line 2: expected the type of the game, found '0'"),
        ("type 0\n", "", f"line 2: expected the type of the game, found '{FIELD[:12]}"),
        ("type 0", "type ٤", "line 2: expected the type of the game, found 'type ٤'"),
        # the setup
        (FIELD, FIELD[:-1], "line 3: the setup has 99 squares instead of 100"),
        (FIELD, FIELD + "A", "line 3: the setup has 101 squares instead of 100"),
        (FIELD + "\n", "", "line 3: the setup has 5 squares instead of 100"),
        ("MDEA", "MDaA", "line 3: the setup has 'a' on c1 (character 3), which is not a piece"),
        (f"{FIELD}\nB1-B2\nI:-I9\n", "", "line 3: the game ended before the armies were set up"),
        # the moves
        ("B1-B2", "B1-L2", "line 4: move 1 names 'L2', which is not a square"),
        ("B1-B2", "b1-B2", "line 4: move 1 names 'b1', which is not a square"),
        ("B1-B2", "B0-B2", "line 4: move 1 names 'B0', which is not a square"),
        ("I:-I9", "I:-I;", "line 5: move 2 names 'I;', which is not a square"),
        ("I:-I9", "I10-I9", "line 5: expected move 2, found 'I10-I9'"),
        ("I:-I9", "I9-I10", "line 5: expected move 2, found 'I9-I10'"),
        ("I:-I9", "I:I9", "line 5: expected move 2, found 'I:I9'"),
        ("I:-I9", " I9-I8", "line 5: expected move 2, found ' I9-I8'"),
        ("I:-I9", "I", "line 5: expected move 2, found 'I'"),
        ("B1-B2\n", "ab: hello\n\nB1-\n", "line 6: expected move 1, found 'B1-'"),
        ("END", "end", "line 6: expected move 3, found 'end'"),
        ("END\n", "", "line 6: expected move 3, found 'Ada vs Bob result 4 winner 2'"),
        # the result
        ("4 winner", "5 winner", "line 7: the result of type '5' with winner '2' is unknown"),
        ("winner 2", "winner 3", "line 7: the result of type '4' with winner '3' is unknown"),
        ("winner 2", "winner ", "line 7: expected the result, found"),
        ("winner 2", "winner -1", "line 7: the result of type '4' with winner '-1' is unknown"),
        ("winner 2", "winner ²", "line 7: the result of type '4' with winner '²' is unknown"),
        (" vs ", " and ", "line 7: expected the result, found"),
        (" result 4", "", "line 7: expected the result, found"),
        ("winner 2\n", "winner 2\nB2-B3\n", "line 8: expected the end of the file, found 'B2-B3'"),
    ],
)
def test_malformed_files(old: str, new: str, expected: str) -> None:
    assert bad(spoil(old, new)).startswith(expected)


def test_truncated_file_is_refused() -> None:
    complete = len(SMALL.rstrip())

    for end in range(complete):
        assert re.match(r"line \d: \w", bad(SMALL[:end])), end
    assert bad("") == "line 1: expected #X38FA11, but the file ends here"
    assert bad(SMALL[: SMALL.index("I:")]) == "line 4: expected END, but the file ends here"
    assert read_gsn(SMALL[:complete].encode()) == read_gsn(SMALL.encode())


@pytest.mark.parametrize("piece", [" vs ", " result ", " winner ", "9", "\r", ":", "B1-B2\n"])
def test_huge_files_are_refused_quickly(piece: str) -> None:
    started = process_time()

    for line in ("type 0", FIELD, "I:-I9", "Ada vs Bob result 4 winner 2"):
        assert len(bad(spoil(line, "xyz" + piece * 100_000))) < 200
    assert process_time() - started < 2
