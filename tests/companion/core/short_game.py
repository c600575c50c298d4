"""Short games with many events, for any edition."""

import random
from dataclasses import replace
from typing import Final

from hypothesis import strategies as st

from engine.board.geometry import Side
from engine.board.ranks import Army, Rank
from engine.game.actions import Move, PlaceArmies
from engine.game.referee import Referee
from engine.rules.editions import EDITIONS, Edition, MovedBombPenalty
from firmware_bridge.image import Image

_COUNTS: Final = {
    **dict.fromkeys(Rank, 0),
    **dict.fromkeys((Rank.FLAG, Rank.SPY, Rank.BOMB, Rank.MARSHAL, Rank.INFILTRATOR), 1),
    Rank.SCOUT: 2,
}
ARMIES: Final = Image.parse("""
10   .   .   .   .   .   .   .   .   .   .
 9   .   .   .   .   .   .   .   .   .   .
 8   .   b   .   .   b   b   .   .   b   .
 7   .   .   b   .   .   .   b   .   .   b
 6   .   .   ~   ~   .   .   ~   ~   .   .
 5   .   .   ~   ~   .   .   ~   ~   .   .
 4   r   .   .   .   r   .   r   .   .   r
 3   .   r   .   .   .   r   .   .   r   .
 2   .   .   .   .   .   .   .   .   .   .
 1   .   .   .   .   .   .   .   .   .   .
""")
SMALL: Final = replace(EDITIONS["nordic-2015"], army=Army("small", _COUNTS))
OPTIONS: Final = st.fixed_dictionaries(
    {
        "moved_bomb": st.sampled_from(MovedBombPenalty),
        "silent_defence": st.booleans(),
        "aggressor_advantage": st.booleans(),
        "both_immobile_draw": st.booleans(),
        "touch_move": st.booleans(),
    }
)
EDITION: Final = OPTIONS.map(lambda options: replace(SMALL, **options))


def begun(edition: Edition, chance: random.Random, plies: int) -> Referee:
    """Return a game in which some moves have been made, most of them forward."""
    referee = Referee.waiting(edition)
    referee.apply(PlaceArmies(ARMIES.red, ARMIES.blue))
    for _ in range(plies):
        moves = [each for each in referee.legal_moves() if isinstance(each, Move)]
        if not moves:
            break
        forward = 1 if referee.to_move is Side.RED else -1
        tried = chance.choices(moves, k=3)
        referee.apply(max(tried, key=lambda move: (move.target - move.source) * forward))
    return referee
