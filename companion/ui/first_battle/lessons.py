"""The steps of the first battle, and the small boards on which they are played.

Each step has a goal, such as a long move by the scout. The engine's referee rules on every attempt,
so all rules of the game apply on the small boards. Only Red moves; after each attempt, it is Red's
turn again.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from companion.speech.i18n import N_
from engine.board.board import Board
from engine.board.geometry import WIDTH, Side, Square
from engine.board.ranks import SYMBOLS, Rank
from engine.game.actions import Attack, Move
from engine.game.game_state import Game, GameState
from engine.game.position import Position
from engine.game.referee import Referee
from engine.game.rulings import Combat, Moved, Ruling
from engine.rules.editions import DEFAULT
from engine.rules.movement import CombatResult
from engine.rules.rules import Violation

TOP_ROW: Final = 6
"""Index of the topmost row of a small board."""
COLUMNS_SHOWN: Final = 5
ROWS_SHOWN: Final = 4
SHOWN_SQUARES: Final = tuple(
    WIDTH * (TOP_ROW - row) + column for row in range(ROWS_SHOWN) for column in range(COLUMNS_SHOWN)
)
"""The squares of a small board, from the top left. They form the part of the real board around one
lake."""

Attempt: TypeAlias = Violation | Moved | Combat
"""The referee's ruling on an attempt."""


@dataclass(frozen=True)
class LessonPiece:
    """A piece on a small board."""

    side: Side
    rank: Rank
    is_revealed: bool = False
    """Whether the rank is visible. Red's ranks are always visible."""


LessonPieces: TypeAlias = Mapping[Square, LessonPiece]


def parse_small_board(picture: str) -> dict[Square, LessonPiece]:
    """Return the pieces in a diagram: ``r6`` is a red captain, ``b!10`` a revealed blue marshal."""
    sides = {"r": Side.RED, "b": Side.BLUE}
    tokens = dict(zip(SHOWN_SQUARES, picture.split(), strict=True))
    return {
        square: LessonPiece(sides[token[0]], SYMBOLS[token[1:].lstrip("!")], "!" in token)
        for square, token in tokens.items()
        if token not in (".", "~")
    }


_MEADOW: Final = parse_small_board("""
    .   .   .   .   .
    .   b4  ~   ~   .
    .   .   ~   ~   .
    rF  r6  rB  .   r2
""")
_MINEFIELD: Final = parse_small_board("""
    .   .   .   .   .
    r3  bB  ~   ~   .
    .   r6  ~   ~   .
    rF  .   r2  .   .
""")
_FLAG_HILL: Final = parse_small_board("""
    .   bF  .   .   .
    .   b!10 ~  ~   .
    .   r1  ~   ~   r6
    rF  .   rB  r3  .
""")


@dataclass(frozen=True)
class LessonStep:
    """A tutorial step: the task, and the condition for completing it."""

    text: str
    """Untranslated instruction. The placeholder ``{sign}`` stands for the symbol of `rank`, and
    ``{other}`` for the symbol of `target_rank`."""
    rank: Rank
    """Rank of the red piece to move."""
    is_done_by: Callable[[Attempt], bool]
    pieces: LessonPieces | None = None
    """The small board of this step, or None to keep the previous board."""
    target_rank: Rank | None = None
    """Rank of the blue piece to attack, or None for a move."""
    has_curtain: bool = False
    """Whether Red declares a rank behind the curtain before the combat is shown."""
    waits: bool = False
    """Whether the result stays on the screen until the player continues."""


def _runs(attempt: Attempt) -> bool:
    return isinstance(attempt, Moved) and attempt.long_move


def _beats(attacker: Rank, defender: Rank) -> Callable[[Attempt], bool]:
    """Return a function that checks whether `attacker` has beaten `defender`."""

    def is_done(attempt: Attempt) -> bool:
        if not isinstance(attempt, Combat) or attempt.result is not CombatResult.ATTACKER_WINS:
            return False
        return (attempt.attacker, attempt.defender) == (attacker, defender)

    return is_done


def _takes_flag(attempt: Attempt) -> bool:
    return isinstance(attempt, Combat) and attempt.defender is Rank.FLAG


