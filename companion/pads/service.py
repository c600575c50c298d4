"""The phones' web server and its pages, at the other end of a channel to the game.

This module passes bytes between phones and the `PadHub`, and passes views and messages between the
`PadHub` and the channel. `server_link` describes the messages on the channel.
"""

import asyncio
import base64
import json
import logging
import socket
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from importlib import resources
from typing import Any, Final

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from companion.jsonl.untrusted import read_object
from companion.pads import pad_hub
from companion.pads.encryption import SECRET
from companion.pads.listen_address import read_token, write_token
from companion.pads.protocols import Certificate, Presence
from companion.speech.i18n import N_, Language
from companion.speech.review_texts import TITLE
from companion.web.security import Rate, SitePolicy, network_of, own_hosts
from companion.web.server import Members, ServerConfig, WebServer
from companion.web.streams import StreamPool, address_of
from engine.board.geometry import Side

_LABELS: Final = {
    "away": N_("Cannot reach the board. Trying again …"),
    "taken": N_("Another phone has this seat. Show a new code on the touchscreen."),
    "out": N_("This code is no longer valid. Scan the new one on the touchscreen."),
    "again": N_("Tap again"),
    "back": N_("Back"),
    "silent": N_("Sound: off"),
    "loud": N_("Sound: on"),
    "sheet": N_("Score sheet"),
    "story": TITLE,
    # The following messages are about sealed armies.
    "setups": N_("Setups …"),
    "clear": N_("Clear all"),
    "name": N_("Name"),
    "keep": N_("Save"),
    "delete": N_("Delete"),
    "complete": N_("All pieces are placed. Once you seal them, no piece can change its rank."),
    "seal": N_("Seal"),
    "sealed": N_(
        "Your army is sealed. Set it up like this. Pieces that the board does not see yet are pale."
    ),
    "elsewhere": N_("Your army is sealed on the touchscreen or on another phone."),
    "change": N_("Change the setup"),
    "differs": N_("The board shows something else: {squares}."),
    "another": N_("My piece has another rank"),
    "mixed": N_(
        "Tap the real rank of your piece. It is not the one you sealed, so insist on it then; "
        "you both settle it, or an arbiter does."
    ),
    "unopened": N_(
        "This phone does not hold the keys to your seals. Use the touchscreen or the phone "
        "with which you sealed, or ask the arbiter to break your seals."
    ),
}


@cache
def labels(code: str) -> str:
    """Return the page's messages in a language as JSON. Raise LookupError if the code is unknown.

    The page replaces ``{squares}`` in these messages.
    """
    text = Language(code).text
    texts = {key: text(label, squares="{squares}") for key, label in _LABELS.items()}
    return json.dumps(texts, ensure_ascii=False)


PAGE: Final = resources.files("companion.pads") / "page"
FILES: Final = {
    "/": "pad.html",
    "/watch": "watch.html",
    "/story": "story.html",
    **{
        f"/{name}": name
        for name in (
            *("pad.css", "icon.svg", "nacl-fast.min.js", "sha256.min.js", "portraits.js"),
            *("pad.js", "channel.js", "kept.js", "parts.js", "texts.js", "voice.js"),
            *("watch.js", "story.js", "show.js", "squares.js", "setup.js"),
            *("seals.js", "sealed_ask.js", "setup_page.js", "setup_lists.js"),
            *("editor.js", "drag.js"),
        )
    },
}
"""All static files, keyed by path."""
PAGE_FILES: Final = ("frame.html", *FILES.values())
"""Names of all files in PAGE: the common frame and the served files."""


def content(file: str) -> bytes:
    """Return a file as it is served.

    An HTML page consists of the common frame with the page's own scripts and body.
    """
    own = (PAGE / file).read_bytes()
    if not file.endswith(".html"):
        return own
    scripts, _, body = own.partition(b"\n\n")
    frame = (PAGE / "frame.html").read_bytes()
    return frame.replace(b"{scripts}", scripts).replace(b"{body}", body.rstrip())


_KINDS: Final = {
    "html": "text/html",
    "css": "text/css",
    "js": "text/javascript",
    "svg": "image/svg+xml",
}

HEARTBEAT: Final = 4.0
"""Interval between a stream's heartbeats, in seconds."""


class ChangeNotifier:
    """Wakes all streams when data has changed."""

    def __init__(self) -> None:
        self._changed: set[asyncio.Event] = set()

    def notify(self) -> None:
        for changed in self._changed:
            changed.set()

    @contextmanager
    def subscribe(self) -> Iterator[asyncio.Event]:
        """Register an event that `notify` sets, for the duration of the context."""
        changed = asyncio.Event()
        self._changed.add(changed)
        try:
            yield changed
        finally:
            self._changed.discard(changed)


async def _wait_for_change(changed: asyncio.Event) -> bool:
    """Wait for a notification or the next heartbeat. Return whether it was a notification."""
    try:
        await asyncio.wait_for(changed.wait(), HEARTBEAT)
    except TimeoutError:
        return False
    changed.clear()
    return True


