"""Printouts for the wall and the tables: pairings, standings, cross table, result slips.

Each printout is a sheet that names its template. `printed` renders a sheet as a page that a browser
can print.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import ClassVar, Final, TypeAlias

from companion.hall.templates import render
from companion.hall.tournament.events import GameResult, ResultMark
from companion.hall.tournament.standings import Row, TieBreak, standings
from companion.hall.tournament.tournament import RoundEntry, TablePairing, Tournament
from companion.speech.i18n import N_, Language
from engine.board.geometry import Side

STYLE: Final = (
    resources.files("companion.hall.tournament").joinpath("static/sheets.css").read_text("utf-8")
)
_RESULTS: Final = {
    GameResult.RED: "1 : 0",
    GameResult.BLUE: "0 : 1",
    GameResult.DRAW: "½ : ½",
    GameResult.BOTH_LOST: "0 : 0",
    GameResult.RED_ABSENT: "– : +",
    GameResult.BLUE_ABSENT: "+ : –",
    GameResult.BOTH_ABSENT: "– : –",
}
_MARKS: Final = {
    ResultMark.WIN: "1",
    ResultMark.DRAW: "½",
    ResultMark.LOSS: "0",
    ResultMark.WIN_UNPLAYED: "+",
    ResultMark.LOSS_UNPLAYED: "–",
    ResultMark.OPEN: "",
}
_BYES: Final = {ResultMark.BYE: "+", ResultMark.HALF_BYE: "½"}
EVERYTHING: Final = slice(None)
_SIGNS: Final = {Side.RED: "■", Side.BLUE: "●"}


@dataclass(frozen=True)
class Column:
    """A column of a table, with its CSS class and heading."""

    kind: str
    title: str


@dataclass(frozen=True)
class TableSheet:
    """A sheet with one table."""

    template: ClassVar = "rows.html"
    title: str
    round: str
    kind: str
    """CSS class of the table."""
    columns: Sequence[Column]
    rows: Sequence[Sequence[str]]
    remark: str = ""
    terms: Sequence[tuple[str, str]] = ()
    """Terms used in the table, each with an explanation."""


@dataclass(frozen=True)
class Slip:
    """The result slip for one table, with each side's code, name and player."""

    table: int
    players: Sequence[tuple[str, str, str]]


@dataclass(frozen=True)
class SlipSheet:
    """Result slips for all tables, to be cut out, with space for the result and signatures."""

    template: ClassVar = "slips.html"
    title: str
    round: str
    slips: Sequence[Slip]


Sheet: TypeAlias = TableSheet | SlipSheet


def printed(sheet: Sheet, language: Language) -> str:
    """Return a self-contained HTML page."""
    return render("printed.html", language, sheet=sheet, title=sheet.title, style=STYLE)


def pairings(
    tournament: Tournament, number: int, language: Language, shown: slice = EVERYTHING
) -> Sheet:
    """Return the pairings of a round in table order, with the results so far."""
    played = tournament.rounds[number - 1]
    columns = [
        Column("n", language.text(N_("Table"))),
        Column("red", language.side(Side.RED)),
        Column("n", ""),
        Column("mid", language.text(N_("Result"))),
        Column("blue", language.side(Side.BLUE)),
        Column("n", ""),
    ]
    rows = [_game(tournament, game, number) for game in played.games[shown]]
    free = ", ".join(tournament.player(each).name for each in (*played.byes, *played.half_byes))
    bye = language.text(N_("Bye: {player}"), player=free) if free else ""
    title, when = tournament.name, _round(number, language)
    return TableSheet(title, when, "pairings", columns, rows, remark=bye)


def _game(tournament: Tournament, game: TablePairing, number: int) -> list[str]:
    before = [_score_before(tournament, each, number) for each in (game.red, game.blue)]
    result = _RESULTS[game.result] if game.result else "…"
    names = [tournament.player(each).name for each in (game.red, game.blue)]
    return [str(game.table), names[0], before[0], result, names[1], before[1]]


def _score_before(tournament: Tournament, player: int, number: int) -> str:
    entries = tournament.entries[player][: number - 1]
    return str(sum(tournament.points.of(entry.mark) for entry in entries))


def standings_sheet(tournament: Tournament, language: Language, shown: slice = EVERYTHING) -> Sheet:
    """Return the standings, with an explanation of the tie-breaks."""
    columns = [
        Column("n", language.text(N_("Place"))),
        Column("", language.text(N_("Player"))),
        Column("n strong", language.text(N_("Points"))),
        *(Column("n", language.text(each.value)) for each in TieBreak),
    ]
    rows = [
        [str(row.place), row.player.name, str(row.points), *map(_value, row.tie_breaks)]
        for row in standings(tournament)[shown]
    ]
    terms = [(language.text(each.value), language.text(each.explained)) for each in TieBreak]
    title, when = tournament.name, _after(tournament, language)
    return TableSheet(title, when, "standings", columns, rows, terms=terms)


def cross_table(tournament: Tournament, language: Language) -> Sheet:
    """Return each player's opponent (by line number), colour and result in every round."""
    ordered = standings(tournament)
    lines = {row.player.number: line for line, row in enumerate(ordered, start=1)}
    columns = [
        Column("n", ""),
        Column("", language.text(N_("Player"))),
        *(Column("mid", str(number)) for number in range(1, len(tournament.rounds) + 1)),
        Column("n strong", language.text(N_("Points"))),
    ]
    rows = [_crossed(tournament, row, lines) for row in ordered]
    legend = N_("7{red}1: won as Red against the player in line 7; {blue} is Blue.")
    legend_text = language.text(legend, red=_SIGNS[Side.RED], blue=_SIGNS[Side.BLUE])
    title, when = tournament.name, _after(tournament, language)
    return TableSheet(title, when, "cross", columns, rows, remark=legend_text)


def _crossed(tournament: Tournament, row: Row, lines: dict[int, int]) -> list[str]:
    entries = tournament.entries[row.player.number]
    own = lines[row.player.number]
    return [str(own), row.player.name, *(_met(each, lines) for each in entries), str(row.points)]


def _met(entry: RoundEntry, lines: dict[int, int]) -> str:
    if entry.opponent is None:
        return _BYES.get(entry.mark, "")
    assert entry.side
    return f"{lines[entry.opponent]}{_SIGNS[entry.side]}{_MARKS[entry.mark]}"


def slips(tournament: Tournament, number: int, language: Language) -> Sheet:
    made = [
        Slip(
            game.table,
            [
                (side.value, language.side(side), tournament.player(who).name)
                for side, who in ((Side.RED, game.red), (Side.BLUE, game.blue))
            ],
        )
        for game in tournament.rounds[number - 1].games
    ]
    return SlipSheet(tournament.name, _round(number, language), made)


def _round(number: int, language: Language) -> str:
    return language.text(N_("Round {number}"), number=number)


def _after(tournament: Tournament, language: Language) -> str:
    """Return a heading such as “After round 3”, or “Round 3 …” for a round in progress."""
    number = len(tournament.rounds)
    if not tournament.is_between_rounds:
        return f"{_round(number, language)} …"
    return language.text(N_("After round {number}"), number=number)


def _value(value: float) -> str:
    whole, half = divmod(value, 1)
    return f"{whole:g}½".removeprefix("0") if half else f"{whole:g}"
