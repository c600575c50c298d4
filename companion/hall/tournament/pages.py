"""Public pages of the tournament.

Every page shows the age of its content. Its script requests new content every five seconds; without
scripts, the page reloads itself. The screen in the playing hall cannot be scrolled, so its page
moves on to the next tables every ten seconds.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Final, TypeAlias

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from companion.hall.templates import render
from companion.hall.tournament import printouts
from companion.hall.tournament.events import TournamentError
from companion.hall.tournament.tournament import Tournament
from companion.hall.tournament.tournament_file import read
from companion.speech.i18n import N_, Language, accepted_language

AGAIN: Final = 10
"""Interval, in seconds, at which a page without scripts reloads itself."""
LINES: Final = 12
"""Number of lines on the screen in the playing hall. They must be readable from a distance."""
_STYLE: Final = "/tournament/sheets.css"
_SCREEN: Final = "/tournament/screen"
DrawSheet: TypeAlias = Callable[[Tournament, Language], printouts.Sheet]


@dataclass(frozen=True)
class Part:
    """A part of a sheet, as shown on the screen in the playing hall. Parts are numbered from 1."""

    number: int
    count: int


def routes(path: Path, time_of_day: Callable[[], str]) -> list[Route]:
    """Return the routes for a tournament file, which may be created later.

    `time_of_day` returns the current time as text. Each page shows this time until its script runs.
    """
    kept = _CurrentTournament(path, time_of_day)

    def page(draw: DrawSheet) -> Callable[[Request], Response]:
        def show(request: Request) -> Response:
            return _answer(kept, request, lambda cup, language: (draw(cup, language), None))

        return show

    def screen(request: Request) -> Response:
        asked = request.query_params.get("part", "")
        part = int(asked) if asked.isdecimal() and len(asked) < 4 else 1
        then = f"{_SCREEN}?part={part + 1}"
        return _answer(kept, request, lambda cup, language: _on_screen(cup, language, part), then)

    return [
        Route("/tournament", page(printouts.standings_sheet)),
        Route("/tournament/pairings", page(_latest_pairings)),
        Route("/tournament/cross-table", page(printouts.cross_table)),
        Route(_SCREEN, screen),
        Route(_STYLE, _style),
    ]


def _answer(
    kept: "_CurrentTournament",
    request: Request,
    draw: Callable[[Tournament, Language], tuple[printouts.Sheet, Part | None]],
    then: str = "",
) -> Response:
    """Return a complete page. It reloads from the address `then`, or else from its own address."""
    language = accepted_language(request.headers.get("accept-language", ""))
    try:
        tournament = kept.now()
    except TournamentError:
        text = language.text(N_("There is no tournament yet."))
        return PlainTextResponse(text, 404, {"Refresh": str(AGAIN)})
    sheet, part = draw(tournament, language)
    page = render(
        "tournament.html",
        language,
        title=tournament.name,
        sheet=sheet,
        part=part,
        again=AGAIN,
        next=then,
        at="",
        time=kept.time_of_day(),
    )
    return HTMLResponse(page)


def _latest_pairings(tournament: Tournament, language: Language) -> printouts.Sheet:
    if not tournament.rounds:
        return printouts.standings_sheet(tournament, language)
    return printouts.pairings(tournament, len(tournament.rounds), language)


def _on_screen(
    tournament: Tournament, language: Language, part: int
) -> tuple[printouts.Sheet, Part]:
    """Return one part of the pairings, or of the standings before the first round.

    The part number wraps around after the last part.
    """
    rounds = tournament.rounds
    lines = len(rounds[-1].games) if rounds else len(tournament.players)
    parts = max(1, ceil(lines / LINES))
    first = (part - 1) % parts * LINES
    shown = slice(first, first + LINES)
    if rounds:
        sheet = printouts.pairings(tournament, len(rounds), language, shown)
    else:
        sheet = printouts.standings_sheet(tournament, language, shown)
    return sheet, Part((part - 1) % parts + 1, parts)


def _style(_: Request) -> Response:
    return Response(printouts.STYLE, media_type="text/css")


class _CurrentTournament:
    """The current tournament, reloaded only when its file has been replaced."""

    def __init__(self, path: Path, time_of_day: Callable[[], str]) -> None:
        self._path, self.time_of_day = path, time_of_day
        self._seen: tuple[int, int, int] | None = None
        self._tournament: Tournament | None = None

    def now(self) -> Tournament:
        """Return the tournament. Raise TournamentError if it cannot be read."""
        try:
            stat = self._path.stat()
        except OSError as error:
            raise TournamentError("There is no tournament.") from error
        seen = (stat.st_ino, stat.st_mtime_ns, stat.st_size)
        if seen != self._seen or self._tournament is None:
            self._tournament = read(self._path).tournament
            self._seen = seen
        return self._tournament
