"""Guarantees in docs/reliability.md, each with deliberate faults and the test that finds them.

The list items on that page begin with these guarantees, in this order. For the soak test's
guarantees, the faulty builds are in `tests.soak.spoiled`.
"""

from typing import Final

from tests.project.guarantees.access import ACCESS
from tests.project.guarantees.board import BOARD
from tests.project.guarantees.hall import HALL
from tests.project.guarantees.long_use import LONG_USE
from tests.project.guarantees.pads import PADS
from tests.project.guarantees.programs import PROGRAMS
from tests.project.guarantees.ranks import RANKS
from tests.project.guarantees.readers import READERS
from tests.project.guarantees.reviews import REVIEWS
from tests.project.guarantees.saved_games import SAVED_GAMES
from tests.project.guarantees.tournaments import TOURNAMENTS
from tests.project.guarantees.wheel import WHEEL
from tests.project.mutation import Guarantees

GUARANTEES: Final[Guarantees] = {
    **SAVED_GAMES,
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
    **REVIEWS,
}
"""Sabotages for every guarantee in docs/reliability.md."""
