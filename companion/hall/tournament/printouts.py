"""Printouts for wall and tables: pairings, standings, cross table, result slips.

Each is a fragment of HTML; `page` wraps it into a whole page, which a browser prints.
"""

from collections.abc import Iterable, Sequence
from html import escape
from importlib import resources
from typing import Final

from companion.hall.tournament.events import Mark, Result
from companion.hall.tournament.standings import Row, TieBreak, standings
from companion.hall.tournament.tournament import Entry, Game, Tournament
from companion.speech.i18n import N_, Language
from engine.board.geometry import Side

STYLE: Final = (
    resources.files("companion.hall.tournament").joinpath("static/sheets.css").read_text("utf-8")
)
_RESULTS: Final = {
    Result.RED: "1 : 0",
    Result.BLUE: "0 : 1",
    Result.DRAW: "½ : ½",
    Result.BOTH_LOST: "0 : 0",
    Result.RED_ABSENT: "– : +",
    Result.BLUE_ABSENT: "+ : –",
    Result.BOTH_ABSENT: "– : –",
}
_MARKS: Final = {
    Mark.WIN: "1",
    Mark.DRAW: "½",
    Mark.LOSS: "0",
    Mark.WIN_UNPLAYED: "+",
    Mark.LOSS_UNPLAYED: "–",
    Mark.OPEN: "",
}
EVERYTHING: Final = slice(None)
_SIGNS: Final = {Side.RED: "■", Side.BLUE: "●"}


def page(title: str, body: str, language: Language, head: str = "") -> str:
    """Return a whole page; `head` contains the style sheet or a link to it."""
    return (
        f'<!doctype html>\n<html lang="{language.code}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title>{head}</head>\n<body>\n{body}\n</body></html>\n"
    )


def printed(tournament: Tournament, body: str, language: Language) -> str:
    """Return a page that needs no other file."""
    return page(tournament.name, body, language, f"<style>{STYLE}</style>")


def pairings(
    tournament: Tournament, number: int, language: Language, shown: slice = EVERYTHING
) -> str:
    """The pairings of a round, table by table, with the results so far."""
    played = tournament.rounds[number - 1]
    head = [
        language.text(N_("Table")),
        language.side(Side.RED),
        "",
        language.text(N_("Result")),
        language.side(Side.BLUE),
        "",
    ]
    rows = [_game(tournament, game, number) for game in played.games[shown]]
    bye = ""
    if played.bye is not None:
        player = tournament.player(played.bye).name
        told = language.text(N_("A bye: {player}"), player=player)
        bye = f"<p>{escape(told)}</p>"
    table = _table("pairings", head, rows, ("n", "red", "n", "mid", "blue", "n"))
    return _heading(tournament, _round(number, language)) + table + bye


def _game(tournament: Tournament, game: Game, number: int) -> list[str]:
    before = [_score_before(tournament, each, number) for each in (game.red, game.blue)]
    result = _RESULTS[game.result] if game.result else "…"
    names = [tournament.player(each).name for each in (game.red, game.blue)]
    return [str(game.table), names[0], before[0], result, names[1], before[1]]


def _score_before(tournament: Tournament, player: int, number: int) -> str:
    entries = tournament.entries[player][: number - 1]
    return str(sum(tournament.points.of(entry.mark) for entry in entries))


def standings_sheet(tournament: Tournament, language: Language, shown: slice = EVERYTHING) -> str:
    """The standings, with an explanation of the tie-breaks."""
    head = [
        language.text(N_("Place")),
        language.text(N_("Player")),
        language.text(N_("Points")),
        *(language.text(each.value) for each in TieBreak),
    ]
    rows = [
        [str(row.place), row.player.name, str(row.points), *map(_value, row.tie_breaks)]
        for row in standings(tournament)[shown]
    ]
    table = _table("standings", head, rows, ("n", "", "n strong", *["n"] * len(TieBreak)))
    words = "".join(
        f"<dt>{escape(language.text(each.value))}</dt>"
        f"<dd>{escape(language.text(each.explained))}</dd>"
        for each in TieBreak
    )
    return _heading(tournament, _after(tournament, language)) + table + f"<dl>{words}</dl>"


