"""Durability of a hall's games and tournaments."""

from typing import Final

from tests.project.mutation import Guarantees, Line, Value

_CUP: Final = "companion/hall/tournament"

TOURNAMENTS: Final[Guarantees] = {
    "A hall gets the whole journal, even if the network loses, repeats or reorders messages": {
        "an item out of order is stored": Value(
            "companion.hall.server.store._ADD_ITEM",
            "INSERT INTO item (place, game, number, body) SELECT ?1, ?2, ?3, ?4"
            " WHERE ?5 + length(?6 || ?7 || ?8) > 0 ON CONFLICT DO NOTHING",
            "companion/hall/test_store.py::test_what_does_not_follow_is_not_kept",
        ),
        "the order of notes and actions is lost": Line(
            "companion.storage.journal_tail:GameRows._read_notes",
            "after + 0.5",
            "after - 100",
            "companion/hall/test_feed.py::test_a_journal_is_told_the_same_however_often_it_is_read",
        ),
    },
    "Concurrent writers of a tournament lose nothing": {
        "a lock that does not exclude": Line(
            "companion.hall.tournament.tournament_file:_locked",
            "fcntl.LOCK_EX",
            "fcntl.LOCK_SH",
            f"{_CUP}/test_tournament_file.py::test_who_comes_while_somebody_decides_has_to_wait",
        ),
    },
    "Another program's file never changes a result that is known here": {
        "the file's result always counts": Line(
            "companion.hall.tournament.exchange:_added_results",
            "if game.result:",
            "if False:",
            f"{_CUP}/test_exchange.py::test_a_result_that_differs_is_refused",
        ),
    },
    "A table's report never replaces a result entered by hand": {
        "a table's result always counts": Line(
            "companion.hall.server.tables:Results._note",
            "pairing.result or table.arrival.at < since",
            "table.arrival.at < since",
            "companion/hall/test_results.py::test_what_was_set_by_hand_stays",
        ),
        "a game from before the round counts": Line(
            "companion.hall.server.tables:Results._note",
            "table.arrival.at < since",
            "False",
            "companion/hall/test_results.py::test_a_game_from_before_the_pairing_changes_nothing",
        ),
        "a game counts although it was reopened by hand": Line(
            "companion.hall.server.tables:_latest",
            "noted.by != name",
            "False",
            "companion/hall/test_results.py"
            "::test_a_game_that_was_opened_by_hand_stays_open_after_a_restart",
        ),
    },
    "A table's result counts only for the players who were paired": {
        "the players' names are not compared": Line(
            "companion.hall.server.tables:_seats",
            "seated in (paired, paired[::-1])",
            "True",
            "companion/hall/test_results.py::test_games_of_other_people_change_nothing",
        ),
    },
}
