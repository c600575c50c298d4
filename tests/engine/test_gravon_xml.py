"""Tests for the reader of the Gravon archive's XML files."""

import re
from dataclasses import replace
from functools import partial
from time import process_time

from engine.board.geometry import LAKES, Side, name, names, square
from engine.board.ranks import ORIGINAL, Rank
from engine.game.rulings import GameOver, Reason
from engine.records.gravon import read_gravon_xml
from engine.records.record import GameKind, RecordedMove, RecordError
from tests.engine import damage
from tests.engine.cases import each
from tests.engine.gravon import FIELD, PLACES, results

SMALL = f"""\
<?xml version="1.0" encoding="UTF-8"?>
<stratego>
 <game type="classic">
  <field content="{FIELD}"/>
  <move id="1" source="B1" target="B2"/>
  <move id="2" source="I:" target="I9"/>
  <player id="1">Ada</player><player id="2">Bob</player>
  <result type="4" winner="3"/>
 </game>
</stratego>
"""


spoil = partial(damage.spoil, SMALL)
bad = partial(damage.refusal, read_gravon_xml)


# -- valid files


def test_a_small_record() -> None:
    record = read_gravon_xml(SMALL.encode())

    assert names(record.red) == "a1 b1 c1"
    assert names(record.blue) == "h10 i10 k10"
    assert [record.ranks[square(place)] for place in ("a1", "b1", "c1", "h10", "i10", "k10")] == [
        Rank.FLAG,
        Rank.SCOUT,
        Rank.MINER,
        Rank.SCOUT,
        Rank.MINER,
        Rank.FLAG,
    ]
    assert record.moves == (
        RecordedMove(square("b1"), square("b2")),
        RecordedMove(square("i10"), square("i9")),
    )
    assert record.result == GameOver(None, Reason.AGREED_DRAW)
    assert record.kind is GameKind.CLASSIC
    assert record.players == ("Ada", "Bob")


def test_every_letter() -> None:
    letters = "BCDEFGHIJKLM" + "A" * 76 + "NOPQRSTUVWXY"

    record = read_gravon_xml(spoil(FIELD, letters).encode())

    of_the_letters = (
        "bomb spy scout miner sergeant lieutenant captain major colonel general marshal flag"
    )
    for squares in (range(12), range(88, 100)):
        assert [record.ranks[s].name.lower() for s in squares] == of_the_letters.split()
    assert names(record.red) == names((1 << 12) - 1)
    assert names(record.blue) == names((1 << 12) - 1 << 88)


def test_every_square() -> None:
    for number, place in enumerate(PLACES):
        record = read_gravon_xml(spoil('target="B2"', f'target="{place}"').encode())
        assert record.moves[0].target == number


def test_column_j_is_read_as_k() -> None:
    record = read_gravon_xml(spoil('source="B1"', 'source="J1"').encode())

    assert name(record.moves[0].source) == "k1"


@results
@each(("label", "winner"), [("1", Side.RED), ("2", Side.BLUE), ("3", None)])
def test_results(number: str, reason: Reason, label: str, winner: Side | None) -> None:
    text = spoil('type="4" winner="3"', f'type="{number}" winner="{label}"')

    assert read_gravon_xml(text.encode()).result == GameOver(winner, reason)


@each("attribute", ["", ' type=""', ' type="chess"', ' type="Classic"', ' kind="duell"'])
def test_unknown_game_type_is_read(attribute: str) -> None:
    record = read_gravon_xml(spoil(' type="classic"', attribute).encode())

    assert record == replace(read_gravon_xml(SMALL.encode()), kind=None)


@each(
    ("written", "name"),
    [
        ("", ""),
        (" Ada\nLovelace ", " Ada\nLovelace "),
        ("&quot;A&#x26;<!-- c -->B&lt;/player&gt;", '"A&B</player>'),
        ("<![CDATA[<Ada>]]>", "<Ada>"),
        ("A<b>d</b>a", "Ada"),
        ("Ådå ♙ \N{GRINNING FACE}", "Ådå ♙ \N{GRINNING FACE}"),
        ("a" * 100_000, "a" * 100_000),
    ],
)
def test_names(written: str, name: str) -> None:
    assert read_gravon_xml(spoil("Ada", written).encode()).players == (name, "Bob")


