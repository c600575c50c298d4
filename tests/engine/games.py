"""Random games, played at once before three referees.

The second referee knows all ranks and the rules by heart. The engine's referee plays the game
twice: once with all ranks known beforehand, as from a record, and once with two truthful players
who declare what they are asked for.
"""

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import product

from engine.actions import CannotMove, Move, OpenAttack
from engine.combat import Result
from engine.editions import Edition
from engine.ranks import Army, Rank
from engine.referee import Referee
from engine.rulings import ArmiesPlaced, Combat, GameOver, Moved, Ruling
from engine.sides import Side
from engine.squares import Square, name, square, squares_in
from tests.engine.obvious import SQUARES, ObviousGame, next_to
from tests.engine.tables import Setup, Table, refusal, state

_REMAINS = {
    Result.ATTACKER_WINS: "attacker",
    Result.DEFENDER_WINS: "defender",
    Result.BOTH_FALL: "nobody",
}
Way = tuple[str, str]


def shuffled(army: Army, chance: random.Random, rows: int = 4) -> Setup:
    """Set an army up at random for both sides, in the foremost rows."""
    pieces: dict[Square, tuple[Side, Rank]] = {}
    homes = {Side.RED: range(40 - 10 * rows, 40), Side.BLUE: range(60, 60 + 10 * rows)}
    for side, home in homes.items():
        ranks = [rank for rank, count in army.counts.items() for _ in range(count)]
        places = chance.sample(list(home), len(ranks))
        pieces |= {place: (side, rank) for place, rank in zip(places, ranks, strict=True)}
    return Setup(pieces)


