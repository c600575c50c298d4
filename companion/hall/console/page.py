"""Layout of every page, and texts that several pages share."""

from html import escape
from typing import Final

from companion.hall.server.tables import TableNow, Urgency
from companion.speech.announcer import Announcer
from companion.speech.language import N_, Language
from engine.board.geometry import Side
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
