"""Content of the console's pages, as values for the templates."""

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, TypeAlias, get_args

from companion.core.inputs import OfferDraw, OfferUndo
from companion.hall.console import arbiters
from companion.hall.protocol.feed import Item, read_event
from companion.hall.server.store import Act
from companion.hall.server.tables import TableStatus, Urgency
from companion.hall.templates import render
from companion.reports.incident_sheet import ReportedRuling
from companion.speech.announcer import Announcer
from companion.speech.i18n import N_, Language
from companion.speech.small_texts import SEALS, seal_states
from companion.storage.game_rows import Note
from engine.board.geometry import LAKES, SQUARES, WIDTH, Side, name
from engine.board.visibility import Public
from engine.game.clocks import clock_text

_URGENCIES: Final = {
    Urgency.DISPUTE: N_("Dispute"),
    Urgency.VIOLATION: N_("Not allowed"),
    Urgency.GONE: N_("The table is no longer there"),
    Urgency.DISTURBED: N_("Some pieces are out of place."),
    Urgency.NO_BOARD: N_("The board is not connected"),
    Urgency.HURRY: N_("Less than a minute"),
    Urgency.PAUSED: N_("Pause"),
    Urgency.OVER: N_("The game is over."),
    Urgency.WAITS: N_("No game yet"),
}


def urgency_words(table: TableStatus, urgency: Urgency, language: Language) -> str:
    """Return why a table needs an arbiter. If it needs none, return whose turn it is."""
    if urgency is Urgency.CALLED and table.item and table.item.call:
        return Announcer(language).sentence(table.item.call)
    if urgency is Urgency.PLAYS and table.item:
        side = language.side(table.item.to_move)
        return language.text(N_("{side} to move."), side=side)
    return language.text(_URGENCIES[urgency])


@dataclass(frozen=True)
class PlayerRow:
    """A player and the player's clock, as shown on a page."""

    side: str
    name: str
    until: str = ""
    """Time at which a running clock reaches zero, in seconds on the hall's monotonic clock."""
    clock: str = ""
    """Time left, as text; empty if the game has no clock."""
    is_running: bool = False


@dataclass(frozen=True)
class TableCard:
    """A table, as shown in the overview and at the top of its own page."""

    name: str
    urgency: str
    order: str
    """Sort key of the card. The most urgent tables come first."""
    reason: str
    since: str
    """Local time at which the table began to need an arbiter, or empty."""
    attended: str
    """Name of the arbiter who has acted since the time `since`, and the local time of this action,
    or empty."""
    clock_error: str
    """Deviation of the table's clock, as text; empty if the clock is correct."""
    game: str
    number: int
    """Sequence number of the game's latest item."""
    ply: str
    players: Sequence[PlayerRow]
    seals: Sequence[str]
    """Words that identify the sealed armies; after the game, also the state of the seals."""
    is_paused: bool
    """Whether the game is paused, even if the card shows a more urgent condition."""


def card(table: TableStatus, language: Language, now: float) -> TableCard:
    urgency, item, since = table.urgency(now), table.item, table.urgent_since(now)
    place, waits_since = table.rank(now)
    return TableCard(
        table.name,
        urgency.value,
        f"{place}{int(waits_since):011}",
        urgency_words(table, urgency, language),
        language.text(N_("since {time}"), time=time_of_day(since)) if since else "",
        _attended(table, since or 0.0, language),
        _clock_error(table, language),
        table.game,
        item.number if item else 0,
        language.text(N_("ply {ply}"), ply=item.plies) if item else "",
        [_player(table, side, language, now) for side in Side],
        _seals(item, language),
        is_paused=bool(item and item.is_paused) and urgency is not Urgency.PAUSED,
    )


def _seals(item: Item | None, language: Language) -> list[str]:
    if item is None or item.seals is None:
        return []
    states = seal_states(item.seals.states, language) if item.is_over else []
    return [language.text(SEALS, words=item.seals.words), *states]


def _attended(table: TableStatus, since: float, language: Language) -> str:
    if table.attended is None or table.attended.at < since:
        return ""
    author, at = table.attended.author, time_of_day(table.attended.at)
    return language.text(N_("Arbiter: {name}, {time}"), name=author, time=at)


def _clock_error(table: TableStatus, language: Language) -> str:
    error = round(table.clock_error)
    if not error:
        return ""
    texts = (
        N_("The table's computer clock is {time} slow"),
        N_("The table's computer clock is {time} fast"),
    )
    return language.text(texts[error > 0], time=language.duration(abs(error)))


def _player(table: TableStatus, side: Side, language: Language, now: float) -> PlayerRow:
    name = table.players.of(side) or language.side(side)
    left, item = table.left(side.value, now), table.item
    if left is None or item is None:
        return PlayerRow(side.value, name)
    is_running = side.value in item.running and not item.is_over
    return PlayerRow(side.value, name, f"{now + left:.1f}", clock_text(max(left, 0)), is_running)


def render_overview(
    tables: Sequence[TableStatus],
    language: Language,
    problems: Sequence[str] = (),
    author: str = "",
) -> str:
    """Render the page with all tables. The page's script replaces the cards of changed tables."""
    now = time.monotonic()
    return _page(
        "overview.html",
        language.text(N_("The hall")),
        language,
        author,
        problems=problems,
        cards=[card(table, language, now) for table in tables],
    )


def render_sign_in(language: Language, wrong: str) -> str:
    """Render the sign-in page; `wrong` is the reason why the last attempt failed."""
    return _page("sign_in.html", language.text(N_("The hall")), language, "", wrong=wrong)


