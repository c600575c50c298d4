"""Two games that differ only in hidden ranks must look identical until different ranks are
revealed."""

import random
from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from engine.board.geometry import Side, square, squares_in
from engine.board.ranks import IMMOBILE, MOVABLE, ORIGINAL, Army, Rank
from engine.board.visibility import Private, Public, Secret
from engine.deduction.possible_ranks import RankDeduction
from engine.game.actions import Action, Declare
from engine.game.referee import Referee
from engine.game.rulings import Combat, Contradiction, Ruling
from engine.game.text_api import parse_action
from engine.game.views import public_view
from engine.rules.editions import EDITIONS
from tests.engine.examples import examples
from tests.engine.games import Game, shuffled
from tests.engine.tables import Setup
from tests.engine.test_deduction import TRIO
from tests.engine.test_infiltration import BEHIND, THERE


def reshuffled(setup: Setup, moved: set[int], same: set[int], chance: random.Random) -> Setup:
    """Swap hidden ranks without contradicting the moves in the game.

    Scouts keep their ranks. Unmoved pieces swap ranks only among themselves, and so do moved pieces
    other than scouts.
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
    """Return all public data of a referee as text."""
    return [
        repr(referee.position.board),
        str(referee.position),
        str(public_view(referee)),
        repr(referee.phase),
        repr(referee.to_move),
        repr(referee.open_attack),
        repr(referee.position.last_move),
        repr(referee.position.last_combat),
        repr(referee.outcome),
        repr(referee.actions[-1]),
        repr(referee.open_attack and referee.open_attack.awaited),
    ]


def redeclared(action: Action, referee: Referee, setup: Setup) -> Action:
    """Return the action. If it is a declaration, take its rank from `setup`."""
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
    """Replay the game with other ranks. Return how many declarations differed, and how many
    actions were compared.

    Stop as soon as a revealed rank or a private message to a player differs.
    """
    one, other = Referee.waiting(game.edition), Referee.waiting(game.edition)
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
    """Play a game, and create another setup in which the first combats reveal the same ranks."""
    chance = random.Random(seed)
    edition = replace(EDITIONS["isf"], army=army)
    game = Game(shuffled(army, chance, rows=4 if army is ORIGINAL else 2), edition, chance)
    game.play(plies)
    position = game.table.referee.position
    moved = {
        piece
        for side in Side
        for piece, ranks in position.player(side).deduction.individual.items()
        if not ranks & IMMOBILE
    }
    same = first_revealed(game, combats=chance.randrange(5))
    return game, reshuffled(game.setup, moved, same, chance)


def first_revealed(game: Game, combats: int) -> set[int]:
    """Return the pieces that were revealed in the first combats of a game."""
    referee = Referee.waiting(game.edition)
    for action in game.table.referee.actions:
        combats -= len(revealed(referee.apply(action)))
        if combats < 0:
            break
        deductions = [referee.position.player(side).deduction for side in Side]
        pieces = {
            piece
            for deduction in deductions
            for piece in deduction.facts
            if deduction.is_revealed(piece)
        }
    return pieces


@given(st.integers(0, 2**32 - 1), st.integers(1, 60))
@examples(8)
def test_hidden_ranks_are_not_public(seed: int, plies: int) -> None:
    compare(*play(seed, plies))


def test_compared_declarations_differ() -> None:
    counts = Counter(set(Rank) - {Rank.SCOUT, Rank.INFILTRATOR})
    no_scouts = Army("no scouts", {rank: counts[rank] for rank in Rank})
    hidden = compared = 0
    for seed in range(5):
        more = compare(*play(seed, 30, no_scouts))
        hidden, compared = hidden + more[0], compared + more[1]

    assert hidden >= 2
    assert compared >= 100


@given(st.integers(0, 2**32 - 1), st.integers(0, 12))
@examples(80)
def test_ranks_seen_by_the_referee_are_not_public(seed: int, plies: int) -> None:
    """The referee sees both armies. Blue's ranks differ between the two games."""
    chance, setup = random.Random(seed), Setup.parse(BEHIND)
    edition = replace(EDITIONS["nordic-2015"], army=setup.army)
    red = {at: rank for at, (side, rank) in setup.pieces.items() if side is Side.RED}
    blue = [at for at in setup.pieces if at not in red]
    games = []
    for _ in range(2):
        # The piece that moves on k8 is the same in both games.
        others = [at for at in blue if at != square("k8")]
        dealt = chance.sample([setup.ranks[at] for at in others], len(others))
        ranks = setup.ranks | dict(zip(others, dealt, strict=True))
        games.append(Referee.replay(edition, [replace(setup.placing, ranks=ranks)]))
    turns = [parse_action(each) for each in THERE.split()]
    for number in range(len(turns) + plies):
        if number >= len(turns):
            both = sorted({*map(str, games[0].legal_moves())} & {*map(str, games[1].legal_moves())})
            turns += [parse_action(chance.choice(both))] if both else []
        if number >= len(turns) or games[0].apply(turns[number]) != games[1].apply(turns[number]):
            return
        one, other = (game.information_state(Side.RED, red) for game in games)
        assert one == other
        for at in squares_in(games[0].position.board.occupied):
            assert games[0].possible(at) == games[1].possible(at)


def test_public_and_private_are_types() -> None:
    assert issubclass(Combat, Public)
    assert issubclass(Contradiction, Private)
    assert not issubclass(Contradiction, Public)
    assert not issubclass(Secret, Public)


def test_seen_ranks_become_public_when_they_are_revealed() -> None:
    unknown = RankDeduction(TRIO, range(4), {})
    seen = unknown.with_seen({1: Rank.MINER, 2: Rank.SCOUT})
    assert seen.possible(1) == 1 << Rank.MINER
    assert seen.public == unknown
    assert not seen.is_revealed(1)
    assert seen.public is seen.public
    shown = seen.with_revealed(1, Rank.MINER, ply=3)
    assert shown.is_revealed(1)
    assert shown.public == unknown.with_revealed(1, Rank.MINER, ply=3)
    assert shown.with_revealed(1, Rank.MINER, ply=5) is shown
    moved = seen.after_move(2, long_move=False, ply=1)
    assert moved.public.possible(2) == MOVABLE & TRIO.ranks
    assert moved.public.public is moved.public
