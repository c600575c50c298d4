"""Tactical search: alpha-beta search over moves near the front, with expected values for fights.

Both sides may pass, because a move elsewhere on the board does not affect the current fight. An
attack on a hidden piece is a chance node: its branches are weighted by the probabilities in the
belief, and within the branches, the survivor's rank is known. The enemy knows its own ranks but not
ours. It attacks a revealed piece only with ranks that win, and a hidden piece only if the attack
looks profitable without knowing that piece's rank.
"""

from collections.abc import Iterable
from typing import Final

from companion.opponent.belief import LAND
from companion.opponent.valuation import Cell, EnemyPiece, Field, OwnPiece
from engine.board.geometry import SQUARES, WIDTH, Square, SquareSet, set_of, squares_in
from engine.board.ranks import IMMOBILE, Rank

_BIG: Final = 1e9
_NEGLIGIBLE: Final = 0.04
"""Branches less probable than this are not searched. Only their material gain or loss counts."""
_WORTHWHILE: Final = 4.0
"""Minimum gain for which the search considers a hunt or an escape."""

_FIRST_COLUMN: Final = set_of(range(0, len(SQUARES), WIDTH))
_LAST_COLUMN: Final = _FIRST_COLUMN << WIDTH - 1


def _within_two_steps(squares: SquareSet) -> SquareSet:
    """Return the squares within two steps of `squares`. The search ignores pieces further away."""
    for _ in range(2):
        sideways = (squares & ~_LAST_COLUMN) << 1 | (squares & ~_FIRST_COLUMN) >> 1
        squares |= squares << WIDTH | squares >> WIDTH | sideways
    return squares


