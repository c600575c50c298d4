"""Tournament files for exchange with other programs, in the chess federation's TRF format.

Files are written in the 2026 version of the format, which Swiss-Manager, Vega, Sharly Chess and
bbpPairings can read. Files in earlier versions can be read as well.

A player's line has fixed columns: the number in 5–8, the name in 15–47, the rating in 49–52, the
points in 81–84, and the place in 86–89. From column 92 on, each round takes ten columns with the
opponent's number, the colour and the result. Red moves first, so Red is ``w`` and Blue is ``b``.
Numbers are seeds: the player with the highest rating has number 1. ``162`` gives the points of a
game, ``142`` the planned number of rounds, and ``240`` the players who will miss a round (FIDE
Handbook, C.04.A). Earlier versions use ``XXS`` for the points and ``XXR`` for the rounds.
"""

import re
from typing import Final

from companion.hall.tournament import events
from companion.hall.tournament.standings import standings
from companion.hall.tournament.tournament import RoundEntry, Tournament, begin, fold
from engine.board.geometry import Side

_COLOURS: Final = {Side.RED: "w", Side.BLUE: "b"}
_SIDES: Final = {colour: side for side, colour in _COLOURS.items()}
LONGEST_NAME: Final = 33
"""Number of columns for a player's name."""
_NAME: Final = slice(14, 14 + LONGEST_NAME)
_RATING: Final = slice(48, 52)
_ROUNDS: Final = 91
_RESULTS: Final = {
    (result.mark(Side.RED), result.mark(Side.BLUE)): result for result in events.GameResult
}


def shorten(name: str) -> str:
    """Return a player's name as it is read back from a file, truncated to 33 characters."""
    return name[:LONGEST_NAME].strip()


def write_trf(tournament: Tournament, *, is_swiss: bool = False) -> str:
    """Encode a tournament for other programs. Names are truncated to 33 characters.

    If `is_swiss` is set, the file requests the next round of a Swiss tournament: it names the
    system and the players who will miss that round. Otherwise raise TournamentError if two
    truncated names are equal, because the players could not be recognised in an import.
    """
    if not is_swiss:  # pairings refer to the players' numbers
        _check_short_names(tournament)
    points = tournament.points
    marks = (("W", points.win), ("D", points.draw), ("L", points.loss))
    lines = [
        f"012 {tournament.name}",
        f"062 {len(tournament.players)}",
        f"142 {tournament.planned}",
        "152 W",
        "162  " + "    ".join(f"{mark}{value:>4.1f}" for mark, value in marks),
    ]
    if is_swiss:
        lines.append("192 FIDE_DUTCH_2025")
    places = {row.player.number: row.place for row in standings(tournament)}
    lines += [
        _player_line(tournament, number, places[number])
        for number in sorted(tournament.seeds, key=tournament.seeds.__getitem__)
    ]
    away = [tournament.seeds[each.number] for each in tournament.players if not each.is_present]
    if is_swiss and away:
        numbers = " ".join(f"{seed:>4}" for seed in sorted(away))
        lines.append(f"240 Z {len(tournament.rounds) + 1:03} {numbers}")
    return "\n".join(lines) + "\n"


def _check_short_names(tournament: Tournament) -> None:
    known: dict[str, str] = {}
    for player in tournament.players:
        other = known.setdefault(shorten(player.name), player.name)
        if other != player.name:
            raise events.TournamentError(
                f"The names “{other}” and “{player.name}” agree in the first {LONGEST_NAME} "
                "characters, which are all that a TRF file has room for."
            )


def _player_line(tournament: Tournament, number: int, place: int) -> str:
    player, seeds = tournament.player(number), tournament.seeds
    rating = str(player.rating) if player.rating else ""
    score = f"{tournament.score(number):.1f}"[
        :4
    ]  # the field has four columns, so 100.0 becomes 100.
    head = f"001 {seeds[number]:>4}      {player.name[:LONGEST_NAME]:{LONGEST_NAME}} {rating:>4}"
    rounds = "  ".join(_block(entry, seeds) for entry in tournament.entries[number])
    return f"{head:80}{score:>4} {place:>4}  {rounds}"


