"""Codec for events: each is one line with a JSON object of time, author and content.

{"at": "2026-03-07T10:12:00+01:00", "by": "Ada", "do": "result", "round": 1, "table": 4, …}
"""

import json
from collections.abc import Mapping
from typing import Any, Final

from companion.hall.tournament.events import (
    Created,
    Event,
    Noted,
    Paired,
    PlayerAdded,
    Result,
    ResultSet,
    Returned,
    RoundUndone,
    TournamentError,
    Withdrew,
    read_points,
)

LONGEST: Final = 100_000
"""Maximum length of a line; a round of 2000 players takes a fifth of it."""


class LineError(TournamentError):
    """A line that encodes no event; the message says what is wrong."""


def write_line(noted: Noted) -> str:
    """Encode an event as a line, without line end."""
    said = {"at": noted.at, "by": noted.by, **_written(noted.event)}
    return json.dumps(said, ensure_ascii=False)


def read_line(line: str) -> Noted:
    """Decode the line of `write_line`; LineError if it is malformed."""
    if len(line) > LONGEST:
        raise LineError("the line is too long")
    try:
        said = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise LineError("this is no line of JSON") from error
    if not isinstance(said, dict):
        raise LineError("this is no JSON object")
    fields = _Fields(said)
    noted = Noted(fields.text("at"), fields.text("by"), _read(fields))
    fields.check_all_read()
    return noted


def _written(event: Event) -> dict[str, object]:
    match event:
        case Created():
            points = str(event.points)
            return {"do": "begin", "name": event.name, "rounds": event.rounds, "points": points}
        case PlayerAdded():
            return {"do": "enter", "name": event.name, "rating": event.rating}
        case Withdrew():
            return {"do": "withdraw", "player": event.player}
        case Returned():
            return {"do": "return", "player": event.player}
        case Paired():
            return {"do": "pair", "games": event.games, "bye": event.bye}
        case RoundUndone():
            return {"do": "unpair"}
        case ResultSet():
            return {
                "do": "result",
                "round": event.round,
                "table": event.table,
                "result": event.result.value if event.result else None,
                "reason": event.reason,
            }


def _read(fields: "_Fields") -> Event:
    match fields.text("do"):
        case "begin":
            name, rounds = fields.text("name"), fields.number("rounds")
            return Created(name, rounds, read_points(fields.text("points")))
        case "enter":
            return PlayerAdded(fields.text("name"), fields.number("rating"))
        case "withdraw":
            return Withdrew(fields.number("player"))
        case "return":
            return Returned(fields.number("player"))
        case "pair":
            return Paired(fields.games(), fields.number_or_none("bye"))
        case "unpair":
            return RoundUndone()
        case "result":
            number, table = fields.number("round"), fields.number("table")
            return ResultSet(number, table, fields.result(), fields.text("reason"))
        case other:
            raise LineError(f"nothing is called {other[:20]!r}")


class _Fields:
    """The fields of a line, each checked for the expected type."""

    def __init__(self, said: Mapping[str, Any]) -> None:
        self._said = dict(said)

    def text(self, name: str) -> str:
        value = self._take(name)
        if not isinstance(value, str):
            raise LineError(f"“{name}” is no text")
        return value

    def number(self, name: str) -> int:
        value = self._take(name)
        if not _is_number(value):
            raise LineError(f"“{name}” is no whole number")
        return int(value)

    def number_or_none(self, name: str) -> int | None:
        if self._said.get(name, ...) is None:
            self._take(name)
            return None
        return self.number(name)

    def games(self) -> tuple[tuple[int, int], ...]:
        value = self._take("games")
        if not isinstance(value, list) or not all(
            isinstance(each, list) and len(each) == 2 and all(map(_is_number, each))
            for each in value
        ):
            raise LineError("“games” are no pairs of players")
        return tuple((red, blue) for red, blue in value)

    def result(self) -> Result | None:
        value = self._take("result")
        if value is None:
            return None
        try:
            return Result(value)
        except ValueError as error:
            known = ", ".join(each.value for each in Result)
            raise LineError(f"“result” is none of {known}") from error

    def check_all_read(self) -> None:
        if self._said:
            raise LineError(f"nobody knows what {min(self._said)[:20]!r} is for")

    def _take(self, name: str) -> Any:
        if name not in self._said:
            raise LineError(f"“{name}” is missing")
        return self._said.pop(name)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
