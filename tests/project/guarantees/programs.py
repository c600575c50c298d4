"""Guarantees about data when programs run concurrently or are killed."""

from typing import Final

from tests.project.mutation import File, Guarantees, Line, Own

_STORE: Final = "companion/storage"

PROGRAMS: Final[Guarantees] = {
    "Only one program at a time plays the games of a file": {
        "a lock that does not exclude": Line(
            "companion.storage.journal_file:JournalLock.take",
            "fcntl.LOCK_EX",
            "fcntl.LOCK_SH",
            f"{_STORE}/test_journal_lock.py",
        ),
        "the next row number is not checked": Line(
            "companion.storage.journal:Journal._expect_nothing_new",
            "!= count",
            "< 0",
            f"{_STORE}/test_journal_lock.py::test_rows_of_a_foreign_writer_are_refused",
        ),
    },
    "If several programs start at random moments, one plays and loses no announced action": {
        "no lock": Own(
            f"{_STORE}/test_concurrent_processes.py::test_processes_conflict_without_the_lock"
        ),
    },
    "A failed or killed set-up leaves the installed packages unchanged": {
        "nothing is backed up": File(
            "tools/setup.sh",
            '[ ! -f "$venv/home" ] || keep_before',
            "true",
            "project/test_setup.py::test_killed_setup_is_rolled_back[15]",
        ),
    },
}
