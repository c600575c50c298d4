"""The claims of docs/reliability.md, each with what would break it and the test that notices.

The names stand in the table there, in the last column, in this order. What the simulated evenings
promise has its own spoiled builds, in `tests.companion.simulator.soak.spoiled`.
"""

from collections.abc import Mapping
from typing import Final

from tests.house.sabotage import File, Line, Own, Sabotage, Value

_STORE: Final = "companion/store"
_PADS: Final = "companion/pads"
_CUP: Final = "companion/hall/tournament"
_PIXEL: Final = (
    "self.show_game(); gl = __import__('kivy.graphics', fromlist=['Color']);"
    " declared = [each.unseal() for each in table.referee.open_attack.declared.values()];"
    " self.canvas.after.add(gl.Color(1, 0, 0));"
    " self.canvas.after.add(gl.Rectangle(pos=(sum(declared), 0), size=(1, 1)))"
)

KEPT: Final[Mapping[str, Mapping[str, Sabotage | Own]]] = {
    "What is kept is on disk when it is told": {
        "synchronous off": Line(
            "companion.store.journal_file:JournalFile._prepare",
            "synchronous = FULL",
            "synchronous = OFF",
            f"{_STORE}/test_journal.py::test_every_commit_reaches_the_disk",
        ),
        "told before it is written": Line(
            "companion.store.session:Session._hand_on",
            "self._save()",
            "told, self._untold = self._untold, [];"
            " [tell(event) for event in told for tell in self._listeners]; self._save()",
            f"{_STORE}/test_journal.py::TestBeforeItIsAnnounced",
        ),
    },
    "Killed, without power, or refused in any operation of the disk: nothing told is lost": {
        "no sync at all": Line(
            "companion.store.journal_file:JournalFile._prepare",
            "synchronous = FULL",
            "synchronous = OFF",
            f"{_STORE}/test_disk_faults.py::test_killed_or_without_power_in_any_operation",
        ),
        "told before it is on disk": Line(
            "companion.store.session:Session._hand_on",
            "self._save()",
            "told, self._untold = self._untold, [];"
            " [tell(event) for event in told for tell in self._listeners]; self._save()",
            f"{_STORE}/test_disk_faults.py",
        ),
    },
    "A pulled plug gives back two seconds of thinking time at most, and takes none": {
        "the clock is never due": Line(
            "companion.store.session:Session._clock_is_due",
            "self._keeps_clock",
            "False",
            f"{_STORE}/test_kept_clock.py"
            "::test_whenever_the_plug_is_pulled_no_more_than_two_seconds_come_back",
        ),
        "it is due half as often": Value(
            "companion.store.session.CLOCK_SECONDS",
            3.8,
            f"{_STORE}/test_kept_clock.py"
            "::test_whenever_the_plug_is_pulled_no_more_than_two_seconds_come_back",
        ),
    },
    "Nothing is written while no time runs": {
        "a clock that stands is kept as well": Line(
            "companion.store.session:Session._clock_is_due",
            "self._keeps_clock",
            "self._journal is not None",
            f"{_STORE}/test_kept_clock.py::test_while_no_time_runs_nothing_is_written",
        ),
    },
    "A byte that turns in the file is noticed or harmless, and the file is kept as it was found": {
        "seals that nobody checks": Own(
            f"{_STORE}/test_flipped_bytes.py::test_without_seals_it_would_not_be_noticed"
        ),
        "the log is not emptied": Line(
            "companion.store.journal_file:JournalFile.together",
            "wal_checkpoint(TRUNCATE)",
            "wal_checkpoint(PASSIVE)",
            f"{_STORE}/test_flipped_bytes.py::test_every_turned_byte_is_noticed_or_harmless",
        ),
    },
    "So is whatever else a disk spoils": {
        "seals that nobody checks": Own(
            f"{_STORE}/test_flipped_bytes.py::test_without_seals_it_would_not_be_noticed"
        ),
    },
    "A row that is changed, missing, doubled or of another game is noticed": {
        "the chain is not checked": Line(
            "companion.store.seals:check_chain",
            "seal(before, game, *columns) != kept",
            "False",
            f"{_STORE}/test_seals.py",
        ),
        "the numbers of the rows are not": Line(
            "companion.store.seals:check_chain",
            "columns[0] != number or seal(before, game, *columns)",
            "seal(before, game, *columns[:0], number, *columns[1:])",
            f"{_STORE}/test_seals.py",
        ),
        "the end of a chain is not compared": Line(
            "companion.store.seals:check_chain",
            "before != head",
            "False",
            f"{_STORE}/test_seals.py",
        ),
        "the ledger is not": Line(
            "companion.store.layouts:check_ledger",
            "games != row[2]",
            "False",
            f"{_STORE}/test_setting_aside.py",
        ),
    },
    "A file that cannot be used is renamed and told, play goes on and is kept": {
        "it is deleted": Line(
            "companion.store.setting_aside:set_aside",
            'part.rename(f"{free}{ending}")',
            "part.unlink()",
            f"{_STORE}/test_setting_aside.py",
        ),
        "its log stays behind": Line(
            "companion.store.setting_aside:set_aside",
            'for ending in (_LOG, ""):',
            'for ending in ("",):',
            f"{_STORE}/test_setting_aside.py::test_the_log_of_a_file_goes_with_it",
        ),
    },
    "A disk that is full or may only be read is told at the start, not when both armies stand": {
        "nobody tries": Line(
            "companion.store.shelf:Shelf._probe",
            "journal.file.probe()",
            "pass",
            f"{_STORE}/test_unsaved.py::TestAShelf::test_a_read_only_file_is_noticed_at_the_start",
        ),
    },
    "Every trouble with the file of the games is told in ten languages, in no word of the system": {
        "the system's own words": Line(
            "companion.speech.storage_words:storage_words",
            "return language.text(_WORDS[error.trouble],",
            "return error.detail + language.text(_WORDS[error.trouble],",
            f"{_STORE}/test_storage_trouble.py",
        ),
    },
    "An older layout is carried over whole or not at all, and a copy of it stays": {
        "no copy": Line(
            "companion.store.layouts:copy_aside",
            "if copy.exists():",
            "if True:",
            f"{_STORE}/test_journal_layouts.py::TestAFileWithoutSeals",
        ),
        "statement by statement": Line(
            "companion.store.journal_file:JournalFile.together",
            'self.connection.execute("BEGIN IMMEDIATE")',
            "pass",
            f"{_STORE}/test_journal_layouts.py"
            "::test_killed_while_it_is_carried_over_it_is_carried_over_next_time",
        ),
    },
    "Whatever is lost, doubled or overtaken on the way, a hall has what the journal has": {
        "what does not follow is kept as well": Value(
            "companion.hall.server.store._ADD_ITEM",
            "INSERT INTO item (place, game, number, body) SELECT ?1, ?2, ?3, ?4"
            " WHERE ?5 + length(?6 || ?7 || ?8) > 0 ON CONFLICT DO NOTHING",
            "companion/hall/test_store.py::test_what_does_not_follow_is_not_kept",
        ),
        "the order of notes and actions is lost": Line(
            "companion.store.follower:Rows._told",
            "after + 0.5",
            "after - 100",
            "companion/hall/test_feed.py::test_a_journal_is_told_the_same_however_often_it_is_read",
        ),
    },
    "Of several programs that write a tournament at once none loses anything": {
        "a lock that others can take as well": Line(
            "companion.hall.tournament.tournament_file:_locked",
            "fcntl.LOCK_EX",
            "fcntl.LOCK_SH",
            f"{_CUP}/test_tournament_file.py::test_who_comes_while_somebody_decides_has_to_wait",
        ),
    },
    "The same tournament is paired the same, byte for byte": {
        "tables in any order": Line(
            "companion.hall.tournament.pairing:pair",
            "games.sort(key=lambda game: _importance(tournament, game))",
            "__import__('random').shuffle(games)",
            f"{_CUP}/test_pairing.py::test_an_event_from_one_seed_is_what_it_was_byte_for_byte",
        ),
        "who plays Red is drawn": Line(
            "companion.hall.tournament.pairing:_seated",
            "red = red_of(higher, lower, colours, tournament.seeds)",
            "red = __import__('random').choice(two)",
            f"{_CUP}/test_pairing.py::test_an_event_from_one_seed_is_what_it_was_byte_for_byte",
        ),
    },
    "A result that somebody has set stays, whatever a table tells": {
        "what a table tells counts always": Line(
            "companion.hall.server.results:Results._note",
            "tournament.rounds[rounds - 1].game_at(event.table).result is before",
            "True",
            "companion/hall/test_results.py::test_what_was_set_by_hand_stays",
        ),
        "so does a game from before the round": Line(
            "companion.hall.server.results:Results._note",
            "_begun_at(game) < paired",
            "False",
            "companion/hall/test_results.py::test_what_is_no_game_of_the_round_changes_nothing",
        ),
    },
    "One program at a time plays the games of a file": {
        "a lock that others can take as well": Line(
            "companion.store.one_player:OnePlayer.take",
            "fcntl.LOCK_EX",
            "fcntl.LOCK_SH",
            f"{_STORE}/test_one_player.py",
        ),
        "the number of the next row is not checked": Line(
            "companion.store.journal:Journal._expect_nothing_new",
            "!= count",
            "< 0",
            f"{_STORE}/test_one_player.py::test_what_somebody_else_has_written_is_not_gone_on_with",
        ),
    },
    "Of several programs that come and go at any moment one plays, and nothing it told is lost": {
        "nobody takes the lock": Own(
            f"{_STORE}/test_many_programs.py::test_without_the_lock_they_play_the_same_game"
        ),
    },
    "A set-up that fails or is killed leaves the packages as they were": {
        "nothing is put aside": File(
            "tools/setup.sh",
            '[ ! -f "$venv/home" ] || keep_before',
            "true",
            "house/test_setup.py::test_killed_in_the_middle_they_are_as_before_at_the_next_start_"
            "at_the_latest[15]",
        ),
    },
    "No message tells what stands in a damaged row": {
        "what cannot be decoded is printed": Line(
            "companion.store.journal_file:JournalFile.__init__",
            'errors="replace"',
            'errors="strict"',
            f"{_STORE}/test_setting_aside.py::test_no_message_tells_what_stands_in_a_damaged_row",
        ),
    },
    "No file of a game takes long: 1 MB at most, refused in time": {
        "larger ones are read": Line(
            "companion.store.records:read_game",
            "len(data) > LARGEST",
            "False",
            f"{_STORE}/test_hostile_files.py::test_what_is_larger_than_any_game_is_not_even_read",
        ),
    },
    "Whatever is in a file, a line or on a cable is read or refused, soon and in little room": {
        "brackets without end are not": Line(
            "companion.screens.base.settings_file:SettingsFile._read",
            ", RecursionError",
            "",
            "companion/screens/base/test_settings.py"
            "::test_a_broken_file_means_that_all_is_as_at_first",
        ),
        "a trace is read however long it is": Value(
            "companion.recorder.packed_lines.LARGEST",
            2**40,
            "companion/recorder/test_trace_files.py"
            "::test_what_unpacks_to_more_than_any_trace_is_not_read",
        ),
    },
    "Whatever a network brings to phones or a hall is read or refused, soon and in little room": {
        "brackets without end are not": Line(
            "companion.hall.feed.foreign_json:read_object",
            "RecursionError",
            "KeyError",
            "fuzz/test_readers.py::test_what_once_came_out_as_an_error_is_read_or_refused",
        ),
        "a clock without end is shown": Line(
            "companion.hall.feed.item:_is_seconds",
            "abs(value) <= MOST_SECONDS",
            "True",
            "fuzz/test_readers.py::test_what_once_came_out_as_an_error_is_read_or_refused",
        ),
    },
    "A program that plays game after game takes no more of the computer": {
        "it keeps the games that are over": Line(
            "companion.screens.base.board_host:BoardHost.leave",
            "self.session = None",
            "self.over = [*getattr(self, 'over', ()), self.session]; self.session = None",
            f"{_STORE}/test_game_after_game.py::test_a_game_leaves_nothing_behind",
        ),
    },
    "The list plays no game again": {
        "the plies of a row are not read": Line(
            "companion.store.game_row:GameRow.summary",
            "plies=self.plies",
            "plies=None",
            "companion/commands/test_many_games.py",
        ),
    },
}
"""Of kept games."""

