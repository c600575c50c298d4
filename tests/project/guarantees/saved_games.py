"""Guarantees that saved games are durable."""

from typing import Final

from tests.project.mutation import Guarantees, Line, Own, Value

_STORE: Final = "companion/storage"

SAVED_GAMES: Final[Guarantees] = {
    "Every action is on disk before the program announces the action": {
        "synchronous off": Line(
            "companion.storage.journal_file:JournalFile._prepare",
            "synchronous = FULL",
            "synchronous = OFF",
            f"{_STORE}/test_journal.py::test_commits_are_synced",
        ),
        "announced before it is written": Line(
            "companion.session.session:Session._save_and_report",
            "self._save()",
            "events, self._unreported = self._unreported, [];"
            " [tell(event) for event in events for tell in self._listeners]; self._save()",
            f"{_STORE}/test_journal.py::TestBeforeItIsAnnounced",
        ),
    },
    "No crash, power cut or disk error loses an announced action": {
        "no sync": Line(
            "companion.storage.journal_file:JournalFile._prepare",
            "synchronous = FULL",
            "synchronous = OFF",
            f"{_STORE}/test_disk_faults.py::test_kill_or_power_cut_in_any_operation",
        ),
        "announced before the commit": Line(
            "companion.session.session:Session._save_and_report",
            "self._save()",
            "events, self._unreported = self._unreported, [];"
            " [tell(event) for event in events for tell in self._listeners]; self._save()",
            f"{_STORE}/test_disk_faults.py",
        ),
    },
    "After a power cut, a clock shows at most two seconds more than before, and never less": {
        "the clock is never due": Line(
            "companion.session.session:Session._clock_is_due",
            "self._keeps_clock",
            "False",
            f"{_STORE}/test_saved_clock.py::test_power_cut_refunds_at_most_two_seconds",
        ),
        "the clock is saved half as often": Value(
            "companion.session.session.CLOCK_SECONDS",
            3.8,
            f"{_STORE}/test_saved_clock.py::test_power_cut_refunds_at_most_two_seconds",
        ),
    },
    "While the clocks are stopped, nothing is written to the disk": {
        "a stopped clock is saved as well": Line(
            "companion.session.session:Session._clock_is_due",
            "self._keeps_clock",
            "self._journal is not None",
            f"{_STORE}/test_saved_clock.py::test_stopped_clock_writes_nothing",
        ),
    },
    "A changed byte in the game file is detected or harmless": {
        "unchecked row checksums": Own(
            f"{_STORE}/test_flipped_bytes.py::test_damage_is_undetected_without_checksums"
        ),
        "the log is not emptied": Line(
            "companion.storage.journal_file:JournalFile.together",
            "wal_checkpoint(TRUNCATE)",
            "wal_checkpoint(PASSIVE)",
            f"{_STORE}/test_flipped_bytes.py::test_flipped_bytes_are_detected_or_harmless",
        ),
    },
    "Any other damage to the game file is also detected or harmless": {
        "unchecked row checksums": Own(
            f"{_STORE}/test_flipped_bytes.py::test_damage_is_undetected_without_checksums"
        ),
    },
    "A changed, missing, duplicate or foreign row in the game file is detected": {
        "the chain is not checked": Line(
            "companion.storage.game_rows:verify_chain",
            "row_checksum(before, game, *columns) != kept",
            "False",
            f"{_STORE}/test_checksums.py",
        ),
        "row numbers are not checked": Line(
            "companion.storage.game_rows:verify_chain",
            "columns[0] != number or row_checksum(before, game, *columns)",
            "row_checksum(before, game, *columns[:0], number, *columns[1:])",
            f"{_STORE}/test_checksums.py",
        ),
        "the end of a chain is not compared": Line(
            "companion.storage.game_rows:verify_chain",
            "before != head",
            "False",
            f"{_STORE}/test_checksums.py",
        ),
        "the ledger is not compared": Line(
            "companion.storage.journal_file:check_ledger",
            "games != row[2]",
            "False",
            f"{_STORE}/test_quarantine.py",
        ),
    },
    "An unusable game file is renamed and reported, and play continues in a new file": {
        "the file is deleted": Line(
            "companion.storage.journal_provider:quarantine",
            'part.rename(f"{free}{ending}")',
            "part.unlink()",
            f"{_STORE}/test_quarantine.py",
        ),
        "its log stays behind": Line(
            "companion.storage.journal_provider:quarantine",
            'for ending in (_LOG, ""):',
            'for ending in ("",):',
            f"{_STORE}/test_quarantine.py::test_log_is_quarantined_with_its_file",
        ),
    },
    "A full or read-only disk is reported at the start": {
        "no trial write": Line(
            "companion.storage.journal_provider:JournalProvider._probe",
            "journal.file.probe()",
            "pass",
            f"{_STORE}/test_unsaved.py::TestJournalProvider::test_read_only_file_is_detected_at_start",
        ),
    },
    "Storage errors are explained in ten languages, without system messages": {
        "the system's message is shown": Line(
            "companion.speech.small_texts:storage_error_text",
            "return language.text(_WORDS[error.kind],",
            "return error.detail + language.text(_WORDS[error.kind],",
            f"{_STORE}/test_storage_errors.py",
        ),
    },
    "After a power cut, a small file has either its old or its new content": {
        f"{what} is not synced": Line(
            "companion.storage.atomic_file:write_atomically",
            call,
            "pass",
            f"{_STORE}/test_atomic_file.py::test_power_cut_keeps_old_or_new_text",
        )
        for what, call in (
            ("the file", "os.fsync(file.fileno())"),
            ("the folder", "sync_folder(path.parent)"),
        )
    },
    "A new game file is created completely or not at all": {
        "a transaction for each statement": Line(
            "companion.storage.journal_file:JournalFile.together",
            'self.connection.execute("BEGIN IMMEDIATE")',
            "pass",
            f"{_STORE}/test_schema.py::test_creation_is_atomic",
        ),
        "any number is accepted": Line(
            "companion.storage.journal_file:_recognize",
            "if (version, application, tables) in",
            "if (VERSION, application, tables) in",
            f"{_STORE}/test_schema.py::test_another_version_is_refused",
        ),
    },
}
