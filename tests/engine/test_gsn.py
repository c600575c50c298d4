"""Reading the .gsn files of the Gravon archive: what is good, what is bad, what is chat."""

import re
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.record import Record, RecordError
from engine.records import read
from engine.records.gravon_xml import read_gravon_xml
from engine.records.gsn import read_gsn
from engine.rulings import GameOver, Reason
from engine.sides import Side
from engine.squares import name, names
from tests.engine.damage import Damage, damaged, damages, read_or_refuse
from tests.engine.examples import examples

FIELD = "MDE" + "A" * 39 + "__AA__AA" + "AA__AA__AA" + "A" * 37 + "PQY"
SMALL = f"""\
#X38FA11 Stratego-Notation v1
type 0
{FIELD}
B1-B2
I:-I9
END
Ada vs Bob result 4 winner 2
"""


def ways(record: Record) -> list[str]:
    return [f"{name(move.source)} {name(move.target)}" for move in record.moves]


def spoil(old: str, new: str) -> str:
    """Return the small file with one thing changed."""
    assert SMALL.count(old) == 1, old
    return SMALL.replace(old, new)


def bad(text: str | bytes) -> str:
    """Read what cannot be read, and return what is said about it."""
    with pytest.raises(RecordError) as refused:
        read_gsn(text if isinstance(text, bytes) else text.encode())
    return str(refused.value)


def as_gsn(recorded: bytes) -> bytes:
    """Write the real game in the other format of its archive."""
    text = recorded.decode()
    (field,) = re.findall('content="(.*?)"', text)
    moves = re.findall('source="(..)" target="(..)"', text)
    lines = ["#X38FA11 Stratego-Notation v2", "type 0", field, *map("-".join, moves), "END"]
    return "\n".join([*lines, "one vs other result 3 winner 1", ""]).encode()


# -- what is good


def test_a_small_record() -> None:
    record = read_gsn(SMALL.encode())

    assert names(record.red) == "a1 b1 c1"
    assert names(record.blue) == "h10 i10 k10"
    assert ways(record) == ["b1 b2", "i10 i9"]
    assert record.result == GameOver(None, Reason.AGREED_DRAW)


def test_the_real_game_is_the_same_in_both_formats(recorded: bytes) -> None:
    record = read_gsn(as_gsn(recorded))

    assert len(record.moves) == 206
    assert record == read_gravon_xml(recorded)


def test_every_square() -> None:
    for number, place in enumerate(f"{c}{r}" for r in "123456789:" for c in "ABCDEFGHIK"):
        move = read_gsn(spoil("B1-B2", f"{place}-{place}").encode()).moves[0]
        assert (move.source, move.target) == (number, number)


def test_j_is_what_some_files_write_for_the_last_column() -> None:
    assert ways(read_gsn(spoil("B1-B2", "J1-J2").encode()))[0] == "k1 k2"


