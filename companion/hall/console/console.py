"""Routes of the hall's web pages, and the process that serves them."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import parse_qsl

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from companion.hall.console import pages
from companion.hall.console.arbiters import ATTEND, UnknownActError, act_button, read_act
from companion.hall.console.sign_in import Arbiters, Sessions, TooManyTriesError
from companion.hall.console.sse import LOOK_SECONDS, PageUpdate, Render, Streams
from companion.hall.protocol.feed import read_item
from companion.hall.server.hall_folder import ArbiterCodes, Hall
from companion.hall.server.receiver import HallReceiver
from companion.hall.server.store import Act, DatabaseError, StoreProxy
from companion.hall.server.tables import Attended, Results, Tables, TableStatus
from companion.hall.templates import render
from companion.hall.tournament.pages import routes
from companion.speech.i18n import N_, Language, accepted_language
from companion.web.security import Rate, SitePolicy
from companion.web.server import Members, ServerConfig, WebServer, listen
from companion.web.streams import address_of

# Parser for a browser's form data, which is short and has one value per field.


def read_form(body: bytes) -> dict[str, str]:
    """Return the non-empty fields of a form, or {} if it is not UTF-8 or has more than ten.

    The middleware has already limited the size of the body.
    """
    try:
        return dict(parse_qsl(body.decode(), max_num_fields=10))
    except ValueError:
        return {}


POLICY: Final = SitePolicy(
    # The limit suffices for several pages on one computer, or for all visitors behind one proxy.
    requests=Rate(burst=1000, a_second=200),
    body_size=4096,  # all forms are shorter
    connections=224,
    reserved=96,  # for signed-in arbiters
    connections_per_address=32,  # enough for several pages on one computer
    has_forms=True,
    trusts_proxy=True,
)
MEMBERS: Final = 64
"""Maximum number of addresses of signed-in arbiters for which connections are reserved."""
COOKIE: Final = "boomboard-arbiter"
BROWSER: Final = "boomboard-browser"
"""Cookie that identifies a browser that has signed in before."""
BROWSER_SECONDS: Final = 365 * 24 * 3600
"""Lifetime of the browser cookie, in seconds."""
_STATIC: Final = Path(__file__).with_name("static")
_MOST_ITEMS: Final = 1000
"""Maximum number of items per game that a page searches for incidents. Few games have more."""

Page: TypeAlias = Callable[[Request, str], Awaitable[Response]]
"""Handler of a page. Its arguments are the request and the name of the signed-in arbiter."""


class Console:
    """The console's pages, and the services that they use."""

    def __init__(
        self, folder: Path, hall: Hall, tables: Tables, receiver: HallReceiver, library: StoreProxy
    ) -> None:
        """Create the console. The arbiters' codes in `folder` may change at any time."""
        self._tables, self._receiver, self._library = tables, receiver, library
        self.members = Members(MEMBERS)
        """Addresses of signed-in arbiters."""
        self._arbiters = Arbiters(
            ArbiterCodes(folder), hall.signing_key, time.monotonic, Sessions(folder)
        )
        self._streams = Streams(tables, self._problem)

    def application(self, more: Sequence[BaseRoute] = ()) -> Starlette:
        """Return the ASGI application. `more` adds further routes to the site."""
        own = [
            Route("/", self._for_arbiters(self._overview)),
            Route("/sign-in", self._sign_in, methods=["GET", "POST"]),
            Route("/sign-out", self._for_arbiters(self._sign_out), methods=["POST"]),
            Route("/stream", self._for_arbiters(self._stream)),
            Route("/stream/{name}", self._for_arbiters(self._stream_table)),
            Route("/tables/{name}", self._for_arbiters(self._table)),
            Route("/tables/{name}/act", self._for_arbiters(self._act), methods=["POST"]),
            Mount("/static", StaticFiles(directory=_STATIC)),
        ]
        return Starlette(routes=[*own, *more])

    def _for_arbiters(self, page: Page) -> Callable[[Request], Awaitable[Response]]:
        """Return a handler that shows `page` to signed-in arbiters, and asks others to sign in."""

        async def shown(request: Request) -> Response:
            author = self._arbiters.author(request.cookies.get(COOKIE, ""))
            if author is None:
                return RedirectResponse("/sign-in", 303)
            self.members.add(address_of(request))
            return await page(request, author)

        return shown

    # -- sign-in

    async def _sign_in(self, request: Request) -> Response:
        language = _language(request)
        wrong, status = "", 200
        if request.method == "POST":
            form = read_form(await request.body())
            browser = request.cookies.get(BROWSER, "")
            try:
                token = await self._arbiters.sign_in(
                    form.get("code", ""), address_of(request), browser
                )
            except TooManyTriesError:
                wrong, status = language.text(N_("Too many attempts. Wait a minute.")), 429
            else:
                if token:
                    self.members.add(address_of(request))
                    return self._welcome(request, token)
                wrong, status = language.text(N_("That is not the arbiter's code.")), 403
        return HTMLResponse(pages.render_sign_in(language, wrong), status)

    def _welcome(self, request: Request, token: str) -> Response:
        response = RedirectResponse("/", 303)
        is_encrypted = request.url.scheme == "https"
        browser = self._arbiters.known_browser()
        for name, value, seconds in ((COOKIE, token, None), (BROWSER, browser, BROWSER_SECONDS)):
            response.set_cookie(
                name, value, seconds, httponly=True, samesite="strict", secure=is_encrypted
            )
        return response

    async def _sign_out(self, request: Request, _: str) -> Response:
        self._arbiters.sign_out(request.cookies.get(COOKIE, ""))
        return RedirectResponse("/sign-in", 303)

    # -- pages

    async def _overview(self, request: Request, author: str) -> Response:
        tables = self._tables.all()
        return HTMLResponse(
            pages.render_overview(tables, _language(request), self._problems(), author)
        )

    async def _table(self, request: Request, author: str) -> Response:
        table = self._tables.get(request.path_params["name"])
        if table is None:
            return RedirectResponse("/", 303)
        items, acts = await self._history(table)
        language = _language(request)
        page = pages.render_table_page(table, items, acts, language, self._problems(), author)
        return HTMLResponse(page)

    async def _history(self, table: TableStatus) -> tuple[list[pages.TimedItem], list[Act]]:
        """Return the latest items of a table's game, and the arbiters' decisions about the game.

        Both lists are empty if the database is unavailable.
        """
        try:
            items, acts = await asyncio.to_thread(
                self._library.ask,
                lambda store: (
                    store.items(table.name, table.game, _MOST_ITEMS),
                    store.acts(table.name, table.game),
                ),
            )
        except DatabaseError:
            return [], []
        return pages.happened([(read_item(each.body), each.came) for each in items]), acts

    def _problems(self) -> list[str]:
        """Return messages about failures that prevent the page from being up to date."""
        messages = []
        if not self._receiver.is_broker_connected:
            messages.append(N_("Cannot reach the broker. Nothing new arrives until it is back."))
        if self._receiver.error or self._receiver.is_stuck:
            messages.append(
                N_("The database cannot be used. Nothing new arrives until it is back.")
            )
        return messages

    def _problem(self, language: Language) -> str:
        return render("problem.html", language, problems=self._problems())

    # -- updates

    async def _stream(self, request: Request, _: str) -> Response:
        language = _language(request)

        async def render_update(table: TableStatus) -> PageUpdate:
            shown = pages.card(table, language, time.monotonic())
            parts = {f"card-{table.name}": render("card.html", language, card=shown)}
            return {"parts": parts}

        return self._answer(request, None, render_update)

    async def _stream_table(self, request: Request, _: str) -> Response:
        language = _language(request)

        async def render_update(table: TableStatus) -> PageUpdate:
            items, acts = await self._history(table)
            return {"main": pages.render_table(table, items, acts, language)}

        return self._answer(request, request.path_params["name"], render_update)

    def _answer(self, request: Request, name: str | None, render_update: Render) -> Response:
        """Stream events for one table or all tables until the arbiter's session ends."""
        token = request.cookies.get(COOKIE, "")
        events = self._streams.follow(
            name,
            _language(request),
            render_update,
            lambda: self._arbiters.author(token) is not None,
        )
        stream = self._streams.pool.open(token, events)
        return stream or Response("Too many pages are open. Close one of them.", 503)

    # -- actions

    async def _act(self, request: Request, author: str) -> Response:
        form = read_form(await request.body())
        name, game = request.path_params["name"], form.get("game", "")
        table = self._tables.get(name)
        try:
            act = read_act(form)
        except UnknownActError:
            return Response("This is not an arbiter's action.", 400)
        if table is not None and table.game == game:
            if act["what"] == "forfeit" and form.get("confirmed") != "yes":
                language = _language(request)
                end = act_button(act["what"], form["choice"], language)
                return HTMLResponse(pages.render_end(table, end, language, author))
            try:
                order = await asyncio.to_thread(
                    self._library.ask, lambda store: store.record(name, game, author, act)
                )
            except DatabaseError:
                return Response("The database cannot be used: nothing was done. Try again.", 503)
            if act["what"] != ATTEND:
                self._receiver.order(order)
            self._tables.attend(name, game, Attended(author, order.number / 1000))
            loop = asyncio.get_running_loop()
            loop.call_later(pages.ANSWER_SECONDS + LOOK_SECONDS, self._tables.touch, name)
        elif table is not None:
            return HTMLResponse(pages.render_too_late(table, _language(request), author), 409)
        return RedirectResponse(f"/tables/{name}", 303)