def _block(entry: RoundEntry, seeds: dict[int, int]) -> str:
    if entry.opponent is None or entry.side is None:
        return f"0000 - {entry.mark.value}"
    return f"{seeds[entry.opponent]:>4} {_COLOURS[entry.side]} {entry.mark.value}"


def read_trf(text: str) -> list[events.Event]:
    """Parse another program's tournament file, and return the events that create the tournament.

    If the file gives no points, the federation's points are used. If it does not give the number of
    rounds, the number of paired rounds is used. Other data in the file is ignored.

    Raises:
        TournamentError: the file is not a valid tournament; the message names the line.
    """
    reader = _Reader()
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            reader.take(line.replace("\t", " "))
        except events.TournamentError as error:
            raise events.TournamentError(f"line {number}: {error}") from error
    return reader.all_events()


class _Reader:
    """Parser state: the content of the lines read so far."""

    def __init__(self) -> None:
        self._name = "Tournament"
        self._planned = 0
        self._points = events.FEDERATION
        self._players: dict[int, tuple[str, int]] = {}
        self._blocks: dict[int, list[tuple[int, str, str]]] = {}

    def take(self, line: str) -> None:
        """Parse a line. Lines of unknown record types are ignored."""
        match line[:3]:
            case "012":
                self._name = line[4:].strip() or self._name
            case "142" | "XXR":
                self._planned = _number(line[4:], "the number of rounds")
            case "162":
                self._points = _read_points_of_2026(line)
            case "XXS":
                self._points = _read_points(line[4:])
            case "001":
                self._take_player(line)

    def _take_player(self, line: str) -> None:
        number = _number(line[4:8], "the number of the player")
        if number in self._players:
            raise events.TournamentError(f"player {number} is listed twice")
        rating = line[_RATING].strip()
        self._players[number] = (line[_NAME].strip(), _number(rating or "0", "the rating"))
        rounds = line[_ROUNDS:].rstrip("\n")
        blocks = [rounds[start : start + 8] for start in range(0, len(rounds), 10)]
        self._blocks[number] = [_read_block(block) for block in blocks if block.strip()]

    def all_events(self) -> list[events.Event]:
        """Return the events that create the tournament.

        Raise TournamentError if the data is inconsistent.
        """
        numbers = sorted(self._players)
        if numbers != list(range(1, len(numbers) + 1)) or not numbers:
            raise events.TournamentError(
                "The players are not numbered from 1, or there are no players."
            )
        played = max(map(len, self._blocks.values()))
        history: list[events.Event] = [
            events.Created(self._name, self._planned or max(played, 1), self._points)
        ]
        history += [events.PlayerAdded(*self._players[number]) for number in numbers]
        absent: set[int] = set()
        for done in range(played):
            history += self._round(done, absent)
        fold(begin(history[0]), history[1:])  # raises an error if an event is invalid
        return history

    def _round(self, done: int, absent: set[int]) -> list[events.Event]:
        """Return the events of round `done` + 1, and update `absent`, the set of absent players."""
        blocks = {
            number: own[done] if done < len(own) else (0, "-", events.ResultMark.ABSENT.value)
            for number, own in self._blocks.items()
        }
        now = {number for number, (_, _, mark) in blocks.items() if mark in _ABSENCES}
        history: list[events.Event] = [events.Withdrew(number) for number in sorted(now - absent)]
        history += [events.Returned(number) for number in sorted(absent - now)]
        absent.clear()
        absent |= now
        games = [
            (number, other)
            for number, (other, colour, _) in blocks.items()
            if colour == _COLOURS[Side.RED]
        ]
        byes = tuple(number for number, (_, _, mark) in blocks.items() if mark in _BYES)
        half = tuple(number for number, (_, _, mark) in blocks.items() if mark == _HALF_BYE)
        history.append(events.Paired(tuple(games), byes, half))
        for table, (red, blue) in enumerate(games, start=1):
            marks = (
                events.ResultMark(blocks[red][2]),
                events.ResultMark(blocks[blue][2]) if blue in blocks else events.ResultMark.OPEN,
            )
            if marks == (events.ResultMark.OPEN, events.ResultMark.OPEN):
                continue
            if marks not in _RESULTS or blocks[blue][0] != red:
                raise events.TournamentError(
                    f"In round {done + 1}, the entries of players {red} and {blue} contradict "
                    "each other."
                )
            history.append(events.ResultSet(done + 1, table, _RESULTS[marks]))
        return history


