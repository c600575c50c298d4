"""Random games, played in parallel with three referees.

The second referee knows all ranks and implements the rules independently. The engine's referee
plays the game twice: once with all ranks known in advance, as when reading a record, and once with
two truthful players who declare ranks when asked.
"""

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import product

from engine.board.geometry import Side, Square, name, set_of, square, squares_in
from engine.board.ranks import Army, Rank, ranks_in
from engine.game import actions, rulings
from engine.game.game_state import Phase
from engine.game.referee import Referee
from engine.rules.editions import Edition, Handicap, MovedBombPenalty
from engine.rules.movement import CombatResult
from engine.rules.rules import Violation
from tests import reference
from tests.engine.tables import Setup, Table, moment, state
from tests.reference import COLUMNS, SQUARES, ReferenceGame, next_to
from tests.reference.movement import reachable

_REMAINS = {
    CombatResult.ATTACKER_WINS: "attacker",
    CombatResult.DEFENDER_WINS: "defender",
    CombatResult.BOTH_FALL: "nobody",
}
_PLACES = {place: (COLUMNS.index(place[0]), int(place[1:])) for place in SQUARES}
Turn = tuple[str, str]


def shuffled(
    army: Army,
    chance: random.Random,
    rows: int = 4,
    columns: int = 10,
    handicap: Handicap | None = None,
) -> Setup:
    """Set up both armies at random, in the front `rows` rows and the leftmost `columns` columns."""
    pieces: dict[Square, tuple[Side, Rank]] = {}
    block = [(row, column) for row in range(rows) for column in range(columns)]
    homes = {
        Side.RED: [10 * (3 - row) + column for row, column in block],
        Side.BLUE: [10 * (6 + row) + column for row, column in block],
    }
    for side, home in homes.items():
        is_reduced = handicap is not None and side is not handicap.favoured
        own = handicap.reduce(army) if handicap and is_reduced else army
        places = chance.sample(home, own.size)
        pieces |= {place: (side, rank) for place, rank in zip(places, own.pieces, strict=True)}
    return Setup(pieces)


