"""The phones' web server, at the other end of a channel to the game.

This module knows nothing about games: it passes bytes between phones and the `PadHub`, and views
and messages between the `PadHub` and the channel. `server_link` is the other end of the channel,
and describes its messages.
"""

import asyncio
import json
import logging
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

from companion.jsonl.untrusted import read_object
from companion.pads.encryption import SECRET
from companion.pads.listen_address import read_token, write_token
from companion.pads.pad_hub import JOIN_SIZE, SAY_SIZE, PadHub
from companion.pads.pages import ChangeNotifier, PadPages
from companion.pads.protocols import Certificate, Presence
from companion.web.gate import Members
from companion.web.security import Rate, SitePolicy, own_hosts
from companion.web.server import ServerConfig, WebServer
from engine.board.geometry import Side

POLICY: Final = SitePolicy(
    # Enough for opening a page with all its files a few times, and then a few messages per second.
    requests=Rate(burst=120, a_second=20),
    body_size=max(JOIN_SIZE, SAY_SIZE),
    connections=160,
    # Two phones have eight connections each at most, but may share their addresses with others.
    reserved=32,
    has_images=True,
)
MEMBERS: Final = 4
"""Number of addresses of seated phones; a phone may change its address."""
MOST_LINE: Final = 4_000_000
"""Maximum size of a message from the game, in bytes. The longest ones contain score sheets."""
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
        """Prepare a server; both sockets are closed at its end.

        `draw` returns random bytes. `clock` returns seconds; the game corrects its offset.
        """
        self._channel, self._listener, self._local_clock = channel, listener, clock
        self._offset = 0.0
        secrets = {side: draw(SECRET) for side in Side}
        self._hub = PadHub(secrets, draw, lambda: self._local_clock() + self._offset)
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
        """Handle a message from the game; ValueError if it is malformed."""
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
        """Send the phones' messages and their presence to the game."""
        for side, say in self._hub.unsent():
            self._send({"say": say, "side": side.value, "number": self._numbers[side]})
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
            with suppress(OSError):  # the game has ended; `run` notices that as well
                self._writer.write(json.dumps(message).encode() + b"\n")