def test_players_in_any_order() -> None:
    ada, bob = '<player id="1">Ada</player>', '<player id="2">Bob</player>'
    for elsewhere in (bob + ada, f"{bob}<clock/>{ada}", f"{ada}\n{bob}"):
        for place in ("<field", "<result", " </game>"):
            text = spoil(ada + bob, "").replace(place, elsewhere + place)
            assert read_gravon_xml(text.encode()) == read_gravon_xml(SMALL.encode())


@each(
    ("old", "new"),
    [
        ('<player id="1">Ada</player>', ""),
        ('<player id="2">Bob</player>', ""),
        ('<player id="1">', "<player>"),
        ('id="2">', 'id="1">'),
        ('id="2">', 'id="3">'),
        ('<player id="2">Bob</player>', '<player id="2">Bob</player><player id="2">Cy</player>'),
        ("Ada</player>", 'Ada<player id="2">Cy</player></player>'),
    ],
)
def test_ambiguous_players_are_dropped(old: str, new: str) -> None:
    record = read_gravon_xml(spoil(old, new).encode())

    assert record == replace(read_gravon_xml(SMALL.encode()), players=None)


def test_game_without_moves_is_unfinished() -> None:
    text = re.sub(r"  <(move|result).*\n", "", SMALL)

    record = read_gravon_xml(text.encode())

    assert (record.moves, record.result) == ((), None)


def test_lakes_may_be_written_as_empty() -> None:
    record = read_gravon_xml(spoil(FIELD, FIELD.replace("_", "A")).encode())

    assert record == read_gravon_xml(SMALL.encode())


def test_pieces_on_a_lake_are_read() -> None:
    record = read_gravon_xml(spoil(FIELD, FIELD.replace("__", "DQ", 1)).encode())

    assert names(record.red & LAKES) + names(record.blue & LAKES) == "c5d5"


@each("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1", "ascii"])
def test_other_encodings(encoding: str) -> None:
    declared = encoding.removesuffix("-sig")
    name = "Ada" if encoding == "ascii" else "Zoé"
    text = spoil("UTF-8", declared).replace("Ada", name)

    assert read_gravon_xml(text.encode(encoding)).players == (name, "Bob")


def test_unknown_elements_are_ignored() -> None:
    text = spoil("<result", "<!-- a remark --><clock>Cy &amp; Di</clock><result")

    assert read_gravon_xml(text.encode()) == read_gravon_xml(SMALL.encode())


def test_byte_order_mark_without_declaration() -> None:
    text = SMALL.split("\n", 1)[1]

    for data in (text.encode(), text.encode("utf-16"), b"\xef\xbb\xbf" + text.encode()):
        assert read_gravon_xml(data) == read_gravon_xml(SMALL.encode())


# -- invalid files


