"""Guarantees that external input is either accepted or rejected."""

from typing import Final

from tests.project.mutation import Guarantees, Line, Value

_STORE: Final = "companion/storage"

READERS: Final[Guarantees] = {
    "No message shows the content of a damaged row of the game file": {
        "undecodable text is printed": Line(
            "companion.storage.journal_file:JournalFile.__init__",
            'errors="replace"',
            'errors="strict"',
            f"{_STORE}/test_quarantine.py::test_errors_hide_the_content_of_damaged_rows",
        ),
    },
    "A game file is read within a second": {
        "larger files are read": Line(
            "companion.storage.records:read_game",
            "len(data) > LARGEST",
            "False",
            f"{_STORE}/test_hostile_files.py::test_oversized_files_are_not_read",
        ),
    },
    "Any input from a file, a line of text or the cable is read or refused within 2 s": {
        "unlimited nesting is read": Line(
            "companion.session.settings:SettingsFile._read",
            ", RecursionError",
            "",
            "companion/ui/base/test_settings.py::test_damaged_settings_file_gives_defaults",
        ),
        "a trace of any length is read": Value(
            "companion.recorder.trace_files.LARGEST",
            2**40,
            "companion/recorder/test_trace_files.py::test_decompression_is_bounded",
        ),
    },
    "Any network input to pads, hall or tournament is read or refused within 2 s": {
        "unlimited nesting is read": Line(
            "companion.jsonl.untrusted:read_object",
            "RecursionError",
            "KeyError",
            "fuzz/test_readers.py::test_earlier_findings_are_handled",
        ),
        "an unlimited clock is shown": Line(
            "companion.hall.protocol.feed:_is_seconds",
            "abs(value) <= MOST_SECONDS",
            "True",
            "companion/hall/test_feed.py::test_wrong_field_is_named",
        ),
    },
    "A position text contains the whole position, except for secrets": {
        "pieces that evaded are forgotten": Line(
            "engine.game.position_text:_write_chase",
            "if places else",
            "if False else",
            "engine/test_position_text.py::test_random_positions_round_trip",
        ),
        "a piece keeps no setup square": Line(
            "engine.game.position_text:_write_setup_squares",
            "if pieces[at] != piece:",
            "if False:",
            "engine/test_position_text.py::test_random_positions_round_trip",
        ),
    },
    "A damaged position text is refused, unless the text describes another valid position": {
        "what is read is not written again": Line(
            "engine.board.board_text:TextScanner.finish",
            "if len(self.text) != len(written):",
            "if False:",
            "engine/test_position_text.py::test_a_refusal",
        ),
    },
}
