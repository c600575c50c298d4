"""Pairs the next round: Swiss system, by the rules of the Dutch system.

The pairing engine is caissify-pairings, which counts in wins. It gets each score as a fraction of a
win, so that players with equal points form a group whatever a win is worth. Red begins, like White.
"""

from collections.abc import Sequence
from typing import Any, Final

from companion.hall.tournament.events import Paired, ResultMark, TournamentError
from companion.hall.tournament.tournament import RoundEntry, Tournament, check_pairable
from engine.board.geometry import Side

# Colour allocation of the Dutch system, with Red in the role of White.
# The pairing engine's allocation is not used. If two players have the same colour preference, the
# engine prefers the better seed, whereas the rules prefer the player with more points.


def preference(colours: Sequence[Side]) -> tuple[Side | None, int]:
    """Return a player's preferred next colour, given the colours of the games so far.

    The second value is the strength of the preference. The strength is 3 (absolute) after two games
    with one colour in a row, or with two more games of one colour than of the other; 2 with one
    more game of one colour; 1 to alternate; and 0 if no game was played.
    """
    if not colours:
        return None, 0
    surplus = colours.count(Side.RED) - colours.count(Side.BLUE)
    had_twice = len(colours) > 1 and colours[-1] is colours[-2]
    needed = Side.BLUE if surplus > 0 else Side.RED
    strength = 3 if had_twice or abs(surplus) > 1 else 2 if surplus else 1
    return needed if surplus else colours[-1].other, strength


def red_of(higher: int, lower: int, colours: dict[int, list[Side]], seeds: dict[int, int]) -> int:
    """Return which of two players plays Red; `higher` has more points or the better seed."""
    (wish, strength), (other_wish, other_strength) = (
        preference(colours[number]) for number in (higher, lower)
    )

    def give(number: int, side: Side) -> int:
        return number if side is Side.RED else higher + lower - number

    if wish and other_wish and wish is not other_wish:
        return give(higher, wish)
    if wish and strength > other_strength:
        return give(higher, wish)
    if other_wish and other_strength > strength:
        return give(lower, other_wish)
    if wish and strength == 3:
        wide, other_wide = (_imbalance(colours[number]) for number in (higher, lower))
        if wide != other_wide:
            return give(higher if wide > other_wide else lower, wish)
    latest = zip(reversed(colours[higher]), reversed(colours[lower]), strict=False)
    for own, other in latest:
        if own is not other:
            return give(higher, own.other)
    if wish:
        return give(higher, wish)
    return give(higher, Side.RED if seeds[higher] % 2 else Side.BLUE)


def _imbalance(colours: Sequence[Side]) -> int:
    return abs(colours.count(Side.RED) - colours.count(Side.BLUE))


_COLOURS: Final = {Side.RED: "white", Side.BLUE: "black"}


class NoEngineError(TournamentError):
    """The pairing engine is not installed."""

    def __init__(self) -> None:
        super().__init__(
            "Who plays whom is found by caissify-pairings, which is not installed; install it with "
            "“pip install 'boomboard[hall]'”, or in a clone with “tools/setup.sh hall”."
        )


def pair(tournament: Tournament) -> Paired:
    """Pair the next round.

    If such a pairing exists, no two players meet at a board again, and no player has a second bye
    or the same colour three times in a row.

    Raises:
        TournamentError: no round can be paired now, or only with a repeated game.
    """
    check_pairable(tournament)
    try:
        from caissify_pairings.engines.dutch import dutch_pairings  # noqa: PLC0415 (rarely needed)
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
            "The next round cannot be paired: too many of the present players have already met. "
            "End the tournament here, or bring back players who have withdrawn."
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
        "bye_count": marks.count(ResultMark.BYE),
        "forfeit_win_count": marks.count(ResultMark.WIN_UNPLAYED),
    }


def _colours(tournament: Tournament, number: int) -> list[Side]:
    """Return the colours that a player had in played games."""
    entries = tournament.entries[number]
    return [entry.side for entry in entries if entry.side and entry.mark.is_played]


def _seated(tournament: Tournament, *two: int) -> tuple[int, int]:
    """Return two players as (Red, Blue)."""
    higher, lower = sorted(two, key=lambda each: (-tournament.score(each), tournament.seeds[each]))
    colours = {number: _colours(tournament, number) for number in two}
    red = red_of(higher, lower, colours, tournament.seeds)
    return red, higher + lower - red


def _float(tournament: Tournament, entry: RoundEntry, number: int, done: int) -> str:
    """Return the float of a player in a round, against the scores after `done` rounds.

    A round without a game, for any reason, counts as a game against an opponent with fewer points.
    """
    if entry.opponent is None or not entry.mark.is_played:
        return "down"
    own, other = (_score_after(tournament, who, done) for who in (number, entry.opponent))
    return "none" if own == other else "down" if own > other else "up"


def _score_after(tournament: Tournament, number: int, done: int) -> int:
    return sum(tournament.points.of(entry.mark) for entry in tournament.entries[number][:done])


def _met(tournament: Tournament) -> set[tuple[int, int]]:
    """Return all pairs that have met at a board, in both orders."""
    return {
        (number, entry.opponent)
        for number, entries in tournament.entries.items()
        for entry in entries
        if entry.opponent and entry.mark.is_played
    }


def _importance(tournament: Tournament, game: tuple[int, int]) -> tuple[int, int, int]:
    """Return a sort key for the tables: the player with the most points sits at table 1."""
    ranked = sorted((-tournament.score(number), tournament.seeds[number]) for number in game)
    (highest, seed), (other, _) = ranked
    return highest, other, seed
