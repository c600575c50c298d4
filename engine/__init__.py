"""The rules of Stratego: actions in, rulings out. No clock, no file, no thread.

As a library::

    from engine import Blue, Rank, Red, Referee

    game = Referee("isf")
    game.move("a4-a5")
    print(game)

docs/engine.md has recipes. The packages: `rulebook` holds the rules as data, `legality` the
geometry of moves, `knowledge` the deductions about ranks, `play` a game in progress, `games`
recorded games. The modules beside these packages are shared by all of them.
"""

from engine.board.geometry import Side
from engine.board.ranks import Rank
from engine.game.actions import Attack, Move, NotAScout, RankCorrection, SwapCorrection
from engine.game.position import Position
from engine.game.referee import IllegalActionError, Referee
from engine.game.text_api import NotationError
from engine.rules.editions import EDITIONS, Edition

Red, Blue = Side

__all__ = [
    "EDITIONS",
    "Attack",
    "Blue",
    "Edition",
    "IllegalActionError",
    "Move",
    "NotAScout",
    "NotationError",
    "Position",
    "Rank",
    "RankCorrection",
    "Red",
    "Referee",
    "Side",
    "SwapCorrection",
]
