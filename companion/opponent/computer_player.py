"""The computer player: setup, turns, and answers to offers."""

import random
from collections.abc import Mapping

from companion.opponent.belief import Behaviour
from companion.opponent.knowledge import Knowledge, PastTurn
from companion.opponent.levels import TRAITS, Level
from companion.opponent.setup_choice import choose_setup
from companion.opponent.turn_choice import TurnChoice
from companion.opponent.valuation import combat_results
from engine.board.geometry import Side, Square
from engine.board.ranks import IMMOBILE, Rank
from engine.game.actions import Turn
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
        self.setup = choose_setup(edition, side, random.Random(f"setup {seed}"))
        self._folded: tuple[tuple[PastTurn, ...], Behaviour]
        self._folded = (), Behaviour(side, combat_results(edition))

    def choose(self, knowledge: Knowledge) -> Turn:
        """Return the turn to make; ValueError if no turn is legal."""
        if not knowledge.turns:
            raise ValueError("no legal turn to choose from")
        choice = TurnChoice(
            self.edition, knowledge, self._behaviour(knowledge), TRAITS[self.level], self.seed
        )
        return choice.best()

    def accepts_draw(self, knowledge: Knowledge) -> bool:
        """Whether to accept a draw offer: only if the player is not ahead."""
        lost = knowledge.state.captured
        return sum(lost[self.side.other].values()) <= sum(lost[self.side].values())

    def wants_to_resign(self, knowledge: Knowledge) -> bool:
        """Whether the game is hopeless: no piece is left that can move."""
        ranks = knowledge.state.ranks.values()
        return all(IMMOBILE >> rank & 1 for rank in ranks)

    def _behaviour(self, knowledge: Knowledge) -> Behaviour:
        """Return the evidence from a history, continuing the latest evidence if possible."""
        history = knowledge.history
        folded, behaviour = self._folded
        if history[: len(folded)] != folded:
            behaviour = Behaviour(self.side, combat_results(self.edition))
        behaviour.fold(history[behaviour.turns :])
        self._folded = history, behaviour
        return behaviour
