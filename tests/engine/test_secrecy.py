"""Two games that differ only in hidden ranks look the same, until a reveal that differs."""

import random
from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from engine.knowledge.dossier import Ground
from engine.play.actions import Action, Attack, Declare
from engine.play.referee import Referee
from engine.play.rulings import Combat, Contradiction, Ruling
from engine.ranks import IMMOBILE, ORIGINAL, Army, Rank
from engine.rulebook.editions import EDITIONS
from engine.secrecy import Private, Public, Secret
from engine.sides import Side
from tests.engine.examples import examples
from tests.engine.games import Game, shuffled
from tests.engine.tables import Setup, Table, declare, way


def reshuffled(setup: Setup, moved: set[int], same: set[int], chance: random.Random) -> Setup:
    """Exchange hidden ranks, in a way that the moves of the game do not contradict.

    Scouts and what never moved stay what they are or change among themselves.
    """

    def kind(piece: int, rank: Rank) -> str:
        if piece in same:
            return "same"
        if piece not in moved:
            return "never moved"
        return "scout" if rank is Rank.SCOUT else "walker"

    pieces = dict(setup.pieces)
    for side in Side:
        for wanted in ("never moved", "walker"):
            group = [p for p, (s, r) in pieces.items() if s is side and kind(p, r) == wanted]
            ranks = [pieces[piece][1] for piece in group]
            chance.shuffle(ranks)
            pieces |= {p: (side, rank) for p, rank in zip(group, ranks, strict=True)}
    return Setup(pieces)


def seen(referee: Referee) -> list[str]:
    """Everything that the public can ask of a referee, as text."""
    return [
        repr(referee.position.board),
        str(referee.position.board),
        repr(referee.phase),
        repr(referee.to_move),
        repr(referee.open_attack),
        repr(referee.position.last_move),
        repr(referee.position.last_combat),
        repr(referee.captured),
        repr(referee.outcome),
        repr(referee.actions),
        repr(referee.open_attack and referee.open_attack.awaited),
    ]


def redeclared(action: Action, referee: Referee, setup: Setup) -> Action:
    """The same action, but a declaration tells the rank that the piece has in this setup."""
    if not isinstance(action, Declare):
        return action
    assert referee.open_attack
    side = action.rank.owner
    attacking = side is referee.to_move
    piece = referee.position.board.piece_at(
        referee.open_attack.source if attacking else referee.open_attack.target
    )
    return Declare(Secret(side, setup.ranks[piece]))


def revealed(rulings: tuple[Ruling, ...]) -> list[Ruling]:
    return [ruling for ruling in rulings if isinstance(ruling, Combat)]


def compare(game: Game, other_setup: Setup) -> tuple[int, int]:
    """Play the game again with other ranks; count declarations that differed and were not seen.

    Stops where a reveal, or what a player learns in private, differs.
    """
    one, other = Referee(game.edition), Referee(game.edition)
    hidden = compared = 0
    for action in game.table.referee.actions:
        again = redeclared(action, other, other_setup)
        rulings, other_rulings = one.apply(action), other.apply(again)
        if isinstance(other_rulings[-1], Contradiction):
            return hidden, compared
        if revealed(rulings) != revealed(other_rulings):
            return hidden, compared
        assert rulings == other_rulings
        assert repr(rulings) == repr(other_rulings)
        assert seen(one) == seen(other)
        assert one.find_violation(0, 55) == other.find_violation(0, 55)
        hidden += again != action
        compared += 1
    return hidden, compared


def play(seed: int, plies: int, army: Army = ORIGINAL) -> tuple[Game, Setup]:
    """Play a game and set up another that shows the same in its first combats."""
    chance = random.Random(seed)
    edition = replace(EDITIONS["isf"], army=army)
    game = Game(shuffled(army, chance, rows=4 if army is ORIGINAL else 2), edition, chance)
    game.play(plies)
    dossier = game.table.referee.dossier
    moved = {piece for piece in game.setup.pieces if not dossier._alone[piece] & IMMOBILE}
    same = first_revealed(game, combats=chance.randrange(5))
    return game, reshuffled(game.setup, moved, same, chance)


