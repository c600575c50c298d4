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
            "companion.storage.journal_tail:GameRows._told",
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
    "Pairing a tournament is deterministic, byte for byte": {
        "tables in any order": Line(
            "companion.hall.tournament.pairing:pair",
            "games.sort(key=lambda game: _importance(tournament, game))",
            "__import__('random').shuffle(games)",
            f"{_CUP}/test_pairing.py::test_an_event_from_one_seed_is_what_it_was_byte_for_byte",
        ),
        "colours are drawn": Line(
            "companion.hall.tournament.pairing:_seated",
            "red = red_of(higher, lower, colours, tournament.seeds)",
            "red = __import__('random').choice(two)",
            f"{_CUP}/test_pairing.py::test_an_event_from_one_seed_is_what_it_was_byte_for_byte",
        ),
    },
    "A table's report never replaces a result entered by hand": {
        "a table's result always counts": Line(
            "companion.hall.server.tables:Results._note",
            "tournament.rounds[rounds - 1].game_at(event.table).result is before",
            "True",
            "companion/hall/test_results.py::test_what_was_set_by_hand_stays",
        ),
        "a game from before the round counts": Line(
            "companion.hall.server.tables:Results._note",
            "_begun_at(game) < paired",
            "False",
            "companion/hall/test_results.py::test_what_is_no_game_of_the_round_changes_nothing",
        ),
    },
}
