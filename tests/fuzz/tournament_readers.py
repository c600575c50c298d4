"""Readers of tournament input: native tournament files, files from other programs, and player
lists."""

from pathlib import Path
from typing import Final

from companion.hall.tournament import events, exchange, printouts
from companion.hall.tournament.tournament import Tournament, after, begin, fold
from companion.hall.tournament.tournament_file import TournamentFileError, read
from companion.hall.tournament.trf import read_trf, write_trf
from companion.speech.i18n import Language
from tests.companion.hall.tournament.played import played

REFUSED: Final = (events.TournamentError, UnicodeDecodeError)
"""Exceptions that are raised if a file is invalid or does not contain text."""
ENGLISH: Final = Language("en")


def show(tournament: Tournament) -> None:
    """Produce all outputs of a tournament."""
    exchange.write_standings(tournament)
    exchange.write_results(tournament)
    write_trf(tournament)
    for sheet in (
        printouts.standings_sheet(tournament, ENGLISH),
        printouts.cross_table(tournament, ENGLISH),
        *(printouts.pairings(tournament, n, ENGLISH) for n, _ in enumerate(tournament.rounds, 1)),
    ):
        printouts.printed(sheet, ENGLISH)


def read_file(path: Path) -> None:
    try:
        kept = read(path)
    except TournamentFileError:
        return
    for noted in kept.events:
        events.write_line(noted)
    show(kept.tournament)


def read_other_program(data: bytes) -> None:
    first, *others = read_trf(data.decode("utf-8-sig"))
    tournament = fold(begin(first), others)
    show(tournament)
    assert not exchange.merge(tournament, tournament)


def read_list(data: bytes) -> None:
    fold(
        begin(events.Created("Cup", 3, events.FEDERATION)),
        exchange.read_players(data.decode("utf-8-sig")),
    )


def files() -> list[bytes]:
    """Return a finished tournament with absences, and one that has just begun."""
    history: list[events.Event] = [events.Created("Open 3", 3, events.FEDERATION)]
    history += [event for _, event in played(7, 3, seed=3, unrest=0.3)]
    lines = [
        events.write_line(events.RecordedEvent("2026-03-07T10:00:00+01:00", "Ada", each))
        for each in history
    ]
    return ["\n".join(lines).encode(), lines[0].encode()]


def other_programs() -> list[bytes]:
    """Return a tournament without absences, and one with absences."""
    published = []
    for unrest in (0.0, 0.3):
        *_, (before, event) = played(8, 3, seed=2, unrest=unrest)
        published.append(write_trf(after(before, event)).encode())
    return published


def lists() -> list[bytes]:
    """Return player lists as saved by two spreadsheet programs."""
    return [b"name,rating\nAda,2100\nGrace,\n", "Name;Rating\nZoë;1999\nJosé;0\n".encode()]