def cross_table(tournament: Tournament, language: Language) -> str:
    """Every round of every player: the opponent's place, the colour and the result."""
    ordered = standings(tournament)
    lines = {row.player.number: line for line, row in enumerate(ordered, start=1)}
    rounds = [str(number) for number in range(1, len(tournament.rounds) + 1)]
    head = ["", language.text(N_("Player")), *rounds, language.text(N_("Points"))]
    rows = [_crossed(tournament, row, lines) for row in ordered]
    kinds = ("n", "", *["mid"] * len(rounds), "n strong")
    legend = N_("7{red}1: won as Red against the player in line 7; {blue} is Blue.")
    told = language.text(legend, red=_SIGNS[Side.RED], blue=_SIGNS[Side.BLUE])
    table = _table("cross", head, rows, kinds)
    return _heading(tournament, _after(tournament, language)) + f"{table}<p>{escape(told)}</p>"


def _crossed(tournament: Tournament, row: Row, lines: dict[int, int]) -> list[str]:
    entries = tournament.entries[row.player.number]
    own = lines[row.player.number]
    return [str(own), row.player.name, *(_met(each, lines) for each in entries), str(row.points)]


def _met(entry: Entry, lines: dict[int, int]) -> str:
    if entry.opponent is None:
        return "+" if entry.mark is Mark.BYE else ""
    assert entry.side
    return f"{lines[entry.opponent]}{_SIGNS[entry.side]}{_MARKS[entry.mark]}"


def slips(tournament: Tournament, number: int, language: Language) -> str:
    """A slip for each table, to be cut out: players, result and two signatures."""
    return (
        '<div class="slips">'
        + "".join(
            _slip(tournament, game, number, language)
            for game in tournament.rounds[number - 1].games
        )
        + "</div>"
    )


def _slip(tournament: Tournament, game: Game, number: int, language: Language) -> str:
    table = language.text(N_("Table {number}"), number=game.table)
    ended = language.text(N_("Won"))
    drawn = language.text(N_("Draw"))
    signed = language.text(N_("Signature"))
    lines = "".join(
        f'<tr class="{side.value}"><th>{escape(language.side(side))}</th>'
        f"<td>{escape(tournament.player(who).name)}</td>"
        f'<td class="box">☐ {escape(ended)}</td><td class="sign">{escape(signed)}</td></tr>'
        for side, who in ((Side.RED, game.red), (Side.BLUE, game.blue))
    )
    return (
        f"<section><h2>{escape(table)} <small>{escape(tournament.name)}, "
        f"{escape(_round(number, language))}</small></h2><table>{lines}</table>"
        f"<p>☐ {escape(drawn)}</p></section>"
    )


def _round(number: int, language: Language) -> str:
    return language.text(N_("Round {number}"), number=number)


def _after(tournament: Tournament, language: Language) -> str:
    done = len(tournament.rounds) - (not tournament.is_between_rounds)
    open_ = "" if tournament.is_between_rounds else " …"
    return language.text(N_("After round {number}"), number=done) + open_


def _value(value: float) -> str:
    whole, half = divmod(value, 1)
    return f"{whole:g}½".removeprefix("0") if half else f"{whole:g}"


def _heading(tournament: Tournament, what: str) -> str:
    return f"<h1>{escape(tournament.name)} <small>{escape(what)}</small></h1>"


def _table(
    name: str, head: Sequence[str], rows: Iterable[Sequence[str]], kinds: Sequence[str]
) -> str:
    def line(cells: Sequence[str], tag: str) -> str:
        made = (
            f'<{tag} class="{kind}">{escape(cell)}</{tag}>'
            for cell, kind in zip(cells, kinds, strict=True)
        )
        return f"<tr>{''.join(made)}</tr>"

    body = "\n".join(line(row, "td") for row in rows)
    top = f"<thead>{line(head, 'th')}</thead>"
    return f'<table class="{name}">{top}\n<tbody>\n{body}\n</tbody></table>'
