"""Overview of all tables; those that need an arbiter come first."""

import time
from collections.abc import Sequence
from html import escape

from companion.hall.console.page import clock, urgency_words
from companion.hall.server.tables import ORDER, TableNow
from companion.speech.language import N_, Language
from engine.board.geometry import Side


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
