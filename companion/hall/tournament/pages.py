"""What everybody in the hall may see of the tournament: pages without any script.

`routes` is for the server of the hall. Every page tells how things stand when it is asked for, and
asks again by itself.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from companion.hall.tournament import sheets
from companion.hall.tournament.marks import TournamentError
from companion.hall.tournament.tournament import Tournament
from companion.hall.tournament.tournament_file import read
from companion.speech.accepted_language import accepted_language
from companion.speech.language import N_, Language

AGAIN: Final = 10
"""After so many seconds a page asks again."""
HEADERS: Final = {
    "content-security-policy": "default-src 'none'; style-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
}
_STYLE: Final = "/tournament/sheets.css"
Sheet = Callable[[Tournament, Language], str]


def routes(path: Path) -> list[Route]:
    """The pages of the tournament that is kept in a file; it may be begun later."""
    kept = _Kept(path)

    def page(sheet: Sheet, kind: str) -> Callable[[Request], Response]:
        def show(request: Request) -> Response:
            language = _language(request)
            try:
                tournament = kept.now()
            except TournamentError:
                told = language.text(N_("There is no tournament yet."))
                return PlainTextResponse(told, 404, HEADERS)
            body = f'<main class="{kind}">{sheet(tournament, language)}</main>'
            head = (
                f'<link rel="stylesheet" href="{_STYLE}">'
                f'<meta http-equiv="refresh" content="{AGAIN}">'
            )
            whole = sheets.page(tournament.name, _links(language) + body, language, head)
            return HTMLResponse(whole, headers=HEADERS)

        return show

    return [
        Route("/tournament", page(sheets.standings_sheet, "sheet")),
        Route("/tournament/pairings", page(_latest_pairings, "sheet")),
        Route("/tournament/cross-table", page(sheets.cross_table, "sheet")),
        Route("/tournament/screen", page(_latest_pairings, "screen")),
        Route(_STYLE, _style),
    ]


def _latest_pairings(tournament: Tournament, language: Language) -> str:
    if not tournament.rounds:
        return sheets.standings_sheet(tournament, language)
    return sheets.pairings(tournament, len(tournament.rounds), language)


def _links(language: Language) -> str:
    named = {
        "/tournament": N_("Standings"),
        "/tournament/pairings": N_("Pairings"),
        "/tournament/cross-table": N_("Cross table"),
    }
    links = "".join(f'<a href="{to}">{language.text(text)}</a>' for to, text in named.items())
    return f"<nav>{links}</nav>"


def _language(request: Request) -> Language:
    return accepted_language(request.headers.get("accept-language", ""))


def _style(_: Request) -> Response:
    return Response(sheets.STYLE, media_type="text/css", headers=HEADERS)


class _Kept:
    """The tournament as it is, read again only if its file has been exchanged."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen: tuple[int, int, int] | None = None
        self._tournament: Tournament | None = None

    def now(self) -> Tournament:
        """Return it; TournamentError if there is none."""
        try:
            stat = self._path.stat()
        except OSError as error:
            raise TournamentError("There is no tournament.") from error
        seen = (stat.st_ino, stat.st_mtime_ns, stat.st_size)
        if seen != self._seen or self._tournament is None:
            self._tournament = read(self._path).tournament
            self._seen = seen
        return self._tournament
