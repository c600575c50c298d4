"""The text protocol of braathwaite/strategoevaluator, from the player's side.

The manager sends ``RED name 10 10``, and the player answers with the four rows of its setup,
starting with the top row on the manager's board. Red is at the top, and y counts downwards, so the
manager's square (x, y) is the engine's square ``10 * y + x``. Before each of its turns, the player
receives ``START`` or the enemy's turn with its outcome, followed by ten rows of the board. The
player answers with a turn such as ``0 3 DOWN 2``, which the manager repeats with the outcome.
``QUIT`` ends the game.
"""

import random
from collections.abc import Iterator, Sequence
from typing import Final

from companion.opponent.computer_player import ComputerPlayer
from companion.opponent.knowledge import collect_knowledge
from companion.opponent.levels import Level
from engine.board import EngineError
from engine.board.geometry import LINES, NEIGHBOURS, WIDTH, Side, Square, line, set_of
from engine.board.ranks import IMMOBILE, Rank
from engine.board.visibility import Secret
from engine.game import actions
from engine.game.referee import Referee
from engine.game.rulings import Reason, refuses
from engine.rules.editions import Edition

LETTERS: Final = {
    Rank.FLAG: "F",
    Rank.SPY: "s",
    Rank.SCOUT: "9",
    Rank.MINER: "8",
    Rank.SERGEANT: "7",
    Rank.LIEUTENANT: "6",
    Rank.CAPTAIN: "5",
    Rank.MAJOR: "4",
    Rank.COLONEL: "3",
    Rank.GENERAL: "2",
    Rank.MARSHAL: "1",
    Rank.BOMB: "B",
}
"""Letters for the ranks. The protocol numbers the ranks from the marshal down."""
RANKS: Final = {letter: rank for rank, letter in LETTERS.items()}
OUTCOMES: Final = {
    "KILLS": (False, True),
    "DIES": (True, False),
    "BOTHDIE": (True, True),
}
"""For each outcome of an attack, whether the attacker falls and whether the defender falls."""
SURRENDER: Final = "SURRENDER"
_STEPS: Final = {"UP": -WIDTH, "DOWN": WIDTH, "LEFT": -1, "RIGHT": 1}
_ROWS: Final = WIDTH


class ProtocolError(ValueError):
    """A line violates the protocol."""


def parse_squares(words: Sequence[str]) -> tuple[Square, Square, list[str]]:
    """Return the squares of a turn and the words after them.

    Raises ProtocolError if the turn is malformed.
    """
    try:
        x, y, direction, *rest = words
        count = int(rest.pop(0)) if rest and rest[0].isdecimal() else 1
        source = WIDTH * int(y) + int(x)
        path = line(source, source + _STEPS[direction] * count)
        if not (0 <= int(x) < WIDTH and path and 0 <= path[-1] < WIDTH * WIDTH):
            raise ValueError
    except (ValueError, KeyError) as error:
        raise ProtocolError(f"cannot read the turn {' '.join(words)!r}") from error
    return source, path[-1], rest


def format_squares(source: Square, target: Square) -> str:
    """Format a turn, for example as ``0 3 DOWN 2``."""
    distance = target - source
    if source // WIDTH == target // WIDTH:
        direction, count = ("RIGHT" if distance > 0 else "LEFT"), abs(distance)
    else:
        direction, count = ("DOWN" if distance > 0 else "UP"), abs(distance) // WIDTH
    y, x = divmod(source, WIDTH)
    return f"{x} {y} {direction}" + (f" {count}" if count > 1 else "")


