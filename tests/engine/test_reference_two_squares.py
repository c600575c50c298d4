"""Tests for the second referee's two-squares rule, in both of its forms, without the engine."""

import random
from collections import Counter

import pytest

from tests.campaigns import Campaign
from tests.engine.cases import each
from tests.engine.reference_games import (
    FIDGETS,
    LIMITS,
    WAITING_BLUE,
    broken,
    free,
    pieces,
    play,
    play_red,
)
from tests.reference import (
    MadeMove,
    Piece,
    ReferenceGame,
    ahead,
    goes_between_two_squares,
    moves_to_and_fro,
    next_to,
    shuttles,
    shuttles_in_other_words,
)

WANDERINGS = Campaign("scouts", part=50, whole=150)
"""Number of random scout walks for each limit."""
UP_TO_THREE = [name for name, limit in LIMITS if limit == 3]


def to_the_limit(game: ReferenceGame, one: str, other: str) -> None:
    """Move Red's piece back and forth. The limits are odd numbers, so the piece ends on the other
    square."""
    for number in range(game.limit):
        way = f"{one}-{other}" if number % 2 == 0 else f"{other}-{one}"
        assert not broken(game, way), number
        play_red(game, way)


@each(("edition", "limit"), LIMITS)
@each("rank", ["scout", "sergeant"])
def test_the_next_move_after_the_limit_is_illegal(edition: str, limit: int, rank: str) -> None:
    game = ReferenceGame.by(edition, pieces(f"a1 flag, a5 {rank}", WAITING_BLUE), limit)
    to_the_limit(game, "a5", "a6")
    assert broken(game, "a6-a5") == {"two-squares"}
    assert not broken(game, "a6-a7")
    assert not broken(game, "a6-b6")


@each(("edition", "limit"), LIMITS)
def test_third_square_differs_by_form(edition: str, limit: int) -> None:
    game = ReferenceGame.by(edition, pieces("a1 flag, a5 scout", WAITING_BLUE), limit)
    to_the_limit(game, "a5", "a6")
    behind = {"a4", "a3", "a2"}
    assert free(game, "a6") & behind == (set() if edition == "isf" else behind)


@each("edition", UP_TO_THREE)
def test_long_move_stops_one_square_short(edition: str) -> None:
    game = ReferenceGame.by(edition, pieces("b1 flag, a3 scout", WAITING_BLUE))
    to_the_limit(game, "a3", "a8")
    down = {"a7", "a6", "a5", "a4", "a3", "a2", "a1"}
    assert free(game, "a8") & down == (set() if edition == "isf" else down - {"a3"})


@each(
    ("stops", "back"),
    [
        ("a2-a7 a7-a3 a3-a9", {"a8", "a7"}),  # A = 9, C = 7: may return as far as C
        ("a2-a7 a7-a3 a3-a5", set()),  # A = 5, C = 7: stopped short of C, so may not return
        (
            "a4-a7 a7-a3 a3-a5",
            set(),
        ),  # only the edge 4|5 was crossed three times; it blocks the way back
    ],
)
def test_part_of_a_long_return_is_free_by_borders(stops: str, back: set[str]) -> None:
    setup = f"b1 flag, {stops[:2]} scout"
    federation = ReferenceGame.by("isf", pieces(setup, WAITING_BLUE))
    rulebook = ReferenceGame.by("gravopedia-2006", pieces(setup, WAITING_BLUE))
    for game in (federation, rulebook):
        play_red(game, stops)
    last = stops[-2:]
    down = set(ahead(last, (0, -1)))
    assert free(federation, last) & down == back
    assert free(rulebook, last) & down == down


@each(("edition", "limit"), LIMITS)
def test_turn_of_another_piece_resets_the_count(edition: str, limit: int) -> None:
    setup = "a1 flag, a5 scout, e1 spy"
    game = ReferenceGame.by(edition, pieces(setup, WAITING_BLUE), limit)
    to_the_limit(game, "a5", "a6")
    play_red(game, "e1-e2")
    assert not broken(game, "a6-a5")
    to_the_limit(game, "a6", "a5")
    assert broken(game, "a5-a6") == {"two-squares"}


def test_infiltration_resets_the_count() -> None:
    standing = pieces("a1 flag, a7 infiltrator", f"{WAITING_BLUE}, a10 bomb")
    game = ReferenceGame.by("nordic-2015", standing)
    to_the_limit(game, "a7", "a8")
    assert not game.infiltrate("a8", "a10", "spy")
    play(game, "i8-i9")
    assert not broken(game, "a8-a7")


