"""The claims of docs/reliability.md, each with its sabotages and the test that catches them.

The names are in the last column of the table there, in this order. The guarantees of the simulated
evenings have their own sabotaged builds, in `tests.companion.simulator.soak.spoiled`.
"""

from typing import Final

from tests.house.claims.access import ACCESS
from tests.house.claims.board import BOARD
from tests.house.claims.hall import HALL
from tests.house.claims.kept_games import KEPT_GAMES
from tests.house.claims.long_use import LONG_USE
from tests.house.claims.pads import PADS
from tests.house.claims.programs import PROGRAMS
from tests.house.claims.ranks import RANKS
from tests.house.claims.readers import READERS
from tests.house.claims.tournaments import TOURNAMENTS
from tests.house.claims.wheel import WHEEL
from tests.house.sabotage import Claims

CLAIMS: Final[Claims] = {
    **KEPT_GAMES,
    **TOURNAMENTS,
    **PROGRAMS,
    **READERS,
    **LONG_USE,
    **BOARD,
    **RANKS,
    **ACCESS,
    **PADS,
    **HALL,
    **WHEEL,
}
"""Sabotages for every claim of docs/reliability.md; each of them is caught."""
