"""Encoding of pieces, squares and results shared by all file types of the Gravon archive."""

from reprlib import repr as short  # a hostile file may contain millions of characters anywhere
from typing import Final

from engine.board.geometry import COLUMNS, LAKES, SQUARES, WIDTH, Side, Square, name, set_of
from engine.board.ranks import Rank
from engine.game.rulings import GameOver, Reason
from engine.records.record import Record, RecordedMove, RecordError

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
# Some files write J for the last column, which has no other meaning.
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
# The lowest number of each reason. The archive lacks the last three: they get the nearest one.
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
    """Read the squares of a move."""
    return RecordedMove(_read_square(number, source, line), _read_square(number, target, line))


def read_result(kind: str, winner: str, line: int, red: int) -> GameOver:
    """Read the result; `red` is Red's number in the winner field."""
    winners = {str(number): side for number, side in enumerate(_WINNERS, start=red)}
    if kind not in _REASONS or winner not in winners:
        message = f"the result of type {short(kind)} with winner {short(winner)} is unknown"
        raise RecordError(message, line)
    return GameOver(winners[winner], _REASONS[kind])


def write_field(record: Record) -> str:
    """Write the letters of the setup; RecordError for a rank without a letter."""
    if record.red & record.blue or set_of(record.ranks) != record.red | record.blue:
        raise RecordError("not every piece of the setup has one side and one rank")
    letters = [_LAKE if LAKES >> square & 1 else EMPTY for square in SQUARES]
    for side, square in record.placing.pieces:
        rank = record.ranks[square]
        if (side, rank) not in _LETTERS:
            where = f"the {rank.name.lower()} on {name(square)}"
            raise RecordError(f"the Gravon archive has no letter for {where}")
        letters[square] = _LETTERS[side, rank]
    return "".join(letters)


def write_square(square: Square) -> str:
    """Write a square: `A1`, and `K:` for k10."""
    row, column = divmod(square, WIDTH)
    return COLUMNS[column].upper() + _ROW_CHARACTERS[row]


def write_result(result: GameOver, red: int) -> tuple[str, str]:
    """Write the result as type and winner; `red` is Red's number in the winner field."""
    return _TYPES[result.reason], str(_WINNERS.index(result.winner) + red)


def _read_square(number: int, text: str, line: int) -> Square:
    if len(text) == 2 and text[0] in _COLUMNS and text[1] in _ROWS:
        return WIDTH * _ROWS[text[1]] + _COLUMNS[text[0]]
    raise RecordError(f"move {number} names {short(text)}, which is not a square", line)
