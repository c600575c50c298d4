"""Layout of every page, and texts that several pages share."""

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from html import escape
from typing import Final, get_args

from companion.core.inputs import OfferDraw, OfferUndo
from companion.hall.console.arbiters import act_words, offered
from companion.hall.protocol.feed import read_event
from companion.hall.protocol.feed_item import Item
from companion.hall.server.store import Act
from companion.hall.server.tables import ORDER, TableNow, Urgency
from companion.reports.incident_sheet import Told
from companion.speech.announcer import Announcer
from companion.speech.i18n import N_, Language
from companion.storage.notes import Note
from engine.board.geometry import LAKES, SQUARES, WIDTH, Side, name
from engine.board.visibility import Public
from engine.game.clocks import clock_text

_URGENCIES: Final = {
    Urgency.DISPUTE: N_("Dispute"),
    Urgency.VIOLATION: N_("Not allowed"),
    Urgency.GONE: N_("The table is gone"),
    Urgency.DISTURBED: N_("The board is not as it should be."),
    Urgency.NO_BOARD: N_("The board is not connected"),
    Urgency.HURRY: N_("Less than a minute"),
    Urgency.PAUSED: N_("Pause"),
    Urgency.OVER: N_("The game is over."),
    Urgency.WAITS: N_("No game yet"),
}


def frame(language: Language, title: str, body: str, *, author: str = "") -> str:
    """Render a complete page."""
    out = ""
    if author:
        words = escape(language.text(N_("Sign out")))
        out = (
            f'<form method="post" action="/sign-out"><span>{escape(author)}</span> '
            f"<button>{words}</button></form>"
        )
    hall = escape(language.text(N_("The hall")))
    return (
        f'<!doctype html><html lang="{language.code}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title>"
        '<link rel="stylesheet" href="/static/console.css">'
        '<script src="/static/console.js" defer></script></head>'
        f'<body><header><a href="/">{hall}</a>{out}</header>{body}</body></html>'
    )


def urgency_words(table: TableNow, urgency: Urgency, language: Language) -> str:
    """Return why a table needs an arbiter, or whose turn it is there."""
    if urgency is Urgency.CALLED and table.item and table.item.call:
        return Announcer(language).sentence(table.item.call)
    if urgency is Urgency.PLAYS and table.item:
        side = language.side(Side(table.item.to_move))
        return language.text(N_("{side} to move."), side=side)
    return language.text(_URGENCIES[urgency])


def clock(table: TableNow, side: Side, now: float) -> str:
    """Render a side's clock; the script keeps it running."""
    left = table.left(side.value, now)
    if left is None or table.item is None:
        return ""
    runs = " runs" if side.value in table.item.running and not table.item.is_over else ""
    shown = clock_text(max(left, 0))
    return f'<span class="clock{runs}" data-left="{left:.1f}">{shown}</span>'


# Overview of all tables; those that need an arbiter come first.


def overview(tables: Sequence[TableNow], language: Language) -> str:
    """Render the page's content; the script replaces the old cards by the new ones."""
    now = time.monotonic()
    cards = "".join(card(table, language, now) for table in tables)
    return f'<main id="tables" data-stream="/stream">{cards}</main>'


def card(table: TableNow, language: Language, now: float) -> str:
    urgency = table.urgency(now)
    words = escape(urgency_words(table, urgency, language))
    sides = "".join(_side(table, side, language, now) for side in Side)
    number = table.item.number if table.item else 0
    plies = escape(language.text(N_("ply {ply}"), ply=table.item.plies)) if table.item else ""
    return (
        f'<a class="card {urgency.value}" id="card-{table.name}" href="/tables/{table.name}"'
        f' data-order="{ORDER[urgency]}" data-item="{escape(table.game)} {number}">'
        f"<h2>{escape(table.name)} <small>{plies}</small></h2>"
        f'<p class="why">{words}</p>{sides}</a>'
    )


def _side(table: TableNow, side: Side, language: Language, now: float) -> str:
    named = escape(table.players.of(side) or language.side(side))
    return f'<p class="{side.value}"><span>{named}</span>{clock(table, side, now)}</p>'


# SVG picture of a table's board: the sides differ in shape as well as in colour.

_SIZE: Final = 40


def board_picture(board: str, label: str) -> str:
    """Draw the board from 100 characters, row 10 first; Red is at the bottom."""
    parts = []
    for index, colour in enumerate(board):
        row, column = divmod(index, WIDTH)
        x, y = column * _SIZE, row * _SIZE
        square = (WIDTH - 1 - row) * WIDTH + column
        kind = "lake" if LAKES >> square & 1 else "field"
        parts.append(f'<rect class="{kind}" x="{x}" y="{y}" width="40" height="40"/>')
        if colour == "r":
            place = f'x="{x + 8}" y="{y + 8}"'
            parts.append(f'<rect class="r" {place} width="24" height="24" rx="3"/>')
        elif colour == "b":
            parts.append(f'<circle class="b" cx="{x + 20}" cy="{y + 20}" r="13"/>')
    for index in range(WIDTH):
        middle = index * _SIZE + 20
        parts.append(f'<text x="-10" y="{middle + 5}">{WIDTH - index}</text>')
        parts.append(f'<text x="{middle}" y="416">{name(SQUARES[index])[0]}</text>')
    return (
        f'<svg class="board" viewBox="-22 -2 424 424" role="img" aria-label="{label}">'
        f"{''.join(parts)}</svg>"
    )


# Page of one table: board, announcements, incidents and the arbiter's actions.

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
    return isinstance(event, _INCIDENTS) and not isinstance(event, OfferDraw | OfferUndo)


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