@dataclass
class Game:
    """A game played by three referees, which must always agree."""

    setup: Setup
    edition: Edition
    chance: random.Random
    reference_game: ReferenceGame = field(init=False)
    known: Referee = field(init=False)
    table: Table = field(init=False)
    turns: list[Turn] = field(default_factory=list)
    """Moves and attacks since a board was last adopted in the game."""
    peaceful: bool = False
    """Whether the players prefer chasing and evading to fighting."""
    careless: bool = False
    """Whether the players sometimes adopt a board that differs from the referee's position."""
    refused: Counter[str] = field(default_factory=Counter)
    """Number of citations of each rule, by the rule's name."""
    done: Counter[str] = field(default_factory=Counter)
    """Number of other events, by the event's name."""
    shown: bool = False
    """Whether, in the game without known ranks, a player has made a move to prove that it can
    move."""

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

    def play(self, plies: int) -> None:
        """Play random turns: some go back and forth, some attack, and some approach the enemy."""
        for _ in range(plies):
            self.compare_verdicts(self._some_turns(3))
            if self.reference_game.chases[self.reference_game.to_move].evaders:
                self.compare_verdicts(self.reference_game.straight_moves())
            if self.chance.random() < 0.03:
                self.try_forbidden_actions()
            if self.chance.random() < 0.005:
                self.compare_deductions()
            if self.over:
                return
            if self.careless and self.chance.random() < 0.05:
                self.accept_board()
            else:
                self.take_turn()

    def take_turn(self) -> None:
        infiltrations, legal = (
            self.reference_game.infiltrations(),
            self.reference_game.legal_moves(),
        )
        self.compare_legal_moves(legal)
        if infiltrations and (not legal or self.chance.random() < 0.3):
            self.infiltrate(*self.chance.choice(infiltrations))
        else:
            self.make(self._choose(legal))

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

    def infiltrate(self, source: str, target: str) -> None:
        """Guess with an infiltrator in all three games. About half of the guesses are right."""
        other = self.reference_game.standing[target]
        guesses = [[other.rank], sorted(self.reference_game.facts[other]), list(reference.STRENGTH)]
        (among,) = self.chance.choices(guesses, weights=[4, 5, 1])
        guess = Rank[self.chance.choice(among).upper()]
        right = self.reference_game.infiltrate(source, target, guess.name.lower())
        action = actions.Infiltrate(square(source), square(target), guess)
        seen = only_result(self.known.apply(action))
        ruling = self.table.referee.apply(action)
        if self.table.referee.open_guess:
            ruling = self.table.referee.apply(actions.AnswerGuess(right))
        assert isinstance(seen, rulings.Infiltrated)
        assert seen == only_result(ruling)
        assert (seen.guess, seen.right) == (guess, right)
        self.done["infiltrated"] += 1
        if self.chance.random() < 0.2:
            self.compare_deductions()
        self._compare_ends()
        self.compare_boards()

    def accept_board(self) -> None:
        """Adopt a board with moved pieces, possibly one removed piece, and a random side to move.

        Bombs and flags are not relocated, and only pieces of known rank are removed. Otherwise, for
        the rest of the game, the referee with ranks could deduce more than the one without.
        """
        chance, standing = self.chance, self.reference_game.standing
        loose = [place for place, piece in standing.items() if piece.rank in reference.STRENGTH]
        going = chance.sample(loose, min(len(loose), 3))
        free = [
            place for place in SQUARES if place not in standing and place not in reference.LAKES
        ]
        shifted = dict(zip(going, chance.sample([*going, *free], len(going)), strict=True))
        shifted = {source: target for source, target in shifted.items() if source != target}
        known = [place for place in standing if self._may_be_gone(place) and place not in going]
        removed = set(chance.sample(known, min(len(known), chance.randint(0, 1))))
        kept = {*going} - shifted.keys()
        if {*shifted.values()} & kept:
            return
        to_move = chance.choice(["red", "blue"])
        if not shifted and not removed and to_move == self.reference_game.to_move:
            return
        action = actions.AdoptBoard(
            tuple(
                actions.Relocation(square(source), square(target))
                for source, target in shifted.items()
            ),
            set_of(map(square, removed)),
            Side(to_move),
        )
        self.reference_game.accept_board(shifted, removed, to_move)
        self.turns.clear()
        for referee in (self.known, self.table.referee):
            ruling = referee.apply(action)[0]
            assert ruling == rulings.BoardAdopted(action.shifted, action.removed, action.to_move)
        self.done["accepted"] += 1
        self.compare_deductions()
        self._compare_ends()
        self.compare_boards()

    def _may_be_gone(self, place: str) -> bool:
        ranks = self.table.referee.position.ranks_at(square(place))
        return ranks & (ranks - 1) == 0 and ranks != 1 << Rank.FLAG

    # Refusals

    def try_forbidden_actions(self) -> None:
        """Try forbidden actions. Each must lose the game or be refused without any change."""
        if self.over:
            return
        for turn in self._some_turns(3):
            broken = self.reference_game.broken_rules(*turn)
            if broken and "immobile-piece" not in broken:
                self._try(self._action(turn))
        for turn in [*self._some_turns(1), *self._guesses()]:
            if self.reference_game.broken_by_infiltrating(*turn):
                self._try_to_infiltrate(*turn)
        bombs = [p for p in self._own() if self.reference_game.standing[p].rank in ("bomb", "flag")]
        often = 0.08 if self.reference_game.moved_bomb_loses else 0.5
        if bombs and self.chance.random() < often:
            place = self.chance.choice(bombs)
            self._move_bomb((place, self.chance.choice(sorted(next_to(place)))))
        self.compare_boards()

    def _try(self, action: actions.Move | actions.Attack) -> None:
        """Check that the referee with ranks refuses an action.

        The referee without ranks must also refuse the action if it finds a violation.
        """
        assert rulings.refuses(self.known.apply(action))
        if self.table.referee.find_violation(action.source, action.target):
            assert rulings.refuses(self.table.referee.apply(action))

    def _try_to_infiltrate(self, source: str, target: str) -> None:
        broken = self.reference_game.broken_by_infiltrating(source, target)
        action = actions.Infiltrate(square(source), square(target), self.chance.choice([*Rank]))
        first = next(rule for rule in PRECEDENCE if rule in broken)
        (violation,) = self.known.apply(action)
        assert isinstance(violation, Violation)
        assert violation.fault.rule.value == first
        # The referee without ranks is not asked, because it must accept the guess if the piece
        # could still be an infiltrator.
        self.refused[first] += 1

    def _move_bomb(self, turn: Turn) -> None:
        """Move a bomb or the flag. In some editions, this move loses the game."""
        side = Side(self.reference_game.to_move)
        violation, *more = self.known.apply(self._action(turn))
        if self.reference_game.broken_rules(*turn) == {"immobile-piece"}:
            self.reference_game.move_bomb()
        assert isinstance(violation, Violation)
        assert violation.fault.rule.value == "immobile-piece"
        assert ending(self.known.outcome) == self.reference_game.ending
        assert more == ([self.known.outcome] if self.over else [])
        referee = self.table.referee
        refusal = referee.find_violation(*map(square, turn))
        if refusal:
            ruled = referee.apply(self._action(turn))
            assert ruled == ((violation, *more) if refusal == violation else (refusal,))
        if self.over and not referee.outcome:  # the rank is not public, so the arbiter decides
            referee.apply(actions.Forfeit(side))

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
        """Compare the verdicts on moves to every square, by every piece and from five empty
        squares."""
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

    # Choices of the players

    def _some_turns(self, number: int) -> list[Turn]:
        """Choose some straight moves, and one move between two random squares."""
        own = self._own()
        anywhere = [(self.chance.choice(SQUARES), self.chance.choice(SQUARES))]
        if not own:
            return anywhere
        sources = self.chance.choices(own, k=number)
        lines = [(place, self.chance.choice(reference.DIRECTIONS)) for place in sources]
        straight = [(place, reference.ahead(place, direction)) for place, direction in lines]
        near_first = [(p, s[int(len(s) * self.chance.random() ** 2)]) for p, s in straight if s]
        return near_first + anywhere

    def _guesses(self) -> list[Turn]:
        """Return all infiltrations that the infiltrators of the side to move could attempt, legal
        or not."""
        standing = self.reference_game.standing
        own = [place for place in self._own() if standing[place].rank == "infiltrator"]
        return [(place, other) for place in own for other in standing]

    def _own(self) -> list[str]:
        """Return the squares occupied by the side to move."""
        side = self.reference_game.to_move
        return [
            place for place, piece in self.reference_game.standing.items() if piece.side == side
        ]

    def _choose(self, legal: list[Turn]) -> Turn:
        mood = self.chance.random()
        if self.peaceful and mood < 0.97 and (turn := self._chase_or_evade(legal)):
            return turn
        if mood < 0.3 and (made := self.reference_game.moves[self.reference_game.to_move]):
            back = made[-1].target, made[-1].source
            self.compare_verdicts([back])
            if back in legal:
                return back
        infiltrators = [
            w for w in legal if self.reference_game.standing[w[0]].rank == "infiltrator"
        ]
        if mood < 0.6 and infiltrators:
            return max(infiltrators, key=lambda turn: self._depth(turn[1]))
        attacks = [turn for turn in legal if turn[1] in self.reference_game.standing]
        if mood < 0.7 and attacks:
            return self.chance.choice(attacks)
        if mood < 0.9:
            some = self.chance.sample(legal, min(len(legal), 8))
            return min(some, key=lambda turn: self._distance(turn[1]))
        return self.chance.choice(legal)

    def _chase_or_evade(self, legal: list[Turn]) -> Turn | None:
        """Evade a piece that has just approached. Otherwise, move towards the enemy."""
        quiet = [turn for turn in legal if turn[1] not in self.reference_game.standing]
        near = (
            next_to(self.reference_game.plies[-1].move.target)
            if self.reference_game.plies
            else set()
        )
        evading = [turn for turn in quiet if turn[0] in near]
        beaten = Counter(turn[1] for turn in self.turns[-12:])

        def cost(turn: Turn) -> tuple[int, float]:
            distance = 0 if evading else self._distance(turn[1])
            return distance, -beaten[turn[1]] * self.chance.random()

        return min(evading or quiet, key=cost, default=None)

    def _depth(self, place: str) -> int:
        """Return the row of a square, counted from the edge where the side to move sits."""
        return _PLACES[place][1] if self.reference_game.to_move == "red" else 11 - _PLACES[place][1]

    def _distance(self, place: str) -> int:
        """Return the distance to the nearest enemy."""
        column, row = _PLACES[place]
        return min(
            abs(column - _PLACES[other][0]) + abs(row - _PLACES[other][1])
            for other, piece in self.reference_game.standing.items()
            if piece.side != self.reference_game.to_move
        )


PRECEDENCE = [
    "out-of-turn",
    "immobile-piece",
    "movement",
    "two-squares",
    "more-squares",
    "infiltration",
]
"""Rule names in order of precedence. If several rules are broken, the first is cited."""


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
