"""Explanations as English text and as plain data: turns, misplaced and lifted pieces."""

from collections.abc import Iterator
from typing import Any

from companion.table.story import Story, Turn
from engine.board.geometry import name, names
from engine.game.actions import Attack, Move
from firmware_bridge.image import Sensed

_SHOWS = {Sensed.RED: "something red", Sensed.BLUE: "something blue", Sensed.UNKNOWN: "something"}


def tell_story(story: Story, start: float) -> str:
    """Return an explanation as text; times count from `start`."""
    parts = [*_turns(story, start), *_left(story, start)]
    return "; ".join(parts) or "nobody has moved anything"


def why_unlikely(story: Story) -> str:
    """Return the arguments against an explanation, or an empty text."""
    amiss, rushed, early, oddity, counts = story.unlikeliness
    against = [
        f"{amiss:g} amiss" if amiss else "",
        f"{rushed:g} turns that no hand makes so fast" if rushed else "",
        f"an answer {early:.2f} s early" if early else "",
        f"oddity {oddity:g}" if oddity else "",
        "a piece counts that stood very shortly" if counts else "",
    ]
    return ", ".join(filter(None, against))


def write_story(story: Story) -> dict[str, Any]:
    """Encode an explanation as plain data."""
    amiss, rushed, early, oddity, counts = story.unlikeliness
    return {
        "turns": [turn_text(turn) for turn in story.turns],
        "wrong": [f"{name(each.source)}-{name(each.target)}" for each in story.wrong],
        "held": [name(each.source) for each in story.held],
        "strays": [name(each.square) for each in story.course.strays],
        "ghosts": names(story.course.ghosts).split(),
        "unlikeliness": {
            "amiss": amiss,
            "rushed": rushed,
            "early": early,
            "oddity": oddity,
            "counts": bool(counts),
        },
    }


def turn_text(turn: Turn) -> str:
    """Return a turn in notation."""
    return str((Attack if turn.is_attack else Move)(*turn.way))


def _turns(story: Story, start: float) -> Iterator[str]:
    for turn in story.turns:
        lifted, released = turn.lifted - start, turn.released - start
        kind = ", a strike that ends the turn before" if turn.strikes_on else ""
        yield f"{turn_text(turn)} (lifted {lifted:.2f} s, let go {released:.2f} s{kind})"


def _left(story: Story, start: float) -> Iterator[str]:
    for wrong in story.wrong:
        fault = wrong.violation.fault.name.lower().replace("_", " ")
        yield f"{name(wrong.source)} stands wrongly on {name(wrong.target)} ({fault})"
    for held in story.held:
        where = "is covered" if held.covered else "is in a hand"
        yield f"{name(held.source)} {where} since {held.lifted.by - start:.2f} s"
    for stray in story.course.strays:
        what = _SHOWS.get(stray.shows, "something")
        since = stray.since.by - start
        yield f"{what} shows on {name(stray.square)} since {since:.2f} s, and nobody knows whence"
    if story.course.ghosts:
        yield f"something has come and gone on {names(story.course.ghosts)}"
