"""Tests with random scout walks, under both forms of the two-squares rule.

Each form is compared with two independent implementations in the second referee. One of them goes
back through the moves. The other applies the wording of the rule to sets of squares. Two red scouts
move among random obstacles and may capture blue spies.
"""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pytest

from engine.board.board import Board
from engine.board.geometry import LAKES, SQUARES, Square, name, square
from engine.board.ranks import Rank
from engine.game import position_updates
from engine.game.actions import Move
from engine.game.position import Position
from engine.rules.editions import EDITIONS, Edition
from engine.rules.rules import ViolationKind
from tests import reference
from tests.campaigns import Campaign
from tests.engine.tables import RED
from tests.reference.movement import reachable
from tests.reference.pieces import Standing

SCOUTS = Campaign("scouts", part=2_000, whole=18_500)
"""Number of moves to try for each form and limit."""
BORDERS = replace(EDITIONS["isf"], more_squares=False)
SQUARES_ALONE = replace(EDITIONS["gravopedia-2006"], more_squares=False)

WORDINGS = {
    BORDERS.recurrence: (reference.moves_to_and_fro, reference.goes_between_two_squares),
    SQUARES_ALONE.recurrence: (reference.shuttles, reference.shuttles_in_other_words),
}
forms = pytest.mark.parametrize("rules", [BORDERS, SQUARES_ALONE], ids=["borders", "squares"])
limits = pytest.mark.parametrize("limit", [3, 5])

_GROUND = [place for place in SQUARES if not LAKES >> place & 1]
_ASIDE = {"k10", "k9", "i10"}
"""Squares reserved for a blue marshal, so that Blue can always move."""


@dataclass
class Walk:
    """Random moves of two scouts on a random board, which both referees judge."""

    position: Position
    standing: Standing
    chance: random.Random
    made: list[reference.MadeMove] = field(default_factory=list)

    @classmethod
    def on_a_drawn_board(cls, rules: Edition, chance: random.Random) -> "Walk":
        """Create a random board with up to twenty obstacles in addition to the lakes."""
        free = [place for place in _GROUND if name(place) not in _ASIDE]
        places = chance.sample(free, 2 + chance.choice([0, 5, 20]))
        standing = {name(place): reference.Piece("red", "scout") for place in places[:2]}
        blocking = [("red", "bomb"), ("blue", "bomb"), ("blue", "spy")]
        for place in places[2:]:
            standing[name(place)] = reference.Piece(*chance.choice(blocking))
        standing["k10"] = reference.Piece("blue", "marshal")
        armies: dict[str, dict[Square, Square]] = {"red": {}, "blue": {}}
        known: dict[Square, Rank] = {}
        for stands, piece in standing.items():
            place = square(stands)
            armies[piece.side][place] = place
            known[place] = Rank[piece.rank.upper()]
        return cls(Position(rules, Board(**armies), known), standing, chance)

    def scouts(self) -> list[str]:
        return [place for place, piece in self.standing.items() if piece.rank == "scout"]

    def targets(self, source: str) -> list[str]:
        """Return the squares that a scout can reach, regardless of repetition. It attacks only
        spies."""
        return [
            target
            for target in reachable(self.standing, source, "scout")
            if target not in self.standing or self.standing[target].rank == "spy"
        ]

    def choose(self) -> tuple[str, str] | None:
        """Choose a move, usually by the scout that moved last.

        This scout usually moves back to its previous square, or along the line of its last move.
        """
        chance, scouts = self.chance, self.scouts()
        source = self.made[-1].target if self.made and chance.random() < 0.97 else scouts[0]
        targets = self.targets(source)
        if not targets:
            return None
        back = self.made[-1].source if self.made else ""
        mood = chance.random()
        if mood < 0.6 and back in targets:
            return source, back
        beyond = [t for t in targets if back[:1] == t[:1] or back[1:] == t[1:]]
        return source, chance.choice(beyond if mood < 0.9 and beyond else targets)

    def refuses(self, source: str, target: str) -> bool:
        """Whether the engine refuses a move. The two-squares rule must be the only reason."""
        found = self.position.find_violation(square(source), square(target))
        assert found is None or found.fault is ViolationKind.TO_AND_FRO
        return found is not None

    def go(self, source: str, target: str) -> None:
        """Make a legal move. Blue's turn is skipped, which does not affect the two-squares rule."""
        after = position_updates.after_turn(self.position, Move(source, target))
        self.position = position_updates.turn_to(after, RED)
        piece = self.standing[target] = self.standing.pop(source)
        self.made.append(reference.MadeMove(piece, source, target))


def walks(rules: Edition) -> Iterator[tuple[Walk, str, str, bool]]:
    """Before each step, yield the random walk, the step's source and target, and whether the engine
    refuses the step."""
    chance = random.Random(f"walks {rules.id} {rules.two_squares_limit}")
    steps = 0
    while True:
        walk = Walk.on_a_drawn_board(rules, chance)
        for _ in range(60):
            way = walk.choose()
            if way is None:
                break
            refused = walk.refuses(*way)
            yield walk, *way, refused
            if not refused:
                walk.go(*way)
            steps += 1
            if steps == SCOUTS.size:
                return


@SCOUTS
@forms
@limits
def test_random_scout_moves(rules: Edition, limit: int) -> None:
    """At each step, check the chosen move, and sometimes all moves of the same scout."""
    rules = replace(rules, two_squares_limit=limit)
    wordings = WORDINGS[rules.recurrence]
    seen = Counter[str]()
    for walk, source, target, refused in walks(rules):
        piece = walk.standing[source]
        for forbids in wordings:
            assert forbids(walk.made, piece, source, target, limit) == refused, walk.made[-limit:]
        seen["asked"] += 1
        seen["refused"] += refused
        seen["attacks"] += not refused and target in walk.standing
        if seen["asked"] % 50 == 0:
            free = walk.targets(source)
            refused_targets = [other for other in free if walk.refuses(source, other)]
            for forbids in wordings:
                assert refused_targets == [
                    t for t in free if forbids(walk.made, piece, source, t, limit)
                ]
            seen["in part"] += 0 < len(refused_targets) < len(free)
    assert seen["asked"] == SCOUTS.size
    assert seen["refused"] > SCOUTS.size / 80
    assert seen["attacks"] > SCOUTS.size / 400
    assert seen["in part"] > SCOUTS.size / 2000
