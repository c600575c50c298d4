"""Page of one table: board, announcements, incidents and the arbiter's actions."""

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from html import escape
from typing import Final, get_args

from companion.hall.console.acts import act_words, offered
from companion.hall.console.board import board_picture
from companion.hall.console.page import clock, urgency_words
from companion.hall.feed.event_reader import read_event
from companion.hall.feed.item import Item
from companion.hall.server.store import Act
from companion.hall.server.tables import TableNow
from companion.speech.announcer import Announcer
from companion.speech.language import N_, Language
from companion.store.incidents import Told
from companion.store.notes import Note
from companion.table.sayings import OfferDraw, OfferTakeBack
from engine.board.geometry import Side
from engine.board.visibility import Public

ANNOUNCED: Final = 40
"""Maximum number of recent items on the page."""
_INCIDENTS: Final = (*get_args(Told), *get_args(Note))
_ANSWERS: Final = {
    None: N_("on its way"),
    True: N_("taken by the table"),
    False: N_("not taken: the table has gone on"),
}


def table_page(
    table: TableNow, items: Sequence[Item], acts: Sequence[Act], language: Language
) -> str:
    """Render the page's content; the script replaces each part."""
    now = time.monotonic()
    urgency = table.urgency(now)
    status = escape(urgency_words(table, urgency, language))
    sides = "".join(
        f'<p class="{side.value}"><span>{escape(table.players.of(side) or language.side(side))}'
        f"</span>{clock(table, side, now)}</p>"
        for side in reversed(Side)
    )
    board = board_picture(table.item.board, escape(table.name)) if table.item else ""
    said = list(_announced(items, Announcer(language)))
    recorded, incidents, announcements = (
        escape(language.text(each))
        for each in (
            N_("What an arbiter decides is recorded with the game."),
            N_("Incidents"),
            N_("Announcements"),
        )
    )
    return (
        f'<main class="table" data-stream="/stream/{table.name}">'
        f'<section id="board"><h1>{escape(table.name)}</h1>{board}</section>'
        f'<section id="state" class="{urgency.value}"><p class="why">{status}</p>{sides}</section>'
        f'<section id="acts">{offered(table, language)}<p class="hint">{recorded}</p>'
        f"{_decided(acts, language)}</section>"
        f'<section id="incidents"><h2>{incidents}</h2>'
        f"{_list((each for is_incident, each in said if is_incident), language)}</section>"
        f'<section id="said"><h2>{announcements}</h2>'
        f"{_list((each for _, each in said[:ANNOUNCED]), language)}</section></main>"
    )


def _announced(items: Sequence[Item], announcer: Announcer) -> Iterator[tuple[bool, str]]:
    """Yield the announcements, newest first, each with whether an arbiter would record it."""
    for item in reversed(items):
        when = announcer.language.text(N_("ply {ply}"), ply=item.plies)
        for plain in reversed(item.events):
            with suppress(ValueError):
                event = read_event(plain)
                said = announcer.headline(event)
                if said:
                    yield _is_incident(event), f"{when} · {said}"


def _is_incident(event: Public) -> bool:
    return isinstance(event, _INCIDENTS) and not isinstance(event, OfferDraw | OfferTakeBack)


def _list(said: Iterator[str], language: Language) -> str:
    entries = "".join(f"<li>{escape(each)}</li>" for each in said)
    nothing = escape(language.text(N_("Nothing has come up.")))
    return f"<ul>{entries}</ul>" if entries else f'<p class="hint">{nothing}</p>'


def _decided(acts: Sequence[Act], language: Language) -> str:
    entries = []
    for act in reversed(acts):
        words = act_words(act.said, language)
        told = language.text(_ANSWERS[act.taken])
        entries.append(f"<li>{escape(act.author)}: {escape(words)} – {escape(told)}</li>")
    return f"<ul>{''.join(entries)}</ul>" if entries else ""
