"""Tournament files for exchange with other programs, in the chess federation's TRF format.

A player's line has fixed columns: the number in 5–8, the name in 15–47, the rating in 49–52, the
points in 81–84, and the place in 86–89. From column 92 on, each round has ten columns with the
opponent's number, the colour and the result. Red begins, so Red is ``w`` and Blue is ``b``. Numbers
are seeds: the player with the highest rating has number 1. ``XXS`` gives the points of a game,
``XXR`` the planned number of rounds.
"""

import csv
import io
import re
from collections.abc import Iterator
from typing import Final

from companion.hall.tournament.events import (
    FEDERATION,
    Created,
    Event,
    GameResult,
    Paired,
    PlayerAdded,
    Points,
    ResultMark,
    ResultSet,
    Returned,
    TournamentError,
    Withdrew,
)
from companion.hall.tournament.standings import TieBreak, standings
from companion.hall.tournament.tournament import RoundEntry, Tournament, begin, fold
from engine.board.geometry import Side

_COLOURS: Final = {Side.RED: "w", Side.BLUE: "b"}
_SIDES: Final = {colour: side for side, colour in _COLOURS.items()}
_NAME: Final = slice(14, 47)
_RATING: Final = slice(48, 52)
_ROUNDS: Final = 91
_RESULTS: Final = {(result.mark(Side.RED), result.mark(Side.BLUE)): result for result in GameResult}


def write_trf(tournament: Tournament) -> str:
    """Encode a tournament for other programs. Names are truncated to 33 characters."""
    points = tournament.points
    lines = [
        f"012 {tournament.name}",
        f"062 {len(tournament.players)}",
        "092 Swiss system, Dutch",
        f"XXR {tournament.planned}",
        f"XXS W={points.win}.0 D={points.draw}.0 WL={points.loss}.0 BL={points.loss}.0 "
        f"FL=0.0 ZPB=0.0 PAB={points.win}.0",
        "XXC white1",
    ]
    places = {row.player.number: row.place for row in standings(tournament)}
    lines += [
        _player_line(tournament, number, places[number])
        for number in sorted(tournament.seeds, key=tournament.seeds.__getitem__)
    ]
    return "\n".join(lines) + "\n"


def _player_line(tournament: Tournament, number: int, place: int) -> str:
    player, seeds = tournament.player(number), tournament.seeds
    rating = str(player.rating) if player.rating else ""
    score = f"{tournament.score(number):.1f}"[:4]  # four columns, so 100.0 is written as 100.
    head = f"001 {seeds[number]:>4}      {player.name[:33]:33} {rating:>4}"
    rounds = "  ".join(_block(entry, seeds) for entry in tournament.entries[number])
    return f"{head:80}{score:>4} {place:>4}  {rounds}"


def _block(entry: RoundEntry, seeds: dict[int, int]) -> str:
    if entry.opponent is None or entry.side is None:
        return f"0000 - {entry.mark.value}"
    return f"{seeds[entry.opponent]:>4} {_COLOURS[entry.side]} {entry.mark.value}"


def read_trf(text: str) -> list[Event]:
    """Read a tournament from another program's file, as the events that create it.

    Without ``XXS`` the federation's points are used. Without ``XXR`` the number of played rounds is
    used as the planned number. Other data in the file is ignored.

    Raises:
        TournamentError: the file is not a valid tournament; the message gives the line.
    """
    reader = _Reader()
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            reader.take(line.replace("\t", " "))
        except TournamentError as error:
            raise TournamentError(f"line {number}: {error}") from error
    return reader.events()