class ManagedPlayer:
    """A computer player that answers the lines sent by a manager."""

    def __init__(self, edition: Edition, level: Level, seed: int) -> None:
        """Create a player, which learns its side from the manager's first line.

        Raises ValueError if the edition has no army with the protocol's ranks.
        """
        self._edition = edition.with_army("original")
        self._level, self._seed = level, seed
        self._chance = random.Random(f"manager {seed}")
        self._talk: Iterator[list[str] | None] | None = None
        self._line = ""
        self.has_ended = False

    def answer(self, text: str) -> list[str]:
        """Return the lines with which the player answers a line from the manager.

        Raises ProtocolError if the manager's line is malformed.
        """
        self._line = text.strip()
        if self._line.split()[:1] == ["QUIT"]:
            self.has_ended = True
        if self.has_ended:
            return []
        if self._talk is None:
            self._talk = self._game()
        return next(self._talk) or []

    def _game(self) -> Iterator[list[str] | None]:
        """Play a game. Each step reads the manager's latest line and yields the answer, if any."""
        words = self._line.split()
        if not words or words[0] not in Side.__members__:
            raise ProtocolError(f"expected RED or BLUE, found {self._line!r}")
        side = Side[words[0]]
        self._player = ComputerPlayer(self._edition, side, self._level, self._seed)
        self._side, self._setup = side, dict(self._player.setup)
        self._referee = Referee.waiting(self._edition)
        enemy = side.other.home
        own = set_of(self._setup)
        self._referee.push(
            actions.PlaceArmies(*((own, enemy) if side is Side.RED else (enemy, own)))
        )
        yield self._written_setup()
        while True:
            if self._line != "START":
                self._take(side.other)
            rows = []
            for _ in range(_ROWS):
                yield None
                rows.append(self._line)
            yield [self._choose(rows)]
            self._take(side)
            yield None

    def _written_setup(self) -> list[str]:
        letters = [LETTERS[self._setup[square]] for square in sorted(self._setup)]
        return ["".join(letters[at : at + WIDTH]) for at in range(0, len(letters), WIDTH)]

    # -- Turns

    def _choose(self, rows: Sequence[str]) -> str:
        referee = self._referee
        if referee.outcome and referee.outcome.reason is Reason.NO_LEGAL_MOVE:
            return SURRENDER  # the repetition rules forbid every turn that is left
        if not referee.outcome and referee.phase.is_turn and referee.to_move is self._side:
            knowledge = collect_knowledge(referee, self._side, self._setup)
            if knowledge.turns:
                turn = self._player.choose(knowledge)
                return format_squares(turn.source, turn.target)
        return self._choose_without_referee(rows)

    def _choose_without_referee(self, rows: Sequence[str]) -> str:
        """Return any turn that is possible in this position.

        This is necessary if the manager's board contradicts the turns that it has sent.
        """
        tokens = "".join(row.ljust(WIDTH, ".")[:WIDTH] for row in rows).ljust(WIDTH * WIDTH, ".")
        found = []
        for source, token in enumerate(tokens):
            rank = RANKS.get(token)
            if rank is None or IMMOBILE >> rank & 1:
                continue
            found += [(source, at) for at in NEIGHBOURS[source] if tokens[at] in ".#"]
            if rank is Rank.SCOUT:
                found += _scout_moves(tokens, source)
        return format_squares(*self._chance.choice(found)) if found else SURRENDER

    def _take(self, side: Side) -> None:
        """Process a turn and its outcome, as reported by the manager."""
        words = self._line.split()
        if words[:1] == [SURRENDER] or self._referee.outcome:
            return
        source, target, outcome = parse_squares(words)
        if not outcome:
            raise ProtocolError(f"expected an outcome after the turn, found {self._line!r}")
        if outcome[0].startswith("VICTORY"):
            return
        if outcome[0] == "OK":
            if not self._apply(actions.Move(source, target)):
                self._adopt(side, source, target)
        elif outcome[0] in OUTCOMES:
            if len(outcome) < 3 or not all(each in RANKS for each in outcome[1:3]):
                raise ProtocolError(f"expected two ranks after {outcome[0]}, found {self._line!r}")
            self._fight(side, source, target, RANKS[outcome[1]], RANKS[outcome[2]], outcome[0])
        else:
            self._adopt(side)  # the turn was illegal, and the manager has ignored it
        over = self._referee.outcome
        if over and over.reason is Reason.NO_LEGAL_MOVE and over.winner is self._side:
            self._play_on(side, source, target, outcome[0])

    def _play_on(self, side: Side, source: Square, target: Square, outcome: str) -> None:
        """Make the referee continue after our turn has left the enemy without a legal turn.

        The manager has no repetition rules, so the enemy may still make a turn that they forbid.
        """
        while self._referee.outcome or self._referee.open_attack:
            if not self._undo():
                return
        self._adopt(side, source, target, *OUTCOMES.get(outcome, (False, False)))

    def _fight(
        self, side: Side, source: Square, target: Square, one: Rank, other: Rank, outcome: str
    ) -> None:
        referee = self._referee
        declared = {side: one, side.other: other}
        if self._apply(actions.Attack(source, target)):
            while attack := referee.open_attack:
                owner = attack.awaited[0]
                if not self._apply(actions.Declare(Secret(owner, declared[owner]))):
                    break
            else:
                return
            self._undo()
        self._adopt(side, source, target, *OUTCOMES[outcome])

    def _apply(self, action: actions.Action) -> bool:
        """Apply an action. Returns whether it was legal, apart from the repetition rules.

        The manager has no repetition rules.
        """
        try:
            if not refuses(self._referee.apply(action)):
                return True
            if not isinstance(action, actions.Move | actions.Attack):
                return False
            return not refuses(self._referee.apply(actions.Override(action.source, action.target)))
        except EngineError:
            return False

    def _undo(self) -> bool:
        """Undo the latest action. Returns whether that was possible."""
        try:
            self._referee.undo()
        except EngineError:
            return False
        return True

    def _adopt(
        self,
        side: Side,
        source: Square | None = None,
        target: Square | None = None,
        attacker_falls: bool = False,
        defender_falls: bool = False,
    ) -> None:
        """Make the referee accept the manager's board if the referee cannot follow the game."""
        shifted: tuple[actions.Relocation, ...] = ()
        fallen: list[Square] = []
        if source is not None and target is not None:
            fallen = [source] * attacker_falls + [target] * defender_falls
            shifted = () if attacker_falls else (actions.Relocation(source, target),)
        try:
            self._referee.apply(actions.AdoptBoard(shifted, set_of(fallen), side.other))
        except EngineError:
            return


def _scout_moves(tokens: str, source: Square) -> Iterator[tuple[Square, Square]]:
    for ahead in LINES[source]:
        for at in ahead:
            if tokens[at] in ".#":
                yield source, at
            if tokens[at] != ".":
                break
