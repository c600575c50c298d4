"""Standings by points, with tie-breaks for players with equal points."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import groupby

from companion.hall.tournament.events import ResultMark
from companion.hall.tournament.tournament import Player, Tournament
from companion.speech.i18n import N_


class TieBreak(Enum):
    """Tie-breaks, in order of precedence; docs/tournament.md gives examples."""

    BUCHHOLZ = "Buchholz"
    SONNEBORN_BERGER = "Sonneborn-Berger"
    DIRECT = N_("Direct encounter")
    WINS = N_("Wins")

    @property
    def explained(self) -> str:
        return _EXPLAINED[self]


_EXPLAINED = {
    TieBreak.BUCHHOLZ: N_(
        "The sum of all opponents' points; a round without a game counts as many points as the "
        "player has."
    ),
    TieBreak.SONNEBORN_BERGER: N_(
        "The points of the opponents who were beaten, plus half the points of the opponents "
        "drawn with."
    ),
    TieBreak.DIRECT: N_(
        "Points from the games between the tied players, if all of them have played each other."
    ),
    TieBreak.WINS: N_("Games won over the board."),
}


@dataclass(frozen=True)
class Row:
    """A line of the standings."""

    place: int
    """Place in the standings. Tied players share a place."""
    player: Player
    points: int
    tie_breaks: tuple[float, ...]
    """Values in the order of `TieBreak`. Half points are possible."""


def standings(tournament: Tournament) -> list[Row]:
    """Rank all players, including withdrawn ones. Tied players are ordered by number."""
    points = {player.number: tournament.score(player.number) for player in tournament.players}
    values: dict[int, tuple[float, ...]] = {
        number: (float(score),) for number, score in points.items()
    }
    for rule in TieBreak:
        equals: dict[tuple[float, ...], list[int]] = {}
        for number, value in values.items():
            equals.setdefault(value, []).append(number)
        for value, group in equals.items():
            counted = _RULES[rule](tournament, points, group)
            values |= {number: (*value, counted[number]) for number in group}
    ordered = sorted(values, key=lambda number: (*(-value for value in values[number]), number))
    rows: list[Row] = []
    for value, group_ in groupby(ordered, key=values.__getitem__):
        place = len(rows) + 1
        rows += [
            Row(place, tournament.player(number), points[number], value[1:]) for number in group_
        ]
    return rows


Count = Callable[[Tournament, dict[int, int], Sequence[int]], dict[int, float]]
"""Computes a tie-break for tied players. The second argument contains the points of all players,
keyed by player number."""


def _buchholz(
    tournament: Tournament, points: dict[int, int], group: Sequence[int]
) -> dict[int, float]:
    return {
        number: sum(
            points[entry.opponent if entry.opponent and entry.mark.is_played else number]
            for entry in tournament.entries[number]
            if entry.mark is not ResultMark.OPEN
        )
        for number in group
    }


def _sonneborn_berger(
    tournament: Tournament, points: dict[int, int], group: Sequence[int]
) -> dict[int, float]:
    shares = {ResultMark.WIN: 1.0, ResultMark.DRAW: 0.5}
    return {
        number: sum(
            shares.get(entry.mark, 0.0) * points[entry.opponent]
            for entry in tournament.entries[number]
            if entry.opponent
        )
        for number in group
    }


def _direct(tournament: Tournament, _: dict[int, int], group: Sequence[int]) -> dict[int, float]:
    among = set(group)
    games = {
        number: [
            entry
            for entry in tournament.entries[number]
            if entry.opponent in among and entry.mark.is_played
        ]
        for number in group
    }
    if any(len({entry.opponent for entry in games[number]}) < len(group) - 1 for number in group):
        return dict.fromkeys(group, 0.0)
    return {
        number: float(sum(tournament.points.of(entry.mark) for entry in games[number]))
        for number in group
    }


def _wins(tournament: Tournament, _: dict[int, int], group: Sequence[int]) -> dict[int, float]:
    return {
        number: float(sum(entry.mark is ResultMark.WIN for entry in tournament.entries[number]))
        for number in group
    }


_RULES: dict[TieBreak, Count] = {
    TieBreak.BUCHHOLZ: _buchholz,
    TieBreak.SONNEBORN_BERGER: _sonneborn_berger,
    TieBreak.DIRECT: _direct,
    TieBreak.WINS: _wins,
}
