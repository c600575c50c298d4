"""Pairing of the next round: Swiss system, by the rules of the Dutch system.

The engine is caissify-pairings, which counts in wins: it gets each score as a fraction of a win, so
that players of equal points form a group whatever a game counts. Red begins, as White does.
"""

from typing import Any, Final

from companion.hall.tournament.colours import red_of
from companion.hall.tournament.event import Paired
from companion.hall.tournament.fold import check_pairable
from companion.hall.tournament.marks import Mark, TournamentError
from companion.hall.tournament.tournament import Entry, Tournament
from engine.board.geometry import Side

_COLOURS: Final = {Side.RED: "white", Side.BLUE: "black"}


class NoEngineError(TournamentError):
    """The pairing engine is not installed."""

    def __init__(self) -> None:
        super().__init__(
            "Who plays whom is found by caissify-pairings, which is not installed; install it with "
            "“pip install boomboard[hall]”."
        )


def pair(tournament: Tournament) -> Paired:
    """Pair the next round.

    As long as such a pairing exists, no two players meet at a board again, and no player has a
    second bye or the same colour three times in a row.

    Raises:
        TournamentError: no round can be paired now, or not without a repeated game.
    """
    check_pairable(tournament)
    try:
        from caissify_pairings.engines.dutch import dutch_pairings  # noqa: PLC0415 (few need it)
    except ImportError as error:
        raise NoEngineError from error
    found = dutch_pairings(
        players=[
            _described(tournament, player.number)
            for player in tournament.players
            if player.is_present
        ],
        previous_pairings=_met(tournament),
        round_number=len(tournament.rounds) + 1,
        total_rounds=tournament.planned,
    )
    games = [
        _seated(tournament, each["white_id"], each["black_id"])
        for each in found
        if not each.get("bye")
    ]
    byes = [each["white_id"] for each in found if each.get("bye")]
    met = _met(tournament)
    if len(byes) > 1 or any(game in met for game in games):
        raise TournamentError(
            "The next round cannot be paired: too many of those who are there have met already. "
            "End the tournament here, or let others come back."
        )
    games.sort(key=lambda game: _importance(tournament, game))
    return Paired(tuple(games), byes[0] if byes else None)


def _described(tournament: Tournament, number: int) -> dict[str, Any]:
    """Return the engine's description of a player."""
    entries = tournament.entries[number]
    marks = [entry.mark for entry in entries]
    return {
        "id": number,
        "score": tournament.score(number) / tournament.points.win,
        "starting_number": tournament.seeds[number],
        "pairing_number": tournament.seeds[number],
        "color_hist": [_COLOURS[side] for side in _colours(tournament, number)],
        "float_history": [
            _float(tournament, entry, number, done) for done, entry in enumerate(entries)
        ],
        "bye_count": marks.count(Mark.BYE),
        "forfeit_win_count": marks.count(Mark.WIN_UNPLAYED),
    }


def _colours(tournament: Tournament, number: int) -> list[Side]:
    """The colours that a player had in games that were played."""
    entries = tournament.entries[number]
    return [entry.side for entry in entries if entry.side and entry.mark.is_played]


def _seated(tournament: Tournament, *two: int) -> tuple[int, int]:
    """Return two players as (Red, Blue)."""
    higher, lower = sorted(two, key=lambda each: (-tournament.score(each), tournament.seeds[each]))
    colours = {number: _colours(tournament, number) for number in two}
    red = red_of(higher, lower, colours, tournament.seeds)
    return red, higher + lower - red


def _float(tournament: Tournament, entry: Entry, number: int, done: int) -> str:
    """Return the float of a player in a round, against the scores after `done` rounds.

    A round without a game, for whatever reason, counts as one against an opponent of fewer points.
    """
    if entry.opponent is None or not entry.mark.is_played:
        return "down"
    own, other = (_score_after(tournament, who, done) for who in (number, entry.opponent))
    return "none" if own == other else "down" if own > other else "up"


def _score_after(tournament: Tournament, number: int, done: int) -> int:
    return sum(tournament.points.of(entry.mark) for entry in tournament.entries[number][:done])


def _met(tournament: Tournament) -> set[tuple[int, int]]:
    """All pairs that have met at a board, in both orders."""
    return {
        (number, entry.opponent)
        for number, entries in tournament.entries.items()
        for entry in entries
        if entry.opponent and entry.mark.is_played
    }


def _importance(tournament: Tournament, game: tuple[int, int]) -> tuple[int, int, int]:
    """Sort key of the tables: the player with the most points sits at the first."""
    ranked = sorted((-tournament.score(number), tournament.seeds[number]) for number in game)
    (highest, seed), (other, _) = ranked
    return highest, other, seed