# Routes.

SPECTATORS: Final = 64
"""Maximum number of spectator streams."""
SPECTATORS_PER_ADDRESS: Final = 4
_SEALED: Final = "application/octet-stream"


class PadPages:
    """HTTP interface of a `PadHub`."""

    def __init__(
        self,
        hub: pad_hub.PadHub,
        notifier: ChangeNotifier,
        members: Members,
        heard: Callable[[], None],
    ) -> None:
        """Serve the content of `hub`; `notifier` announces new content.

        The addresses of phones that have a seat are added to `members`. `heard` is called after
        every message from such a phone, and whenever a stream opens or closes.
        """
        self._hub, self._notifier, self._members, self._heard = hub, notifier, members, heard
        # Every open page has one stream. The limit applies to each seat separately, so a player
        # cannot use up the opponent's streams.
        self._listeners = {side: StreamPool(pad_hub.OPEN, 1, newest_wins=True) for side in Side}
        self._spectators = StreamPool(SPECTATORS, SPECTATORS_PER_ADDRESS)
        self.is_closing = False
        """Whether all streams must end."""

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                *(Route(path, self._file) for path in FILES),
                Route("/texts/{code}", self._texts),
                Route("/sheet/{code}", self._sheet),
                Route("/story/{code}", self._story),
                Route("/join", self._join, methods=["POST"]),
                Route("/say", self._say, methods=["POST"]),
                Route("/listen", self._listen, methods=["POST"]),
                Route("/watch/events", self._watch),
            ]
        )

    async def _file(self, request: Request) -> Response:
        file = FILES[request.url.path]
        kind = _KINDS[file.rpartition(".")[2]]
        return Response(content(file), media_type=kind)

    async def _texts(self, request: Request) -> Response:
        try:
            return Response(labels(request.path_params["code"]), media_type="application/json")
        except LookupError:
            return _refusal(404)

    async def _sheet(self, request: Request) -> Response:
        sheet = self._hub.sheets.get(request.path_params["code"])
        return PlainTextResponse(sheet) if sheet else _refusal(404)

    async def _story(self, request: Request) -> Response:
        story = self._hub.stories.get(request.path_params["code"])
        return Response(story, media_type="application/json") if story else _refusal(404)

    async def _join(self, request: Request) -> Response:
        try:
            name = self._hub.join(await request.body(), network_of(address_of(request)))
            return Response(name, media_type=_SEALED)
        except pad_hub.RefusedError:
            return _refusal(403)

    async def _say(self, request: Request) -> Response:
        try:
            answer = self._hub.hear(await request.body())
        except pad_hub.RefusedError as error:
            return _refusal_of(error)
        self._members.add(address_of(request))
        self._heard()
        return Response(answer, media_type=_SEALED)

    async def _listen(self, request: Request) -> Response:
        try:
            page = self._hub.listen(await request.body())
        except pad_hub.RefusedError as error:
            return _refusal_of(error)
        self._members.add(address_of(request))

        def leave() -> None:
            self._hub.end_stream(page)
            self._heard()

        pool, owner = self._listeners[page.side], page.name.hex()
        stream = pool.open(owner, self._shown(page), leave)
        if stream is None:
            return _refusal(503)
        self._hub.begin_stream(page)
        self._heard()
        return stream

    async def _watch(self, request: Request) -> Response:
        owner = network_of(address_of(request))
        return self._spectators.open(owner, self._seen()) or _refusal(503)

    async def _shown(self, page: pad_hub.PageListener) -> AsyncGenerator[bytes]:
        """Yield a pad's encrypted content whenever it changes."""
        seen = -1
        try:
            with self._notifier.subscribe() as changed:
                while not self.is_closing:
                    shown = self._hub.next_for(page, seen)
                    if shown:
                        seen, sealed = shown
                        yield b"data: " + base64.b64encode(sealed) + b"\n\n"
                    elif not await _wait_for_change(changed):
                        yield b":\n\n"
        except pad_hub.RefusedError:
            return  # another phone has taken the seat

    async def _seen(self) -> AsyncGenerator[bytes]:
        """Yield the public view whenever it changes."""
        seen = b""
        with self._notifier.subscribe() as changed:
            while not self.is_closing:
                if shown := self._hub.next_for_everybody(seen):
                    seen, text = shown
                    yield b"data: " + text + b"\n\n"
                elif not await _wait_for_change(changed):
                    yield b"event: pulse\ndata:\n\n"


def _refusal_of(error: pad_hub.RefusedError) -> Response:
    return _refusal(400 if isinstance(error, pad_hub.MalformedMessageError) else 403)


def _refusal(status: int) -> Response:
    return PlainTextResponse("Refused.\n", status)


