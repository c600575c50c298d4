"""Games for simulated players, either recorded or random."""

import random
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, Protocol, TypeAlias

from companion.core.inputs import Command, OfferDraw
from companion.session.tabletop import deal
from engine.board.board import Piece
from engine.board.geometry import (
    LAKES,
    NEIGHBOURS,
    Side,
    Square,
    SquareSet,
    line,
    set_of,
    square,
    squares_in,
)
from engine.board.ranks import MOVABLE, Rank, ranks_in
from engine.game import actions
from engine.game.clocks import NO_CLOCK, TimeControl
from engine.game.position import Position
from engine.game.referee import Referee
from engine.records.adjudication import to_action
from engine.records.record import Record
from engine.rules.editions import EDITIONS, Edition
from engine.rules.movement import targets

LONGEST_RANDOM_GAME: Final = 300
"""Number of plies after which random players agree to a draw."""
AGREE_DRAW: Final = tuple(map(OfferDraw, Side))
"""Commands by which both players agree to a draw."""

Turn: TypeAlias = actions.Move | actions.Attack | actions.Infiltrate | actions.Override
"""A player's turn. An `Override` breaks a rule and is accepted by the arbiter."""


class SimulatedGame(Protocol):
    """Interface of the games that simulated players can play."""

    ranks: Mapping[Piece, Rank]
    red: SquareSet
    blue: SquareSet
    control: TimeControl
    """The time control; `NO_CLOCK` if the game is played without a clock."""
    last_words: tuple[actions.Action | Command, ...]
    """Commands given after the last turn; empty if the players stop without a command."""

    def turn(self, shadow: Referee) -> Turn | None:
        """Return the next turn, or None at the end. `shadow` is a referee that knows all ranks."""


class RecordedGame:
    """A game replayed from a record."""

    control: TimeControl = NO_CLOCK

    def __init__(self, record: Record) -> None:
        self.record = record
        self.ranks, self.red, self.blue = record.ranks, record.red, record.blue
        self.length = len(record.moves)
        self.last_words: tuple[actions.Action | Command, ...] = ()
        if record.result:
            winner = record.result.winner
            self.last_words = (actions.Resign(winner.other),) if winner else AGREE_DRAW

    def turn(self, shadow: Referee) -> Turn | None:
        """Return the recorded move that follows the plies played so far."""
        if shadow.plies >= self.length:
            return None
        return to_action(self.record.moves[shadow.plies], shadow.position)


class RandomGame:
    """A game with a random setup and random legal moves. The same seed gives the same game."""

    control: TimeControl = NO_CLOCK
    last_words: tuple[actions.Action | Command, ...] = AGREE_DRAW
    length: int = LONGEST_RANDOM_GAME
    """Number of plies after which the players agree to end the game."""

    def __init__(self, edition: Edition, seed: int) -> None:
        self._seed = seed
        red, blue = (deal(edition.army_of(side), side, seed) for side in Side)
        self.red, self.blue = set_of(red), set_of(blue)
        self.ranks: Mapping[Piece, Rank] = red | blue

    def turn(self, shadow: Referee) -> Turn | None:
        """Return a random legal move, or None if no move exists or the game is long enough."""
        legal = (turn for turn in shadow.legal_moves() if not isinstance(turn, actions.Infiltrate))
        moves = sorted(legal, key=lambda turn: (turn.source, turn.target))
        if not moves or shadow.plies >= self.length:
            return None
        return random.Random(f"{self._seed} {shadow.plies}").choice(moves)


# Random games with varied rules and endings.

_HURRIES: Final = 0.9
"""Probability that the player of an infiltrator uses the turn to guess a rank. If the infiltrator
cannot guess yet, it moves towards a square from which it can."""
_GUESSES_RIGHT: Final = 0.4
_BREAKS_A_RULE: Final = 0.05
"""Probability that a player breaks a rule in a turn, which the arbiter then accepts."""
_FRONT: Final = {Side.RED: square("b4"), Side.BLUE: square("a7")}
"""Starting squares of the infiltrators, chosen so that they do not block each other."""


@dataclass(frozen=True)
class _End:
    """One way for the players to end a game."""

    words: tuple[actions.Action | Command, ...]
    lengths: range = range(6, 40)
    """Possible numbers of plies after which the players end the game."""
    control: TimeControl = NO_CLOCK


_PLAYED_OUT: Final = _End(AGREE_DRAW, range(150, 151))
_QUICKLY: Final = range(4, 9)
"""Game lengths in plies. Even with all side actions, such a game ends within `_SECONDS`."""
_SECONDS: Final = 150
_ENDS: Final = (
    _PLAYED_OUT,
    _End(AGREE_DRAW),
    _End((actions.Resign(Side.RED),)),
    _End((), _QUICKLY, TimeControl("each", each=_SECONDS)),
    _End((actions.Forfeit(None),)),
    _End((actions.ClaimStalemate(),)),
    _PLAYED_OUT,
    _End((actions.Resign(Side.BLUE),)),
    _End((actions.Forfeit(Side.RED),)),
    _End((), _QUICKLY, TimeControl("whole", whole=_SECONDS)),
    _End((actions.Forfeit(Side.BLUE),)),
)
_RULES: Final = tuple(
    edition.with_army(army.name) for edition in EDITIONS.values() for army in edition.armies
)