class _Reader:
    """Parser state: the contents of the lines so far."""

    def __init__(self) -> None:
        self._name = "Tournament"
        self._planned = 0
        self._points = FEDERATION
        self._players: dict[int, tuple[str, int]] = {}
        self._blocks: dict[int, list[tuple[int, str, str]]] = {}

    def take(self, line: str) -> None:
        """Parse a line; unknown record types are ignored."""
        match line[:3]:
            case "012":
                self._name = line[4:].strip() or self._name
            case "XXR":
                self._planned = _number(line[4:], "the number of rounds")
            case "XXS":
                self._points = _read_points(line[4:])
            case "001":
                self._take_player(line)

    def _take_player(self, line: str) -> None:
        number = _number(line[4:8], "the number of the player")
        if number in self._players:
            raise TournamentError(f"player {number} is listed twice")
        rating = line[_RATING].strip()
        self._players[number] = (line[_NAME].strip(), _number(rating or "0", "the rating"))
        rounds = line[_ROUNDS:].rstrip("\n")
        blocks = [rounds[start : start + 8] for start in range(0, len(rounds), 10)]
        self._blocks[number] = [_read_block(block) for block in blocks if block.strip()]

    def events(self) -> list[Event]:
        """Return the events that create the tournament; TournamentError for inconsistent data."""
        numbers = sorted(self._players)
        if numbers != list(range(1, len(numbers) + 1)) or not numbers:
            raise TournamentError("The players are not numbered from 1, or there are no players.")
        played = max(map(len, self._blocks.values()))
        events: list[Event] = [Created(self._name, self._planned or max(played, 1), self._points)]
        events += [PlayerAdded(*self._players[number]) for number in numbers]
        absent: set[int] = set()
        for done in range(played):
            events += self._round(done, absent)
        fold(begin(events[0]), events[1:])  # reports an invalid event at once
        return events

    def _round(self, done: int, absent: set[int]) -> list[Event]:
        """Return the events of round `done` + 1, and update `absent`, the set of absent players."""
        blocks = {
            number: own[done] if done < len(own) else (0, "-", ResultMark.ABSENT.value)
            for number, own in self._blocks.items()
        }
        now = {number for number, (_, _, mark) in blocks.items() if mark in _ABSENCES}
        events: list[Event] = [Withdrew(number) for number in sorted(now - absent)]
        events += [Returned(number) for number in sorted(absent - now)]
        absent.clear()
        absent |= now
        games = [
            (number, other)
            for number, (other, colour, _) in blocks.items()
            if colour == _COLOURS[Side.RED]
        ]
        byes = [number for number, (_, _, mark) in blocks.items() if mark in _BYES]
        events.append(Paired(tuple(games), byes[0] if byes else None))
        for table, (red, blue) in enumerate(games, start=1):
            marks = (
                ResultMark(blocks[red][2]),
                ResultMark(blocks[blue][2]) if blue in blocks else ResultMark.OPEN,
            )
            if marks == (ResultMark.OPEN, ResultMark.OPEN):
                continue
            if marks not in _RESULTS or blocks[blue][0] != red:
                raise TournamentError(
                    f"In round {done + 1} players {red} and {blue} contradict each other."
                )
            events.append(ResultSet(done + 1, table, _RESULTS[marks]))
        return events


_ABSENCES: Final = (ResultMark.ABSENT.value, "H")
_BYES: Final = (ResultMark.BYE.value, "F")


def _number(text: str, what: str) -> int:
    if not re.fullmatch(r" *\d{1,4} *", text, re.ASCII):
        raise TournamentError(f"{what} is not a number: {text[:20]!r}")
    return int(text)


def _read_block(block: str) -> tuple[int, str, str]:
    """Parse the opponent, the colour and the mark of a player's round."""
    found = re.fullmatch(r" *(\d{1,4}) ([wb-]) ?([-+10=UFHZ ]?) *", block, re.ASCII)
    if not found:
        raise TournamentError(f"a round has {block!r}; expected a text such as “  12 w 1”")
    other, colour = int(found[1]), str(found[2])
    mark = str(found[3] or ResultMark.OPEN.value)
    if (colour in _SIDES) is not (other > 0):
        raise TournamentError(f"a round has {block!r}: opponent and colour must both be given")
    if other and mark in (*_ABSENCES, *_BYES):
        raise TournamentError(f"a round has {block!r}: a bye has no opponent")
    return other, colour, mark if other or mark in (*_ABSENCES, *_BYES) else ResultMark.ABSENT.value


def _read_points(text: str) -> Points:
    """Parse the points of a game; TournamentError unless they are integers."""
    told: dict[str, str] = dict(re.findall(r"(\w+)=(\d{1,2})(?:\.0)?(?= |$)", text, re.ASCII))
    try:
        loss = told["WL"] if "WL" in told else told.get("L", "0")
        return Points(int(told["W"]), int(told["D"]), int(loss))
    except KeyError as error:
        raise TournamentError(f"the points cannot be read: {text.strip()[:60]!r}") from error


# Spreadsheet exchange: imports the list of players, and exports the standings.

_FORMULA = ("=", "+", "-", "@")


def read_players(text: str) -> list[PlayerAdded]:
    """Read one player per line: name and optional rating, separated by commas or semicolons.

    A first line that starts with ``name`` is a heading. The message of a TournamentError gives the
    invalid line.
    """
    separator = ";" if ";" in text.partition("\n")[0] else ","
    return list(_players(csv.reader(io.StringIO(text.lstrip("\ufeff")), delimiter=separator)))


def _players(rows: "Iterator[list[str]]") -> Iterator[PlayerAdded]:
    try:
        for number, row in enumerate(rows, start=1):
            name, rating, *more = (*map(str.strip, row), "", "")
            if not any(row) or (number == 1 and name.lower() == "name"):
                continue
            if any(more) or not (rating or "0").isdecimal():
                raise TournamentError(
                    f"line {number}: expected a name and a rating as a whole number, not "
                    f"{', '.join(row)[:60]!r}"
                )
            yield PlayerAdded(name, int(rating or "0"))
    except (csv.Error, ValueError) as error:
        if isinstance(error, TournamentError):
            raise
        raise TournamentError("This is not a table of players.") from error


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
