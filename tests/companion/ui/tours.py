"""All tours, each with the board that it needs. The tests and the screenshot tool use them."""

from collections.abc import Callable, Iterator

from tests.companion.ui import tour_of_boards, tours_of_rules
from tests.companion.ui.driver import Driver
from tests.companion.ui.running_app import Script
from tests.companion.ui.tour import (
    simulated_tour,
    tour,
    tour_alone,
    tour_of_a_strike,
    tour_of_the_hands,
)
from tests.companion.ui.tour_of_adopting_the_board import tour_of_adopting_the_board
from tests.companion.ui.tour_of_blanks import tour_of_blanks
from tests.companion.ui.tour_of_failures import tour_of_failures
from tests.companion.ui.tour_of_phones import tour_of_phones
from tests.companion.ui.tour_of_printed_ranks import tour_of_printed_ranks
from tests.companion.ui.tour_of_sealed_armies import (
    tour_of_sealed_armies,
    tour_of_sealed_armies_on_phones,
)
from tests.companion.ui.tour_of_stories import tour_of_stories
from tests.companion.ui.tour_of_the_disk import tour_of_the_disk
from tests.companion.ui.tour_of_the_first_battle import tour_of_the_first_battle
from tests.companion.ui.tour_of_the_handicap import tour_of_the_handicap
from tests.companion.ui.tour_of_the_notes import tour_of_the_notes

TOURS: tuple[tuple[Callable[[Driver], Iterator[str]], Callable[[], Script]], ...] = (
    (tour, Script),
    (tours_of_rules.tour_of_the_choices, Script),
    (tours_of_rules.tour_of_an_infiltration, Script),
    (tour_of_a_strike, Script),
    (tour_of_the_hands, Script),
    (tours_of_rules.tour_of_the_arbiter, Script),
    (tour_of_the_notes, Script),
    (tour_of_adopting_the_board, Script),
    (tour_of_the_disk, Script),
    (tours_of_rules.tour_of_private_words, Script),
    (tours_of_rules.tour_of_a_stalemate, Script),
    (tours_of_rules.tour_of_a_touched_piece, Script),
    (tour_of_boards.tour_of_the_sensors, Script),
    (tour_of_boards.tour_of_the_calibration, Script),
    (tour_of_boards.tour_of_the_camera, Script),
    (tour_of_boards.tour_of_the_flashing, Script),
    (simulated_tour, Script.with_simulated_board),
    (tour_alone, Script.with_simulated_board),
    (tour_of_printed_ranks, Script.with_simulated_board),
    (tour_of_blanks, Script),
    (tour_of_failures, Script),
    (tour_of_phones, Script),
    (tour_of_sealed_armies, Script),
    (tour_of_sealed_armies_on_phones, Script),
    (tour_of_the_first_battle, Script),
    (tour_of_stories, Script),
    (tour_of_the_handicap, Script.with_simulated_board),
)
