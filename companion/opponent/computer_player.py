"""The computer player: setup, turns, and answers to offers."""

import random
from collections.abc import Mapping

from companion.opponent.knowledge import Knowledge
from companion.opponent.levels import Level
from companion.opponent.setup_choice import choose_setup
from engine.board.geometry import Side, Square
from engine.board.ranks import IMMOBILE, Rank, ranks_in
from engine.game.actions import Attack, Infiltrate, Turn
from engine.rules.combat import CombatResult, resolve
from engine.rules.editions import Edition


class ComputerPlayer:
    """A player of one side of one game.

    The same seed and knowledge always give the same answers.
    """

    setup: Mapping[Square, Rank]
    """Rank of each of its pieces, by the square on which the piece is set up."""

    def __init__(self, edition: Edition, side: Side, level: Level, seed: int) -> None:
        """Prepare a player; the seed determines its setup and its turns."""
        self.edition, self.side, self.level, self.seed = edition, side, level, seed
        self.setup = choose_setup(edition.army, side, random.Random(f"setup {seed}"))

    def choose(self, knowledge: Knowledge) -> Turn:
        """Return the turn to make; ValueError if no turn is legal."""
        state = knowledge.state
        if not state.turns:
            raise ValueError("no legal turn to choose from")
        chance = random.Random(f"turn {self.seed} {state.plies}")
        forward = 1 if self.side is Side.RED else -1

        def worth(turn: Turn) -> float:
            if isinstance(turn, Infiltrate):
                return -1
            step = (turn.target // 10 - turn.source // 10) * forward
            if not isinstance(turn, Attack):
                return 0.1 * step
            own = state.ranks[turn.source]
            enemies = list(ranks_in(state.possible[turn.target]))
            won = sum(resolve(own, rank) is CombatResult.ATTACKER_WINS for rank in enemies)
            return won / len(enemies) - 0.1 * own * (1 - won / len(enemies))

        return max(state.turns, key=lambda turn: worth(turn) + chance.random() * 0.2)

    def accepts_draw(self, knowledge: Knowledge) -> bool:
        """Whether to accept a draw that was offered: when not ahead."""
        lost = knowledge.state.captured
        return sum(lost[self.side.other].values()) <= sum(lost[self.side].values())

    def wants_to_resign(self, knowledge: Knowledge) -> bool:
        """Whether the game is hopeless: no piece is left that can move."""
        ranks = knowledge.state.ranks.values()
        return all(IMMOBILE >> rank & 1 for rank in ranks)