@pytest.mark.parametrize(
    ("line", "moves"),
    [
        # Moves from and to row 10, which is a colon in the second place and in the fifth.
        ("A:-A9", ["a10 a9"]),
        ("A9-A:", ["a9 a10"]),
        ("A:-B:", ["a10 b10"]),
        # A colon in the third place is chat.
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

    assert ways(record) == ["b1 b2", *moves]


def test_chat_in_any_encoding() -> None:
    data = spoil("I:-I9", "ab:é").replace("Ada", "Zoé").encode("latin-1")

    assert ways(read_gsn(data)) == ["b1 b2"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", " \n", "\n\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_ends_of_lines(mark: bytes, end: str) -> None:
    data = mark + SMALL.replace("\n", end).encode()

    assert read(data) == read_gsn(data) == read_gsn(SMALL.rstrip().encode())


@pytest.mark.parametrize("kind", ["0", "1", "2", "3", "4", "14"])
def test_every_type_is_read(kind: str) -> None:
    assert read_gsn(spoil("type 0", f"type {kind}").encode()) == read_gsn(SMALL.encode())


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("0", Reason.NO_LEGAL_MOVE),
        ("1", Reason.FLAG_CAPTURED),
        ("2", Reason.BOTH_IMMOBILE),
        ("3", Reason.FORFEIT),
        ("4", Reason.AGREED_DRAW),
        *((str(kind), Reason.TIME) for kind in range(10, 15)),
    ],
)
@pytest.mark.parametrize(("number", "winner"), [("0", Side.RED), ("1", Side.BLUE), ("2", None)])
def test_results(kind: str, reason: Reason, number: str, winner: Side | None) -> None:
    text = spoil("result 4 winner 2", f"result {kind} winner {number}")

    assert read_gsn(text.encode()).result == GameOver(winner, reason)


@pytest.mark.parametrize(
    "players",
    ["a vs b", " vs ", "a vs ", " vs b", "END vs END", "a vs b vs c", "a result 1 winner 0 vs b"],
)
def test_names_may_be_anything(players: str) -> None:
    record = read_gsn(spoil("Ada vs Bob", players).encode())

    assert record.result == GameOver(None, Reason.AGREED_DRAW)


def test_a_game_without_moves() -> None:
    assert ways(read_gsn(spoil("B1-B2\nI:-I9\n", "").encode())) == []


# -- what is bad


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("#X38FA11", "X38FA11", "line 1: there is no #X38FA11, so it is not a Gravon .gsn record"),
        ("type 0", "0", "line 2: the type of the game is due here, but this is '0'"),
        ("type 0\n", "", f"line 2: the type of the game is due here, but this is '{FIELD[:12]}"),
        ("type 0", "type ٤", "line 2: the type of the game is due here, but this is 'type ٤'"),
        # the setup
        (FIELD, FIELD[:-1], "line 3: the setup has 99 squares instead of 100"),
        (FIELD, FIELD + "A", "line 3: the setup has 101 squares instead of 100"),
        (FIELD + "\n", "", "line 3: the setup has 5 squares instead of 100"),
        ("MDEA", "MDaA", "line 3: the setup has 'a' on c1 (character 3), which is no piece"),
        (f"{FIELD}\nB1-B2\nI:-I9\n", "", "line 3: the game ended before the armies were set up"),
        # the moves
        ("B1-B2", "B1-L2", "line 4: move 1 names 'L2', which is no square"),
        ("B1-B2", "b1-B2", "line 4: move 1 names 'b1', which is no square"),
        ("B1-B2", "B0-B2", "line 4: move 1 names 'B0', which is no square"),
        ("I:-I9", "I:-I;", "line 5: move 2 names 'I;', which is no square"),
        ("I:-I9", "I10-I9", "line 5: move 2 is due here, but this is 'I10-I9'"),
        ("I:-I9", "I9-I10", "line 5: move 2 is due here, but this is 'I9-I10'"),
        ("I:-I9", "I:I9", "line 5: move 2 is due here, but this is 'I:I9'"),
        ("I:-I9", " I9-I8", "line 5: move 2 is due here, but this is ' I9-I8'"),
        ("I:-I9", "I", "line 5: move 2 is due here, but this is 'I'"),
        ("B1-B2\n", "ab: hello\n\nB1-\n", "line 6: move 1 is due here, but this is 'B1-'"),
        ("END", "end", "line 6: move 3 is due here, but this is 'end'"),
        ("END\n", "", "line 6: move 3 is due here, but this is 'Ada vs Bob result 4 winner 2'"),
        # the result
        ("4 winner", "5 winner", "line 7: the result of type '5' with winner '2' is unknown"),
        ("winner 2", "winner 3", "line 7: the result of type '4' with winner '3' is unknown"),
        ("winner 2", "winner ", "line 7: the result is due here, but this is"),
        ("winner 2", "winner -1", "line 7: the result of type '4' with winner '-1' is unknown"),
        ("winner 2", "winner ²", "line 7: the result of type '4' with winner '²' is unknown"),
        (" vs ", " and ", "line 7: the result is due here, but this is"),
        (" result 4", "", "line 7: the result is due here, but this is"),
        ("winner 2\n", "winner 2\nB2-B3\n", "line 8: the record has ended, but here is 'B2-B3'"),
    ],
)
def test_one_thing_is_wrong(old: str, new: str, said: str) -> None:
    assert bad(spoil(old, new)).startswith(said)


def test_a_file_that_breaks_off_is_refused_wherever_it_breaks_off() -> None:
    complete = len(SMALL.rstrip())

    for end in range(complete):
        assert re.match(r"line \d: \w", bad(SMALL[:end])), end
    assert bad("") == "line 1: the file ends here, and #X38FA11 is still due"
    assert bad(SMALL[: SMALL.index("I:")]) == "line 4: the file ends here, and END is still due"
    assert read_gsn(SMALL[:complete].encode()) == read_gsn(SMALL.encode())


@pytest.mark.parametrize("piece", [" vs ", " result ", " winner ", "9", "\r", ":", "B1-B2\n"])
def test_files_beyond_measure_are_refused_soon_and_shortly(piece: str) -> None:
    started = process_time()

    for line in ("type 0", FIELD, "I:-I9", "Ada vs Bob result 4 winner 2"):
        assert len(bad(spoil(line, "xyz" + piece * 300_000))) < 200
    assert process_time() - started < 5


# -- damage of every kind


@given(st.binary(max_size=300))
@examples(300)
def test_any_bytes(data: bytes) -> None:
    assert read_or_refuse(read_gsn, data) is None
    read_or_refuse(read_gsn, b"#X38FA11\ntype 0\n" + FIELD.encode() + b"\n" + data)


@given(st.text(max_size=100))
@examples(200)
def test_any_text_in_the_place_of_any_line(text: str) -> None:
    for line in SMALL.splitlines():
        read_or_refuse(read_gsn, SMALL.replace(line, text).encode("utf-8", "replace"))


@given(damages)
@examples(300)
def test_any_damage_to_the_real_game(recorded: bytes, suffered: list[Damage]) -> None:
    read_or_refuse(read_gsn, damaged(as_gsn(recorded), suffered))