def first_revealed(game: Game, combats: int) -> set[int]:
    """Return the pieces that were revealed in the first combats of a game."""
    referee = Referee(game.edition)
    for action in game.table.referee.actions:
        combats -= len(revealed(referee.apply(action)))
        if combats < 0:
            break
        pieces = {
            piece
            for piece, facts in referee.dossier._facts.items()
            if any(fact.ground is Ground.REVEALED for fact in facts)
        }
    return pieces


@given(st.integers(0, 2**32 - 1), st.integers(1, 60))
@examples(30)
def test_hidden_ranks_show_nowhere_before_their_reveal(seed: int, plies: int) -> None:
    compare(*play(seed, plies))


def test_the_property_above_does_compare_declarations_that_differ() -> None:
    counts = Counter(set(Rank) - {Rank.SCOUT, Rank.INFILTRATOR})
    no_scouts = Army("no scouts", {rank: counts[rank] for rank in Rank})
    hidden = compared = 0
    for seed in range(50):
        more = compare(*play(seed, 30, no_scouts))
        hidden, compared = hidden + more[0], compared + more[1]

    assert hidden >= 10
    assert compared >= 500


def test_what_is_public_and_what_is_private_are_types() -> None:
    assert issubclass(Combat, Public)
    assert issubclass(Contradiction, Private)
    assert not issubclass(Contradiction, Public)
    assert not issubclass(Secret, Public)


# -- silent defence

SILENT = """
    10  bF   .   .   .   .   .   .   .   .   .
     9   .   .   .   .   .   .   .   .   .   .
     8   .   .   .   .   .   .   .   .   .   .
     7   .  b9   .   . b10  b8   .   .  bB  b2
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4  r8   .   .   . r10  r9   .   .  rB  r2
     3   .   .   .   .   .   .   .   .   .   .
     2   .   .   .   .   .   .   .   .   .   .
     1  rF   .   .   .   .   .   .   .   .   .
         a   b   c   d   e   f   g   h   i   k
"""
OTHERWISE = SILENT.replace("b9", "b0").replace("b10", "b9").replace("b0", "b10")
"""The same, but Blue's general and marshal have changed places."""
TWO_DEFENCES = "a4-a5 k7-k8 a5-b5 k8-k9 b5-b6 k9-k10 b6xb7 b7-b6 f4-f5 b6-b5 f5-e5 e7-e6"
"""Red's colonel falls at b7, who stays unnamed and walks on."""


def test_who_wins_unnamed_stays_hidden_until_the_reveal() -> None:
    rules = replace(EDITIONS["isf"], silent_defence=True)
    one, other = (Table.of(drawn, rules=rules) for drawn in (SILENT, OTHERWISE))
    for move in TWO_DEFENCES.split():
        rulings, other_rulings = one.play(move), other.play(move)
        assert repr(rulings) == repr(other_rulings)
        assert seen(one.referee) == seen(other.referee)
        assert repr(one.referee.dossier._facts) == repr(other.referee.dossier._facts)
    for place in ("b5", "e6"):
        assert one.rank_at(place) is not other.rank_at(place), "and they do differ"

    for table in (one, other):
        table.play("k4-k5 f7-f6 e4-d4 b5-b4 d4-d3 b4-c4 d3-d4")
        table.referee.apply(Attack(*way("c4 d4")))
    assert seen(one.referee) == seen(other.referee), "known to the referee, and not asked for"
    ends = [table.referee.apply(declare(Side.RED, Rank.MARSHAL)) for table in (one, other)]
    assert ends[0] != ends[1]
    assert [type(ruling) for ruling in ends[0]] == [type(ruling) for ruling in ends[1]]
