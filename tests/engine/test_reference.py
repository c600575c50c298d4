"""Tests for the second referee, based on the text of the rulebooks.

These tests do not use the engine, because the engine is tested against this referee.
"""

import random
from collections import Counter
from dataclasses import dataclass, field

import pytest

from tests.campaigns import Campaign
from tests.engine.cases import each
from tests.reference import (
    ARMIES,
    EDITIONS,
    SQUARES,
    MadeMove,
    Piece,
    ReferenceGame,
    ahead,
    fight,
    goes_between_two_squares,
    moves_to_and_fro,
    next_to,
    shuttles,
    shuttles_in_other_words,
)

MADE_UP = Campaign("chases", part=3, whole=15)
"""Number of games in which two pieces chase each other."""
WANDERINGS = Campaign("scouts", part=50, whole=150)
"""Number of random scout walks for each limit."""
LIMITS = [(name, limit) for name, edition in EDITIONS.items() for limit in edition.limits]
BY_THE_RULEBOOK = [name for name in EDITIONS if name != "isf"]
UP_TO_THREE = [name for name, limit in LIMITS if limit == 3]
WITH_MORE_SQUARES = ["gravopedia-2006", "nordic-2015", "travel-2017", "isf"]

FIDGETS = ["k9-k8", "i9-i8", "k8-k9", "i8-i9"]
"""Blue's waiting moves. Two miners alternate, so no move is repeated."""
WAITING_BLUE = "k10 flag, k9 miner, i9 miner"


def pieces(red: str, blue: str) -> dict[str, Piece]:
    """Parse pieces with their squares, such as "a1 flag, a5 scout"."""
    standing = {}
    for side, listed in (("red", red), ("blue", blue)):
        for entry in listed.split(", "):
            square, rank = entry.split()
            standing[square] = Piece(side, rank)
    return standing


def play(game: ReferenceGame, ways: str) -> None:
    for way in ways.split():
        game.play(*way.split("-"))


def play_red(game: ReferenceGame, ways: str) -> None:
    """Make Red's moves, with a waiting move by Blue after each."""
    for way in ways.split():
        play(game, f"{way} {FIDGETS[len(game.moves['blue']) % 4]}")


def broken(game: ReferenceGame, way: str) -> set[str]:
    return game.broken_rules(*way.split("-"))


def free(game: ReferenceGame, source: str) -> set[str]:
    """Return the squares to which the piece on `source` may move."""
    return {target for square, target in game.legal_moves() if square == source}


# Two squares