@each(
    ("old", "new", "expected"),
    [
        # the setup
        (FIELD, FIELD[:-1], "line 4: the setup has 99 squares instead of 100"),
        (FIELD, FIELD + "A", "line 4: the setup has 101 squares instead of 100"),
        (FIELD, "", "line 4: the setup has 0 squares instead of 100"),
        ("MDEA", "MDZA", "line 4: the setup has 'Z' on c1 (character 3), which is not a piece"),
        ("MDEA", "MDéA", "line 4: the setup has 'é' on c1 (character 3), which is not a piece"),
        ("MDEA", "MD_A", "line 4: the setup has '_' on c1 (character 3), which is not a piece"),
        ("MDEA", "MD A", "line 4: the setup has ' ' on c1 (character 3), which is not a piece"),
        ("MDEA", "MDaA", "line 4: the setup has 'a' on c1 (character 3), which is not a piece"),
        (
            "AAPQY",
            "AAPQZ",
            "line 4: the setup has 'Z' on k10 (character 100), which is not a piece",
        ),
        ("content=", "contents=", "line 4: <field> has no 'content'"),
        (f'<field content="{FIELD}"/>', "", "line 11: there is no <field> with the setup"),
        (
            f'<field content="{FIELD}"/>',
            f'<field content="{FIELD}"/>\n<field content="{FIELD}"/>',
            "line 5: there is a second <field>",
        ),
        # the moves
        ('"B2"', '"L2"', "line 5: move 1 names 'L2', which is not a square"),
        ('"B2"', '"b2"', "line 5: move 1 names 'b2', which is not a square"),
        ('"B2"', '"B0"', "line 5: move 1 names 'B0', which is not a square"),
        ('"B2"', '"B10"', "line 5: move 1 names 'B10', which is not a square"),
        ('"B2"', '"B"', "line 5: move 1 names 'B', which is not a square"),
        ('"B2"', '""', "line 5: move 1 names '', which is not a square"),
        ('"B2"', '"2B"', "line 5: move 1 names '2B', which is not a square"),
        ('"B2"', '"B٢"', "line 5: move 1 names 'B٢', which is not a square"),
        ('"I9"', '"I;"', "line 6: move 2 names 'I;', which is not a square"),
        ('source="B1" ', "", "line 5: <move> has no 'source'"),
        (' target="B2"', "", "line 5: <move> has no 'target'"),
        ('id="1" ', "", "line 5: <move> has no 'id'"),
        ('move id="1"', 'move id="2"', "line 5: expected move 1, found move '2'"),
        ('move id="2"', 'move id="1"', "line 6: expected move 2, found move '1'"),
        ('move id="2"', 'move id="3"', "line 6: expected move 2, found move '3'"),
        ('move id="2"', 'move id=" 2"', "line 6: expected move 2, found move ' 2'"),
        ('move id="2"', 'move id="two"', "line 6: expected move 2, found move 'two'"),
        # the result
        ('type="4"', 'type="5"', "line 8: the result of type '5' with winner '3' is unknown"),
        ('type="4"', 'type="-1"', "line 8: the result of type '-1' with winner '3' is unknown"),
        ('type="4"', 'type=""', "line 8: the result of type '' with winner '3' is unknown"),
        ('type="4"', 'type="²"', "line 8: the result of type '²' with winner '3' is unknown"),
        ('type="4"', 'type="٤"', "line 8: the result of type '٤' with winner '3' is unknown"),
        ('winner="3"', 'winner="0"', "line 8: the result of type '4' with winner '0' is unknown"),
        ('winner="3"', 'winner="4"', "line 8: the result of type '4' with winner '4' is unknown"),
        ('winner="3"', 'winner="x"', "line 8: the result of type '4' with winner 'x' is unknown"),
        ('type="4" ', "", "line 8: <result> has no 'type'"),
        (' winner="3"', "", "line 8: <result> has no 'winner'"),
        (
            " </game>",
            '  <result type="4" winner="3"/>\n </game>',
            "line 9: there is a second <result>",
        ),
        # the file as a whole
        (" </game>", " </game>\n <game/>", "line 10: there is a second <game>"),
        ("</stratego>", "", "line 11: this is not well-formed XML (no element found)"),
        (" </game>", "", "line 10: this is not well-formed XML (mismatched tag)"),
        ("</stratego>", "</stratego>...", "line 10: this is not well-formed XML (junk after"),
        ('"B2"', '"B2', "line 6: this is not well-formed XML (not well-formed (invalid token))"),
        ('"B2"', '"B2" target="B3"', "line 5: this is not well-formed XML (duplicate attribute)"),
        ("<result", "&what;<result", "line 8: this is not well-formed XML (undefined entity)"),
        ("<result", "\0<result", "line 8: this is not well-formed XML"),
        ("UTF-8", "klingon", "line 1: "),
        ("UTF-8", "hex", "line 1: the text cannot be decoded ('hex' is not a text encoding"),
        ("UTF-8", "utf-32", "line 1: "),
        ("UTF-8", "shift_jis", "line 1: the text cannot be decoded (multi-byte encodings"),
        ("UTF-8", "utf-16", "line 1: "),
    ],
)
def test_malformed_files(old: str, new: str, expected: str) -> None:
    read_gravon_xml(SMALL.encode())  # the file would be valid without the fault

    assert bad(spoil(old, new)).startswith(expected)


@each("spelled", ["9" * 10, "9" * 5000, "0" * 5000 + "4", "04", "4.0", "1e1"])
def test_huge_numbers(spelled: str) -> None:
    assert bad(spoil('type="4"', f'type="{spelled}"')).endswith("is unknown")
    assert bad(spoil('winner="3"', f'winner="{spelled}"')).endswith("is unknown")
    assert "expected move 1" in bad(spoil('move id="1"', f'move id="{spelled}"'))
    assert "which is not a square" in bad(spoil('"B2"', f'"B{spelled}"'))


def test_error_for_a_huge_value_is_short() -> None:
    endless = "9" * 100_000
    for value in ('"4"', '"3"', '"1"', '"B2"'):
        message = bad(SMALL.replace(value, f'"{endless}"'))
        assert message.startswith("line ")
        assert len(message) < 200
        assert "99999" in message


