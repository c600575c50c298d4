"""A whole game: what a turn changes, and when it is over."""

from collections import Counter
from dataclasses import dataclass, field

from tests.engine.obvious.armies import (
    LIMITS_OF,
    STRENGTH,
    WHERE_A_MOVED_BOMB_LOSES,
    WHERE_BOTH_IMMOBILE_DRAW,
    WITH_MORE_SQUARES,
    Piece,
    fight,
    other_side,
)
from tests.engine.obvious.board import path
from tests.engine.obvious.chases import PlayedPly, go_on
from tests.engine.obvious.position import ObviousPosition
from tests.engine.obvious.two_squares import MadeMove


@dataclass
class ObviousGame(ObviousPosition):
    """A game whose pieces lie open on the table."""

    fallen: dict[str, Counter[str]] = field(init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.fallen = {side: Counter() for side in self.armies}
        self._end_if_shut_in()

    @classmethod
    def by(
        cls,
        rulebook: str,
        standing: dict[str, Piece],
        limit: int,
        *,
        silent_defence: bool = False,
        aggressor_advantage: bool = False,
    ) -> "ObviousGame":
        """Begin a game by a rulebook with what the players chose."""
        assert limit in LIMITS_OF[rulebook]
        return cls(
            standing,
            limit,
            more_squares=rulebook in WITH_MORE_SQUARES,
            moved_bomb_loses=rulebook in WHERE_A_MOVED_BOMB_LOSES,
            both_immobile_draw=rulebook in WHERE_BOTH_IMMOBILE_DRAW,
            silent_defence=silent_defence,
            aggressor_advantage=aggressor_advantage,
        )

    @property
    def ending_at_the_table(self) -> tuple[str, str] | None:
        """The end where nobody sees a rank, and who cannot move says so.

        What is not proved is not believed: that the opponent cannot move either.
        """
        if not self.shut_in:
            return self.ending
        opponent = other_side(self.to_move)
        if self.both_immobile_draw and self.is_proved_stuck(opponent):
            return "nobody", "both-immobile"
        return opponent, "no-legal-move"

    def play(self, source: str, target: str) -> str | None:
        """Make a legal move; for an attack, say who remains."""
        assert not self.broken_rules(source, target)
        piece = self.standing.pop(source)
        made = MadeMove(piece, source, target)
        self.facts[piece] -= {"flag", "bomb"}
        if len(path(source, target)) > 2:
            self.facts[piece] &= {"scout"}
        defender = self.standing.get(target)
        if defender is None:
            self.standing[target] = piece
        remains = self._fight(piece, defender, target) if defender else None
        self._pass_turn(made, attack=defender is not None)
        if defender:
            self._end_after_loss(defender)
        self._end_if_shut_in()
        return remains

    def _fight(self, piece: Piece, defender: Piece, target: str) -> str:
        def result(rank: str) -> str:
            return fight(piece.rank, rank, self.aggressor_advantage)

        remains = result(defender.rank)
        self.facts[piece] = {piece.rank}
        if self.names_the_defender(piece.rank, remains):
            self.facts[defender] = {defender.rank}
        else:
            self.facts[defender] = {x for x in self.facts[defender] if result(x) == remains}
        if remains == "attacker":
            self.standing[target] = piece
        else:
            self.fallen[piece.side][piece.rank] += 1
        if remains == "nobody":
            del self.standing[target]
        if remains != "defender":
            self.fallen[defender.side][defender.rank] += 1
        return remains

    def infiltrate(self, source: str, target: str, guess: str) -> bool:
        """Let the infiltrator guess a rank; say whether it is right."""
        assert not self.broken_by_infiltrating(source, target)
        infiltrator, other = self.standing[source], self.standing[target]
        self.facts[infiltrator] = {"infiltrator"}
        right = other.rank == guess
        if right:
            self.facts[other] = {guess}
            self.fallen[other.side][guess] += 1
            del self.standing[target]
        else:
            self.facts[other] -= {guess}
        self._pass_turn(MadeMove(infiltrator, source, source), attack=False)
        if right:
            self._end_after_loss(other)
        self._end_if_shut_in()
        return right

    def move_bomb(self) -> None:
        """Let the side to move do what is never allowed: where that loses, the game is over."""
        if self.moved_bomb_loses:
            self.ending = other_side(self.to_move), "moved-bomb"

    def _pass_turn(self, made: MadeMove, attack: bool) -> None:
        side = made.piece.side
        self.moves[side].append(made)
        self.to_move = other_side(side)
        before = self.plies[-1] if self.plies else None
        ply = PlayedPly(made, attack, dict(self.standing))
        for chaser, chase in self.chases.items():
            self.chases[chaser] = go_on(chase, chaser, ply, before)
        self.plies.append(ply)

    def _end_after_loss(self, attacked: Piece) -> None:
        """End the game if a piece was attacked or infiltrated that was the flag or the last."""
        can_move = {piece.side for piece in self.standing.values() if piece.rank in STRENGTH}
        if attacked.rank == "flag":
            self.ending = other_side(attacked.side), "flag-captured"
        elif not can_move:
            self.ending = "nobody", "both-immobile"
        elif len(can_move) == 1:
            self.ending = can_move.pop(), "no-movable-piece"

    def _end_if_shut_in(self) -> None:
        if self.ending or self.can_move(self.to_move):
            return
        self.shut_in = True
        opponent = other_side(self.to_move)
        if self.both_immobile_draw and not self.can_move(opponent):
            self.ending = "nobody", "both-immobile"
        else:
            self.ending = opponent, "no-legal-move"
