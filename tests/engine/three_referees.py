"""Three referees of one game, which are compared after every action.

The second referee knows all ranks and implements the rules independently. The engine's referee
plays the game twice: once with all ranks known in advance, as when reading a record, and once with
two truthful players who declare ranks when asked.
"""

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import product

from engine.board.geometry import Side, Square, name, square, squares_in
from engine.board.ranks import Rank, ranks_in
from engine.game import actions, rulings
from engine.game.game_state import Phase
from engine.game.referee import Referee
from engine.rules.editions import Edition, MovedBombPenalty
from engine.rules.movement import CombatResult
from tests.engine.tables import Setup, Table, moment, state
from tests.reference import SQUARES, ReferenceGame
from tests.reference.movement import reachable

_REMAINS = {
    CombatResult.ATTACKER_WINS: "attacker",
    CombatResult.DEFENDER_WINS: "defender",
    CombatResult.BOTH_FALL: "nobody",
}
Turn = tuple[str, str]
PRECEDENCE = [
    "out-of-turn",
    "immobile-piece",
    "movement",
    "two-squares",
    "more-squares",
    "infiltration",
]
"""Rule names in order of precedence. If several rules are broken, the first is cited."""


@dataclass
class ComparedGame:
    """A game played by three referees, which must always agree."""

    setup: Setup
    edition: Edition
    chance: random.Random
    reference_game: ReferenceGame = field(init=False)
    known: Referee = field(init=False)
    table: Table = field(init=False)
    turns: list[Turn] = field(default_factory=list)
    """Moves and attacks since a board was last adopted in the game."""
    refused: Counter[str] = field(default_factory=Counter)
    """Number of citations of each rule, by the rule's name."""
    done: Counter[str] = field(default_factory=Counter)
    """Number of other events, by the event's name."""
    shown: bool = False
    """Whether a player has made a move to prove that it can move, in the game whose referee knows
    no ranks."""

    def __post_init__(self) -> None:
        standing = self.setup.reference_game(self.edition.two_squares_limit).standing
        self._pieces = {square(place): piece for place, piece in standing.items()}
        self.reference_game = ReferenceGame.by(
            self.edition.id,
            standing,
            self.edition.two_squares_limit,
            moved_bomb_loses=self.edition.moved_bomb is MovedBombPenalty.LOSES,
            silent_defence=self.edition.silent_defence,
            aggressor_advantage=self.edition.aggressor_advantage,
        )
        self.known = Referee.waiting(self.edition, known=self.setup.ranks)
        self.table = Table(self.setup, Referee.waiting(self.edition))
        for referee in (self.known, self.table.referee):
            assert referee.apply(self.setup.placing)[0] == rulings.ArmiesPlaced()
        self._compare_ends()

    @property
    def over(self) -> bool:
        return self.reference_game.ending is not None

    def make(self, turn: Turn) -> None:
        """Apply a legal move or attack to all three referees."""
        action = self._action(turn)
        attacked = self.reference_game.standing.get(turn[1])
        remains = self.reference_game.play(*turn)
        self.turns.append(turn)
        seen = only_result(self.known.apply(action))
        if attacked:
            assert isinstance(seen, rulings.Combat)
            assert _REMAINS[seen.result] == remains
            named = self.reference_game.names_the_defender(
                seen.attacker.name.lower(), remains or ""
            )
            assert seen.defender == (Rank[attacked.rank.upper()] if named else None)
            ruling = self._attack_at_the_table(*map(square, turn))
        else:
            assert isinstance(seen, rulings.Moved)
            ruling = self.table.referee.apply(action)
        assert seen == only_result(ruling)
        self._compare_ends()
        self.compare_boards()

    def _action(self, turn: Turn) -> actions.Move | actions.Attack:
        other = self.reference_game.standing.get(turn[1])
        attacks = other and other.side != self.reference_game.to_move
        return (actions.Attack if attacks else actions.Move)(*map(square, turn))

    def _attack_at_the_table(self, source: Square, target: Square) -> tuple[rulings.Ruling, ...]:
        """Attack. In 2 % of cases, first begin an attack and withdraw it."""
        referee = self.table.referee
        if self.chance.random() < 0.02:
            before = moment(referee)
            opened = referee.apply(actions.Attack(source, target))
            if referee.phase is not Phase.ATTACK:
                return opened
            referee.apply(actions.WithdrawAttack())
            assert moment(referee) == before
            self.done["withdrawn"] += 1
        return self.table.attack(source, target)

    # Comparisons

    def compare_verdicts(self, turns: Iterable[Turn]) -> None:
        """Check that the engine finds a violation if and only if the second referee does."""
        for source, target in turns:
            broken = self.reference_game.broken_rules(source, target)
            turn = square(source), square(target)
            found = self.known.find_violation(*turn)
            cited = found.fault.rule.value if found else None
            first = next((rule for rule in PRECEDENCE if rule in broken), None)
            self.refused.update([first] if first else [])
            assert cited == first, f"{source} to {target}: {cited} instead of {broken}"
            refusal = self.table.referee.find_violation(*turn)
            if self.over:
                assert refusal is not None
            elif refusal:  # The referee without ranks may allow more turns, but never fewer.
                assert broken, (source, target, refusal)
                # The second referee checks chases only if a move is otherwise legal.
                assert refusal.fault.rule.value in broken | {"more-squares"}, (
                    source,
                    target,
                    refusal,
                )

    def compare_legal_moves(self, legal: list[Turn]) -> None:
        """Compare the lists of legal turns. Without ranks, the list may be longer, but must not
        omit a legal turn."""
        every = self.known.legal_moves()
        listed = {
            (name(t.source), name(t.target)) for t in every if not isinstance(t, actions.Infiltrate)
        }
        assert listed == set(legal), listed ^ set(legal)
        guesses = {
            (name(t.source), name(t.target)) for t in every if isinstance(t, actions.Infiltrate)
        }
        assert guesses == set(self.reference_game.infiltrations())
        assert set(self.table.referee.legal_moves()) >= set(every)

    def compare_boards(self) -> None:
        known, table = self.known.position, self.table.referee.position
        assert {place: piece.side for place, piece in self.reference_game.standing.items()} == {
            name(place): side.value for side in Side for place in squares_in(known.board.of(side))
        }
        for side in Side:
            assert self.reference_game.fallen[side.value] == {
                rank.name.lower(): count for rank, count in known.player(side).captured.items()
            }
        for position in (known,) if self.shown else (known, table):
            assert position.board == known.board
            assert position.to_move.value == self.reference_game.to_move
            assert position.plies == self.reference_game.earlier + len(self.reference_game.plies)
            for side in Side:
                assert position.player(side).captured == known.player(side).captured

    def _compare_ends(self) -> None:
        """Answer truthfully for the players, and check that all referees agree on the ending."""
        assert ending(self.known.outcome) == self.reference_game.ending
        asked = self.reference_game.asked_at_the_table
        spoken = self._speak_truthfully() if asked else []
        # A player need not answer if it is publicly known that their side can move.
        needless = [
            side for side in asked if side not in spoken and self.reference_game.can_move(side)
        ]
        assert spoken + needless == asked
        assert ending(self.table.referee.outcome) == self.reference_game.ending

    def _speak_truthfully(self) -> list[str]:
        """Claim and answer truthfully for both sides. Return the sides that did so, in order."""
        referee, spoken = self.table.referee, []
        while referee.outcome is None:
            asking = referee.stalemate
            stuck = asking.stuck.value if asking else self.reference_game.to_move
            opponent = Side(stuck).other.value
            if referee.phase is Phase.PLAY:
                spoken.append(stuck)
                referee.apply(actions.ClaimStalemate())
            elif referee.phase is Phase.STALEMATE:
                spoken.append(opponent)
                referee.apply(actions.AnswerStalemate(self.reference_game.can_move(opponent)))
            else:
                assert referee.phase is Phase.SHOWING
                referee.apply(self._proving_turn(referee))
                self.shown = True
        self.done["asked"] += len(spoken)
        return spoken

    def _proving_turn(self, referee: Referee) -> actions.Move | actions.Attack:
        """Choose a move by which the stuck side's opponent proves that it can move."""
        standing = self.reference_game.standing
        for turn in referee.legal_moves():
            assert not isinstance(turn, actions.Infiltrate)
            source = name(turn.source)
            if name(turn.target) in reachable(standing, source, standing[source].rank):
                return turn
        raise AssertionError("the list contains no move that proves that the opponent can move")

    def compare_all_verdicts(self) -> None:
        """Compare the verdicts on the moves of every piece, and from five empty squares, to every
        square."""
        empty = [place for place in SQUARES if place not in self.reference_game.standing]
        sources = [*self.reference_game.standing, *self.chance.sample(empty, 5)]
        self.compare_verdicts(product(sources, SQUARES))
        legal = set(self.reference_game.legal_moves())
        straight = self.reference_game.straight_moves()
        assert self.over or legal == {
            w for w in straight if not self.reference_game.broken_rules(*w)
        }

    def compare_deductions(self) -> None:
        """Check that the possible ranks of every piece are exactly those that public facts
        allow."""
        possible = self.reference_game.possible("red") | self.reference_game.possible("blue")
        for piece, (side, rank) in self.setup.pieces.items():
            deduced, known = (
                referee.position.player(side).deduction.possible(piece)
                for referee in (self.table.referee, self.known)
            )
            assert known == 1 << rank
            if not self.shown:
                assert names_of(deduced) == possible[self._pieces[piece]], name(piece)

    def replayed(self) -> None:
        referee = self.table.referee
        assert state(Referee.replay(self.edition, referee.actions)) == state(referee)


def only_result(ruled: tuple[rulings.Ruling, ...]) -> rulings.Ruling:
    """Return the move, combat or infiltration among the rulings."""
    (result,) = (
        ruling
        for ruling in ruled
        if isinstance(ruling, rulings.Moved | rulings.Combat | rulings.Infiltrated)
    )
    return result


def ending(outcome: rulings.GameOver | None) -> tuple[str, str] | None:
    """Convert an outcome to the second referee's format."""
    if outcome is None:
        return None
    return (outcome.winner.value if outcome.winner else "nobody"), outcome.reason.value


def names_of(ranks: int) -> set[str]:
    """Convert a set of ranks to the second referee's format."""
    return {rank.name.lower() for rank in ranks_in(ranks)}
