"""Recorded games: reading the XML files of the Gravon archive (RULES §11).

A file that cannot be read raises `RecordError` with its place. A file that can be read may still
hold an illegal game; that is for `engine.adjudication` to say.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from reprlib import repr as short  # a hostile file may write millions of characters anywhere
from typing import Final
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl, Locator

from defusedxml import DefusedXmlException
from defusedxml.sax import parseString

from engine.ranks import Rank
from engine.rulings import GameOver, Reason
from engine.sides import Side
from engine.squares import COLUMNS, LAKES, SQUARES, WIDTH, Square, SquareSet, name, set_of


class RecordError(ValueError):
    """A record that cannot be read: what is wrong, and where."""

    def __init__(self, message: str, line: int | None = None) -> None:
        """Say what is wrong on which line of the file, counted from 1; None for the whole file."""
        super().__init__(message if line is None else f"line {line}: {message}")


@dataclass(frozen=True)
class RecordedMove:
    """One move or attack; what came of it is not recorded and follows from the ranks."""

    source: Square
    target: Square


@dataclass(frozen=True)
class Record:
    """A complete game between two people, with every rank."""

    ranks: Mapping[Square, Rank]
    """The rank set up on each square."""
    red: SquareSet
    blue: SquareSet
    moves: tuple[RecordedMove, ...]
    result: GameOver | None
    """What the file says of the end, if anything."""


_LETTER_RANKS: Final = (
    Rank.BOMB,
    Rank.SPY,
    Rank.SCOUT,
    Rank.MINER,
    Rank.SERGEANT,
    Rank.LIEUTENANT,
    Rank.CAPTAIN,
    Rank.MAJOR,
    Rank.COLONEL,
    Rank.GENERAL,
    Rank.MARSHAL,
    Rank.FLAG,
)
_PIECES: Final = {
    chr(ord(first) + offset): (side, rank)
    for side, first in ((Side.RED, "B"), (Side.BLUE, "N"))
    for offset, rank in enumerate(_LETTER_RANKS)
}
_EMPTY, _LAKE = "A", "_"
# Some files write J for the last column, which has no other meaning.
_COLUMNS: Final = {letter.upper(): n for n, letter in enumerate(COLUMNS)} | {"J": WIDTH - 1}
_ROWS: Final = {character: n for n, character in enumerate("123456789:")}
_REASONS: Final = {
    "0": Reason.NO_LEGAL_MOVE,
    "1": Reason.FLAG_CAPTURED,
    "2": Reason.BOTH_IMMOBILE,
    "3": Reason.FORFEIT,
    "4": Reason.AGREED_DRAW,
    **dict.fromkeys(("10", "11", "12", "13", "14"), Reason.TIME),
}
_WINNERS: Final = {"1": Side.RED, "2": Side.BLUE, "3": None}


def read_gravon_xml(data: bytes) -> Record:
    """Read a Gravon XML file; RecordError if it is damaged, hostile or something else."""
    reader = _GravonReader()
    if not data.strip():
        raise RecordError("the file is empty", 1)
    try:
        parseString(data, reader, forbid_dtd=True)
    except SAXParseException as broken:
        message = f"this is not well-formed XML ({broken.getMessage()})"
        raise RecordError(message, broken.getLineNumber() or 1) from broken
    except DefusedXmlException as hostile:
        message = "the file defines XML entities or a document type, which no game record needs"
        raise RecordError(message, reader.line) from hostile
    except (ValueError, LookupError) as undecodable:
        if isinstance(undecodable, RecordError):
            raise
        raise RecordError(f"the text cannot be decoded ({undecodable})", reader.line) from None
    return reader.record()


@dataclass
class _GravonReader(ContentHandler):
    """Collects the elements of a file; knows the line it is on."""

    ranks: dict[Square, Rank] = field(default_factory=dict)
    armies: dict[Side, list[Square]] = field(default_factory=lambda: {side: [] for side in Side})
    moves: list[RecordedMove] = field(default_factory=list)
    result: GameOver | None = None
    has_game: bool = False
    has_field: bool = False

    locator: Locator = field(default_factory=Locator)

    def setDocumentLocator(self, locator: Locator) -> None:  # noqa: N802 (SAX's name)
        """Take what knows the place in the file."""
        self.locator = locator

    @property
    def line(self) -> int:
        """The line of the element that is being read."""
        return max(1, self.locator.getLineNumber() or 1)

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802 (SAX's name)
        """Take one element; elements that say nothing about the game are passed over."""
        match name:
            case "game":
                self._once(self.has_game, name)
                self.has_game = True
            case "field":
                self._once(self.has_field, name)
                self.has_field = True
                self._read_field(self._attribute(name, attrs, "content"))
            case "move":
                self._read_move(attrs)
            case "result":
                self._once(self.result is not None, name)
                self._read_result(attrs)

    def endDocument(self) -> None:  # noqa: N802 (SAX's name)
        """Check that nothing is missing, while the reader still knows its line."""
        if not self.has_game:
            raise self._fail("there is no <game> in it, so it is not a Gravon record")
        if not self.has_field:
            raise self._fail("there is no <field> with the setup")

    def record(self) -> Record:
        """Return the record once the whole file has been read."""
        red, blue = (set_of(self.armies[side]) for side in Side)
        return Record(self.ranks, red, blue, tuple(self.moves), self.result)

    def _fail(self, message: str) -> RecordError:
        return RecordError(message, self.line)

    def _once(self, already: bool, element: str) -> None:
        if already:
            raise self._fail(f"there is a second <{element}>")

    def _attribute(self, element: str, attrs: AttributesImpl, wanted: str) -> str:
        value = attrs.get(wanted)
        if value is None:
            raise self._fail(f"<{element}> has no {wanted!r}")
        return value

    def _read_field(self, content: str) -> None:
        if len(content) != len(SQUARES):
            raise self._fail(f"the setup has {len(content)} squares instead of {len(SQUARES)}")
        for square, letter in enumerate(content):
            if letter in _PIECES:
                side, self.ranks[square] = _PIECES[letter]
                self.armies[side].append(square)
            elif letter not in (_EMPTY, _LAKE) or (letter == _LAKE) > (LAKES >> square & 1):
                raise self._fail(
                    f"the setup has {letter!r} on {name(square)} (character {square + 1}), "
                    "which is no piece"
                )

    def _read_move(self, attrs: AttributesImpl) -> None:
        number = len(self.moves) + 1
        found = self._attribute("move", attrs, "id")
        if found != str(number):
            raise self._fail(f"move {number} is due here, but this is move {short(found)}")
        source, target = (
            self._read_square(number, self._attribute("move", attrs, end))
            for end in ("source", "target")
        )
        self.moves.append(RecordedMove(source, target))

    def _read_square(self, number: int, text: str) -> Square:
        if len(text) == 2 and text[0] in _COLUMNS and text[1] in _ROWS:
            return WIDTH * _ROWS[text[1]] + _COLUMNS[text[0]]
        raise self._fail(f"move {number} names {short(text)}, which is no square")

    def _read_result(self, attrs: AttributesImpl) -> None:
        kind = self._attribute("result", attrs, "type")
        winner = self._attribute("result", attrs, "winner")
        if kind not in _REASONS or winner not in _WINNERS:
            raise self._fail(
                f"the result of type {short(kind)} with winner {short(winner)} is unknown"
            )
        self.result = GameOver(_WINNERS[winner], _REASONS[kind])
