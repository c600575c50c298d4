"""Files of the Gravon archive (records.md): XML, and the encoding shared by all file types."""

import re
from dataclasses import dataclass, field, replace
from reprlib import repr as short  # a hostile file may contain millions of characters anywhere
from typing import Final
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.saxutils import escape
from xml.sax.xmlreader import AttributesImpl, Locator

from engine.board.geometry import COLUMNS, LAKES, SQUARES, WIDTH, Side, Square, name, set_of
from engine.board.ranks import Rank
from engine.game.rulings import GameOver, Reason
from engine.records.record import GameKind, Record, RecordedMove, RecordError

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
_LETTERS: Final = {piece: letter for letter, piece in _PIECES.items()}
EMPTY: Final = "A"
_LAKE: Final = "_"
# Some files write J for the last column, and J has no other meaning.
_COLUMNS: Final = {letter.upper(): n for n, letter in enumerate(COLUMNS)} | {"J": WIDTH - 1}
_ROW_CHARACTERS: Final = "123456789:"
_ROWS: Final = {character: n for n, character in enumerate(_ROW_CHARACTERS)}
_REASONS: Final = {
    "0": Reason.NO_LEGAL_MOVE,
    "1": Reason.FLAG_CAPTURED,
    "2": Reason.BOTH_IMMOBILE,
    "3": Reason.FORFEIT,
    "4": Reason.AGREED_DRAW,
    **dict.fromkeys(("10", "11", "12", "13", "14"), Reason.TIME),
}
# For each reason, the lowest of its numbers in the archive. The archive has no number for the last
# three reasons, so each of them is given the number of the most similar reason.
_TYPES: Final = {reason: number for number, reason in reversed(_REASONS.items())} | {
    Reason.NO_MOVABLE_PIECE: "0",
    Reason.RESIGNATION: "3",
    Reason.MOVED_BOMB: "3",
}
_WINNERS: Final = (Side.RED, Side.BLUE, None)


def read_field(content: str, line: int) -> Record:
    """Read the letters of the setup into a record without moves."""
    if len(content) != len(SQUARES):
        message = f"the setup has {len(content)} squares instead of {len(SQUARES)}"
        raise RecordError(message, line)
    ranks: dict[Square, Rank] = {}
    armies: dict[Side, list[Square]] = {side: [] for side in Side}
    for square, letter in enumerate(content):
        if letter in _PIECES:
            side, ranks[square] = _PIECES[letter]
            armies[side].append(square)
        elif letter not in (EMPTY, _LAKE) or (letter == _LAKE) > (LAKES >> square & 1):
            raise RecordError(
                f"the setup has {letter!r} on {name(square)} (character {square + 1}), "
                "which is not a piece",
                line,
            )
    return Record(ranks, set_of(armies[Side.RED]), set_of(armies[Side.BLUE]))


def read_move(number: int, source: str, target: str, line: int) -> RecordedMove:
    return RecordedMove(_read_square(number, source, line), _read_square(number, target, line))


def read_result(kind: str, winner: str, line: int, red: int) -> GameOver:
    """Parse the result; `red` is Red's number in the winner field."""
    winners = {str(number): side for number, side in enumerate(_WINNERS, start=red)}
    if kind not in _REASONS or winner not in winners:
        message = f"the result of type {short(kind)} with winner {short(winner)} is unknown"
        raise RecordError(message, line)
    return GameOver(winners[winner], _REASONS[kind])


def write_field(record: Record) -> str:
    """Return the letters of the setup. Raises RecordError if a rank has no letter."""
    if record.red & record.blue or set_of(record.ranks) != record.red | record.blue:
        raise RecordError("a piece in the setup lacks a side or a rank, or has two sides")
    letters = [_LAKE if LAKES >> square & 1 else EMPTY for square in SQUARES]
    for side, square in record.placing.pieces:
        rank = record.ranks[square]
        if (side, rank) not in _LETTERS:
            where = f"the {rank.name.lower()} on {name(square)}"
            raise RecordError(f"the Gravon archive has no letter for {where}")
        letters[square] = _LETTERS[side, rank]
    return "".join(letters)


def write_square(square: Square) -> str:
    """Return a square as text: `A1`, and `K:` for k10."""
    row, column = divmod(square, WIDTH)
    return COLUMNS[column].upper() + _ROW_CHARACTERS[row]


def write_result(result: GameOver, red: int) -> tuple[str, str]:
    """Return the result as type and winner; `red` is Red's number in the winner field."""
    return _TYPES[result.reason], str(_WINNERS.index(result.winner) + red)


def _read_square(number: int, text: str, line: int) -> Square:
    if len(text) == 2 and text[0] in _COLUMNS and text[1] in _ROWS:
        return WIDTH * _ROWS[text[1]] + _COLUMNS[text[0]]
    raise RecordError(f"move {number} names {short(text)}, which is not a square", line)