def test_staying_is_no_crossing() -> None:
    standing = pieces("a1 flag, a8 infiltrator", f"{WAITING_BLUE}, a10 bomb")
    game = ReferenceGame.by("nordic-2015", standing)
    for guess, way in zip(["spy", "scout", "major"], FIDGETS, strict=False):
        assert not game.infiltrate("a8", "a10", guess)
        play(game, way)
    assert broken(game, "a8-a8") == {"movement"}


@each("edition", UP_TO_THREE)
def test_an_attack_counts_like_a_move(edition: str) -> None:
    standing = pieces("a1 flag, a5 miner", f"{WAITING_BLUE}, a6 scout")
    game = ReferenceGame.by(edition, standing)
    to_the_limit(game, "a5", "a6")
    assert broken(game, "a6-a5") == {"two-squares"}


@each("edition", UP_TO_THREE)
def test_an_attack_is_refused_like_a_move(edition: str) -> None:
    standing = pieces("a1 flag, a5 miner", f"{WAITING_BLUE}, b5 scout")
    game = ReferenceGame.by(edition, standing)
    play(game, "a5-a6 k9-k8 a6-a5 i9-i8 a5-a6 b5-a5")
    assert broken(game, "a6-a5") == {"two-squares"}


def test_beginner_must_stop_first() -> None:
    game = ReferenceGame.by("isf", pieces("a1 flag, a5 miner, e1 spy", WAITING_BLUE))
    play(game, "a5-a6 k9-k8 a6-a5 k8-k9 a5-a6")
    assert not broken(game, "k9-k8")
    play(game, "k9-k8")
    assert broken(game, "a6-a5") == {"two-squares"}
    play(game, "e1-e2")
    assert broken(game, "k8-k9") == {"two-squares"}


def wander(chance: random.Random, moves: int) -> list[MadeMove]:
    """Move a scout on an empty board, mostly back and forth, but sometimes elsewhere."""
    scout, other = Piece("red", "scout"), Piece("red", "scout")
    made = [MadeMove(scout, "e5", "e7")]
    while len(made) < moves:
        before, place = made[-1].source, made[-1].target
        column, row = [(0, 1), (0, -1)], [(1, 0), (-1, 0)]
        lines = column if chance.random() < 0.9 else row
        target = chance.choice([square for line in lines for square in ahead(place, line)])
        mood = chance.random()
        if mood < 0.01:
            made.append(MadeMove(other, place, before))
        elif mood < 0.02:
            stays = [MadeMove(scout, place, place)]  # no piece moves, as in an infiltration
            made += stays * chance.randint(1, 6)
        made.append(MadeMove(scout, place, before if chance.random() < 0.6 else target))
    return made


@WANDERINGS
@pytest.mark.parametrize("limit", [3, 5])
def test_wordings_agree_about_scouts(limit: int) -> None:
    chance = random.Random(f"two squares {limit}")
    found: Counter[str] = Counter()
    for _ in range(WANDERINGS.size):
        made = wander(chance, 40)
        for number, move in enumerate(made):
            asked = made[:number], move.piece, move.source, move.target, limit
            rulebook, borders = shuttles(*asked), moves_to_and_fro(*asked)
            assert shuttles_in_other_words(*asked) == rulebook, made[: number + 1]
            assert goes_between_two_squares(*asked) == borders, made[: number + 1]
            assert borders or not rulebook
            found.update(rulebook=rulebook, borders=borders, asked=1)
    assert found["asked"] > 33 * WANDERINGS.size
    assert found["borders"] > found["rulebook"] > WANDERINGS.size / 1.5


@pytest.mark.parametrize("limit", [3, 5])
def test_forms_agree_for_single_steps(limit: int) -> None:
    chance = random.Random(f"steps {limit}")
    miner = Piece("red", "miner")
    forbidden = 0
    for _ in range(100):
        made: list[MadeMove] = []
        place = "e5"
        for _ in range(30):
            back = [move.source for move in made[-1:]] * 6
            target = chance.choice([*sorted(next_to(place)), *back])
            asked = made, miner, place, target, limit
            answers = {
                rule(*asked)
                for rule in (
                    shuttles,
                    shuttles_in_other_words,
                    moves_to_and_fro,
                    goes_between_two_squares,
                )
            }
            assert len(answers) == 1, made
            forbidden += answers.pop()
            made.append(MadeMove(miner, place, target))
            place = target
    assert forbidden > 100
