"""Tests for the second referee, based on the text of the rulebooks: combat, endings and editions.

These tests do not use the engine, because the engine is tested against this referee.
"""

from collections import Counter

import pytest

from tests.engine.cases import each
from tests.engine.reference_games import LIMITS, WAITING_BLUE, broken, pieces, play
from tests.reference import ARMIES, EDITIONS, SQUARES, Piece, ReferenceGame, fight

BY_THE_RULEBOOK = [name for name in EDITIONS if name != "isf"]


# Combat and revealed ranks


@each(
    ("attacker", "defender", "remains"),
    [
        ("spy", "infiltrator", "attacker"),
        ("scout", "infiltrator", "attacker"),
        ("marshal", "infiltrator", "attacker"),
        ("infiltrator", "infiltrator", "attacker"),
        ("infiltrator", "spy", "nobody"),
        ("infiltrator", "scout", "defender"),
        ("infiltrator", "marshal", "defender"),
        ("infiltrator", "bomb", "defender"),
        ("infiltrator", "flag", "attacker"),
        ("spy", "marshal", "attacker"),
        ("marshal", "spy", "attacker"),
        ("miner", "bomb", "attacker"),
        ("marshal", "bomb", "defender"),
        ("major", "major", "nobody"),
    ],
)
def test_survivors_of_combat(attacker: str, defender: str, remains: str) -> None:
    assert fight(attacker, defender) == remains
    assert fight(attacker, defender, aggressor_advantage=True) == (
        "attacker" if remains == "nobody" else remains
    )


def seen_after(attacker: str, defender: str, elsewhere: str, silent: bool) -> dict[str, set[str]]:
    """Make a red piece attack a6 and lose. Return the possible ranks of Blue's pieces."""
    blue = f"k10 flag, k9 sergeant, a6 {defender}, i9 {elsewhere}"
    standing = pieces(f"a1 flag, a2 miner, a5 {attacker}", blue)
    game = ReferenceGame.by("isf", dict(standing), silent_defence=silent)
    possible = game.possible("blue")
    assert possible[standing["a6"]] == {"flag", "sergeant", defender, elsewhere}
    assert game.play("a5", "a6") == "defender"
    possible = game.possible("blue")
    return {place: possible[piece] for place, piece in standing.items() if piece.side == "blue"}


def test_silent_defender_reveals_only_its_win() -> None:
    seen = seen_after("captain", "bomb", "major", silent=True)
    assert seen == seen_after("captain", "major", "bomb", silent=True)
    assert seen["a6"] == {"bomb", "major"}


def test_scout_attack_names_a_silent_defender() -> None:
    assert seen_after("scout", "bomb", "major", silent=True)["a6"] == {"bomb"}


def test_defender_is_named() -> None:
    assert seen_after("captain", "major", "bomb", silent=False)["a6"] == {"major"}


def test_captured_defender_is_public() -> None:
    standing = pieces("a1 flag, a2 miner, a5 major", "k10 flag, k9 miner, a6 captain")
    game = ReferenceGame.by("isf", standing, silent_defence=True)
    defender = standing["a6"]
    play(game, "a5-a6")
    assert game.facts[defender] == {"captain"}
    assert game.fallen["blue"] == {"captain": 1}


# Endings


@each(("edition", "limit"), LIMITS)
@each("blue_can_move", [False, True])
def test_side_with_only_repetitions_loses(edition: str, limit: int, blue_can_move: bool) -> None:
    blue = "g10 flag, h10 bomb, i9 bomb, k9 bomb, i10 miner"
    game = ReferenceGame.by(
        edition,
        pieces(
            "d1 flag, c1 bomb, b2 bomb, a2 bomb, b1 miner",
            blue + ", e9 captain" * blue_can_move,
        ),
        limit,
    )
    for number in range(limit):
        play(game, "b1-a1 i10-k10" if number % 2 == 0 else "a1-b1 k10-i10")
    assert game.shut_in
    assert game.is_proved_stuck("red")
    lost = "blue", "no-legal-move"
    assert game.ending == (lost if blue_can_move else ("nobody", "both-immobile"))
    assert game.asked_at_the_table == (["blue"] if blue_can_move else [])


