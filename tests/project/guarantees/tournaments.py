"""Guarantees that a hall's games and tournaments are durable."""

from typing import Final

from tests.project.mutation import Guarantees, Line, Value

_CUP: Final = "companion/hall/tournament"

TOURNAMENTS: Final[Guarantees] = {
    "A hall gets the whole journal, even if the network loses, repeats or reorders messages": {
        "an item out of order is stored": Value(
            "companion.hall.server.store._ADD_ITEM",
            "INSERT INTO item (place, game, number, body) SELECT ?1, ?2, ?3, ?4"
            " WHERE ?5 + length(?6 || ?7 || ?8) > 0 ON CONFLICT DO NOTHING",
            "companion/hall/test_store.py::test_item_out_of_sequence_is_refused",
        ),
        "the order of notes and actions is lost": Line(
            "companion.storage.journal_tail:GameRows._read_notes",
            "after + 0.5",
            "after - 100",
            "companion/hall/test_feed.py::test_feed_is_deterministic",
        ),
    },
    "Programs that write to a tournament at the same time lose nothing": {
        "a lock that does not exclude": Line(
            "companion.hall.tournament.tournament_file:_locked",
            "fcntl.LOCK_EX",
            "fcntl.LOCK_SH",
            f"{_CUP}/test_tournament_file.py::test_concurrent_writer_waits",
        ),
    },
    "A file from another program never changes a result that is already known": {
        "the file's result always counts": Line(
            "companion.hall.tournament.exchange:_added_results",
            "if game.result:",
            "if False:",
            f"{_CUP}/test_exchange.py::test_different_result_is_refused",
        ),
    },
    "A table's report never replaces a result entered by hand": {
        "a table's result always counts": Line(
            "companion.hall.server.tables:Results._note",
            "pairing.result or table.arrival.at < since",
            "table.arrival.at < since",
            "companion/hall/test_results.py::test_manual_result_is_kept",
        ),
        "a game from before the round counts": Line(
            "companion.hall.server.tables:Results._note",
            "table.arrival.at < since",
            "False",
            "companion/hall/test_results.py::test_game_before_the_pairing_changes_nothing",
        ),
        "a game counts although it was reopened by hand": Line(
            "companion.hall.server.tables:_latest",
            "noted.by != name",
            "False",
            "companion/hall/test_results.py::test_reopened_game_stays_open_after_a_restart",
        ),
    },
    "A table's result counts only if these players were paired": {
        "the players' names are not compared": Line(
            "companion.hall.server.tables:_seats",
            "seated in (paired, paired[::-1])",
            "True",
            "companion/hall/test_results.py::test_games_of_other_players_change_nothing",
        ),
    },
}
