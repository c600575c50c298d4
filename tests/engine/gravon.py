"""Helpers for the tests of both Gravon file types."""

import re
from collections.abc import Mapping
from typing import Final

from engine.game.rulings import Reason
from tests.engine.cases import each

FIELD: Final = "MDE" + "A" * 39 + "__AA__AA" + "AA__AA__AA" + "A" * 37 + "PQY"
"""Setup with three pieces per side, in opposite corners."""
PLACES: Final = tuple(f"{column}{row}" for row in "123456789:" for column in "ABCDEFGHIK")
"""All squares in the archive's notation, from a1 to k10."""
REASONS: Final[Mapping[str, Reason]] = {
    "0": Reason.NO_LEGAL_MOVE,
    "1": Reason.FLAG_CAPTURED,
    "2": Reason.BOTH_IMMOBILE,
    "3": Reason.FORFEIT,
    "4": Reason.AGREED_DRAW,
    **{str(number): Reason.TIME for number in range(10, 15)},
}
results = each(("number", "reason"), REASONS.items())


def as_gsn(recorded: bytes) -> bytes:
    """Convert the real game from XML to the archive's .gsn format."""
    text = recorded.decode()
    (field,) = re.findall('content="(.*?)"', text)
    moves = re.findall('source="(..)" target="(..)"', text)
    lines = ["#X38FA11 Stratego-Notation v2", "type 0", field, *map("-".join, moves), "END"]
    players = " vs ".join(re.findall("<player.*>(.*)</player>", text))
    return "\n".join([*lines, f"{players} result 3 winner 1", ""]).encode()