POLICY: Final = SitePolicy(
    # This rate allows a phone to load a page with all its files a few times, and then to send a few
    # messages per second.
    requests=Rate(burst=120, a_second=20),
    body_size=max(pad_hub.JOIN_SIZE, pad_hub.COMMAND_SIZE),
    connections=160,
    # Two phones have at most six connections each, but may share their address with other phones.
    reserved=32,
    has_images=True,
)
MEMBERS: Final = 4
"""Maximum number of addresses remembered for phones that have a seat. A phone may change its
address."""
MOST_LINE: Final = 4_000_000
"""Maximum size of a message from the game, in bytes. The longest messages contain score sheets."""
log = logging.getLogger(__name__)


class PadService:
    """Serves the phones of one table."""

    def __init__(
        self,
        channel: socket.socket,
        listener: socket.socket,
        certificate: Certificate | None,
        draw: Callable[[int], bytes],
        clock: Callable[[], float],
    ) -> None:
        """Prepare a server, which closes both sockets when it stops.

        `draw` returns random bytes. `clock` returns this process's time in seconds. The server
        converts that time to the game's time, which is used in the messages from the game.
        """
        self._channel, self._listener, self._local_clock = channel, listener, clock
        self._offset = 0.0
        secrets = {side: draw(SECRET) for side in Side}
        self._hub = pad_hub.PadHub(secrets, draw, lambda: self._local_clock() + self._offset)
        self._numbers = dict.fromkeys(Side, 0)
        self._tokens = dict.fromkeys(Side, b"")
        self._notifier, members = ChangeNotifier(), Members(MEMBERS)
        self._pages = PadPages(self._hub, self._notifier, members, self._report)
        scheme = "https" if certificate else "http"
        names = [certificate.host] if certificate else ["localhost"]
        config = ServerConfig(
            self._pages.app(),
            POLICY,
            own_hosts(scheme, listener.getsockname()[1], names),
            members=members,
            certificate=str(certificate.chain) if certificate else None,
            key=str(certificate.key) if certificate else None,
        )
        self._server = WebServer(config)
        self._writer: asyncio.StreamWriter | None = None
        self._presence: dict[Side, Presence] = {}

    async def run(self) -> None:
        """Serve until the game closes the channel."""
        reader, self._writer = await asyncio.open_connection(sock=self._channel, limit=MOST_LINE)
        serving: asyncio.Task[None] | None = None
        try:
            while line := await reader.readline():
                message = read_object(line)
                self._take(message)
                if "ready" in message:
                    serving = asyncio.create_task(self._server.serve([self._listener]))
        except OSError as error:
            log.debug("the game has ended: %s", error)
        except ValueError as error:
            log.error("the game's message cannot be read: %s", error)
        finally:
            self._pages.is_closing = True
            self._notifier.notify()
            self._server.should_exit = self._server.force_exit = True
            if serving:
                await serving
            self._listener.close()
            self._writer.close()

    def _take(self, message: Mapping[str, Any]) -> None:
        """Handle a message from the game. Raise ValueError if the message is malformed."""
        is_new = False
        match message:
            case {"seat": side, "number": int(number), "secret": secret, "token": token}:
                self._numbers[Side(side)] = number
                self._tokens[Side(side)] = read_token(token) if token else b""
                self._hub.renew(Side(side), read_token(secret), self._tokens[Side(side)])
                is_new = True
            case {"pad": side, "text": str(text), "at": float(at)}:
                self._offset = at - self._local_clock()
                is_new = self._hub.show(Side(side), text.encode())
            case {"everybody": str(text), "delay": float(delay), "at": float(at)}:
                self._offset = at - self._local_clock()
                is_new = self._hub.show_everybody(text.encode(), delay)
            case {"sheets": dict(sheets), "stories": dict(stories)}:
                self._hub.sheets = sheets
                self._hub.stories = {code: text.encode() for code, text in stories.items()}
            case {"read": side, "number": number, "count": int(count)}:
                if number == self._numbers[Side(side)]:
                    self._hub.mark_read(Side(side), count)
        if is_new:
            self._notifier.notify()
            self._report()

    def _report(self) -> None:
        """Send the phones' messages and presence to the game."""
        for side, command in self._hub.unsent():
            self._send({"say": command, "side": side.value, "number": self._numbers[side]})
        for side in Side:
            if (token := self._hub.token(side)) != self._tokens[side]:
                self._tokens[side] = token
                taken = {"taken": write_token(token), "side": side.value}
                self._send({**taken, "number": self._numbers[side]})
            was_heard, presence = self._hub.was_heard(side), self._hub.presence(side)
            if was_heard or presence is not self._presence.get(side):
                self._presence[side] = presence
                message = {"presence": presence.value, "heard": was_heard}
                self._send({**message, "side": side.value, "number": self._numbers[side]})

    def _send(self, message: Mapping[str, Any]) -> None:
        if self._writer:
            with suppress(OSError):  # the game has ended, and `run` stops as well
                self._writer.write(json.dumps(message).encode() + b"\n")