def _page(content: str, title: str, language: Language, author: str, **values: object) -> str:
    return render(
        "console.html",
        language,
        content=content,
        title=title,
        author=author,
        at=f"{time.monotonic():.1f}",
        time=time_of_day(time.time()),
        **values,
    )


def time_of_day(at: float) -> str:
    """Format a time in seconds since 1970 as the hall's local time, such as ``14:05``."""
    return time.strftime("%H:%M", time.localtime(at))


# Picture of a table's board, in which the sides differ in both shape and colour.


@dataclass(frozen=True)
class BoardSquare:
    """A square in the picture. Rows and columns are counted from the upper left corner."""

    row: int
    column: int
    is_lake: bool
    colour: str
    """The board's character for this square, such as "r" or "b" for a piece."""


def _squares(board: str) -> Iterator[BoardSquare]:
    """Yield the squares of a board of 100 characters: row 10 first, with Red at the bottom."""
    for index, colour in enumerate(board):
        row, column = divmod(index, WIDTH)
        is_lake = bool(LAKES >> ((WIDTH - 1 - row) * WIDTH + column) & 1)
        yield BoardSquare(row, column, is_lake, colour)


# A table's page: board, announcements, incidents and the arbiter's actions.

TimedItem: TypeAlias = tuple[Item, float]
"""An item, and the time at which it happened, in seconds since 1970."""
ANNOUNCED: Final = 40
"""Maximum number of recent announcements on the page."""
_INCIDENTS: Final = (*get_args(ReportedRuling), *get_args(Note))
ANSWER_SECONDS: Final = 30.0
"""Time in seconds after which a table is reported as not having answered. An order that the broker
could not deliver expires after `LASTS_SECONDS`."""
_TOO_LATE: Final = N_("Too late: the game has moved on")
_ANSWERS: Final = {True: N_("accepted"), False: _TOO_LATE}


def answer_words(act: Act, language: Language, now: float) -> str:
    """Return the result of a decision, or an empty string if it was not sent to the table.

    `now` is in seconds since 1970.
    """
    if act.content.get("what") == arbiters.ATTEND:
        return ""
    if act.taken is not None:
        return language.text(_ANSWERS[act.taken])
    is_late = now - act.at > ANSWER_SECONDS
    return language.text(N_("The table has not answered") if is_late else N_("sending …"))


def render_table_page(
    table: TableStatus,
    items: Sequence[TimedItem],
    acts: Sequence[Act],
    language: Language,
    problems: Sequence[str] = (),
    author: str = "",
) -> str:
    values = _table_values(table, items, acts, language)
    return _page("table_page.html", table.name, language, author, problems=problems, **values)


def render_end(table: TableStatus, end: arbiters.ActButton, language: Language, author: str) -> str:
    """Render the page that asks an arbiter to confirm the end of a game."""
    values = {"table": table, "end": end, "red": Side.RED, "blue": Side.BLUE}
    return _page("end_game.html", table.name, language, author, **values)


def render_too_late(table: TableStatus, language: Language, author: str) -> str:
    """Render the page that refuses a decision, because it was for an earlier game."""
    values = {"table": table, "words": language.text(_TOO_LATE)}
    return _page("too_late.html", table.name, language, author, **values)


def render_table(
    table: TableStatus, items: Sequence[TimedItem], acts: Sequence[Act], language: Language
) -> str:
    """Render the content of a table's page. The page's script replaces each section."""
    return render("table.html", language, **_table_values(table, items, acts, language))


def _table_values(
    table: TableStatus, items: Sequence[TimedItem], acts: Sequence[Act], language: Language
) -> dict[str, object]:
    announced, now = list(_announced(items, Announcer(language))), time.monotonic()
    return {
        "card": card(table, language, now),
        "squares": list(_squares(table.item.board)) if table.item else [],
        "letters": [name(square)[0] for square in SQUARES[:WIDTH]],
        "acts": arbiters.available_acts(table, language, now),
        "ends": arbiters.available_ends(table, language, now),
        "decided": [
            {
                "time": time_of_day(act.at),
                "author": act.author,
                "words": arbiters.act_text(act.content, language),
                "answer": answer_words(act, language, time.time()),
            }
            for act in reversed(acts)
        ],
        "incidents": [each for is_incident, each in announced if is_incident],
        "announcements": [each for _, each in announced[:ANNOUNCED]],
    }


def happened(items: Sequence[tuple[Item, float]]) -> list[TimedItem]:
    """Return the items of a game, each with the time of its event.

    `items` contains each item with the time at which it was stored. If the table or the hall was
    offline, an item was stored some time after its event. The time of the event is then calculated
    from the time of the next item, minus the interval between both items on the table's clock.
    """
    found: list[TimedItem] = []
    for item, came in reversed(items):
        if found:
            later, at = found[-1]
            came = min(came, at - max(0.0, later.at - item.at))  # noqa: PLW2901 (an upper bound)
        found.append((item, came))
    return found[::-1]


def _announced(items: Sequence[TimedItem], announcer: Announcer) -> Iterator[tuple[bool, str]]:
    """For each announcement, newest first, yield whether it reports an incident, and its text."""
    for item, at in reversed(items):
        ply = announcer.language.text(N_("ply {ply}"), ply=item.plies)
        when = f"{time_of_day(at)} · {ply}"
        for plain in reversed(item.events):
            with suppress(ValueError):
                event = read_event(plain)
                sentence = announcer.headline(event)
                if sentence:
                    yield _is_incident(event), f"{when} · {sentence}"


def _is_incident(event: Public) -> bool:
    return isinstance(event, _INCIDENTS) and not isinstance(event, OfferDraw | OfferUndo)
