"""Stratego as a PettingZoo environment (AEC interface), for reinforcement learning.

Requires ``pip install "boomboard-engine[pettingzoo]"``; nothing else in the engine imports this
module. The agents are ``"red"`` and ``"blue"``. The environment knows both armies and declares
their ranks to a `Referee`, so an attack is resolved within one step. An observation is derived from
public facts and the agent's own ranks, so it cannot depend on hidden ranks.

Each agent sees the board from its own side. Square 0 is the left end of the agent's back row. The
number of a square is ``10 * row + column``. An action is a single number:

- ``100 * source + target`` is a move or an attack
- ``10_000 + 13 * (8 * source + direction) + rank`` is an infiltration: the infiltrator on `source`
  guesses that the piece on ``source + INFILTRATION_STEPS[direction]`` has this rank
"""

import random
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import (
    AssertOutOfBoundsWrapper,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)

from engine.board import NotationError, board_text
from engine.board.board import Piece
from engine.board.geometry import LAKES, SQUARES, WIDTH, Side, Square, squares_in
from engine.board.ranks import MOVABLE, Rank, RankSet
from engine.game import actions, text_api
from engine.game.referee import IllegalActionError, Referee
from engine.rules.editions import Edition
from engine.rules.movement import is_long_move
from engine.rules.repetition import recent_moves
from engine.rules.setup import Placed, find_faults

Turn: TypeAlias = actions.Move | actions.Attack | actions.Infiltrate
Observation: TypeAlias = dict[str, NDArray[Any]]

SIDES: Final[Mapping[str, Side]] = {side.value: side for side in Side}
"""Side of each agent."""
INFILTRATION_STEPS: Final = (1, 2, -1, -2, WIDTH, 2 * WIDTH, -WIDTH, -2 * WIDTH)
"""Offsets from the square of an infiltrator to the squares that it can infiltrate."""

_MOVES: Final = len(SQUARES) ** 2
ACTIONS: Final = _MOVES + len(SQUARES) * len(INFILTRATION_STEPS) * len(Rank)
"""Size of the action space."""

PLANES: Final = (
    *(f"own {rank.name.lower()}" for rank in Rank),
    *(f"own piece that can be a {rank.name.lower()} to the opponent" for rank in Rank),
    *(f"piece of the opponent that can be a {rank.name.lower()}" for rank in Rank),
    *(f"fraction of the agent's {rank.name.lower()} pieces that have fallen" for rank in Rank),
    *(f"fraction of the opponent's {rank.name.lower()} pieces that have fallen" for rank in Rank),
    *("own piece that has moved", "piece of the opponent that has moved", "lake"),
    *("source of the agent's latest turn", "target of the agent's latest turn"),
    *("source of the opponent's latest turn", "target of the opponent's latest turn"),
    "fraction of the two-squares limit that the agent's piece has used up",
    "fraction of the two-squares limit that the opponent's piece has used up",
    "piece of the opponent that has evaded in the current chase of the agent",
    "own piece that has evaded in the current chase of the opponent",
)
"""Meaning of each plane of an observation. All values are in the range 0 to 1."""

_RANK_BITS: Final = np.arange(len(Rank))[:, np.newaxis]
_FALLEN: Final = 3 * len(Rank)
_SINGLE: Final = 5 * len(Rank)
"""Index of the first plane that does not represent a rank."""


def env(**options: Any) -> AECEnv[str, Observation, int | None]:
    """Return a `StrategoEnv` in the usual wrappers. An agent that takes an illegal action loses."""
    illegal = TerminateIllegalWrapper(StrategoEnv(**options), illegal_reward=-1)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(illegal))


def action_of(turn: Turn, side: Side) -> int:
    """Return the number of a turn in the action space of the side that makes it."""
    source, target = _rotate(turn.source, side), _rotate(turn.target, side)
    if not isinstance(turn, actions.Infiltrate):
        return len(SQUARES) * source + target
    direction = INFILTRATION_STEPS.index(target - source)
    return _MOVES + len(Rank) * (len(INFILTRATION_STEPS) * source + direction) + turn.guess


def _rotate(square: Square, side: Side) -> Square:
    """Convert a square's number between Red's view of the board and a side's own view."""
    return square if side is Side.RED else len(SQUARES) - 1 - square


