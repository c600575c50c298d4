"""A limited number of event streams, shared fairly among their owners."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from companion.web.security import FairPool

EVENTS: Final = "text/event-stream"


class EventStream(StreamingResponse):
    """A response with events. It occupies a slot in a `StreamPool` until it ends."""

    def __init__(self, events: AsyncGenerator[str | bytes], left: Callable[[], None]) -> None:
        """Send `events`. `left` is called at the end, even if no event was sent."""
        super().__init__(events, media_type=EVENTS)
        self._events, self._left = events, left
        self._deadline: asyncio.Timeout | None = None
        self._has_ended = False

    def end(self) -> None:
        """End the stream the next time the event loop runs."""
        self._has_ended = True
        if self._deadline:
            self._deadline.reschedule(0)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events until there are no more or `end` is called."""
        is_complete = has_started = False

        async def send_on(message: Message) -> None:
            nonlocal is_complete, has_started
            has_started = True
            is_complete = message["type"] == "http.response.body" and not message.get("more_body")
            await send(message)

        try:
            async with asyncio.timeout(0 if self._has_ended else None) as self._deadline:
                await super().__call__(scope, receive, send_on)
        except TimeoutError:
            if not has_started:
                await PlainTextResponse("", 503)(scope, receive, send)
            elif not is_complete:
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            self._left()
            await self._events.aclose()


class StreamPool:
    """The open streams of one type."""

    def __init__(self, limit: int, per_owner: int, *, newest_wins: bool = False) -> None:
        """Allow `limit` streams in total, and `per_owner` streams per owner.

        If `newest_wins` is set, a new stream ends the owner's oldest stream instead of being
        rejected.
        """
        self._pool: FairPool[EventStream] = FairPool(limit, per_owner, lambda _: newest_wins)

    def __len__(self) -> int:
        return len(self._pool)

    def open(
        self,
        owner: str,
        events: AsyncGenerator[str | bytes],
        left: Callable[[], None] = lambda: None,
    ) -> Response | None:
        """Return a stream of `events`, or None if no slot is free.

        `left` is called when the stream has ended.
        """

        def leave() -> None:
            self._pool.remove(owner, stream)
            left()

        stream = EventStream(events, leave)
        return stream if self._pool.add(owner, stream) else None


def address_of(request: Request) -> str:
    """Return the address of the client, or the client address reported by a trusted proxy."""
    return request.client.host if request.client else ""
