"""The pieces, who wins against whom, and what the rulebooks differ in."""

from dataclasses import dataclass

STRENGTH = {
    "spy": 1,
    "infiltrator": 1,
    "scout": 2,
    "miner": 3,
    "sergeant": 4,
    "lieutenant": 5,
    "captain": 6,
    "major": 7,
    "colonel": 8,
    "general": 9,
    "marshal": 10,
}
"""The ranks that move, and how they compare."""

_RANKS = "flag spy scout miner sergeant lieutenant captain major colonel general marshal bomb"
_COUNTS = {
    "original": [1, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6],
    "duel": [1, 1, 2, 2, 0, 0, 0, 0, 0, 1, 1, 2],
    "barrage": [1, 1, 2, 1, 0, 0, 0, 0, 0, 1, 1, 1],
}
ARMIES = {name: dict(zip(_RANKS.split(), counts, strict=True)) for name, counts in _COUNTS.items()}
ARMIES["infiltrator"] = ARMIES["original"] | {"scout": 7, "infiltrator": 1}
ARMIES_OF = {
    "compact-1992": {"original"},
    "original-1992": {"original"},
    "gravopedia-2006": {"original", "duel"},
    "nordic-2009": {"original", "duel", "infiltrator"},
    "travel-2017": {"original", "duel"},
    "isf": {"original", "duel", "barrage"},
}
LIMITS_OF = {
    "compact-1992": {5},
    "original-1992": {5},
    "gravopedia-2006": {3},
    "nordic-2009": {3},
    "travel-2017": {3},
    "isf": {3, 5},
}
WITH_MORE_SQUARES = {"gravopedia-2006", "nordic-2009", "travel-2017", "isf"}
WHERE_A_MOVED_BOMB_LOSES = {"gravopedia-2006", "travel-2017"}
WHERE_BOTH_IMMOBILE_DRAW = {"isf"}


@dataclass(eq=False)
class Piece:
    """One wooden piece. Two of the same rank are still two."""

    side: str
    rank: str


def fight(attacker: str, defender: str, aggressor_advantage: bool = False) -> str:
    """Say who remains: "attacker", "defender" or "nobody"."""
    if defender == "flag":
        return "attacker"
    if defender == "bomb":
        return "attacker" if attacker == "miner" else "defender"
    if attacker == "spy" and defender == "marshal":
        return "attacker"
    if STRENGTH[attacker] == STRENGTH[defender]:
        return "attacker" if aggressor_advantage else "nobody"
    return "attacker" if STRENGTH[attacker] > STRENGTH[defender] else "defender"


def other_side(side: str) -> str:
    """Return the opponent."""
    return "blue" if side == "red" else "red"
