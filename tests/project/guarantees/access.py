"""Guarantees about access to data on the computer and over the network."""

from typing import Final

from tests.project.mutation import Guarantees, Line, Own

_STORE: Final = "companion/storage"

ACCESS: Final[Guarantees] = {
    "Only the owner can read the saved files": {
        "a folder others can read": Line(
            "companion.storage.journal_file:JournalFile.__init__",
            "mode=0o700",
            "mode=0o755",
            f"{_STORE}/test_quarantine.py::test_quarantined_files_are_private",
        ),
        "an older file others can read": Line(
            "companion.storage.journal_file:_take_from_others",
            "mode & 0o077",
            "False",
            f"{_STORE}/test_quarantine.py::test_quarantined_files_are_private",
        ),
    },
    "`trace strip` removes the secrets of a trace": {
        "private lines stay": Line(
            "companion.recorder.redact:_public",
            '"sealed" not in line',
            "True",
            "companion/recorder/test_redact.py::test_stripped_trace_has_no_hidden_ranks",
        ),
    },
    "If an arbiter's code is set, the arbiter's buttons require the code": {
        "any four digits are accepted": Line(
            "companion.ui.dialogs.settings_dialogs:ArbiterCodeDialog.enter",
            "elif code == self._settings.code",
            "elif code",
            "companion/ui/dialogs/test_arbiters_code.py::test_removing_the_code_needs_the_code",
        ),
    },
    "No input file can make the program read another file": {
        "document types are read": Line(
            "engine.records.gravon:read_gravon_xml",
            "forbid_dtd=True",
            "forbid_dtd=False",
            "engine/test_gravon_xml.py::test_doctype_is_refused",
        ),
    },
    "Foreign firmware is written only with `--anyway`": {
        "warnings are ignored": Line(
            "companion.commands.flash:_flash",
            "if doubts and not options.anyway",
            "if False",
            "companion/commands/test_flash.py::test_foreign_hex_file_needs_force",
        ),
    },
    "By default, the program opens no network port": {
        "an open port": Own("companion/ui/test_window.py::test_open_port_is_detected"),
    },
}