SEALED: Final = 0.2
"""Probability that the armies are sealed."""


def varied_edition(seed: int) -> Edition:
    """Return the rules for a game. Successive seeds give different rulebooks and armies."""
    edition, dice = _RULES[seed % len(_RULES)], random.Random(f"{seed} rules")
    return replace(
        edition,
        two_squares_limit=dice.choice(edition.limits or (edition.two_squares_limit,)),
        moved_bomb=dice.choice(edition.moved_bomb_choices or (edition.moved_bomb,)),
        silent_defence=dice.choice((False, True)),
        aggressor_advantage=dice.choice((False, True)),
        touch_move=dice.choice((False, True)),
        # Because of the separate generator, existing seeds still produce the same games.
        sealed_armies=random.Random(f"{seed} seals").random() < SEALED,
    )


class VariedGame(RandomGame):
    """A random game with more variety. Successive seeds give different rules and endings.

    Together, such games cover cases that games under a single edition never reach. Infiltrators
    start in the front row and move to squares from which they can guess. Occasionally an arbiter
    accepts an illegal turn.
    """

    def __init__(self, seed: int) -> None:
        edition = varied_edition(seed)
        super().__init__(edition, seed)
        self.edition = edition
        end = _ENDS[seed % len(_ENDS)]
        self.last_words, self.control = end.words, end.control
        self.length = random.Random(f"{seed} length").choice(end.lengths)
        ranks = dict(self.ranks)
        for side, front in _FRONT.items():
            for piece in squares_in(self.red if side is Side.RED else self.blue):
                if ranks[piece] is Rank.INFILTRATOR:
                    ranks[piece], ranks[front] = ranks[front], ranks[piece]
        self.ranks = ranks

    def turn(self, shadow: Referee) -> Turn | None:
        """Return a random turn, sometimes an illegal one, or None at the end of the game."""
        usual = super().turn(shadow)
        if usual is None:
            return None
        dice = random.Random(f"{self._seed} {shadow.plies} varied")
        if dice.random() < _BREAKS_A_RULE:
            illegal = sorted(_illegal_ways(shadow.position))
            return actions.Override(*dice.choice(illegal)) if illegal else usual
        hurried = self._infiltrator_turn(shadow, dice) if dice.random() < _HURRIES else None
        return hurried or usual

    def _infiltrator_turn(self, shadow: Referee, dice: random.Random) -> Turn | None:
        """Return a turn for the infiltrator of the side to move, if the side has one."""
        position, side = shadow.position, shadow.to_move
        own = squares_in(position.own)
        source = next((s for s in own if position.ranks_at(s) == 1 << Rank.INFILTRATOR), None)
        if source is None:
            return None
        near = sorted(targets(position.enemy, side, source))
        if near:
            target = dice.choice(near)
            ranks = position.ranks_at(target)
            if dice.random() >= _GUESSES_RIGHT:
                ranks = position.edition.army.ranks
            return actions.Infiltrate(source, target, dice.choice(list(ranks_in(ranks))))
        step = _step_in(position, source)
        if step is None or shadow.find_violation(source, step):
            return None
        return actions.Move(source, step)


def _step_in(position: Position, source: Square) -> Square | None:
    """Return the first step on a free path to the opponent's home rows, or else a step forward."""
    side = position.to_move
    blocked = position.own | position.enemy | LAKES
    came_from, queue = {source: source}, deque([source])
    while queue:
        reached = queue.popleft()
        if side.other.home >> reached & 1:
            while came_from[reached] != source:
                reached = came_from[reached]
            return reached
        for onward in NEIGHBOURS[reached]:
            if onward not in came_from and not blocked >> onward & 1:
                came_from[onward] = reached
                queue.append(onward)
    ahead = [step for step in came_from if step - source == (10 if side is Side.RED else -10)]
    return next(iter(ahead), None)


def _illegal_ways(position: Position) -> Iterator[tuple[Square, Square]]:
    """Yield diagonal steps by the side to move, and out-of-turn steps by the other side."""
    for source in squares_in(position.own):
        if position.ranks_at(source) & MOVABLE:
            for target in _diagonal_neighbours(source):
                if position.can_stand(source, target):
                    yield source, target
    for source in squares_in(position.enemy):
        # A step by the piece that moved last could be taken for a continuation of its move.
        is_latest = position.last_move is not None and source == position.last_move[1]
        if position.ranks_at(source) & MOVABLE and not is_latest:
            for target in NEIGHBOURS[source]:
                if not (position.own | position.enemy | LAKES) >> target & 1:
                    yield source, target


def _diagonal_neighbours(source: Square) -> Iterator[Square]:
    """Return the squares that touch a square only at a corner."""
    beside = {onward for near in NEIGHBOURS[source] for onward in NEIGHBOURS[near]}
    return (each for each in sorted(beside) if each != source and line(source, each) is None)