@each(
    ("text", "expected"),
    [
        ("", "line 1: the file is empty"),
        (" \r\n\t\n", "line 1: the file is empty"),
        ("\n\n\n", "line 1: the file is empty"),
        ("#X38FA11\ntype 0\n", "line 1: this is not well-formed XML"),
        ("<html><body>404</body></html>", "line 1: there is no <game>"),
        ("<stratego/>", "line 1: there is no <game>"),
        ("<stratego>\n<game/>\n</stratego>", "line 3: there is no <field> with the setup"),
        ("\n" + SMALL, "line 2: this is not well-formed XML (XML or text declaration"),
    ],
)
def test_other_file_types(text: str, expected: str) -> None:
    assert bad(text).startswith(expected)


def test_binary_files() -> None:
    assert bad(b"\x89PNG\r\n\x1a\n" + bytes(range(256))).startswith("line 1: ")
    assert bad(b"SQLite format 3\0").startswith("line 1: ")
    assert bad(bytes(1000)).startswith("line 1: ")
    assert bad(SMALL.encode().replace(b'"B2"', b'"B\xff"')).startswith("line 5: ")
    assert bad(SMALL.encode("utf-16")[:-1]).startswith("line ")


# -- hostile files


LAUGHS = (
    '<?xml version="1.0"?>\n<!DOCTYPE lolz [\n <!ENTITY lol0 "lol">\n'
    + "".join(f' <!ENTITY lol{n} "{f"&lol{n - 1};" * 10}">\n' for n in range(1, 10))
    + "]>\n<stratego><game>&lol9;</game></stratego>"
)
DOCTYPE = "the file defines XML entities or a document type, which no game record needs"


@each(
    ("head", "line"),
    [
        ('<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>', 1),
        ('<!DOCTYPE x SYSTEM "http://example.invalid/x.dtd">', 1),
        ('\n<!DOCTYPE x [<!ENTITY % a SYSTEM "http://example.invalid/"> %a;]>', 2),
        ("\n\n<!DOCTYPE stratego>", 3),
    ],
)
def test_doctype_is_refused(head: str, line: int) -> None:
    text = f"{head}<stratego><game>&a;</game></stratego>"

    assert bad(text.strip("\n") if line == 1 else text) == f"line {line}: {DOCTYPE}"


def test_entity_bomb_is_refused() -> None:
    started = process_time()

    assert bad(LAUGHS) == f"line 2: {DOCTYPE}"
    assert process_time() - started < 0.5


def test_deep_and_long_files_are_read() -> None:
    deep = "<a>" * 50_000

    assert bad(deep).startswith("line 1: this is not well-formed XML")
    assert bad(deep + "</a>" * 50_000).startswith("line 1: there is no <game>")
    assert "instead of 100" in bad(spoil(FIELD, "A" * 1_000_000))


def test_nested_players_take_linear_time() -> None:
    started = process_time()
    nested = "<player>\n" * 30_000 + "x\n</player>\n" * 30_000

    assert read_gravon_xml(spoil("<result", nested + "<result").encode()).players is None
    assert process_time() - started < 5


# -- truncated files


def cut_off(data: bytes, end: int) -> str | None:
    try:
        read_gravon_xml(data[:end])
    except RecordError as refused:
        return str(refused)
    return None


def test_truncated_file_is_refused() -> None:
    data = SMALL.encode()
    complete = len(data.rstrip())

    for end in range(complete):
        message = cut_off(data, end)
        assert message is not None, end
        assert re.match(r"line \d+: (this is not well-formed XML|the file is empty)", message)
    for end in range(complete, len(data) + 1):
        assert cut_off(data, end) is None


def test_real_file_truncated(recorded: bytes) -> None:
    assert cut_off(recorded, len(recorded)) is None
    for end in range(0, len(recorded.rstrip()), 97):
        message = cut_off(recorded, end)
        assert message is not None, end
        line = recorded[:end].count(b"\n") + 1
        assert message.startswith(f"line {line}: "), message


def test_real_file(recorded: bytes) -> None:
    record = read_gravon_xml(recorded)

    assert len(record.moves) == 206
    assert record.result == GameOver(Side.BLUE, Reason.FORFEIT)
    assert record.kind is GameKind.CLASSIC
    assert record.players == ("Player 1", "Player 2")
    assert (record.red, record.blue) == (Side.RED.home, Side.BLUE.home)
    for side in (record.red, record.blue):
        ranks = [rank for place, rank in record.ranks.items() if side >> place & 1]
        assert {rank: ranks.count(rank) for rank in Rank} == ORIGINAL.counts
