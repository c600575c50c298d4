"""Tests for the second referee's more-squares rule, without the engine."""

import random
from collections import Counter
from dataclasses import dataclass, field

from tests.campaigns import Campaign
from tests.engine.cases import each
from tests.engine.reference_games import WAITING_BLUE, broken, pieces, play
from tests.reference import EDITIONS, MadeMove, Piece, ReferenceGame, next_to

MADE_UP = Campaign("chases", part=3, whole=15)
"""Number of games in which two pieces chase each other."""
WITH_MORE_SQUARES = ["gravopedia-2006", "nordic-2015", "travel-2017", "isf"]
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
    """Choose a move towards an enemy piece or away from it or, occasionally, an attack."""
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
