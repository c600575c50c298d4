"""Access to the data on the computer: reading, changing, and over the network."""

from typing import Final

from tests.house.sabotage import Claims, Line, Own

_STORE: Final = "companion/store"

ACCESS: Final[Claims] = {
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
}
