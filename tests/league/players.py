"""Contestants: the levels of the computer opponent, and two simple players."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from companion.opponent.computer_player import ComputerPlayer
from companion.opponent.knowledge import collect_knowledge
from companion.opponent.levels import Level
from companion.opponent.setup_choice import choose_setup
from engine import Referee
from engine.board.geometry import WIDTH, Side, Square
from engine.board.ranks import Rank, ranks_in
from engine.game.actions import Attack, Infiltrate, Turn
from engine.rules.editions import Edition
from engine.rules.movement import CombatResult, resolve


class Contestant(Protocol):
    """Player of one side in a game."""

    setup: Mapping[Square, Rank]

    def choose(self, referee: Referee) -> Turn | None:
        """Return a turn, or None to resign."""

    def close(self) -> None:
        """Release the player's resources after the game."""


class ComputerContestant:
    def __init__(self, edition: Edition, side: Side, level: Level, seed: int) -> None:
        self._player, self._side = ComputerPlayer(edition, side, level, seed), side
        self.setup = self._player.setup

    def choose(self, referee: Referee) -> Turn | None:
        return self._player.choose(collect_knowledge(referee, self._side, self.setup))

    def close(self) -> None:
        pass


Strategy = Callable[["SimpleContestant", Sequence[Turn], Referee], Turn]


class SimpleContestant:
    """Player without memory. It uses the setups of the computer opponent."""

    def __init__(self, edition: Edition, side: Side, strategy: Strategy, seed: int) -> None:
        self.chance = random.Random(f"simple {seed}")
        self.setup: Mapping[Square, Rank] = choose_setup(edition, side, self.chance)
        self.side, self._strategy = side, strategy

    def choose(self, referee: Referee) -> Turn | None:
        turns = referee.information_state(self.side, self.setup).turns
        return self._strategy(self, turns, referee)

    def close(self) -> None:
        pass


def play_randomly(player: SimpleContestant, turns: Sequence[Turn], _referee: Referee) -> Turn:
    return player.chance.choice(turns)


def play_greedily(player: SimpleContestant, turns: Sequence[Turn], referee: Referee) -> Turn:
    """Prefer the attack that, judging by public facts, is most likely to succeed. If there is none,
    advance."""
    forward = 1 if player.side is Side.RED else -1
    pieces, position = referee.position.pieces, referee.position

    def worth(turn: Turn) -> float:
        if isinstance(turn, Infiltrate):
            return -1.0
        step = (turn.target // WIDTH - turn.source // WIDTH) * forward
        if not isinstance(turn, Attack):
            return 0.1 * step
        own = player.setup[pieces[turn.source]]
        enemies = list(ranks_in(position.ranks_at(turn.target)))
        won = sum(resolve(own, rank) is CombatResult.ATTACKER_WINS for rank in enemies)
        share = won / len(enemies)
        return share - 0.1 * own * (1 - share)

    return max(turns, key=lambda turn: worth(turn) + player.chance.random() * 0.2)


STRATEGIES: dict[str, Strategy] = {"random": play_randomly, "greedy": play_greedily}
