"""Armies: rank counts and home rows."""

from collections import Counter

from tests.reference.board import HOME_ROWS
from tests.reference.pieces import Standing

_RANKS = "flag spy scout miner sergeant lieutenant captain major colonel general marshal bomb"
_COUNTS = {
    "original": [1, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6],
    "duel": [1, 1, 2, 2, 0, 0, 0, 0, 0, 1, 1, 2],
    "barrage": [1, 1, 2, 1, 0, 0, 0, 0, 0, 1, 1, 1],
}
ARMIES = {name: dict(zip(_RANKS.split(), counts, strict=True)) for name, counts in _COUNTS.items()}
ARMIES["infiltrator"] = ARMIES["original"] | {"scout": 7, "infiltrator": 1}


def is_set_up(standing: Standing, army: str) -> bool:
    """Whether each side has exactly the given army in its four home rows."""
    placed = {side: Counter[str]() for side in HOME_ROWS}
    for square, piece in standing.items():
        placed[piece.side][piece.rank] += 1
        if int(square[1:]) not in HOME_ROWS[piece.side]:
            return False
    return all(counts == Counter(ARMIES[army]) for counts in placed.values())


OMITTED = {
    "spy": ["spy"],
    "scouts": ["scout"],
    "marshal": ["marshal"],
    "general": ["marshal", "general"],
}
"""Ranks omitted from an army, by handicap name."""


def handicapped(army: str, omission: str) -> dict[str, int]:
    """Return the army of the side that gives a handicap. With the handicap "bombs", the side keeps
    half of its bombs, rounded down."""
    counts = dict(ARMIES[army])
    if omission == "bombs":
        return counts | {"bomb": counts["bomb"] // 2}
    return counts | dict.fromkeys(OMITTED.get(omission, []), 0)
