"""Tests for the writer of Gravon XML, by round trips."""

import re
from dataclasses import replace
from typing import Final
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board.geometry import SQUARES, Side, set_of, square
from engine.board.ranks import ORIGINAL, Rank, ranks_in
from engine.game.rulings import GameOver, Reason
from engine.records.gravon import read_gravon_xml, write_gravon_xml
from engine.records.record import GameKind, Record, RecordedMove, RecordError
from engine.records.record_files import read_chase, read_gsn
from tests.engine.cases import each
from tests.engine.damage import Damage, damaged, damages, read_or_refuse
from tests.engine.examples import examples
from tests.engine.gravon import FIELD, REASONS, as_gsn
from tests.engine.test_chase_records import SMALL as CHASE
from tests.engine.test_gravon_xml import SMALL as XML
from tests.engine.test_gsn import SMALL as GSN

RECORD: Final = read_gravon_xml(XML.encode())

squares = st.sampled_from(SQUARES)
ranks = st.sampled_from(list(ranks_in(ORIGINAL.ranks)))
# All characters allowed in XML, which include three control characters but no surrogates.
characters = st.characters(
    min_codepoint=32,
    exclude_categories=["Cs"],
    include_characters="\t\n\r",
    exclude_characters="\ufffe\uffff",
)
names = st.text(characters, max_size=20) | st.sampled_from(
    ["", " ", "\r\n", "A & B", "<b>Zoé</b>", "]]>", "&amp;", "&#13;", "'\"", "<!--", "Player 1"]
)
results = st.builds(
    GameOver,
    st.sampled_from([Side.RED, Side.BLUE, None]),
    st.sampled_from(sorted(set(REASONS.values()), key=list(Reason).index)),
)


@st.composite
def records(draw: st.DrawFn) -> Record:
    pieces = draw(st.dictionaries(squares, st.tuples(st.booleans(), ranks)))
    return Record(
        {place: rank for place, (_, rank) in pieces.items()},
        set_of(place for place, (is_red, _) in pieces.items() if is_red),
        set_of(place for place, (is_red, _) in pieces.items() if not is_red),
        tuple(draw(st.lists(st.builds(RecordedMove, squares, squares), max_size=30))),
        draw(st.none() | results),
        draw(st.none() | st.sampled_from(GameKind)),
        draw(st.none() | st.tuples(names, names)),
    )


def reread(record: Record) -> Record:
    return read_gravon_xml(write_gravon_xml(record))


def cannot_write(record: Record) -> str:
    """Write a record that the format cannot represent, and return the error message."""
    with pytest.raises(RecordError) as refused:
        write_gravon_xml(record)
    return str(refused.value)


# -- round trips


@given(records())
@examples(60)
def test_record_round_trip(record: Record) -> None:
    assert reread(record) == record


@given(st.tuples(names, names))
@examples(60)
def test_names_are_valid_xml(players: tuple[str, str]) -> None:
    tree = ET.fromstring(write_gravon_xml(replace(RECORD, players=players)))

    assert tuple(player.text or "" for player in tree.iter("player")) == players


@given(st.text(st.characters(exclude_categories=[]), max_size=5))
@examples(80)
def test_names_round_trip_or_are_refused(name: str) -> None:
    record = replace(RECORD, players=(name, "Bob"))

    if re.search("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]", name):
        assert "a character that XML cannot represent" in cannot_write(record)
    else:
        assert reread(record) == record


@given(damages)
@examples(80)
def test_damaged_file_that_reads_can_be_written(suffered: list[Damage]) -> None:
    record = read_or_refuse(read_gravon_xml, damaged(XML.encode(), suffered))

    assert record is None or (isinstance(record, Record) and reread(record) == record)


def test_records_of_other_formats() -> None:
    assert reread(read_gsn(GSN.encode())) == RECORD
    assert reread(read_chase(CHASE.encode())) == read_chase(CHASE.encode())


# -- format


def test_small_record_written() -> None:
    assert (
        write_gravon_xml(RECORD).decode()
        == f"""\
<?xml version="1.0" encoding="UTF-8"?>
<stratego>
 <game type="classic">
  <field content="{FIELD}"/>
  <move id="1" source="B1" target="B2"/>
  <move id="2" source="I:" target="I9"/>
  <player id="1">Ada</player>
  <player id="2">Bob</player>
  <result type="4" winner="3"/>
 </game>
</stratego>
"""
    )