STEPS: Final = (
    LessonStep(
        N_("A piece moves one square. Drag your captain ({sign}) forward."),
        Rank.CAPTAIN,
        lambda attempt: isinstance(attempt, Moved),
        pieces=_MEADOW,
    ),
    LessonStep(
        N_("Only the scout runs. Drag your scout ({sign}) straight ahead, as far as you like."),
        Rank.SCOUT,
        _runs,
    ),
    LessonStep(
        N_("Attack! Drag your captain ({sign}) onto the blue piece."),
        Rank.CAPTAIN,
        _beats(Rank.CAPTAIN, Rank.SERGEANT),
        target_rank=Rank.SERGEANT,
        has_curtain=True,
        waits=True,
    ),
    LessonStep(
        N_("What is this piece? Attack it with your captain ({sign})."),
        Rank.CAPTAIN,
        lambda attempt: isinstance(attempt, Combat) and attempt.boom,
        pieces=_MINEFIELD,
        target_rank=Rank.BOMB,
    ),
    LessonStep(
        N_("A bomb! Only a miner defuses it. Attack it with your miner ({sign})."),
        Rank.MINER,
        _beats(Rank.MINER, Rank.BOMB),
        target_rank=Rank.BOMB,
        waits=True,
    ),
    LessonStep(
        N_("Even the marshal ({other}) loses when a spy attacks. Send your spy ({sign})!"),
        Rank.SPY,
        _beats(Rank.SPY, Rank.MARSHAL),
        pieces=_FLAG_HILL,
        target_rank=Rank.MARSHAL,
    ),
    LessonStep(
        N_("The last piece is the flag. Take it, and you win!"),
        Rank.SPY,
        _takes_flag,
        target_rank=Rank.FLAG,
        waits=True,
    ),
)
"""All steps, in order. After a move, the explosion or the capture of the marshal, the next step
follows at once, because its instruction explains the result."""


@dataclass
class FirstBattle:
    """The current tutorial step, and the pieces on its small board."""

    number: int = 0
    """Index of the current step. After the last step, it equals the number of steps."""
    pieces: dict[Square, LessonPiece] = field(default_factory=dict)
    _start: LessonPieces = field(default_factory=dict)
    """The pieces at the start of the step."""

    def __post_init__(self) -> None:
        self._begin_step()

    @property
    def step(self) -> LessonStep:
        return STEPS[min(self.number, len(STEPS) - 1)]

    @property
    def is_won(self) -> bool:
        """Whether the last step has been completed."""
        return self.number == len(STEPS)

    def find(self, side: Side, rank: Rank) -> Square | None:
        """Return the square of a side's piece with this rank, or None if it has fallen."""
        wanted = (side, rank)
        squares = (at for at, each in self.pieces.items() if (each.side, each.rank) == wanted)
        return next(squares, None)

    def attempt(self, source: Square, target: Square) -> Attempt:
        """Move or attack as Red, and return the referee's ruling. A violation has no effect.

        The result of a combat is applied to the board at once.
        """
        referee = _referee(self.pieces)
        violation = referee.find_violation(source, target)
        if violation:
            return violation
        kind = Attack if target in self.pieces else Move
        ruling = _decisive(referee.apply(kind(source, target)))
        piece = self.pieces.pop(source)
        if isinstance(ruling, Moved):
            self.pieces[target] = piece
            return ruling
        self._show_result(ruling, piece)
        return ruling

    def go_on(self) -> None:
        self.number += 1
        if not self.is_won:
            self._begin_step()

    def begin_again(self) -> None:
        """Put the pieces back on the squares that they occupied when the step began."""
        self.pieces = dict(self._start)

    def _begin_step(self) -> None:
        if self.step.pieces is not None:
            self.pieces = dict(self.step.pieces)
        self._start = dict(self.pieces)

    def _show_result(self, combat: Combat, attacker: LessonPiece) -> None:
        """Remove the fallen pieces, and reveal the survivor's rank."""
        defender = self.pieces.pop(combat.target)
        if combat.result is CombatResult.ATTACKER_WINS:
            self.pieces[combat.target] = attacker
        elif combat.result is CombatResult.DEFENDER_WINS:
            self.pieces[combat.target] = LessonPiece(defender.side, defender.rank, is_revealed=True)


def _decisive(rulings: Iterable[Ruling]) -> Moved | Combat:
    return next(each for each in rulings if isinstance(each, Moved | Combat))


def _referee(pieces: LessonPieces) -> Referee:
    """Return a referee that knows all ranks, with Red to move."""
    standing = {
        side: {at: at for at, piece in pieces.items() if piece.side is side} for side in Side
    }
    board = Board(standing[Side.RED], standing[Side.BLUE])
    known = {at: piece.rank for at, piece in pieces.items()}
    return Referee.of_game(Game(GameState(Position(DEFAULT, board, known))), known)
