"""Sign-in of the arbiters. Each arbiter has a code, and the rate of attempts is limited."""

import secrets
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.hall.protocol.feed_item import Item, Stands
from companion.hall.server.hall_folder import hash_code
from companion.hall.server.tables import TableNow
from companion.speech.i18n import N_, Language
from companion.web.security import Rate, RateLimiter
from engine.board.geometry import Side

TRIES: Final = Rate(burst=5, a_second=5 / 60)
"""Rate limit for sign-in attempts from one address."""
TRIES_OF_ALL: Final = Rate(burst=30, a_second=30 / 60)
"""Rate limit for sign-in attempts from all addresses together. At this rate, finding one of 10¹²
codes takes ten thousand years."""
SHIFT_SECONDS: Final = 12 * 3600.0
"""Lifetime of a session, in seconds; after that, an arbiter has to sign in again."""
MOST_SHIFTS: Final = 200


class TooManyTriesError(Exception):
    """The rate limit for codes is exceeded; it resets after one minute."""


class Arbiters:
    """The arbiters of a hall and their browser sessions."""

    def __init__(self, codes: Mapping[str, str], salt: str, clock: Callable[[], float]) -> None:
        """`codes` has the arbiters' names by the hashes of their codes; `clock` counts seconds."""
        self._codes, self._salt, self._clock = codes, salt, clock
        self._lock = threading.Lock()
        self._tries = RateLimiter(TRIES, clock)
        self._tries_of_all = RateLimiter(TRIES_OF_ALL, clock)
        self._shifts: dict[str, tuple[str, float]] = {}

    def sign_in(self, code: str, address: str) -> str | None:
        """Return a session token, or None for a wrong code; TooManyTriesError at the rate limit."""
        with self._lock:
            if not (self._tries.allows(address) and self._tries_of_all.allows("")):
                raise TooManyTriesError
        author = self._codes.get(hash_code(code, self._salt))
        if author is None:
            return None
        token, now = secrets.token_urlsafe(32), self._clock()
        with self._lock:
            self._shifts = {t: s for t, s in self._shifts.items() if s[1] > now}
            while len(self._shifts) >= MOST_SHIFTS:
                del self._shifts[next(iter(self._shifts))]
            self._shifts[token] = author, now + SHIFT_SECONDS
        return token

    def author(self, token: str) -> str | None:
        """Return the arbiter of a session token, or None if the token is not valid."""
        with self._lock:
            author, until = self._shifts.get(token, ("", 0.0))
        return author if self._clock() < until else None

    def sign_out(self, token: str) -> None:
        """End the session of a token."""
        with self._lock:
            self._shifts.pop(token, None)


# Actions that an arbiter can take at a table in its current state.

MINUTE: Final = 60


class UnknownActError(ValueError):
    """A form that does not encode any action of an arbiter."""


def read_act(form: Mapping[str, Any]) -> dict[str, Any]:
    """Return the command in a form, named as in `boomboard table`, or raise UnknownActError."""
    what, choice = form.get("what"), form.get("choice")
    sides = {side.value: side.value for side in Side}
    match what, choice:
        case (("answer-call" | "let-stand" | "pause" | "go-on"), _):
            return {"what": what}
        case "settle", ("yes" | "no"):
            return {"what": what, "accepted": choice == "yes"}
        case "give-time", str() if choice in sides:
            return {"what": what, "side": choice, "seconds": MINUTE}
        case "forfeit", str() if choice in {**sides, "both": None}:
            return {"what": what, "side": sides.get(choice)}
    raise UnknownActError("this is not an arbiter's action")


def act_words(said: Mapping[str, Any], language: Language) -> str:
    """Return the label of an action, as on its button."""
    text = language.text
    match said.get("what"):
        case "answer-call":
            return text(N_("On my way"))
        case "let-stand":
            return text(N_("Allow it"))
        case "settle" if said.get("accepted"):
            return text(N_("The declaration counts."))
        case "settle":
            return text(N_("The declaration does not count. Declare again."))
        case "give-time":
            side, time = Side(said["side"]), language.duration(int(said["seconds"]))
            return text(N_("{side}: {time} more"), side=language.side(side), time=time)
        case "forfeit" if said.get("side"):
            return text(N_("{side} wins"), side=language.side(Side(said["side"]).other))
        case "forfeit":
            return text(N_("Both lose"))
        case "go-on":
            return text(N_("Continue"))
        case _:
            return text(N_("Pause"))


@dataclass(frozen=True)
class ActButton:
    """A button for an action, with the fields of its form."""

    what: str
    choice: str
    words: str


def available_acts(table: TableNow, language: Language) -> list[ActButton] | None:
    """Return the actions that are available now; None if the table cannot receive any."""
    if table.item is None or not table.is_here:
        return None
    return [_button(*each, language) for each in _choices(table.item)]


def available_ends(table: TableNow, language: Language) -> list[ActButton]:
    """Return the actions that end the game, if it can be ended now."""
    if table.item is None or not table.is_here or table.item.is_over:
        return []
    return [_button("forfeit", side, language) for side in ("blue", "red", "both")]


def _choices(item: Item) -> Iterator[tuple[str, str]]:
    if item.call:
        yield "answer-call", ""
    if item.is_over:
        return
    match item.stands:
        case Stands.DISPUTE:
            yield from (("settle", "yes"), ("settle", "no"))
        case Stands.VIOLATION:
            yield "let-stand", ""
    yield ("go-on" if item.stands is Stands.PAUSED else "pause"), ""
    yield from (("give-time", side.value) for side in Side if side.value in item.left)


def _button(what: str, choice: str, language: Language) -> ActButton:
    return ActButton(what, choice, act_words(read_act({"what": what, "choice": choice}), language))