def test_missing_fields_are_omitted() -> None:
    assert (
        write_gravon_xml(Record({}, 0, 0)).decode()
        == f"""\
<?xml version="1.0" encoding="UTF-8"?>
<stratego>
 <game>
  <field content="{re.sub("[^_]", "A", FIELD)}"/>
 </game>
</stratego>
"""
    )


def test_archive_file_round_trip(recorded: bytes) -> None:
    record = read_gravon_xml(recorded)
    written = write_gravon_xml(record)

    assert read_gravon_xml(written) == record
    assert written.splitlines() == [line for line in recorded.splitlines() if line.strip()]
    assert write_gravon_xml(read_gsn(as_gsn(recorded))) == written


def test_last_column_and_row_in_gravon_notation() -> None:
    move = RecordedMove(square("k1"), square("k10"))

    assert b'source="K1" target="K:"' in write_gravon_xml(replace(RECORD, moves=(move,)))


# -- endings


@each(
    ("number", "reason"),
    [
        ("0", Reason.NO_LEGAL_MOVE),
        ("1", Reason.FLAG_CAPTURED),
        ("2", Reason.BOTH_IMMOBILE),
        ("3", Reason.FORFEIT),
        ("4", Reason.AGREED_DRAW),
        ("10", Reason.TIME),
    ],
)
@each(("label", "winner"), [("1", Side.RED), ("2", Side.BLUE), ("3", None)])
def test_results(number: str, reason: Reason, label: str, winner: Side | None) -> None:
    record = replace(RECORD, result=GameOver(winner, reason))

    assert f'<result type="{number}" winner="{label}"/>'.encode() in write_gravon_xml(record)
    assert reread(record) == record


@each(
    ("reason", "nearest"),
    [
        (Reason.NO_MOVABLE_PIECE, Reason.NO_LEGAL_MOVE),
        (Reason.RESIGNATION, Reason.FORFEIT),
        (Reason.MOVED_BOMB, Reason.FORFEIT),
    ],
)
def test_unknown_endings_become_the_nearest_gravon_code(reason: Reason, nearest: Reason) -> None:
    record = replace(RECORD, result=GameOver(Side.BLUE, reason))
    once = reread(record)

    assert once == replace(RECORD, result=GameOver(Side.BLUE, nearest))
    assert reread(once) == once


@each("reason", Reason)
def test_every_ending_can_be_written(reason: Reason) -> None:
    assert reread(replace(RECORD, result=GameOver(Side.RED, reason))).result


# -- unsupported records


@each(("side", "where"), [("red", "a1"), ("blue", "k10")])
def test_an_infiltrator_has_no_letter(side: str, where: str) -> None:
    place = square(where)
    assert getattr(RECORD, side) >> place & 1
    record = replace(RECORD, ranks={**RECORD.ranks, place: Rank.INFILTRATOR})

    expected = f"the Gravon archive has no letter for the infiltrator on {where}"
    assert cannot_write(record) == expected


@each("name", ["a\0b", "\x1b[31m", "\x0b", "\ud800", "\ufffe", "\uffff"])
@each("at", [0, 1])
def test_names_not_valid_in_xml(name: str, at: int) -> None:
    players = ("Ada", name) if at else (name, "Bob")

    expected = f"the name {name!r} contains a character that XML cannot represent"
    assert cannot_write(replace(RECORD, players=players)) == expected


def test_error_for_a_huge_name_is_short() -> None:
    assert len(cannot_write(replace(RECORD, players=("\0" * 100_000, "Bob")))) < 200


@each(
    "record",
    [
        replace(RECORD, ranks={}),
        replace(RECORD, ranks={**RECORD.ranks, square("e5"): Rank.SPY}),
        replace(RECORD, red=0),
        replace(RECORD, blue=RECORD.blue | RECORD.red),
    ],
    ids=["no rank", "no piece", "no side", "both sides"],
)
def test_pieces_without_a_side_or_a_rank(record: Record) -> None:
    assert cannot_write(record) == "a piece in the setup lacks a side or a rank, or has two sides"
