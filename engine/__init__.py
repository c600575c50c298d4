"""The rules of Stratego. The referee takes actions and returns rulings.

The engine uses no clock, files or threads. To use it as a library::

    from engine import Blue, Rank, Red, Referee

    game = Referee("isf")
    game.push("a4-a5")
    print(game)

docs/engine.md has recipes. The packages are `board` (squares, ranks and sides), `rules` (the
rulebooks as data), `deduction` (the possible ranks of every piece), `game` (a game in progress) and
`records` (recorded games).
"""

from engine.board import EngineError, NotationError, OutOfPhaseError
from engine.board.geometry import Side
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.deduction.commitment import ArmyCommitment, Opening
from engine.game.actions import (
    Action,
    AdoptBoard,
    AgreeDraw,
    Amend,
    AnswerGuess,
    AnswerStalemate,
    Attack,
    BreakSeals,
    ClaimStalemate,
    Correct,
    Declare,
    Forfeit,
    FreeTouched,
    Infiltrate,
    Move,
    NotAScout,
    OpenArmy,
    Override,
    PlaceArmies,
    RankCorrection,
    Relocation,
    Resign,
    SettleDispute,
    SwapCorrection,
    TakeBack,
    TimeExpired,
    Touch,
    UpholdDeclaration,
    WithdrawAttack,
)
from engine.game.game_state import Phase
from engine.game.position import Position
from engine.game.referee import IllegalActionError, Referee
from engine.game.text_api import parse_action
from engine.rules.editions import EDITIONS, Edition

Red, Blue = Side

__all__ = [
    "EDITIONS",
    "Action",
    "AdoptBoard",
    "AgreeDraw",
    "Amend",
    "AnswerGuess",
    "AnswerStalemate",
    "ArmyCommitment",
    "Attack",
    "Blue",
    "BreakSeals",
    "ClaimStalemate",
    "Correct",
    "Declare",
    "Edition",
    "EngineError",
    "Forfeit",
    "FreeTouched",
    "IllegalActionError",
    "Infiltrate",
    "Move",
    "NotAScout",
    "NotationError",
    "OpenArmy",
    "Opening",
    "OutOfPhaseError",
    "Override",
    "Phase",
    "PlaceArmies",
    "Position",
    "Rank",
    "RankCorrection",
    "Red",
    "Referee",
    "Relocation",
    "Resign",
    "Secret",
    "SettleDispute",
    "Side",
    "SwapCorrection",
    "TakeBack",
    "TimeExpired",
    "Touch",
    "UpholdDeclaration",
    "WithdrawAttack",
    "parse_action",
]