class Search:
    """Searches exchanges from one position. The value is our expected gain."""

    def __init__(self, cells: list[Cell], field: Field, budget: int) -> None:
        """Prepare a search. `budget` limits the nodes per call, and thus the time per turn."""
        self.cells, self._field = cells, field
        self._own = set_of(at for at, each in enumerate(cells) if isinstance(each, OwnPiece))
        self._enemy = set_of(at for at, each in enumerate(cells) if isinstance(each, EnemyPiece))
        self.budget = budget
        self.nodes = 0
        self.forbidden: tuple[Square, Square] | None = None
        """The move that the two-squares rule forbids the enemy to make now, or None."""

    @property
    def is_exhausted(self) -> bool:
        """Whether the last call exceeded the budget, which makes its value unreliable."""
        return self.nodes > self.budget

    # -- Changes to the position

    def _put(self, square: Square, piece: Cell) -> None:
        self.cells[square] = piece
        bit = 1 << square
        self._own &= ~bit
        self._enemy &= ~bit
        if piece is not None:
            if piece.is_enemy:
                self._enemy |= bit
            else:
                self._own |= bit

    def value_after_move(
        self, source: Square, target: Square, depth: int, alpha: float = -_BIG
    ) -> float:
        """Return the value of one of our turns.

        For an attack, the value includes the fight's expected gain.
        """
        piece, met = self.cells[source], self.cells[target]
        assert isinstance(piece, OwnPiece)
        self.nodes = 0
        if isinstance(met, EnemyPiece):
            return self._own_attack(source, target, piece, met, depth, 0.0)
        moved = OwnPiece(piece.rank, piece.value, shown=piece.shown, moved=True)
        self._put(source, None)
        self._put(target, moved)
        value = self._enemy_node(depth, alpha, _BIG, 0.0)
        self._put(target, None)
        self._put(source, piece)
        return value

    def value_of_pass(self, depth: int) -> float:
        """Return the value if we make a move elsewhere."""
        self.nodes = 0
        return self._enemy_node(depth, -_BIG, _BIG, 0.0)

    # -- Our moves

    def _own_node(self, depth: int, alpha: float, beta: float, gained: float) -> float:
        if depth <= 0 or self.nodes > self.budget:
            return gained
        self.nodes += 1
        best = self._enemy_node(depth - 1, alpha, beta, gained) if depth > 1 else gained
        if best >= beta:
            return best
        alpha = max(alpha, best)
        for source, target in self._moves(self._own, self._enemy, depth):
            piece, met = self.cells[source], self.cells[target]
            assert isinstance(piece, OwnPiece)
            if isinstance(met, EnemyPiece):
                value = self._own_attack(source, target, piece, met, depth - 1, gained)
                if depth == 1:
                    win = max(0.0, met.attacked_by(piece).win - met.chances[Rank.FLAG])
                    value -= win * self._recapture(target, piece)
            else:
                self._put(source, None)
                self._put(target, piece)
                value = self._enemy_node(depth - 1, alpha, beta, gained)
                self._put(target, None)
                self._put(source, piece)
            if value > best:
                best = value
                if best >= beta:
                    return best
                alpha = max(alpha, best)
        return best

    def _own_attack(
        self,
        source: Square,
        target: Square,
        piece: OwnPiece,
        met: EnemyPiece,
        depth: int,
        gained: float,
    ) -> float:
        hit = met.attacked_by(piece)
        if depth <= 0:
            return gained + hit.gain
        value = 0.0
        self._put(source, None)
        if hit.win:
            now = gained + hit.win_gain
            if hit.win > _NEGLIGIBLE:
                self._put(target, self._field.after_win(piece))
                now = self._enemy_node(depth, -_BIG, _BIG, now)
            value += hit.win * now
        if hit.lose:
            now = gained + hit.lose_gain
            if hit.lose > _NEGLIGIBLE and depth > 1:
                self._put(target, self._field.survivor(piece.rank, met, enemy_attacks=False))
                now = self._enemy_node(depth, -_BIG, _BIG, now)
            value += hit.lose * now
        if hit.tie:
            value += hit.tie * (gained + hit.tie_gain)
        self._put(target, met)
        self._put(source, piece)
        return value

    def _recapture(self, square: Square, piece: OwnPiece) -> float:
        """Return our expected loss if the enemy attacks a piece that has just won on a square."""
        shown = self._field.after_win(piece)
        worst = 0.0
        for at in LAND[square]:
            near = self.cells[at]
            if isinstance(near, EnemyPiece):
                worst = max(worst, -near.attacking(shown).gain)
        return worst

    # -- The enemy's moves

    def _enemy_node(self, depth: int, alpha: float, beta: float, gained: float) -> float:
        if depth <= 0 or self.nodes > self.budget:
            return gained
        self.nodes += 1
        passed = self._own_node(depth - 1, alpha, beta, gained) if depth > 1 else gained
        best = passed
        attacks = []
        for source, target in self._moves(self._enemy, self._own, depth):
            piece, met = self.cells[source], self.cells[target]
            assert isinstance(piece, EnemyPiece)
            if isinstance(met, OwnPiece):
                attacks.append((source, target, piece, met))
                continue
            if best <= alpha:
                break
            self._put(source, None)
            self._put(target, piece)
            value = self._own_node(depth - 1, alpha, min(beta, best), gained)
            self._put(target, None)
            self._put(source, piece)
            best = min(best, piece.mobile * value + (1 - piece.mobile) * passed)
        # The enemy knows its own ranks. If a piece's rank is not worth an attack, the enemy makes
        # its best quiet move. A hidden piece that we threaten therefore attacks if it is strong,
        # and flees if it is weak.
        quiet = best
        for source, target, piece, met in attacks:
            if best <= alpha:
                break
            value = self._enemy_attack(source, target, piece, met, depth - 1, gained, quiet)
            best = min(best, value)
        return best

    def _enemy_attack(
        self,
        source: Square,
        target: Square,
        piece: EnemyPiece,
        met: OwnPiece,
        depth: int,
        gained: float,
        passed: float,
    ) -> float:
        hit = piece.attacking(met)
        rest = 1 - hit.win - hit.lose - hit.tie
        if depth <= 0:
            return gained + hit.gain + rest * (passed - gained)
        value = rest * passed
        self._put(source, None)
        if hit.win:
            now = gained + hit.win_gain
            if hit.win > _NEGLIGIBLE:
                self._put(target, self._field.survivor(met.rank, piece, enemy_attacks=True))
                now = self._own_node(depth, -_BIG, _BIG, now)
            value += hit.win * now
        if hit.lose:
            value += hit.lose * (gained + hit.lose_gain)
        if hit.tie:
            value += hit.tie * (gained + hit.tie_gain)
        self._put(target, met)
        self._put(source, piece)
        return value

    # -- Moves of both sides

    def _moves(
        self, movers: SquareSet, others: SquareSet, depth: int
    ) -> Iterable[tuple[Square, Square]]:
        """Return the attacks, escapes and pursuits of one side, most promising first."""
        cells = self.cells
        found: list[tuple[float, Square, Square]] = []
        for source in squares_in(movers & _within_two_steps(others)):
            piece = cells[source]
            assert piece is not None
            if not _can_move(piece):
                continue
            free: list[Square] = []
            threat = 0.0
            for at in LAND[source]:
                met = cells[at]
                if met is None:
                    free.append(at)
                elif others >> at & 1:
                    gain = _gain(piece, met)
                    if gain > -_WORTHWHILE:
                        found.append((gain, source, at))
                    threat = max(threat, _gain(met, piece))
            if depth < 2:
                continue
            for at in free:
                if (source, at) == self.forbidden:
                    continue
                if threat > _WORTHWHILE:
                    found.append((threat / 2, source, at))
                elif hunt := self._hunting(piece, source, at):
                    found.append((hunt, source, at))
        found.sort(reverse=True)
        return [each[1:] for each in found]

    def _hunting(self, piece: OwnPiece | EnemyPiece, source: Square, target: Square) -> float:
        """Return the gain from the attacks that a piece would threaten from another square."""
        best = 0.0
        for at in LAND[target]:
            met = self.cells[at]
            if at != source and met is not None and met.is_enemy is not piece.is_enemy:
                best = max(best, _gain(piece, met))
        return best / 3 if best > _WORTHWHILE else 0.0


def _can_move(piece: OwnPiece | EnemyPiece) -> bool:
    """Whether a piece can move or, if its rank is hidden, might be able to."""
    if isinstance(piece, OwnPiece):
        return not IMMOBILE >> piece.rank & 1
    return piece.mobile >= _NEGLIGIBLE


def _gain(attacker: OwnPiece | EnemyPiece, defender: OwnPiece | EnemyPiece) -> float:
    """Return the attacker's expected gain from an attack."""
    if isinstance(attacker, EnemyPiece):
        assert isinstance(defender, OwnPiece)
        return -attacker.attacking(defender).gain
    assert isinstance(defender, EnemyPiece)
    return defender.attacked_by(attacker).gain
