"""Games in which everything is done that can be done at a table, wise or not.

Players lie and insist, arbiters override, turns are taken back, infiltrators guess. Nobody knows
what should come of it; but the books must always balance.
"""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from engine.legality.infiltration import targets
from engine.legality.movement import reach
from engine.play.actions import (
    Action,
    AnswerGuess,
    Attack,
    Declare,
    Infiltrate,
    Insist,
    Move,
    Override,
    SettleDispute,
    SlideOn,
    TakeBack,
    WithdrawAttack,
)
from engine.play.moment import Phase
from engine.play.referee import Referee
from engine.play.rulings import Contradiction, refuses
from engine.ranks import Army, Rank, ranks_in
from engine.rulebook.editions import EDITIONS, Edition
from engine.secrecy import Secret
from engine.squares import SQUARES, squares_in
from tests.engine.examples import editions, examples
from tests.engine.games import shuffled
from tests.engine.tables import position, state

MOVABLE = [rank for rank in Rank if rank not in (Rank.FLAG, Rank.BOMB)]


class Rowdies:
    """Players and an arbiter who do anything."""

    def __init__(self, edition: Edition, chance: random.Random) -> None:
        self.referee = Referee.waiting(edition)
        self.chance = chance
        self.done: Counter[type[Action]] = Counter()
        self.referee.apply(shuffled(edition.army, chance, rows=1).placing)
        self.before: list[object] = []
        """The position before each turn that counts, the latest last."""

    def play(self, actions: int) -> None:
        for _ in range(actions):
            if self.referee.phase is Phase.OVER:
                return
            self.act()
            self.check()

    def act(self) -> None:
        """Do something that fits the phase."""
        referee, was = self.referee, position(self.referee)
        playing = referee.phase is Phase.PLAY
        action = next(self.ideas())
        rulings = referee.apply(action)
        if refuses(rulings):
            assert position(referee) == was
            if isinstance(rulings[0], Contradiction) and isinstance(action, Declare):
                self.insist_or_not(action)
            return
        self.done[type(action)] += 1
        if isinstance(action, TakeBack | WithdrawAttack):
            assert position(referee) == self.before.pop()
        elif playing and not isinstance(action, SlideOn):
            self.before.append(was)

    def insist_or_not(self, refused: Declare) -> None:
        if self.chance.random() < 0.5:
            assert not refuses(self.referee.apply(Insist(refused.rank)))
            self.done[Insist] += 1

    def ideas(self) -> Iterator[Action]:
        """Think of actions; the first one is as good as any."""
        referee, chance = self.referee, self.chance
        if self.before and chance.random() < 0.08:
            yield TakeBack()
        if referee.phase is Phase.PLAY:
            if (further := self.further()) and chance.random() < 0.3:
                yield further
            yield self.turn()
        if referee.phase is Phase.DISPUTE:
            yield SettleDispute(chance.random() < 0.7)
        if referee.phase is Phase.GUESS:
            yield AnswerGuess(chance.random() < 0.5)
        assert referee.open_attack
        if not referee.open_attack.declared and chance.random() < 0.1:
            yield WithdrawAttack()
        side = chance.choice(referee.open_attack.awaited)
        possible = list(ranks_in(referee.open_attack.possible[side]))
        lies = chance.random() < 0.3
        yield Declare(Secret(side, chance.choice(list(Rank) if lies else possible)))

    def further(self) -> SlideOn | None:
        """Push the piece of the latest move to another square of its way, if that can be."""
        squares = self.referee.position.last_move
        ways = [SlideOn(squares[1], target) for target in SQUARES] if squares else []
        legal = [way for way in ways if self.referee.can_slide_on(way.source, way.target)]
        return self.chance.choice(legal) if legal else None

    def turn(self) -> Action:
        referee, chance = self.referee, self.chance
        board, side = referee.position.board, referee.to_move
        if chance.random() < 0.15:
            source = chance.choice(list(squares_in(board.occupied)))
            target = chance.choice(SQUARES)
            if referee.find_violation(source, target):
                return Override(source, target)
        guesses = [
            (source, target)
            for source in squares_in(board.of(side))
            for target in targets(board, side, source)
        ]
        if guesses and chance.random() < 0.4:
            return Infiltrate(*chance.choice(guesses), chance.choice(list(Rank)))
        ways = [(s, t) for s in squares_in(board.of(side)) for t in reach(board, s)]
        legal = [way for way in ways if referee.find_violation(*way) is None]
        source, target = chance.choice(legal or ways)
        return (Attack if board.side_at(target) else Move)(source, target)

    def check(self) -> None:
        """The books balance."""
        referee, board = self.referee, self.referee.position.board
        assert board.red & board.blue == 0
        assert set(board._pieces) == set(squares_in(board.occupied))
        for place in squares_in(board.occupied):
            assert referee.dossier.possible(board.piece_at(place)), "somebody is stuck"
        if referee.open_attack:
            assert all(referee.open_attack.possible.values()), "somebody has nothing to declare"


def play(seed: int, edition: Edition, movable: list[Rank], bombs: int) -> Rowdies:
    counts = Counter([Rank.FLAG, *movable, *[Rank.BOMB] * bombs])
    army = Army("few", {rank: counts[rank] for rank in Rank})
    rowdies = Rowdies(replace(edition, army=army), random.Random(seed))
    rowdies.play(60)
    return rowdies


@editions
@given(
    st.integers(0, 2**32 - 1),
    st.lists(st.sampled_from(MOVABLE), min_size=2, max_size=5),
    st.integers(0, 2),
    st.booleans(),
    st.booleans(),
)
@examples(25)
def test_the_books_balance_whatever_is_done(
    edition: Edition, seed: int, movable: list[Rank], bombs: int, silent: bool, advantage: bool
) -> None:
    """Every piece has a rank, what is taken back was never made, the actions are the game."""
    rules = replace(edition, silent_defence=silent, aggressor_advantage=advantage)
    referee = play(seed, rules, movable, bombs).referee

    assert state(Referee.replay(referee.edition, referee.actions)) == state(referee)
    in_force = Referee.replay(referee.edition, referee.in_force)
    assert position(in_force) == position(referee), "and so are those that still count"


def test_such_games_do_everything() -> None:
    done: Counter[type[Action]] = Counter()
    for seed in range(60):
        movable = [Rank.INFILTRATOR, Rank.SCOUT, Rank.MINER, Rank.GENERAL]
        done += play(seed, EDITIONS["nordic-2015"], movable, bombs=1).done

    kinds = {Move, Attack, WithdrawAttack, Declare, Insist, SettleDispute}
    kinds |= {Infiltrate, AnswerGuess, Override, SlideOn, TakeBack}
    assert {kind for kind, times in done.items() if times >= 5} == kinds, done