@dataclass
class Game:
    """One game before three referees, who must agree about everything."""

    setup: Setup
    edition: Edition
    chance: random.Random
    obvious: ObviousGame = field(init=False)
    known: Referee = field(init=False)
    table: Table = field(init=False)
    ways: list[Way] = field(default_factory=list)
    """The moves and attacks that were made."""
    peaceful: bool = False
    """Whether the players chase and evade rather than fight."""
    refused: Counter[str] = field(default_factory=Counter)
    """How often a rule was cited, by its name."""

    def __post_init__(self) -> None:
        self.obvious = self.setup.obvious(self.edition.two_squares_limit, self.edition.more_squares)
        self.known = Referee(self.edition, known=self.setup.ranks)
        self.table = Table(self.setup, Referee(self.edition))
        for referee in (self.known, self.table.referee):
            assert referee.apply(self.setup.placing) == (ArmiesPlaced(),)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.obvious.ending is not None

    def play(self, plies: int) -> None:
        """Play at random; some moves go to and fro, some attack, some go where the enemy is."""
        for _ in range(plies):
            straight = self.obvious.straight_moves() if self.peaceful else self._some_ways(20)
            self.compare_verdicts(straight)
            if self.over:
                return
            legal = self.obvious.legal_moves()
            if legal:
                self.make(self._choose(legal))
            else:
                self._give_up()

    def make(self, way: Way) -> None:
        """Make a legal move before all three."""
        source, target = map(square, way)
        attacks = way[1] in self.obvious.standing
        remains = self.obvious.play(*way)
        self.ways.append(way)
        if attacks:
            seen = self.known.apply(OpenAttack(source, target))
            told = self.table.attack(source, target)
            seen, told = fought(seen), fought(told)
            assert isinstance(seen[0], Combat)
            assert _REMAINS[seen[0].result] == remains
        else:
            seen = self.known.apply(Move(source, target))
            told = self.table.referee.apply(Move(source, target))
            assert isinstance(seen[0], Moved)
        assert seen == told
        self.compare_boards()

    def compare_verdicts(self, ways: Iterable[Way]) -> None:
        """Every way is legal before all, or breaks a rule that the second referee knows of."""
        for source, target in ways:
            broken = self.obvious.broken_rules(source, target)
            way = square(source), square(target)
            found = self.known.find_violation(*way)
            cited = found.fault.rule.value if found else None
            first = next((rule for rule in PRECEDENCE if rule in broken), None)
            self.refused.update([first] if first else [])
            assert cited == first, f"{source} to {target}: {cited} instead of {broken}"
            told = self.table.referee.find_violation(*way)
            # Who does not know the ranks allows more, and never less.
            assert told is None or told.fault.rule.value in broken, f"{source} to {target}: {told}"

    def compare_boards(self) -> None:
        """The same pieces stand on the same squares, and everything true is still possible."""
        standing = {place: piece.side for place, piece in self.obvious.standing.items()}
        for referee in (self.known, self.table.referee):
            board = referee.board
            assert standing == {
                name(place): side.value for side in Side for place in squares_in(board.of(side))
            }
            assert referee.to_move.value == self.obvious.to_move
            assert ending(referee.outcome) == self.obvious.ending
        assert repr(self.known.board) == repr(self.table.referee.board)
        assert self.known.captured == self.table.referee.captured
        dossier = self.table.referee._dossier
        for piece, rank in self.setup.ranks.items():
            assert dossier.possible(piece) >> rank & 1, f"{rank!r} of {name(piece)} was excluded"

    def compare_all_verdicts(self) -> None:
        """Try every piece, and some empty squares, with every square as target."""
        empty = [place for place in SQUARES if place not in self.obvious.standing]
        sources = [*self.obvious.standing, *self.chance.sample(empty, 5)]
        self.compare_verdicts(product(sources, SQUARES))

    def replayed(self) -> None:
        """The accepted actions give the same game once more."""
        referee = self.table.referee
        assert state(Referee.replay(self.edition, referee.actions)) == state(referee)

    def _give_up(self) -> None:
        self.obvious.ending = (self._other(), "no-legal-move")
        for referee in (self.known, self.table.referee):
            assert refusal(referee.apply(CannotMove())) is None
        self.compare_boards()

    def _other(self) -> str:
        return "blue" if self.obvious.to_move == "red" else "red"

    def _some_ways(self, number: int) -> list[Way]:
        straight = self.obvious.straight_moves()
        some = self.chance.choices(straight, k=number) if straight else []
        return [*some, (self.chance.choice(SQUARES), self.chance.choice(SQUARES))]

    def _choose(self, legal: list[Way]) -> Way:
        mood = self.chance.random()
        if self.peaceful and mood < 0.9 and (way := self._chase_or_evade(legal)):
            return way
        if mood < 0.3 and (made := self.obvious.moves[self.obvious.to_move]):
            back = made[-1].target, made[-1].source
            self.compare_verdicts([back])
            if back in legal:
                return back
        attacks = [way for way in legal if way[1] in self.obvious.standing]
        if mood < 0.7 and attacks:
            return self.chance.choice(attacks)
        if mood < 0.9:
            return min(legal, key=lambda way: (self._distance(way[1]), self.chance.random()))
        return self.chance.choice(legal)

    def _chase_or_evade(self, legal: list[Way]) -> Way | None:
        """Without a fight, run from who has just come near, else come near, where all have been."""
        quiet = [way for way in legal if way[1] not in self.obvious.standing]
        near = next_to(self.obvious.plies[-1].move.target) if self.obvious.plies else set()
        evading = [way for way in quiet if way[0] in near]
        beaten = Counter(way[1] for way in self.ways[-12:])

        def wish(way: Way) -> tuple[int, float]:
            distance = 0 if evading else self._distance(way[1])
            return distance, -beaten[way[1]] * self.chance.random()

        return min(evading or quiet, key=wish, default=None)

    def _distance(self, place: str) -> int:
        """How far the nearest enemy is."""
        return min(
            abs(SQUARES.index(place) % 10 - SQUARES.index(other) % 10)
            + abs(int(place[1:]) - int(other[1:]))
            for other, piece in self.obvious.standing.items()
            if piece.side != self.obvious.to_move
        )


PRECEDENCE = ["out-of-turn", "immobile-piece", "movement", "two-squares", "more-squares"]
"""Which rule is cited if several are broken."""


def fought(rulings: tuple[Ruling, ...]) -> tuple[Ruling, ...]:
    """Leave out the conversation before the result of an attack."""
    return tuple(ruling for ruling in rulings if isinstance(ruling, Combat | GameOver))


def ending(outcome: GameOver | None) -> tuple[str, str] | None:
    """Put an outcome as the second referee does."""
    if outcome is None:
        return None
    return (outcome.winner.value if outcome.winner else "nobody"), outcome.reason.value