@each("edition", EDITIONS)
def test_unproved_immobility_needs_a_claim(edition: str) -> None:
    red, blue = "a1 miner, a2 bomb, b1 flag", "k10 miner, k9 bomb, i10 flag"
    game = ReferenceGame.by(edition, pieces(red, blue))
    assert game.ending == ("nobody", "both-immobile")
    assert game.asked_at_the_table == ["red", "blue"]


@each("edition", EDITIONS)
def test_both_armies_without_movers_is_a_draw(edition: str) -> None:
    standing = pieces("a1 flag, a5 miner", "k10 flag, k9 bomb, a6 miner")
    game = ReferenceGame.by(edition, standing)
    play(game, "a5-a6")
    assert game.ending == ("nobody", "both-immobile")
    assert game.asked_at_the_table == []


@each("edition", EDITIONS)
def test_army_without_movers_loses(edition: str) -> None:
    game = ReferenceGame.by(edition, pieces("a1 flag, a5 scout", "k10 flag, a6 miner"))
    play(game, "a5-a6")
    assert game.ending == ("blue", "no-movable-piece")


def test_correct_flag_guess_ends_the_game() -> None:
    standing = pieces("a1 flag, a8 infiltrator", "a10 flag, a9 bomb, k9 miner")
    game = ReferenceGame.by("nordic-2015", standing)
    assert game.infiltrate("a8", "a10", "flag")
    assert game.ending == ("red", "flag-captured")


@each(
    ("edition", "chosen", "loses"),
    [
        ("compact-1992", None, False),
        ("original-1992", None, False),
        ("gravopedia-2006", None, True),
        ("nordic-2015", None, False),
        ("travel-2017", None, False),
        ("travel-2017", True, True),
        ("isf", None, False),
    ],
)
def test_moved_bomb_penalty(edition: str, chosen: bool | None, loses: bool) -> None:
    standing = pieces("a1 flag, a2 bomb, k1 miner", WAITING_BLUE)
    game = ReferenceGame.by(edition, standing, moved_bomb_loses=chosen)
    assert broken(game, "a2-a3") == {"immobile-piece"}
    game.move_bomb()
    assert game.ending == (("blue", "moved-bomb") if loses else None)


# The editions


def set_up(army: str) -> dict[str, Piece]:
    ranks = list(Counter(ARMIES[army]).elements())
    red = {square: Piece("red", rank) for square, rank in zip(SQUARES, ranks, strict=False)}
    blue = {square: Piece("blue", rank) for square, rank in zip(SQUARES[60:], ranks, strict=False)}
    return red | blue


@each("edition", EDITIONS)
@each("army", ARMIES)
def test_editions_accept_only_their_armies(edition: str, army: str) -> None:
    if army in EDITIONS[edition].armies:
        assert ReferenceGame.by(edition, set_up(army), army=army).limit in {3, 5}
    else:
        with pytest.raises(AssertionError):
            ReferenceGame.by(edition, set_up(army), army=army)


def test_army_is_complete_and_at_home() -> None:
    incomplete, astray = set_up("duel"), set_up("duel")
    del incomplete["a1"]
    astray["a5"] = astray.pop("a1")
    for standing in (incomplete, astray):
        with pytest.raises(AssertionError):
            ReferenceGame.by("isf", standing, army="duel")


@each("edition", BY_THE_RULEBOOK)
def test_only_tournaments_choose_the_limit(edition: str) -> None:
    other = {3: 5, 5: 3}[EDITIONS[edition].limits[0]]
    with pytest.raises(AssertionError):
        ReferenceGame.by(edition, pieces("a1 flag, a5 scout", WAITING_BLUE), other)