class StrategoEnv(AECEnv[str, Observation, int | None]):
    """A game between two agents. Each step is one turn of the agent to move.

    At the end, the reward is 1 for the winner and -1 for the loser. Otherwise, it is 0. The game is
    truncated after `max_plies`. Raises NotationError if an action is illegal.
    """

    metadata: Final = {
        "name": "boomboard_stratego_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        edition: Edition | str = "original-1992",
        *,
        army: str | None = None,
        board: str | None = None,
        max_plies: int = 4000,
        render_mode: str | None = None,
    ) -> None:
        """Create an environment. `reset` begins a game.

        Args:
            edition: An `Edition`, or the id of one (`engine.EDITIONS`).
            army: Another army of that edition, such as ``"barrage"``.
            board: Diagram of both armies with every rank (`engine.board.board_text`). By default,
                each game begins with a random setup.
            max_plies: Number of turns after which a game is truncated.
            render_mode: If this is ``"ansi"``, `render` returns a text diagram.
        """
        super().__init__()
        self.edition = text_api.edition(edition, army)
        self.render_mode = render_mode
        self.possible_agents = list(SIDES)
        self.agents: list[str] = []
        self._board, self._max_plies = board, max_plies
        self._random = random.Random()
        planes = Box(0, 1, (len(PLANES), WIDTH, WIDTH), np.float32)
        mask = Box(0, 1, (ACTIONS,), np.int8)
        self.observation_spaces = {
            agent: Dict({"observation": planes, "action_mask": mask}) for agent in SIDES
        }
        self.action_spaces = {agent: Discrete(ACTIONS) for agent in SIDES}

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game. A `seed` makes this game and all later ones reproducible.

        ``options["board"]`` is a diagram of the setup, used for this game only. Raises
        IllegalActionError if the edition does not allow the armies in the diagram.
        """
        if seed is not None:
            self._random = random.Random(seed)
        board = (options or {}).get("board", self._board)
        self._ranks = self._draw_armies() if board is None else self._read_armies(board)
        """Rank of each piece, by setup square."""
        hidden = board_text.draw(lambda at: _token(at) if at in self._ranks else None)
        self.game = Referee(self.edition, board=hidden)
        self.agents = list(SIDES)
        self._cumulative_rewards = dict.fromkeys(SIDES, 0.0)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in SIDES}
        self._finish_turn()

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        turn = None if action is None else self._turns.get(int(action))
        if turn is None:
            raise NotationError(f"an action that {agent}'s mask allows", action)
        self._cumulative_rewards[agent] = 0.0
        self.game.apply(turn)
        self._finish_turn()

    def observe(self, agent: str) -> Observation:
        mask = np.zeros(ACTIONS, np.int8)
        if SIDES[agent] is self.game.to_move:
            mask[list(self._turns)] = 1
        return {"observation": self._planes(SIDES[agent]), "action_mask": mask}

    def render(self) -> str | None:
        """Return the board with the ranks of both sides, or None if no `render_mode` was given."""
        if self.render_mode is None:
            return None
        game = self.game
        pieces = {
            square: f"{side.value[0]}{self._rank_on(square).symbol}"
            for side in Side
            for square in squares_in(game.position.squares(side))
        }
        state = game.outcome.reason.value if game.outcome else f"{game.to_move.value} to move"
        return f"{board_text.draw(pieces.get)}\n{game.plies} plies, {state}"

    def close(self) -> None:
        """Do nothing: there are no resources to release."""

    def __str__(self) -> str:
        return str(self.metadata["name"])

    # -- armies

    def _draw_armies(self) -> dict[Piece, Rank]:
        ranks: dict[Piece, Rank] = {}
        for side in Side:
            army = self.edition.army_of(side).pieces
            squares = self._random.sample([*squares_in(side.home)], len(army))
            ranks.update(zip(squares, army, strict=True))
        return ranks

    def _read_armies(self, board: str) -> dict[Piece, Rank]:
        (red, blue), ranks = text_api.armies(board)
        placed = [
            Placed(square, side, ranks.get(square))
            for side, army in zip(Side, (red, blue), strict=True)
            for square in squares_in(army)
        ]
        if hidden := [piece for piece in placed if piece.rank is None]:
            raise NotationError("a rank for each piece on the board", f"{len(hidden)} without one")
        if faults := find_faults(self.edition, placed):
            raise IllegalActionError(actions.PlaceArmies(red, blue), faults)
        return ranks

    def _rank_on(self, square: Square) -> Rank:
        return self._ranks[self.game.position.pieces[square]]

    # -- turns

    def _finish_turn(self) -> None:
        """Answer the referee until the next turn is due, then update the agents."""
        self._answer_referee()
        outcome = self.game.outcome
        is_late = outcome is None and self.game.plies >= self._max_plies
        self.terminations = dict.fromkeys(SIDES, outcome is not None)
        self.truncations = dict.fromkeys(SIDES, is_late)
        self.rewards = dict.fromkeys(SIDES, 0.0)
        if outcome and outcome.winner:
            self.rewards[outcome.winner.value] = 1.0
            self.rewards[outcome.winner.other.value] = -1.0
        self.agent_selection = self.game.to_move.value
        self._accumulate_rewards()

    def _answer_referee(self) -> None:
        """Answer all of the referee's questions truthfully until a side has to choose a turn.

        If a side's movable pieces are blocked, the referee does not know whether the side can move.
        This method therefore also claims that a side cannot move, and answers such claims.
        """
        game = self.game
        self._turns: dict[int, Turn] = {}
        while not game.outcome:
            stalemate = game.stalemate
            if attack := game.open_attack:
                for side in attack.awaited:
                    game.declare(side, self._rank_on(attack.square(side)))
            elif guess := game.open_guess:
                game.push(actions.AnswerGuess(self._rank_on(guess.target) is guess.guess))
            elif stalemate and not stalemate.showing:
                game.push(actions.AnswerStalemate(able=True))
            elif (turn := next(self._legal_turns(), None)) is None:
                game.push(
                    actions.AnswerStalemate(able=False) if stalemate else actions.ClaimStalemate()
                )
            elif stalemate:
                game.apply(turn)
            else:
                self._turns = {action_of(turn, game.to_move): turn for turn in self._legal_turns()}
                return

    def _legal_turns(self) -> Iterator[Turn]:
        """Yield the turns that the side to move can take with the ranks of its pieces."""
        for turn in self.game.legal_moves():
            rank = self._rank_on(turn.source)
            if isinstance(turn, actions.Infiltrate):
                if rank is Rank.INFILTRATOR and not self.game.stalemate:
                    yield turn
                continue
            is_far = is_long_move(turn.source, turn.target)
            if MOVABLE >> rank & 1 and (rank is Rank.SCOUT or not is_far):
                yield turn

    # -- observations

    def _planes(self, side: Side) -> NDArray[np.float32]:
        """Return the planes for a side, from public facts and its own ranks."""
        position = self.game.position
        planes = np.zeros((len(PLANES), len(SQUARES)), np.float32)
        sets = np.zeros((3, len(SQUARES)), np.int64)
        single = planes[_SINGLE:]
        for number, owner in enumerate((side, side.other)):
            player = position.player(owner)
            for square in squares_in(position.squares(owner)):
                piece = position.pieces[square]
                sets[1 + number, square] = player.deduction.possible(piece)
                single[number, square] = piece in player.deduction.moved
                if owner is side:
                    sets[0, square] = 1 << self._ranks[piece]
            fallen, army = planes[_FALLEN + number * len(Rank) :], self.edition.army_of(owner)
            for rank, count in player.captured.items():
                fallen[rank] = count / army.counts[rank]
            self._mark_turns(owner, single[3 + 2 * number :], single[7 + number])
            self._mark_pieces(position.chase(owner)[1], single[9 + number])
        single[2, [*squares_in(LAKES)]] = 1
        ranks = sets[:, np.newaxis, :] >> _RANK_BITS & 1
        planes[:_FALLEN] = ranks.reshape(_FALLEN, len(SQUARES))
        seen = planes if side is Side.RED else planes[:, ::-1]
        return np.ascontiguousarray(seen).reshape(len(PLANES), WIDTH, WIDTH)

    def _mark_turns(
        self, side: Side, turn: NDArray[np.float32], repetition: NDArray[np.float32]
    ) -> None:
        """Mark the latest turn's squares, and show how often its piece moved back and forth."""
        position = self.game.position
        run = position.run(side)
        if run is None:
            return
        turn[0, run[1]] = turn[1, run[2]] = 1
        limit = self.edition.two_squares_limit
        common, count = -1, 0
        for source, target, _ in recent_moves(run, limit):
            common &= position.traces[source][target]
            count += bool(common)
        square = position.find(run[0])
        if square is not None:
            repetition[square] = count / limit

    def _mark_pieces(self, pieces: RankSet, plane: NDArray[np.float32]) -> None:
        for piece in squares_in(pieces):
            square = self.game.position.find(piece)
            if square is not None:
                plane[square] = 1


def _token(square: Square) -> str:
    """Return the token of a piece of unknown rank, given the square on which it was set up."""
    return "r?" if Side.RED.home >> square & 1 else "b?"