BOARD: Final[Mapping[str, Mapping[str, Sabotage | Own]]] = {
    "A board that introduces itself without end does not stop the program": {
        "the table is told of each": Line(
            "companion.devices.live_board:LiveBoard._events",
            "if told and isinstance(event, Connected)",
            "if False and isinstance(event, Connected)",
            "companion/devices/test_live_board.py"
            "::test_a_board_that_introduces_itself_without_end_is_found_once",
        ),
    },
    "What the board complains of is told": {
        "a swallowed FAULT": Line(
            "companion.devices.board_inputs:BoardInputs.take",
            "fault.code in _COUNT_IN_A_GAME",
            "False",
            "companion/devices/test_board_inputs.py",
        ),
    },
    "What damage on the cable lets through becomes no action": {
        "moments of any age are believed": Line(
            "firmware_bridge.sensing.moments:Moments.of",
            " and ago_ms <= TOLD_MS",
            "",
            "firmware_bridge/test_moments.py",
        ),
        "what is shown for two seconds is a turn": Own(
            "companion/devices/test_damaged_frames.py::test_what_is_shown_for_long_is_a_turn"
        ),
    },
}
"""Of the board and its cable."""

GUARDED: Final[Mapping[str, Mapping[str, Sabotage | Own]]] = {
    "Nobody else can tell which rank was declared": {
        "a rank in a line, a lamp, the time of waking, the ways of a piece, the length of a row, or"
        " the sheet of incidents": Own(
            "companion/table/test_table_secrecy.py::test_a_rank_that_gets_out_is_found"
        ),
    },
    "No public picture tells a declared rank": {
        "one pixel": Line(
            "companion.screens.game.declaration_screen:DeclarationScreen.refresh",
            "self.show_game()",
            _PIXEL,
            "companion/screens/test_pixel_pairs.py",
        ),
    },
    "The place of a finger tells no rank": {
        "the tiles lie in their order": Line(
            "companion.screens.widgets.privacy:Privacy.__init__",
            "random.SystemRandom().shuffle(ranks)",
            "ranks.sort()",
            "companion/screens/game/test_declaration_screen.py"
            "::test_the_tiles_lie_in_another_order_each_time",
        ),
    },
    "What is sealed prints without what is in it": {
        "a secret that prints": Value(
            "engine.secrecy.Secret.__repr__",
            lambda secret: f"Secret({secret.owner}, {secret.unseal()})",
            "engine/test_secrecy.py",
        ),
    },
    "With sealed armies a piece is declared as what it was sealed as, or not at all": {
        "any rank opens any seal": Line(
            "engine.knowledge.pledge:Pledge.holds",
            "promised == commit(side, piece, opening)",
            "True",
            "engine/test_sealed_armies.py::test_a_false_declaration_is_impossible",
        ),
        "a salt opens every piece": Line(
            "engine.knowledge.pledge:commit",
            "{name(piece)} ",
            "",
            "engine/test_sealed_armies.py"
            "::test_a_seal_copied_to_another_piece_or_side_cannot_be_opened_there",
        ),
        "what is wrong with an army is not looked for": Line(
            "engine.play.seals:prove_army",
            "_find_wrong(position.edition.army, player, ranks)",
            "0",
            "engine/test_sealed_armies.py::test_two_marshals_come_to_light",
        ),
    },
    "Who sees only how large the file of the games is learns no rank": {
        "rows that are as long as their ranks": Own(
            f"{_STORE}/test_secret_lengths.py::test_rows_as_long_as_their_ranks_would_tell"
        ),
    },
    "The time of an answer does not tell the rank": {
        "a bomb takes a millisecond longer": Own(
            "companion/table/test_declaration_time.py"
            "::test_a_rank_that_takes_a_moment_longer_is_found"
        ),
    },
    "A program that is told to end closes the curtain first": {
        "the echo stays off": Line(
            "companion.terminal.curtain:Curtain.close",
            "echo(on=True)",
            "echo(on=False)",
            "companion/terminal/test_terminal_secrecy.py"
            "::test_a_program_that_is_ended_behind_the_curtain_leaves_nothing_behind",
        ),
        "a private line stays on the screen": Line(
            "companion.terminal.curtain:Curtain.close",
            "self._turn(_CLOSE)",
            "pass",
            "companion/terminal/test_terminal_secrecy.py"
            "::test_a_program_that_is_ended_behind_the_curtain_leaves_nothing_behind",
        ),
    },
    "What is kept is for its owner alone": {
        "a folder that others can read": Line(
            "companion.store.journal_file:JournalFile.__init__",
            "mode=0o700",
            "mode=0o755",
            f"{_STORE}/test_setting_aside.py::test_what_is_kept_is_for_its_owner_alone",
        ),
        "an older file that they can read": Line(
            "companion.store.journal_file:_take_from_others",
            "mode & 0o077",
            "False",
            f"{_STORE}/test_setting_aside.py::test_what_is_kept_is_for_its_owner_alone",
        ),
    },
    "A trace is given away without its secrets": {
        "lines that are sealed stay": Line(
            "companion.recorder.stripping:_public",
            '"sealed" not in line',
            "True",
            "companion/recorder/test_stripping.py::test_no_rank_is_found_where_none_was_shown",
        ),
    },
    "The arbiter's code is needed where somebody has chosen one": {
        "any four digits do": Line(
            "companion.screens.overlays.code_cover:CodeCover.enter",
            "elif code == self._settings.code",
            "elif code",
            "companion/screens/overlays/test_arbiters_code.py"
            "::test_who_does_not_know_the_code_cannot_take_it_away",
        ),
    },
    "No file can name another one to be read": {
        "document types are read": Line(
            "engine.games.files.gravon_xml:read_gravon_xml",
            "forbid_dtd=True",
            "forbid_dtd=False",
            "engine/test_gravon_xml.py"
            "::test_a_document_type_is_refused_before_it_can_name_anything",
        ),
    },
    "A firmware that is not ours is written only with `--anyway`": {
        "doubts are not heard": Line(
            "companion.commands.flash:_flash",
            "if doubts and not options.anyway",
            "if False",
            "companion/commands/test_flash.py"
            "::test_a_program_that_is_not_ours_is_written_only_on_request",
        ),
    },
    "The program opens no port": {
        "a port that is open": Own(
            "companion/screens/test_window.py::test_a_port_that_was_open_would_be_found"
        ),
    },
    "Whoever has recorded what goes to and from a pad can neither read nor replay it": {
        "a counter may come again": Line(
            "companion.pads.session:Session.open",
            "not self._heard < counter <= MOST",
            "False",
            f"{_PADS}/test_recorded.py::test_replayed_it_is_nothing",
        ),
        "keys without the session's own": Line(
            "companion.pads.sealing:session_key",
            "secret + shared + pads_key + tables_key",
            "secret",
            f"{_PADS}/test_recorded.py::test_with_the_secret_alone_it_is_nothing",
        ),
        "messages as long as what is in them": Line(
            "companion.pads.session:Session.show",
            "padded(text, DOWN_SIZE)",
            "text",
            f"{_PADS}/test_recorded.py::test_all_of_one_direction_are_of_one_length",
        ),
    },
    "What Red declares changes nothing that goes to Blue's pad, to spectators, or to Red's pad in"
    " number and size": {
        "a byte, an order, a moment of the clock, or a message": Own(
            f"{_PADS}/test_pads_secrecy.py::test_a_leak_is_found"
        ),
    },
    "What is said by a pad is taken once, whatever becomes of requests, and so is a seat": {
        "what came before is taken again": Line(
            "companion.pads.seat:Seat._take",
            "if number in self._taken:",
            "if False:",
            f"{_PADS}/test_seats.py::test_it_is_taken_once_though_the_page_was_loaded_anew_meanwhile",
        ),
        "a second phone gets the seat": Line(
            "companion.pads.seat:Seat._let_in",
            "self._token and token != self._token",
            "False",
            f"{_PADS}/test_seats.py"
            "::test_the_first_phone_has_the_seat_and_a_second_one_with_the_same_code_has_not",
        ),
    },
    "Strangers and other sites can say nothing to pads, and are bounded": {
        "any origin will do": Line(
            "companion.pads.serving.guard:Guard._refuses",
            'headers.get("origin") == origin',
            "True",
            f"{_PADS}/test_service.py::TestRequests::test_other_sites_can_say_nothing",
        ),
        "connections without end": Line(
            "companion.pads.serving.connection:Connection.connection_made",
            "len(self.connections) > MOST",
            "False",
            f"{_PADS}/test_service.py::TestBounds::test_connections",
        ),
    },
    "A hall is told no rank before it is revealed": {
        "what was declared is told": Line(
            "companion.hall.feed.feed:Feed._item",
            "referee.phase.value",
            "str([each.unseal() for each in referee.open_attack.declared.values()]"
            " if referee.open_attack else '')",
            "companion/hall/test_feed.py::test_games_that_differ_in_a_hidden_rank_are_told_alike",
        ),
    },
    "A table obeys what its hall has signed, and once": {
        "signatures are not checked": Line(
            "companion.hall.orders:read_order",
            'key.verify(body, base64.b64decode(plain["signature"], validate=True))',
            "pass",
            "companion/hall/test_orders.py::test_an_order_that_somebody_else_has_signed_is_refused",
        ),
        "numbers are not": Line(
            "companion.hall.publisher.remembered:Remembered.take_order",
            "number <= self.order",
            "False",
            "companion/hall/test_orders.py::test_an_order_counts_once_even_after_a_restart",
        ),
    },
    "The arbiters' pages do nothing for other pages, and let nobody guess codes": {
        "other pages may ask": Line(
            "companion.hall.console.guard:_is_own",
            'site == "same-origin"',
            "True",
            "companion/hall/test_console.py::test_nothing_that_another_page_sends_is_done",
        ),
        "tries are not counted": Line(
            "companion.hall.console.arbiters:Arbiters.sign_in",
            "self._count(address)",
            "pass",
            "companion/hall/test_console.py::test_codes_can_be_tried_a_few_times_only",
        ),
    },
    "The wheel is the same wherever it is built": {
        "it keeps the times of its files": File(
            "pyproject.toml",
            "[tool.hatch.build.targets.wheel]",
            "[tool.hatch.build]\nreproducible = false\n\n[tool.hatch.build.targets.wheel]",
            "house/test_wheel.py::test_built_again_elsewhere_it_is_the_same_byte_for_byte",
        ),
    },
}
"""Of secrets, and of who may come near."""

CLAIMS: Final[Mapping[str, Mapping[str, Sabotage | Own]]] = {**KEPT, **BOARD, **GUARDED}
