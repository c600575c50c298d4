"""HTTP routes of the pages."""

import base64
from collections.abc import AsyncIterator
from importlib import resources
from typing import Final

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from companion.pads.desk import JOIN_SIZE, SAY_SIZE, Desk, Listening, RefusedError
from companion.pads.labels import labels
from companion.pads.serving.bell import Bell, rung

PAGE: Final = resources.files("companion.pads") / "page"
FILES: Final = {
    "/": "pad.html",
    "/watch": "watch.html",
    **{
        f"/{name}": name
        for name in (
            *("pad.css", "icon.svg", "nacl-fast.min.js", "sha256.min.js", "portraits.js"),
            *("pad.js", "channel.js", "kept.js", "parts.js", "texts.js", "voice.js"),
            *("watch.js", "show.js", "squares.js", "setup.js"),
            *("seals.js", "sealed_ask.js", "setup_page.js", "setup_lists.js"),
            *("editor.js", "drag.js"),
        )
    },
}
"""All static files, by path."""
_KINDS: Final = {
    "html": "text/html",
    "css": "text/css",
    "js": "text/javascript",
    "svg": "image/svg+xml",
}
LISTENERS: Final = 8
"""Maximum number of streams to pads: two players with a few pages each."""
SPECTATORS: Final = 64
_SEALED: Final = "application/octet-stream"
_EVENTS: Final = "text/event-stream"


class Pages:
    """HTTP interface of a desk."""

    def __init__(self, desk: Desk, bell: Bell) -> None:
        """Serve the contents of a desk; the bell announces new ones."""
        self._desk, self._bell = desk, bell
        self._listeners = self._spectators = 0
        self.is_closing = False
        """Whether all streams have to end."""

    def app(self) -> Starlette:
        """Return all routes."""
        return Starlette(
            routes=[
                *(Route(path, self._file) for path in FILES),
                Route("/texts/{code}", self._texts),
                Route("/sheet/{code}", self._sheet),
                Route("/join", self._join, methods=["POST"]),
                Route("/say", self._say, methods=["POST"]),
                Route("/listen", self._listen, methods=["POST"]),
                Route("/watch/events", self._watch),
            ]
        )

    async def _file(self, request: Request) -> Response:
        file = FILES[request.url.path]
        kind = _KINDS[file.rpartition(".")[2]]
        return Response((PAGE / file).read_bytes(), media_type=kind)

    async def _texts(self, request: Request) -> Response:
        try:
            return Response(labels(request.path_params["code"]), media_type="application/json")
        except LookupError:
            return _refusal(404)

    async def _sheet(self, request: Request) -> Response:
        sheet = self._desk.sheets.get(request.path_params["code"])
        return PlainTextResponse(sheet) if sheet else _refusal(404)

    async def _join(self, request: Request) -> Response:
        try:
            return Response(self._desk.join(await _body(request, JOIN_SIZE)), media_type=_SEALED)
        except RefusedError:
            return _refusal(403)

    async def _say(self, request: Request) -> Response:
        try:
            return Response(self._desk.hear(await _body(request, SAY_SIZE)), media_type=_SEALED)
        except RefusedError:
            return _refusal(403)

    async def _listen(self, request: Request) -> Response:
        try:
            page = self._desk.listen(await _body(request, SAY_SIZE))
        except RefusedError:
            return _refusal(403)
        if self._listeners >= LISTENERS:
            return _refusal(503)
        return StreamingResponse(self._shown(page), media_type=_EVENTS)

    async def _watch(self, _request: Request) -> Response:
        if self._spectators >= SPECTATORS:
            return _refusal(503)
        return StreamingResponse(self._seen(), media_type=_EVENTS)

    async def _shown(self, page: Listening) -> AsyncIterator[bytes]:
        """Yield the encrypted contents of a pad, whenever they change."""
        seen = -1
        self._listeners += 1
        try:
            with self._bell.heard() as ear:
                while not self.is_closing:
                    shown = self._desk.next_for(page, seen)
                    if shown:
                        seen, sealed = shown
                        yield b"data: " + base64.b64encode(sealed) + b"\n\n"
                    elif not await rung(ear):
                        yield b":\n\n"
        except RefusedError:
            return  # another phone has the seat
        finally:
            self._listeners -= 1

    async def _seen(self) -> AsyncIterator[bytes]:
        """Yield the public view, whenever it changes."""
        seen = b""
        self._spectators += 1
        try:
            with self._bell.heard() as ear:
                while not self.is_closing:
                    if shown := self._desk.next_for_everybody(seen):
                        seen, text = shown
                        yield b"data: " + text + b"\n\n"
                    elif not await rung(ear):
                        yield b":\n\n"
        finally:
            self._spectators -= 1


async def _body(request: Request, size: int) -> bytes:
    """Read the body of a request, if it has exactly the required length."""
    body = b""
    try:
        async for part in request.stream():
            body += part
            if len(body) > size:
                raise RefusedError
    except ClientDisconnect as error:
        raise RefusedError from error
    return body


def _refusal(status: int) -> Response:
    return PlainTextResponse("Refused.\n", status)
