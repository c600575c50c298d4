"""Tests with random actions of all kinds.

Players lie and stand by their declarations, the arbiter overrides the rules, turns are taken back,
and infiltrators guess. The results are not predicted, but invariants must hold.
"""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from engine.board.geometry import COLUMNS, LAKES, SQUARES, Side, set_of, squares_in
from engine.board.ranks import Army, Rank, ranks_in
from engine.board.visibility import Secret
from engine.game import actions
from engine.game.game_state import Phase
from engine.game.referee import Referee
from engine.game.rulings import Contradiction, TakenBack, refuses
from engine.rules.editions import EDITIONS, Edition
from engine.rules.movement import targets
from tests.engine.examples import editions, examples
from tests.engine.games import shuffled
from tests.engine.tables import moment, state

EVERYTHING = replace(EDITIONS["nordic-2015"], both_immobile_draw=True, touch_move=True)
"""Artificial edition that permits every action."""
FIRST = 9
"""Seed of the first game. The dozen games that start here cover every action."""
MOVABLE = [rank for rank in Rank if rank not in (Rank.FLAG, Rank.BOMB)]


class Rowdies:
    """Players and an arbiter who perform random actions."""

    def __init__(self, edition: Edition, chance: random.Random) -> None:
        self.referee = Referee.waiting(edition)
        self.chance = chance
        self.done: Counter[type[actions.Action]] = Counter()
        rows = 1 if edition.army.size <= len(COLUMNS) else 4
        self.referee.apply(shuffled(edition.army, chance, rows, handicap=edition.handicap).placing)
        self.before: list[tuple[object, int]] = []
        """States before each turn, latest last. Each is stored with the number of corrections made
        by then, because corrections survive a take-back."""
        self.set_down: object = None
        """State before the latest amendment."""

    def play(self, count: int) -> None:
        for _ in range(count):
            if self.referee.phase is Phase.OVER:
                return
            self.act()
            self.check()

    def act(self) -> None:
        referee, was = self.referee, moment(self.referee)
        playing = referee.phase is Phase.PLAY
        begun = [
            a
            for a in referee.in_force
            if isinstance(a, actions.Attack | actions.Amend | actions.Override)
        ]
        action = next(self.ideas())
        rulings = referee.apply(action)
        if refuses(rulings):
            assert moment(referee) == was
            if isinstance(rulings[0], Contradiction) and isinstance(action, actions.Declare):
                self.insist_or_not(action)
            return
        self.done[type(action)] += 1
        if isinstance(action, actions.WithdrawAttack) and isinstance(begun[-1], actions.Amend):
            assert moment(referee) == self.set_down, "the position is the one before the attack"
        elif isinstance(action, actions.TakeBack | actions.WithdrawAttack) or isinstance(
            rulings[0], TakenBack
        ):
            before, corrections = self.before.pop()
            assert corrections < self.done[actions.Correct] or moment(referee) == before
        elif isinstance(action, actions.Amend):
            self.set_down = was
        elif playing and not isinstance(
            action, actions.Touch | actions.FreeTouched | actions.Correct
        ):
            self.before.append((was, self.done[actions.Correct]))

    def insist_or_not(self, refused: actions.Declare) -> None:
        if self.chance.random() < 0.8:
            assert not refuses(self.referee.apply(actions.UpholdDeclaration(refused.rank)))
            self.done[actions.UpholdDeclaration] += 1

    def ideas(self) -> Iterator[actions.Action]:
        """Yield possible actions in random order."""
        referee, chance = self.referee, self.chance
        if self.before and chance.random() < 0.08:
            yield actions.TakeBack()
        if referee.phase is Phase.PLAY:
            yield from self._other_actions()
            yield self.turn()
        if referee.phase is Phase.DISPUTE:
            yield actions.SettleDispute(chance.random() < 0.7)
        if referee.phase is Phase.GUESS:
            yield actions.AnswerGuess(chance.random() < 0.5)
        if referee.phase is Phase.SHOWING and chance.random() < 0.7:
            yield chance.choice(referee.legal_moves())
        if referee.phase in (Phase.STALEMATE, Phase.SHOWING):
            yield actions.AnswerStalemate(chance.random() < 0.7)
        assert referee.open_attack
        if not referee.open_attack.declared and chance.random() < 0.15:
            yield actions.WithdrawAttack()
        side = chance.choice(referee.open_attack.awaited)
        possible = list(ranks_in(referee.open_attack.possible[side]))
        lies = chance.random() < 0.3
        yield actions.Declare(Secret(side, chance.choice(list(Rank) if lies else possible)))

    def _other_actions(self) -> Iterator[actions.Action]:
        """Yield actions other than turns, including those that may accompany a turn."""
        referee, chance = self.referee, self.chance
        standing = list(squares_in(referee.position.board.occupied))
        last = referee.position.last_move
        amendments = (
            [actions.Amend(last[1], there) for there in chance.sample(SQUARES, 20)] if last else []
        )
        amendments = [way for way in amendments if referee.can_amend(way.source, way.target)]
        if amendments and chance.random() < 0.3:
            yield chance.choice(amendments)
        if chance.random() < 0.1:
            one, other = (referee.position.board.piece_at(chance.choice(standing)) for _ in "ab")
            mistakes: list[actions.Correction] = [
                actions.SwapCorrection(one, other),
                actions.NotAScout(one),
            ]
            mistakes.append(actions.RankCorrection(one, chance.choice(list(Rank))))
            mistake = chance.choice(mistakes)
            if referee.can_correct(mistake):
                yield actions.Correct(mistake)
        place = chance.choice(standing)
        if referee.can_touch(place) and chance.random() < 0.1:
            yield actions.Touch(place)
        if referee.can_touch(place, carried=True) and chance.random() < 0.03:
            yield actions.Touch(place, carried=True)
        if referee.position.excusable is not None and chance.random() < 0.5:
            yield actions.FreeTouched()
        if chance.random() < 0.05:
            yield self.adopted_board(standing)
        if chance.random() < 0.02:
            yield actions.ClaimStalemate()

    def adopted_board(self, standing: list[int]) -> actions.AdoptBoard:
        """Return the action with which the players accept a board as it stands. On this board, some
        pieces are on other squares, and one may be missing. The side to move is chosen at
        random."""
        chance = self.chance
        going = chance.sample(standing, min(len(standing), 3))
        gone = [going.pop()] if going and chance.random() < 0.4 else []
        free = [each for each in SQUARES if each not in standing and not LAKES >> each & 1]
        targets = chance.sample([*going, *free], len(going))
        shifted = tuple(
            actions.Relocation(source, target)
            for source, target in zip(going, targets, strict=True)
            if source != target
        )
        stays = {*going} - {shift.source for shift in shifted}
        if not shifted or any(shift.target in stays for shift in shifted):
            return actions.AdoptBoard((), set_of(going), self.referee.to_move)
        return actions.AdoptBoard(shifted, set_of(gone), chance.choice([*Side]))

    def turn(self) -> actions.Action:
        referee, chance = self.referee, self.chance
        board, side = referee.position.board, referee.to_move
        if chance.random() < 0.15:
            source = chance.choice(list(squares_in(board.occupied)))
            target = chance.choice(SQUARES)
            if referee.find_violation(source, target):
                return actions.Override(source, target)
        guesses = [
            (source, target)
            for source in squares_in(board.of(side))
            for target in targets(board.of(side.other), side, source)
        ]
        if guesses and chance.random() < 0.4:
            return actions.Infiltrate(*chance.choice(guesses), chance.choice(list(Rank)))
        turns = referee.legal_moves()
        return chance.choice(turns) if turns else actions.Infiltrate(*guesses[0], Rank.SPY)

    def check(self) -> None:
        referee, board = self.referee, self.referee.position.board
        assert board.red & board.blue == 0
        for side in Side:
            standing = board.standing(side)
            assert set_of(standing.values()) == board.of(side)
            assert len(standing) == board.of(side).bit_count()
        for place in squares_in(board.occupied):
            assert referee.position.ranks_at(place), "a piece has no possible rank"
        if referee.open_attack:
            assert all(referee.open_attack.possible.values()), "a side has no rank to declare"


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
@examples(8)
def test_invariants_hold_for_arbitrary_actions(
    edition: Edition, seed: int, movable: list[Rank], bombs: int, silent: bool, advantage: bool
) -> None:
    """Every piece has a rank, undone actions leave no trace, and replaying gives the same game."""
    rules = replace(
        edition,
        silent_defence=silent,
        aggressor_advantage=advantage,
        touch_move=advantage,
        both_immobile_draw=silent or edition.both_immobile_draw,
    )
    referee = play(seed, rules, movable, bombs).referee

    assert state(Referee.replay(referee.edition, referee.actions)) == state(referee)
    in_force = Referee.replay(referee.edition, referee.in_force)
    assert moment(in_force) == moment(referee), (
        "the actions that were not undone give the same game"
    )


def test_random_games_use_every_action() -> None:
    done: Counter[type[actions.Action]] = Counter()
    for seed in range(FIRST, FIRST + 48):
        movable = [Rank.INFILTRATOR, Rank.SCOUT, Rank.MINER, Rank.GENERAL]
        done += play(seed, EVERYTHING, movable, bombs=1).done

    kinds = {
        actions.Move,
        actions.Attack,
        actions.WithdrawAttack,
        actions.Declare,
        actions.UpholdDeclaration,
        actions.SettleDispute,
        actions.Touch,
        actions.Correct,
    }
    kinds |= {
        actions.AdoptBoard,
        actions.Infiltrate,
        actions.AnswerGuess,
        actions.Override,
        actions.Amend,
        actions.TakeBack,
        actions.ClaimStalemate,
        actions.AnswerStalemate,
        actions.FreeTouched,
    }
    assert {kind for kind, times in done.items() if times >= 3} == kinds, done
