"""Tests for the five kinds of games in the Gravon archive, in both of its file types."""

from dataclasses import dataclass
from typing import Final

from engine.board.geometry import LAKES, SQUARES, Side, square
from engine.board.ranks import SYMBOLS
from engine.game.rulings import GameOver, Reason
from engine.records.record import GameKind, Record, RecordedMove
from engine.records.record_files import read
from tests.engine.cases import each
from tests.engine.gravon import PLACES
from tests.engine.tables import BLUE, RED, Setup

FORTY = """
10 bF bB b2 b3 b3 b6 bB b5 b4 b2
 9 bB b5 b7 b1 b10 b4 b3 bB b3 b2
 8 b2 b8 b2 b6 b2 b9 b5 b7 b4 bB
 7 b2 b6 b4 b7 b2 b8 b6 b5 b3 bB
 6 .  .  ~  ~  .  .  ~  ~  .  .
 5 .  .  ~  ~  .  .  ~  ~  .  .
 4 r2 r6 r4 r7 r2 r8 r6 r5 r3 rB
 3 r2 r8 r2 r6 r2 r9 r5 r7 r4 rB
 2 rB r5 r7 r1 r10 r4 r3 rB r3 r2
 1 rF rB r2 r3 r3 r6 rB r5 r4 r2
"""
EIGHT = """
10 .  .  .  bB bF b3 .  .  .  .
 9 .  .  .  .  b1 .  .  .  .  .
 8 .  .  .  .  .  .  .  .  b9 .
 7 b2 .  .  .  b10 .  .  .  b2 .
 6 .  .  ~  ~  .  .  ~  ~  .  .
 5 .  .  ~  ~  .  .  ~  ~  .  .
 4 r2 .  .  .  r9 .  .  .  r2 .
 3 .  .  .  .  r1 .  .  .  .  .
 2 .  .  .  .  .  .  .  .  .  r10
 1 .  .  .  .  .  .  .  r3 rB rF
"""
TEN = """
10 .  .  .  bB bF bB .  .  .  .
 9 .  .  .  .  b1 .  .  .  .  .
 8 .  .  .  .  .  .  .  .  b9 .
 7 b2 .  .  b3 b10 .  b3 .  b2 .
 6 .  .  ~  ~  .  .  ~  ~  .  .
 5 .  .  ~  ~  .  .  ~  ~  .  .
 4 r2 .  .  .  r9 .  .  .  r2 .
 3 .  .  .  .  r1 .  .  .  .  .
 2 .  .  .  .  .  .  .  r3 r3 rB
 1 .  .  .  .  .  .  .  r10 rB rF
"""
TWENTY = """
10 .  bB bF bB .  .  .  .  .  .
 9 b5 .  bB .  b7 .  b3 .  b3 .
 8 b2 .  .  b8 .  b9 .  b1 .  b2
 7 b2 .  .  b6 b10 b6 b2 .  b3 b8
 6 .  .  ~  ~  .  .  ~  ~  .  .
 5 .  .  ~  ~  .  .  ~  ~  .  .
 4 r2 .  r6 .  r6 r10 r2 .  r3 r8
 3 r2 .  .  r8 .  r9 .  r1 .  r2
 2 r5 .  rB .  r7 .  r3 .  r3 .
 1 .  rB rF rB .  .  .  .  .  .
"""
RANKS: Final = ("B", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "F")
LETTERS: Final = {
    (side, SYMBOLS[symbol]): letter
    for side, letters in ((RED, "BCDEFGHIJKLM"), (BLUE, "NOPQRSTUVWXY"))
    for symbol, letter in zip(RANKS, letters, strict=True)
}


@dataclass(frozen=True)
class Game:
    """Sample game of one kind. `number` identifies the kind in .gsn files, and is None if
    unknown."""

    kind: GameKind
    number: int | None
    drawn: str
    ways: tuple[str, ...] = ("a4 a5", "a7 a6")

    @property
    def setup(self) -> Setup:
        return Setup.parse(self.drawn)

    @property
    def moves(self) -> tuple[RecordedMove, ...]:
        ends = (way.split() for way in self.ways)
        return tuple(RecordedMove(square(source), square(target)) for source, target in ends)

    @property
    def field(self) -> str:
        ground = ("_" if LAKES >> place & 1 else "A" for place in SQUARES)
        pieces = self.setup.pieces
        return "".join(
            LETTERS[pieces[place]] if place in pieces else empty
            for place, empty in enumerate(ground)
        )

    def as_xml(self) -> bytes:
        moves = "".join(
            f'<move id="{n}" source="{PLACES[move.source]}" target="{PLACES[move.target]}"/>'
            for n, move in enumerate(self.moves, start=1)
        )
        return (
            f'<stratego><game type="{self.kind.value}"><field content="{self.field}"/>{moves}'
            '<player id="1">Ada</player><player id="2">Bob</player>'
            '<result type="1" winner="2"/></game></stratego>'
        ).encode()

    def as_gsn(self, *, between: tuple[str, ...] = ()) -> bytes:
        first, *others = (f"{PLACES[move.source]}-{PLACES[move.target]}" for move in self.moves)
        lines = [
            *("#X38FA11 Stratego-Notation v2", f"type {self.number}", self.field),
            *(first, *between, *others),
            *("END", "Ada vs Bob result 1 winner 1", ""),
        ]
        return "\r\n".join(lines).encode()

    def record(self) -> Record:
        setup = self.setup
        result = GameOver(Side.BLUE, Reason.FLAG_CAPTURED)
        red, blue = setup.placing.red, setup.placing.blue
        return Record(setup.ranks, red, blue, self.moves, result, self.kind, ("Ada", "Bob"))


# A captain in Ultimate Lightning may move around a corner: e4, e5, f5.
LIGHTNING = Game(GameKind.ULTIMATE_LIGHTNING, 3, TWENTY, ("a4 a5", "a7 a6", "e4 f5"))
GAMES = (
    Game(GameKind.CLASSIC, 0, FORTY),
    Game(GameKind.BARRAGE, 1, EIGHT),
    Game(GameKind.CLASSIC_FREE, 2, FORTY),
    LIGHTNING,
    Game(GameKind.DUELL, None, TEN),
)


def test_five_gravon_games() -> None:
    assert {game.kind for game in GAMES} == set(GameKind)


@each("game", GAMES)
def test_from_xml(game: Game) -> None:
    assert read(game.as_xml()) == game.record()


@each("game", GAMES[:4])
def test_from_gsn(game: Game) -> None:
    assert read(game.as_gsn()) == game.record()


def test_rescues_in_gsn_are_ignored() -> None:
    rescued = LIGHTNING.as_gsn(between=("B4:A3", "A::K7"))

    assert read(rescued) == LIGHTNING.record()
