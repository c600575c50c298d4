"""Invariants of every round, whatever happens in a tournament."""

import sys
from collections import Counter
from hashlib import sha256

import pytest

from companion.hall.tournament.events import (
    FEDERATION,
    Created,
    Event,
    GameResult,
    Paired,
    PlayerAdded,
    ResultMark,
    ResultSet,
    TournamentError,
)
from companion.hall.tournament.pairing import pair
from companion.hall.tournament.tournament import Tournament, begin, fold
from companion.hall.tournament.trf import write_trf
from engine.board.geometry import Side
from tests.campaigns import Campaign
from tests.companion.hall.tournament.played import end_of, played

SEEDS = Campaign("tournaments", part=4, whole=300)
EVENTS = Campaign("tournaments", part=1, whole=2)
_DIGESTS = {
    (24, 5): "eac8d214bc0d9627ebccf75b3a8bf0271f4a8e41045c9eddf75f25b96517d262",
    (200, 9): "deb4faa74d977ce8c226ffa47fb08a4e68e45b84b8eb23d1826790c85aaf1605",
}
"""Numbers of players and rounds in an event, and the checksum of all its output."""


def tournament_of(players: int, rounds: int = 5) -> Tournament:
    entering = [PlayerAdded(f"Player {number}", 2000 - number) for number in range(players)]
    return fold(begin(Created("Cup", rounds, FEDERATION)), entering)


@SEEDS
def test_the_absolute_rules_hold_in_every_tournament() -> None:
    for seed in range(SEEDS.size):
        tournament = end_of(played(9 + seed % 24, 5 + seed % 4, seed))
        for player in tournament.players:
            entries = tournament.entries[player.number]
            met = Counter(entry.opponent for entry in entries if entry.mark.is_played)
            assert all(times == 1 for times in met.values()), f"seed {seed}: they met twice"
            marks = [entry.mark for entry in entries]
            assert marks.count(ResultMark.BYE) <= 1, f"seed {seed}: a second bye"
            # In the last round the rules let the top players break this rule, for the sake of the
            # title.
            colours = [entry.side for entry in entries[:-1] if entry.mark.is_played]
            reds, blues = colours.count(Side.RED), colours.count(Side.BLUE)
            assert abs(reds - blues) <= 2, f"seed {seed}: colours out of balance"
            threes = zip(colours, colours[1:], colours[2:], strict=False)
            assert all(len(set(three)) > 1 for three in threes), f"seed {seed}: three in a row"


@EVENTS
def test_an_event_from_one_seed_is_what_it_was_byte_for_byte() -> None:
    for (players, rounds), digest in EVENTS.among(list(_DIGESTS.items())):
        told = write_trf(end_of(played(players, rounds, seed=1)))
        assert sha256(told.encode()).hexdigest() == digest


def test_the_upper_half_meets_the_lower_and_colours_alternate_down_the_tables() -> None:
    assert pair(tournament_of(8)) == Paired(((1, 5), (6, 2), (3, 7), (8, 4)))


def test_the_last_of_an_odd_number_has_a_bye() -> None:
    assert pair(tournament_of(5)).bye == 5


def test_winners_meet_winners() -> None:
    tournament = tournament_of(4)
    events: list[Event] = [pair(tournament)]
    events += [ResultSet(1, 1, GameResult.RED), ResultSet(1, 2, GameResult.BLUE)]
    assert {frozenset(game) for game in pair(fold(tournament, events)).games} == {
        frozenset({1, 2}),
        frozenset({3, 4}),
    }


def test_a_round_that_would_repeat_a_game_is_refused() -> None:
    tournament = tournament_of(2)
    after_one = fold(tournament, [pair(tournament), ResultSet(1, 1, GameResult.RED)])
    with pytest.raises(TournamentError, match="have already met"):
        pair(after_one)


def test_who_has_not_come_can_be_met_again() -> None:
    tournament = tournament_of(2)
    after_one = fold(tournament, [pair(tournament), ResultSet(1, 1, GameResult.RED_ABSENT)])
    assert {*pair(after_one).games[0]} == {1, 2}


def test_an_open_game_is_named_before_a_round_is_paired() -> None:
    tournament = tournament_of(4)
    half = fold(tournament, [pair(tournament), ResultSet(1, 1, GameResult.RED)])
    with pytest.raises(TournamentError, match="table 2 has no result yet"):
        pair(half)


def test_without_the_engine_one_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "caissify_pairings.engines.dutch", None)
    with pytest.raises(TournamentError, match=r"install it with “pip install 'boomboard\[hall\]'”"):
        pair(tournament_of(4))
