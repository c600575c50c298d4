"""Tests for the detection of file formats from their content, and for damaged files."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.records.gravon import read_gravon_xml
from engine.records.record_files import read, read_chase, read_gsn
from tests.engine.cases import each
from tests.engine.damage import Damage, Reader, damaged, damages, read_or_refuse, refusal
from tests.engine.examples import examples
from tests.engine.gravon import as_gsn
from tests.engine.test_chase_records import SMALL as CHASE
from tests.engine.test_gravon_xml import SMALL as XML
from tests.engine.test_gsn import SMALL as GSN

SAMPLES = each("text", [XML, GSN, CHASE], ids=["xml", "gsn", "chase"])
FILES = pytest.mark.parametrize(
    ("reader", "text"),
    [
        *[(read_gravon_xml, XML), (read_gsn, GSN), (read_chase, CHASE)],
        *[(read, XML), (read, GSN), (read, CHASE)],
    ],
    ids=["xml", "gsn", "chase", "any: xml", "any: gsn", "any: chase"],
)


def test_each_format_has_its_reader() -> None:
    xml, gsn, chase = (text.encode() for text in (XML, GSN, CHASE))

    assert read(xml) == read_gravon_xml(xml) == read(gsn) == read_gsn(gsn)
    assert read(chase) == read_chase(chase)


@SAMPLES
def test_byte_order_mark_is_ignored(text: str) -> None:
    assert read(text.encode("utf-8-sig")) == read(text.encode())


def test_xml_in_another_encoding() -> None:
    assert read(XML.replace("UTF-8", "utf-16").encode("utf-16")) == read(XML.encode())


@SAMPLES
def test_leading_blank_lines(text: str) -> None:
    body = text.split("\n", 1)[1] if text is XML else text

    assert read(b"\n \r\n" + body.encode()) == read(text.encode())


@each("data", [b"", b"\n\n", b" \r\n\t", b"\xef\xbb\xbf"])
def test_an_empty_file(data: bytes) -> None:
    assert refusal(read, data) == "line 1: the file is empty"


@each(
    "data",
    [b"hello", b"\nA1-A2", bytes(1000), bytes(range(256)), b"type 0", CHASE[1:].encode(), b"1\n2"],
)
def test_unknown_format_lists_the_known_formats(data: bytes) -> None:
    assert re.fullmatch(
        r"line [12]: unknown kind of record: .* XML .* \.gsn .* a chase .*", refusal(read, data)
    )


def test_web_page_is_no_record() -> None:
    assert refusal(read, b"<html></html>").startswith("line 1: there is no <game>")


# -- damage of every kind


@FILES
@given(st.binary(max_size=300))
@examples(40)
def test_random_bytes(reader: Reader, text: str, data: bytes) -> None:
    assert read_or_refuse(reader, data) is None
    for line in re.finditer("\n", text):
        read_or_refuse(reader, text[: line.end()].encode() + data)


@FILES
@given(st.text(max_size=100))
@examples(20)
def test_random_values(reader: Reader, text: str, value: str) -> None:
    tame = re.sub(r'[<&"]', "?", value)  # keep the XML well-formed
    for place in re.finditer(r'[^\s"<>=-]+', text):
        spoiled = text[: place.start()] + tame + text[place.end() :]
        read_or_refuse(reader, spoiled.encode("utf-8", "replace"))


@FILES
@given(damages)
@examples(60)
def test_random_damage(reader: Reader, text: str, suffered: list[Damage]) -> None:
    read_or_refuse(reader, damaged(text.encode(), suffered))


@given(damages)
@examples(80)
def test_random_damage_to_the_real_game(recorded: bytes, suffered: list[Damage]) -> None:
    read_or_refuse(read_gravon_xml, damaged(recorded, suffered))
    read_or_refuse(read_gsn, damaged(as_gsn(recorded), suffered))