def to_the_limit(game: ReferenceGame, one: str, other: str) -> None:
    """Move Red's piece back and forth. The limits are odd, so the piece ends on the other
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


# More squares


CIRCLE = "f7-f6 e7-f7 f6-e6 f7-f6 e6-e7 f6-e6 e7-f7"
"""Blue flees around a ring of four squares, and Red follows. The move e6-e7 would repeat the first
position."""


@each("edition", EDITIONS)
def test_chase_must_not_repeat_a_position(edition: str) -> None:
    standing = pieces("a1 flag, e8 miner", "k10 flag, f7 miner")
    game = ReferenceGame.by(edition, standing)
    play(game, f"e8-e7 {CIRCLE}")
    refused = {"more-squares"} if edition in WITH_MORE_SQUARES else set()
    assert broken(game, "e6-e7") == refused
    assert not broken(game, "e6-f6")  # a threat, but in a new position
    assert not broken(game, "e6-e5")  # not a threat


def test_reversed_move_repeats_a_position() -> None:
    game = ReferenceGame.by("isf", pieces("a1 flag, e6 miner", "k10 flag, f7 miner"))
    play(game, "e6-e7 f7-f8 e7-e8 f8-f7")
    assert not broken(game, "e8-e7")
    play(game, "e8-e7")
    assert game.plies[-1].after == game.plies[0].after
    assert len(game.chases["red"].plies) == 5


def test_chase_may_begin_with_an_attack() -> None:
    standing = pieces("a1 flag, e8 miner", "k10 flag, e7 scout, f7 miner")
    game = ReferenceGame.by("isf", standing)
    play(game, f"e8-e7 {CIRCLE}")
    assert game.chases["red"].plies[0].attack
    assert broken(game, "e6-e7") == {"more-squares"}


def test_an_attack_ends_a_chase() -> None:
    standing = pieces("a1 flag, e8 miner, a5 miner", "k10 flag, f7 miner, a6 scout")
    game = ReferenceGame.by("isf", standing)
    play(game, "e8-e7 f7-f6 e7-f7 f6-e6")
    evader = standing["e6"]
    assert game.chases["red"].evaders == [evader, evader]
    play(game, "a5-a6")
    assert game.chases == {"red": ([], []), "blue": ([], [])}


def test_attack_may_begin_the_next_chase() -> None:
    standing = pieces("a1 flag, e8 miner", "k10 flag, f7 miner, e6 scout")
    game = ReferenceGame.by("isf", standing)
    play(game, "e8-e7 f7-f6 e7-e6")
    assert game.chases["red"] == (game.plies[-1:], [])


def test_a_pause_ends_a_chase() -> None:
    standing = pieces("a1 flag, e8 miner, a2 miner", f"{WAITING_BLUE}, f7 miner")
    game = ReferenceGame.by("isf", standing)
    play(game, "e8-e7 f7-f6 e7-f7 f6-e6")
    play(game, "a2-a3 k9-k8 a3-a2 k8-k9")
    play(game, "f7-f6 e6-e7 f6-e6 e7-f7")
    assert not broken(game, "e6-e7")
    play(game, "e6-e7 f7-f6 e7-f7 f6-e6")
    assert broken(game, "f7-f6") == {"more-squares"}


def test_captured_attacker_threatens_no_piece() -> None:
    standing = pieces("a1 flag, a2 miner, e6 captain", "k10 flag, e7 bomb, f7 miner")
    game = ReferenceGame.by("isf", standing)
    play(game, "e6-e7 f7-f8")
    assert game.chases["red"] == ([], [])


def test_winning_attacker_threatens_its_neighbours() -> None:
    standing = pieces("a1 flag, a2 miner, e6 captain", "k10 flag, e7 scout, f7 miner")
    game = ReferenceGame.by("isf", standing)
    play(game, "e6-e7 f7-f8")
    assert game.chases["red"] == (game.plies, [standing["f8"]])


def test_infiltration_threatens_no_piece() -> None:
    standing = pieces("a1 flag, e8 infiltrator", "k10 flag, f8 miner, k8 miner")
    game = ReferenceGame.by("nordic-2015", standing)
    game.infiltrate("e8", "f8", "spy")
    play(game, "f8-f7")
    assert game.chases["red"] == ([], [])


@dataclass
class Bookkeeping:
    """Chase counters, written from the text of the rules alone."""

    chase: dict[str, int] = field(default_factory=lambda: {"red": 0, "blue": 0})
    evaders: dict[str, set[Piece]] = field(default_factory=lambda: {"red": set(), "blue": set()})
    positions: list[dict[str, Piece]] = field(default_factory=list)
    last_moves: list[MadeMove] = field(default_factory=list)

    def note(self, move: MadeMove, attack: bool, standing: dict[str, Piece]) -> None:
        side = move.piece.side
        other = "blue" if side == "red" else "red"
        if self._leaves_the_last_mover(move):
            self.chase[other] += 1
            self.evaders[other].add(move.piece)
        else:
            self._forget(other)
        if attack:
            self._forget(side)
            self._forget(other)
        beside = {standing[near].side for near in next_to(move.target) if near in standing}
        if standing.get(move.target) is move.piece and other in beside:
            self.chase[side] += 1
        else:
            self._forget(side)
        self.last_moves.append(move)
        self.positions.append(dict(standing))

    def _leaves_the_last_mover(self, move: MadeMove) -> bool:
        if not self.last_moves:
            return False
        last = self.last_moves[-1]
        stands = self.positions[-1].get(last.target) is last.piece
        return stands and last.target in next_to(move.source)

    def _forget(self, side: str) -> None:
        self.chase[side] = 0
        self.evaders[side] = set()

    def forbids(self, source: str, target: str) -> bool:
        if len(self.positions) < 2:
            return False
        now, own = self.positions[-1], self.last_moves[-2]
        piece = now[source]
        beside = {now[near] for near in next_to(target) if near in now}
        after = {place: other for place, other in now.items() if place != source} | {target: piece}
        return (
            bool(beside & self.evaders[piece.side])
            and any(self.positions[-1 - k] == after for k in range(1, self.chase[piece.side]))
            and (own.source, own.target) != (target, source)
        )


def chasing_moves(game: ReferenceGame) -> list[tuple[str, str]]:
    """Return the moves to empty squares next to an enemy, legal or not."""
    standing = game.standing
    enemy = {place for place, piece in standing.items() if piece.side != game.to_move}
    return [w for w in game.straight_moves() if w[1] not in standing and next_to(w[1]) & enemy]


def chase_or_flee(game: ReferenceGame, chance: random.Random) -> tuple[str, str]:
    """Choose a move towards an enemy piece or away from it. Rarely, choose an attack instead."""
    legal = game.legal_moves()
    attacks = [way for way in legal if way[1] in game.standing]
    if chance.random() < 0.03:
        return chance.choice(attacks or legal)
    near = next_to(game.plies[-1].move.target) if game.plies else set()
    fleeing = [way for way in legal if way[0] in near and way[1] not in game.standing]
    chasing = sorted(set(chasing_moves(game)) & set(legal))
    left = {ply.move.source for ply in game.plies[-10:]}
    choices = fleeing or chasing or legal
    beaten = [way for way in choices if way[1] in left]
    return chance.choice(beaten or choices)


@MADE_UP
def test_chases_match_the_engine_state() -> None:
    chance = random.Random("chases")
    found: Counter[str] = Counter()
    for _ in range(MADE_UP.size):
        red, blue = "a1 flag, e4 scout, f4 miner, i4 spy", "k10 flag, e7 scout, f7 miner, i7 spy"
        game, books = ReferenceGame.by("isf", pieces(red, blue), limit=5), Bookkeeping()
        while not game.ending and len(game.plies) < 100:
            for way in chasing_moves(game):
                rules = game.broken_rules(*way)
                if rules <= {"more-squares"}:
                    assert bool(rules) == books.forbids(*way), way
                    found.update(rules, asked=1)
            way = chase_or_flee(game, chance)
            attack = way[1] in game.standing
            game.play(*way)
            books.note(game.plies[-1].move, attack, game.standing)
            for side, chase in game.chases.items():
                assert len(chase.plies) == books.chase[side]
                assert set(chase.evaders) == books.evaders[side]
            found["attacks"] += attack
    assert found["more-squares"] > 2 * MADE_UP.size
    assert found["attacks"] > MADE_UP.size / 2


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
    """Play a lost attack on a6 by a red piece. Return the possible ranks of Blue's pieces."""
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