_KINDS: Final = {kind.value: kind for kind in GameKind}
_RED: Final = 1
"""Number that denotes Red in the player and winner fields."""
_NO_XML: Final = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot represent."""
_NO_DEFUSEDXML: Final = (
    "Gravon XML is read with the package defusedxml: pip install 'boomboard-engine[gravon]'"
)


def read_gravon_xml(data: bytes) -> Record:
    """Read a Gravon XML file. Raises RecordError if it is damaged, hostile or in another format.

    Raises ModuleNotFoundError if the package defusedxml is not installed. The package is imported
    only in this function, because nothing else in the engine needs it.
    """
    try:
        from defusedxml import DefusedXmlException  # noqa: PLC0415
        from defusedxml.sax import parseString  # noqa: PLC0415
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(_NO_DEFUSEDXML, name=missing.name) from None
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


def write_gravon_xml(record: Record) -> bytes:
    """Return a record as a Gravon XML file in UTF-8.

    Raises RecordError if the format cannot represent the record. Some ranks, such as the
    infiltrator, have no letter, and names may not contain control characters.

    Reading the file restores the record, except for three endings that Gravon lacks. “No movable
    pieces” becomes “no legal move”. A resignation or a moved bomb becomes a forfeit.
    """
    kind = f' type="{record.kind.value}"' if record.kind else ""
    moves = (
        f'id="{number}" source="{write_square(move.source)}" target="{write_square(move.target)}"'
        for number, move in enumerate(record.moves, start=1)
    )
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        "<stratego>",
        f" <game{kind}>",
        f'  <field content="{write_field(record)}"/>',
        *(f"  <move {move}/>" for move in moves),
    ]
    for number, player in enumerate(record.players or (), start=_RED):
        lines.append(f'  <player id="{number}">{_escaped(player)}</player>')
    if record.result:
        reason, winner = write_result(record.result, _RED)
        lines.append(f'  <result type="{reason}" winner="{winner}"/>')
    lines += [" </game>", "</stratego>", ""]
    return "\n".join(lines).encode()


def _escaped(name: str) -> str:
    if _NO_XML.search(name):
        raise RecordError(f"the name {short(name)} contains a character that XML cannot represent")
    return escape(name, {"\r": "&#13;"})  # otherwise it would be read as a line end


@dataclass
class _GravonReader(ContentHandler):
    """Collects the elements of a file and tracks the current line."""

    has_game: bool = False
    kind: str = ""
    setup: Record | None = None
    moves: list[RecordedMove] = field(default_factory=list)
    result: GameOver | None = None
    player: str = ""
    """Number of the player whose name is being read."""
    text: list[str] = field(default_factory=list)
    """Parts of the name that have been read so far."""
    players: list[tuple[str, str]] = field(default_factory=list)
    """Numbers and names."""

    locator: Locator = field(default_factory=Locator)

    def setDocumentLocator(self, locator: Locator) -> None:  # noqa: N802 (SAX's name)
        """Store the locator, which gives the position in the file."""
        self.locator = locator

    @property
    def line(self) -> int:
        """Line of the element that is being read."""
        return max(1, self.locator.getLineNumber() or 1)

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802 (SAX's name)
        """Handle an element. Unknown elements are skipped."""
        match name:
            case "game":
                self._once(self.has_game, name)
                self.has_game = True
                self.kind = attrs.get("type", "")
            case "field":
                self._once(self.setup is not None, name)
                self.setup = read_field(self._attribute(name, attrs, "content"), self.line)
            case "move":
                self._read_move(attrs)
            case "player":
                self.player = attrs.get("id", "")
                self.text.clear()
            case "result":
                self._once(self.result is not None, name)
                kind, winner = (self._attribute(name, attrs, a) for a in ("type", "winner"))
                self.result = read_result(kind, winner, self.line, _RED)

    def characters(self, content: str) -> None:
        """Collect text. Text outside players' names is discarded when the next name begins."""
        self.text.append(content)

    def endElement(self, name: str) -> None:  # noqa: N802 (SAX's name)
        """Store a player's name at its closing tag."""
        if name == "player":
            self.players.append((self.player, "".join(self.text)))
            self.text.clear()

    def endDocument(self) -> None:  # noqa: N802 (SAX's name)
        """Check that nothing is missing. At this point, an error can still name the line."""
        if not self.has_game:
            raise self._fail("there is no <game>, so this is not a Gravon record")
        if self.setup is None:
            raise self._fail("there is no <field> with the setup")

    def record(self) -> Record:
        """Return the record. The whole file must have been read."""
        assert self.setup is not None, "endDocument has checked this"
        return replace(
            self.setup,
            moves=tuple(self.moves),
            result=self.result,
            kind=_KINDS.get(self.kind),
            unknown_kind="" if self.kind in _KINDS else self.kind,
            players=self._both_players(),
        )

    def _both_players(self) -> tuple[str, str] | None:
        match sorted(self.players):
            case [("1", red), ("2", blue)]:
                return red, blue
        return None

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

    def _read_move(self, attrs: AttributesImpl) -> None:
        number = len(self.moves) + 1
        found = self._attribute("move", attrs, "id")
        if found != str(number):
            raise self._fail(f"expected move {number}, found move {short(found)}")
        source, target = (self._attribute("move", attrs, end) for end in ("source", "target"))
        self.moves.append(read_move(number, source, target, self.line))