def _language(request: Request) -> Language:
    return accepted_language(request.headers.get("accept-language", ""))


# The hall's process: the receiver and the web server.

GOODBYE_SECONDS = 2
"""Time to wait for open pages at shutdown, in seconds."""


@dataclass(frozen=True)
class WebServerOptions:
    """Address and certificate of the web server."""

    host: str
    port: int
    certificate: str = ""
    key: str = ""


def serve(
    folder: Path,
    hall: Hall,
    program: str,
    database: str,
    options: WebServerOptions,
    tournament: Path | None = None,
) -> None:
    """Serve the hall in a folder until the process is stopped.

    `program` is the hall's username on the broker. If `tournament` (a file path) is given, that
    tournament is published, and the results from the tables are entered into it. Raise OSError if
    the address cannot be used.
    """
    tables, library = Tables(), StoreProxy(database)
    for table in hall.tables:
        tables.touch(table)
    if tournament:
        Results(tournament, tables)
    receiver = HallReceiver(hall.broker(program), database, hall.key, tables)
    public = routes(tournament, lambda: pages.time_of_day(time.time())) if tournament else ()
    console = Console(folder, hall, tables, receiver, library)
    config = ServerConfig(
        console.application(public),
        POLICY,
        members=console.members,
        certificate=options.certificate or None,
        key=options.key or None,
        timeout_graceful_shutdown=GOODBYE_SECONDS,
    )
    sockets = listen(options.host, options.port)
    receiver.start()
    try:
        with suppress(KeyboardInterrupt):
            WebServer(config).run(sockets)
    finally:
        receiver.close()
        library.close()
