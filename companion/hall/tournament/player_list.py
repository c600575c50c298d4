"""Spreadsheet exchange: import of the list of players, export of the standings."""

import csv
import io
from collections.abc import Iterator

from companion.hall.tournament.event import Entered
from companion.hall.tournament.marks import TournamentError
from companion.hall.tournament.standings import TieBreak, standings
from companion.hall.tournament.tournament import Tournament

_FORMULA = ("=", "+", "-", "@")


def read_players(text: str) -> list[Entered]:
    """Read one player per line: name and optional rating, separated by commas or semicolons.

    A first line that starts with ``name`` is a heading. TournamentError gives the line at fault.
    """
    separator = ";" if ";" in text.partition("\n")[0] else ","
    return list(_players(csv.reader(io.StringIO(text.lstrip("\ufeff")), delimiter=separator)))


def _players(rows: "Iterator[list[str]]") -> Iterator[Entered]:
    try:
        for number, row in enumerate(rows, start=1):
            name, rating, *more = (*map(str.strip, row), "", "")
            if not any(row) or (number == 1 and name.lower() == "name"):
                continue
            if any(more) or not (rating or "0").isdecimal():
                raise TournamentError(
                    f"line {number}: a name and a rating in whole numbers were expected, not "
                    f"{', '.join(row)[:60]!r}"
                )
            yield Entered(name, int(rating or "0"))
    except (csv.Error, ValueError) as error:
        if isinstance(error, TournamentError):
            raise
        raise TournamentError("This is no table of players.") from error


def write_standings(tournament: Tournament) -> str:
    """Return the standings as comma-separated values with a heading."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(
        ["place", "number", "name", "rating", "points", *(each.value for each in TieBreak)]
    )
    for row in standings(tournament):
        player = row.player
        values = [f"{value:g}" for value in row.tie_breaks]
        name = f"'{player.name}" if player.name.startswith(_FORMULA) else player.name
        writer.writerow([row.place, player.number, name, player.rating, row.points, *values])
    return written.getvalue()
