"""Random games, played in parallel with three referees."""

import random
from collections import Counter
from dataclasses import dataclass

from engine.board.geometry import Side, Square, set_of, square
from engine.board.ranks import Army, Rank
from engine.game import actions, rulings
from engine.rules.editions import Handicap
from engine.rules.rules import Violation
from tests import reference
from tests.engine.tables import Setup
from tests.engine.three_referees import PRECEDENCE, ComparedGame, Turn, ending, only_result
from tests.reference import COLUMNS, SQUARES, next_to

_PLACES = {place: (COLUMNS.index(place[0]), int(place[1:])) for place in SQUARES}


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
class Game(ComparedGame):
    """A game of random turns, played by three referees."""

    peaceful: bool = False
    """Whether the players prefer chasing and evading to fighting."""
    careless: bool = False
    """Whether the players sometimes adopt a board that differs from the referee's position."""

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

        Bombs and flags are not relocated, and only pieces of known rank are removed. Without these
        restrictions, the referee that knows the ranks could deduce more than the other one for the
        rest of the game.
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
        # The referee that does not know the ranks is not asked, because it must accept the guess if
        # the piece could still be an infiltrator.
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
