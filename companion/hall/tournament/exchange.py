"""Exchanges players, rounds, results and standings with spreadsheets and other programs.

`merge` accepts players, rounds and results that another program has added. It never changes
existing ones.
"""

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Final

from companion.hall.tournament import events
from companion.hall.tournament.standings import TieBreak, standings
from companion.hall.tournament.tournament import Round, Tournament, after, in_table_order
from companion.hall.tournament.trf import shorten

_FORMULA: Final = ("=", "+", "-", "@")
_RESULTS: Final = {
    events.GameResult.RED: "1-0",
    events.GameResult.BLUE: "0-1",
    events.GameResult.DRAW: "1/2-1/2",
    events.GameResult.BOTH_LOST: "0-0",
    events.GameResult.RED_ABSENT: "-/+",
    events.GameResult.BLUE_ABSENT: "+/-",
    events.GameResult.BOTH_ABSENT: "-/-",
}
_BYE: Final = "bye"


def merge(tournament: Tournament, other: Tournament) -> list[events.Event]:
    """Return the events that update a tournament to another program's state.

    Players are recognised by name, which the other program may have truncated as in a TRF file.
    Tables in new rounds are ordered by the players' points.

    Raises:
        TournamentError: the two states contradict each other; the message names the round.
    """
    added: list[events.Event] = []
    numbers: dict[str, int] = {}
    now = tournament

    def add(event: events.Event) -> None:
        nonlocal now
        now = after(now, event)
        added.append(event)

    for player in other.players:
        number = _known_number(tournament, player.name)
        if number is None:
            add(events.PlayerAdded(player.name, player.rating))
            number = now.players[-1].number
        numbers[player.name] = number
    ours = {player.number: numbers[player.name] for player in other.players}
    for number, played in enumerate(other.rounds, start=1):
        pairs = {(ours[game.red], ours[game.blue]): game.result for game in played.games}
        if number > len(now.rounds):
            byes = tuple(ours[each] for each in played.byes)
            half = tuple(ours[each] for each in played.half_byes)
            add(events.Paired(in_table_order(now, pairs), byes, half))
        _check_same_games(now, number, pairs)
        for event in _added_results(now.rounds[number - 1], number, pairs):
            add(event)
    return added


def _known_number(tournament: Tournament, name: str) -> int | None:
    """Return the number of the player with this full or truncated name, or None.

    Raise TournamentError if several players have this truncated name.
    """
    full = [player.number for player in tournament.players if player.name == name]
    short = [player.number for player in tournament.players if shorten(player.name) == name]
    found = full or short
    if len(found) > 1:
        raise events.TournamentError(f"“{name}” may be any of {len(found)} players.")
    return found[0] if found else None


_Pairs = Mapping[tuple[int, int], events.GameResult | None]


def _check_same_games(tournament: Tournament, number: int, pairs: _Pairs) -> None:
    known = {(game.red, game.blue) for game in tournament.rounds[number - 1].games}
    for red, blue in sorted(set(pairs) ^ known):
        who = f"{tournament.player(red).name} (Red) against {tournament.player(blue).name}"
        where = "only here" if (red, blue) in known else "only in the file"
        raise events.TournamentError(f"Round {number} differs: {who} is paired {where}.")


def _added_results(played: Round, number: int, pairs: _Pairs) -> Iterator[events.ResultSet]:
    for game in played.games:
        result = pairs[game.red, game.blue]
        if result is None or result is game.result:
            continue
        if game.result:
            raise events.TournamentError(
                f"Round {number}, table {game.table}: the result is {game.result.value} here and "
                f"{result.value} in the file. Correct one of the two, then import again."
            )
        yield events.ResultSet(number, game.table, result)


def read_round(tournament: Tournament, text: str) -> events.Paired:
    """Parse the pairings of the next round. Each line contains the table, Red and Blue.

    If a player has no opponent, the line contains “bye” instead of Blue. Players are given by name
    or number. A first line that starts with ``table`` is a heading. Raise TournamentError if a line
    is invalid. The message names the line.
    """
    known = {player.name.casefold(): player.number for player in tournament.players}
    known |= {str(player.number): player.number for player in tournament.players}
    games: dict[int, tuple[int, int]] = {}
    byes: list[int] = []
    for line, row in _rows(text, "table"):
        table, red, blue = (*row, "", "", "")[:3]
        for name in (red, blue):
            if name.casefold() not in known and name.casefold() not in ("", _BYE):
                raise events.TournamentError(f"line {line}: {name[:60]!r} is not a participant.")
        if len(row) < 3 or red.casefold() not in known:
            found = ", ".join(row)[:60]
            raise events.TournamentError(
                f"line {line}: expected table, Red, Blue; found {found!r}."
            )
        if blue.casefold() not in known:
            byes.append(known[red.casefold()])
        elif not table.isdecimal() or int(table) != len(games) + 1:
            raise events.TournamentError(
                f"line {line}: expected table {len(games) + 1}; found {table[:20]!r}."
            )
        else:
            games[int(table)] = known[red.casefold()], known[blue.casefold()]
    if not games:
        raise events.TournamentError(
            "The list contains no game; expected lines such as “1,Ada,Bo”."
        )
    return events.Paired(tuple(games.values()), tuple(byes))


def read_players(text: str) -> list[events.PlayerAdded]:
    """Parse one player per line: name and optional rating, separated by a comma or semicolon.

    A first line that starts with ``name`` is a heading. Raise TournamentError if a line is invalid.
    The message names the line.
    """
    found = []
    for line, row in _rows(text, "name"):
        name, rating, *more = (*row, "", "")
        if any(more) or not (rating or "0").isdecimal():
            raise events.TournamentError(
                f"line {line}: expected a name and a whole-number rating, found "
                f"{', '.join(row)[:60]!r}"
            )
        found.append(events.PlayerAdded(name, int(rating or "0")))
    return found


def _rows(text: str, heading: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a list with their line numbers, skipping the heading and empty lines."""
    separator = ";" if ";" in text.partition("\n")[0] else ","
    rows = csv.reader(io.StringIO(text.lstrip("\ufeff")), delimiter=separator)
    try:
        for number, row in enumerate(rows, start=1):
            cells = [cell.strip() for cell in row]
            if any(cells) and not (number == 1 and cells[0].lower() == heading):
                yield number, cells
    except csv.Error as error:
        raise events.TournamentError(
            "This is not a list separated by commas or semicolons."
        ) from error


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
        name = _safe(player.name)
        writer.writerow([row.place, player.number, name, player.rating, row.points, *values])
    return written.getvalue()


def write_results(tournament: Tournament) -> str:
    """Return all games so far as comma-separated values with a heading, for other programs."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(["round", "table", "red", "blue", "result"])
    for number, played in enumerate(tournament.rounds, start=1):
        for game in played.games:
            names = (_safe(tournament.player(each).name) for each in (game.red, game.blue))
            result = _RESULTS[game.result] if game.result else ""
            writer.writerow([number, game.table, *names, result])
    return written.getvalue()


def _safe(name: str) -> str:
    """Escape a name that a spreadsheet would interpret as a formula."""
    return f"'{name}" if name.startswith(_FORMULA) else name
