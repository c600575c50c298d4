"""A whole game, with legal turns, their effects, and endings."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, field

from tests.reference.armies import is_set_up
from tests.reference.board import DIRECTIONS, ahead, path
from tests.reference.chases import Chase, PlayedPly, chase_by, chases_endlessly
from tests.reference.combat import STRENGTH, fight
from tests.reference.editions import EDITIONS
from tests.reference.knowledge import Knowledge
from tests.reference.movement import has_free_path, is_within_reach, reachable
from tests.reference.pieces import Piece, Standing, other_side
from tests.reference.two_squares import MadeMove, moves_to_and_fro, shuttles


@dataclass
class ReferenceGame:
    """Game whose referee sees all ranks."""

    standing: Standing
    limit: int
    _: KW_ONLY
    by_borders: bool = True
    """Whether the federation's form of the two-squares rule applies."""
    more_squares: bool = False
    moved_bomb_loses: bool = False
    silent_defence: bool = False
    aggressor_advantage: bool = False
    to_move: str = "red"
    moves: dict[str, list[MadeMove]] = field(default_factory=lambda: {"red": [], "blue": []})
    plies: list[PlayedPly] = field(default_factory=list)
    """Plies since the players last adopted a board, or since the start of the game."""
    earlier: int = 0
    """Number of plies before those in `plies`. The adoption of a board counts as a ply."""
    ending: tuple[str, str] | None = None
    """The winning side (or "nobody"), and the reason."""
    shut_in: bool = False
    """Whether the game ended because the side to move had no legal turn."""
    spent: str = ""
    """The side without movable pieces, if the other side still has movable pieces."""
    fallen: dict[str, Counter[str]] = field(init=False)
    """Captured pieces whose ranks are proved, counted by side and rank."""
    knowledge: Knowledge = field(init=False)

    def __post_init__(self) -> None:
        self.fallen = {"red": Counter(), "blue": Counter()}
        self.knowledge = Knowledge.at_the_start(self.standing)
        self._end_if_shut_in()

    @classmethod
    def by(
        cls,
        edition: str,
        standing: Standing,
        limit: int | None = None,
        *,
        army: str | None = None,
        moved_bomb_loses: bool | None = None,
        silent_defence: bool = False,
        aggressor_advantage: bool = False,
    ) -> "ReferenceGame":
        """Begin a game under an edition, with any of its options.

        If `army` names an army, the pieces must be exactly that army.
        """
        rules = EDITIONS[edition]
        limit = rules.limits[0] if limit is None else limit
        if moved_bomb_loses is None:
            moved_bomb_loses = rules.moved_bomb_loses[0]
        assert limit in rules.limits
        assert moved_bomb_loses in rules.moved_bomb_loses
        assert army is None or (army in rules.armies and is_set_up(standing, army))
        return cls(
            standing,
            limit,
            by_borders=rules.by_borders,
            more_squares=rules.more_squares,
            moved_bomb_loses=moved_bomb_loses,
            silent_defence=silent_defence,
            aggressor_advantage=aggressor_advantage,
        )

    # Legality

    def broken_rules(self, source: str, target: str) -> set[str]:
        """Return all rules that a move or attack would break.

        After the end of the game, every move is out of turn. However, if a player has lost because
        there was no legal move, the rules that forbid this move are returned.
        """
        if self.ending and self.ending[1] != "no-legal-move":
            return {"out-of-turn"}
        if source not in self.standing:
            return {"movement"}
        piece = self.standing[source]
        broken = set()
        if piece.side != self.to_move:
            broken.add("out-of-turn")
        if piece.rank not in STRENGTH:
            broken.add("immobile-piece")
        if not has_free_path(self.standing, source, target):
            broken.add("movement")
        if self._goes_on_two_squares(source, target):
            broken.add("two-squares")
        if not broken and self._chases_endlessly(source, target):
            broken.add("more-squares")
        return broken

    def _goes_on_two_squares(self, source: str, target: str) -> bool:
        piece = self.standing[source]
        forbids = moves_to_and_fro if self.by_borders else shuttles
        return forbids(self.moves[piece.side], piece, source, target, self.limit)

    def _chases_endlessly(self, source: str, target: str) -> bool:
        return self.more_squares and chases_endlessly(self.plies, self.standing, source, target)

    def broken_by_infiltrating(self, source: str, target: str) -> set[str]:
        """Return all rules that an infiltration would break."""
        if source not in self.standing:
            return {"movement"}
        infiltrator = self.standing[source]
        broken = set()
        if infiltrator.side != self.to_move:
            broken.add("out-of-turn")
        if infiltrator.rank != "infiltrator":
            broken.add("infiltration")
        if target not in self.standing or not is_within_reach(self.standing, source, target):
            broken.add("infiltration")
        return broken

    @property
    def chases(self) -> dict[str, Chase]:
        """Each side's current chase."""
        return {side: chase_by(side, self.plies) for side in ("red", "blue")}

    # Possible turns

    def straight_moves(self) -> list[tuple[str, str]]:
        """Return all straight moves of the side to move, legal or not."""
        return [
            (source, target)
            for source in self._squares_of(self.to_move)
            for direction in DIRECTIONS
            for target in ahead(source, direction)
        ]

    def legal_moves(self) -> list[tuple[str, str]]:
        """Return all legal moves and attacks, without infiltrations."""
        return [
            (source, target)
            for source in self._squares_of(self.to_move)
            for target in self._legal_targets(source, self.standing[source].rank)
        ]

    def infiltrations(self) -> list[tuple[str, str]]:
        """Return the source and target squares of each legal infiltration."""
        return [
            (source, target)
            for source in self._squares_of(self.to_move)
            if self.standing[source].rank == "infiltrator"
            for target in self.standing
            if is_within_reach(self.standing, source, target)
        ]

    def _squares_of(self, side: str) -> list[str]:
        return [square for square, piece in self.standing.items() if piece.side == side]

    def _legal_targets(self, source: str, rank: str) -> Iterator[str]:
        """Yield the squares to which a piece could legally move if it had this rank."""
        for target in reachable(self.standing, source, rank):
            repeats = self._goes_on_two_squares(source, target)
            if not repeats and not self._chases_endlessly(source, target):
                yield target

    def _has_a_turn(self, source: str, rank: str) -> bool:
        """Whether a piece would have a legal turn if it had this rank."""
        if any(True for _ in self._legal_targets(source, rank)):
            return True
        return rank == "infiltrator" and any(
            is_within_reach(self.standing, source, target) for target in self.standing
        )

    def can_move(self, side: str) -> bool:
        """Whether a side has a legal turn. For speed, the most recently moved piece is tried
        first."""
        return any(
            self._has_a_turn(source, self.standing[source].rank)
            for source in reversed(self._squares_of(side))
        )

    # Knowledge of an observer who does not see the ranks

    @property
    def facts(self) -> dict[Piece, set[str]]:
        """Ranks of each piece that are compatible with the facts about that piece alone."""
        return self.knowledge.facts

    def possible(self, side: str) -> dict[Piece, set[str]]:
        """Return the possible ranks of a side's pieces, according to public facts."""
        return self.knowledge.possible(side)

    def is_proved_stuck(self, side: str) -> bool:
        """Whether a side has no legal turn, whatever its hidden ranks may be."""
        possible = self.possible(side)
        return not any(
            self._has_a_turn(source, rank)
            for source in self._squares_of(side)
            for rank in possible[self.standing[source]]
        )

    def names_the_defender(self, attacker: str, remains: str) -> bool:
        """Whether the defender's rank becomes public. A captured defender is laid aside face up."""
        return not self.silent_defence or remains != "defender" or attacker == "scout"

    @property
    def asked_at_the_table(self) -> list[str]:
        """Sides that have to answer, so that a referee who cannot see the ranks can find `ending`.

        No answer is needed if public facts are sufficient proof. A side without movable pieces does
        not have to claim a stalemate. Its opponent, however, may be asked whether it can move.
        """
        if self.spent:
            asked = [other_side(self.spent)]
        else:
            asked = [self.to_move, other_side(self.to_move)] if self.shut_in else []
        return [side for side in asked if not self.is_proved_stuck(side)]

    # Effects of a turn

    def play(self, source: str, target: str) -> str | None:
        """Make a legal move or attack. Return the result of an attack, or None for a move."""
        assert not self.broken_rules(source, target)
        before = dict(self.standing)
        piece, defender = self.standing.pop(source), self.standing.get(target)
        self.knowledge.see_move(piece, steps=len(path(source, target)) - 1)
        remains = self._fight(piece, defender) if defender else None
        if remains == "nobody":
            del self.standing[target]
        elif remains != "defender":
            self.standing[target] = piece
        self._pass_turn(MadeMove(piece, source, target), before)
        if defender:
            self._end_after_loss(defender)
        self._end_if_shut_in()
        return remains

    def _fight(self, attacker: Piece, defender: Piece) -> str:
        remains = fight(attacker.rank, defender.rank, self.aggressor_advantage)
        for role, piece in (("attacker", attacker), ("defender", defender)):
            if remains != role:
                self.fallen[piece.side][piece.rank] += 1
        self.knowledge.see_fight(
            attacker,
            defender,
            named=self.names_the_defender(attacker.rank, remains),
            aggressor_advantage=self.aggressor_advantage,
        )
        return remains

    def infiltrate(self, source: str, target: str, guess: str) -> bool:
        """Guess with an infiltrator. Return whether the guess was right."""
        assert not self.broken_by_infiltrating(source, target)
        before = dict(self.standing)
        infiltrator, other = self.standing[source], self.standing[target]
        self.knowledge.see_guess(infiltrator, other, guess)
        right = other.rank == guess
        if right:
            self.fallen[other.side][guess] += 1
            del self.standing[target]
        self._pass_turn(MadeMove(infiltrator, source, source), before)
        if right:
            self._end_after_loss(other)
        self._end_if_shut_in()
        return right

    def move_bomb(self) -> None:
        """Move a bomb or the flag, which is illegal.

        Under some rulebooks, this move ends the game.
        """
        if self.moved_bomb_loses:
            self.ending = other_side(self.to_move), "moved-bomb"

    def accept_board(self, shifted: Mapping[str, str], removed: set[str], to_move: str) -> None:
        """Adopt the board on which both players agree.

        Repetition counts restart from zero, and nothing is deduced from the differences. A removed
        piece counts as captured if its rank is proved.
        """
        gone = [self.standing[place] for place in removed]
        for piece in gone:
            if len(self.possible(piece.side)[piece]) == 1:
                self.knowledge.see_proved(piece)
                self.fallen[piece.side][piece.rank] += 1
        self.standing = {
            shifted.get(place, place): piece
            for place, piece in self.standing.items()
            if place not in removed
        }
        self.earlier += len(self.plies) + 1
        self.plies, self.moves = [], {"red": [], "blue": []}
        self.to_move = to_move
        self._end_if_spent()
        self._end_if_shut_in()

    def _pass_turn(self, made: MadeMove, before: Standing) -> None:
        side = made.piece.side
        self.moves[side].append(made)
        self.plies.append(PlayedPly(made, before, dict(self.standing)))
        self.to_move = other_side(side)

    # End of the game

    def _end_after_loss(self, attacked: Piece) -> None:
        """End the game if the flag was captured or a side has no movable piece left."""
        if attacked.rank == "flag":
            self.ending = other_side(attacked.side), "flag-captured"
        else:
            self._end_if_spent()

    def _end_if_spent(self) -> None:
        can_move = {piece.side for piece in self.standing.values() if piece.rank in STRENGTH}
        if not can_move:
            self.ending = "nobody", "both-immobile"
        elif len(can_move) == 1:
            left = can_move.pop()
            self.spent = other_side(left)
            is_able = self.can_move(left)
            self.ending = (left, "no-movable-piece") if is_able else ("nobody", "both-immobile")

    def _end_if_shut_in(self) -> None:
        """End the game if the side to move has no legal turn. If neither side has one, the game is
        a draw."""
        if self.ending or self.can_move(self.to_move):
            return
        self.shut_in = True
        opponent = other_side(self.to_move)
        is_able = self.can_move(opponent)
        self.ending = (opponent, "no-legal-move") if is_able else ("nobody", "both-immobile")