_ABSENCES: Final = (events.ResultMark.ABSENT.value,)
_BYES: Final = (events.ResultMark.BYE.value, "F")
_HALF_BYE: Final = events.ResultMark.HALF_BYE.value
_WITHOUT_GAME: Final = (*_ABSENCES, *_BYES, _HALF_BYE)
_SHORT_GAMES: Final = {"W": "1", "D": "=", "L": "0"}
"""Results of games that ended before both sides had moved. They count but are not rated."""


def _number(text: str, what: str) -> int:
    if not re.fullmatch(r" *\d{1,4} *", text, re.ASCII):
        raise events.TournamentError(f"{what} is not a number: {text[:20]!r}")
    return int(text)


def _read_block(block: str) -> tuple[int, str, str]:
    """Parse a player's opponent, colour and result mark for one round."""
    found = re.fullmatch(r" *(\d{1,4})? ([wb -]) ?([-+10=UFHZWDL ]?) *", f"{block:8}", re.ASCII)
    if not found:
        raise events.TournamentError(f"a round has {block!r}; expected text such as “  12 w 1”")
    other, colour = int(found[1] or "0"), str(found[2])
    mark = _SHORT_GAMES.get(found[3], str(found[3] or events.ResultMark.OPEN.value))
    if (colour in _SIDES) is not (other > 0):
        raise events.TournamentError(
            f"a round has {block!r}: opponent and colour must be given together"
        )
    if other and mark in _WITHOUT_GAME:
        raise events.TournamentError(f"a round has {block!r}: a bye has no opponent")
    return other, colour, mark if other or mark in _WITHOUT_GAME else events.ResultMark.ABSENT.value


def _read_points_of_2026(line: str) -> events.Points:
    """Parse the points for a win, draw and loss. A missing value defaults to 1, ½ or 0."""
    points = {"W": 1.0, "D": 0.5, "L": 0.0}
    for start in range(5, len(line.rstrip()), 9):
        group = line[start : start + 5]
        if not re.fullmatch(r"[WDLAPXZ] *\d{1,2}(\.\d)?", group, re.ASCII):
            raise events.TournamentError(f"the points cannot be read: {group!r}; expected “W 1.0”")
        points[group[0]] = float(group[1:])
    values = [points[mark] for mark in "WDL"]
    if any(value % 1 for value in values):
        values = [2 * value for value in values]
    if any(value % 1 for value in values):
        raise events.TournamentError(
            "the points cannot be read: only whole and half points are possible"
        )
    return events.Points(*map(int, values))


def _read_points(text: str) -> events.Points:
    """Parse the points of a game. Raise TournamentError unless the points are integers."""
    points: dict[str, str] = dict(re.findall(r"(\w+)=(\d{1,2})(?:\.0)?(?= |$)", text, re.ASCII))
    try:
        loss = points["WL"] if "WL" in points else points.get("L", "0")
        return events.Points(int(points["W"]), int(points["D"]), int(loss))
    except KeyError as error:
        raise events.TournamentError(f"the points cannot be read: {text.strip()[:60]!r}") from error
