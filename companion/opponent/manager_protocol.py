"""The text protocol of braathwaate/strategoevaluator, from the player's side.

The manager sends ``RED name 10 10``, and the player answers with the four rows of its setup,
starting with the top row on the manager's board. Red is at the top, and y counts downwards, so the
manager's square (x, y) is the engine's square ``10 * y + x``. Before each of its turns, the player
receives ``START`` or the enemy's turn with its outcome, followed by ten rows of the board. The
player answers with a turn such as ``0 3 DOWN 2``, which the manager repeats with the outcome.
``QUIT`` ends the game.

The manager's option -i ignores illegal turns, and repeats them with the outcome ``ILLEGAL``. An
answer ``NO_MOVE`` is repeated as it is, or by old managers with ``OK``.

The player follows the game with a referee. A turn that contradicts the referee is an error, because
the manager and the player would otherwise play different games. Only the turns count: a row of the
board that differs is a warning, because other managers may draw the board differently.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from companion.opponent.computer_player import ComputerPlayer
from companion.opponent.knowledge import collect_knowledge
from companion.opponent.levels import Level
from engine.board import EngineError
from engine.board.geometry import LAKES, NEIGHBOURS, WIDTH, Side, Square, line, set_of
from engine.board.ranks import MOVABLE, SCOUTS, Rank, ranks_in
from engine.board.visibility import Secret
from engine.game import actions
from engine.game.referee import Referee
from engine.game.rulings import Reason, Ruling, refuses
from engine.rules.editions import Edition
from engine.rules.movement import CombatResult, resolve
from engine.rules.rules import Rule, Violation

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
    CombatResult.ATTACKER_WINS: "KILLS",
    CombatResult.DEFENDER_WINS: "DIES",
    CombatResult.BOTH_FALL: "BOTHDIE",
}
SURRENDER: Final = "SURRENDER"
_PASSES: Final = ("NO_MOVE", "NO_MOVE OK")
_REPETITION: Final = (Rule.TWO_SQUARES, Rule.MORE_SQUARES)
_STEPS: Final = {"UP": -WIDTH, "DOWN": WIDTH, "LEFT": -1, "RIGHT": 1}
_ROWS: Final = WIDTH


class ProtocolError(ValueError):
    """A line violates the protocol, or contradicts an earlier line."""

    def __init__(self, expected: str, line: str) -> None:
        super().__init__(f"expected {expected}, found {line!r}")


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
        text = "a turn on the board, such as '0 3 DOWN 2' for two squares down from column 0, row 3"
        raise ProtocolError(text, " ".join(words)) from error
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
        self._talk: Iterator[list[str] | None] | None = None
        self._line = ""
        self._is_over = self.has_ended = False
        self.warning = ""
        """A sentence about the first row of the board that contradicts the turns, or empty."""
        self._referee = Referee.waiting(self._edition)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, even if the manager has not sent QUIT yet."""
        over = self._referee.outcome
        return self._is_over or bool(over and over.reason is not Reason.NO_LEGAL_MOVE)

    def answer(self, text: str) -> list[str]:
        """Return the lines with which the player answers a line from the manager.

        Raises ProtocolError if the manager's line is malformed, or contradicts an earlier line.
        """
        self._line = text.strip()
        if self._line.split()[:1] == ["QUIT"]:
            self._is_over = self.has_ended = True
        if self._is_over:
            return []
        if self._talk is None:
            self._talk = self._game()
        return next(self._talk) or []

    def _error(self, expected: str) -> ProtocolError:
        return ProtocolError(expected, self._line)

    def _game(self) -> Iterator[list[str] | None]:
        """Play a game. Each step reads the manager's latest line and yields the answer, if any."""
        words = self._line.split()
        if not words or words[0] not in Side.__members__ or words[2:] != [str(WIDTH)] * 2:
            raise self._error("RED or BLUE, the enemy's name, and the board's size 10 10")
        side = Side[words[0]]
        self._player = ComputerPlayer(self._edition, side, self._level, self._seed)
        self._side, self._setup = side, dict(self._player.setup)
        enemy = side.other.home
        own = set_of(self._setup)
        self._referee.push(
            actions.PlaceArmies(*((own, enemy) if side is Side.RED else (enemy, own)))
        )
        yield self._written_setup()
        if side is Side.BLUE:
            self._take(side.other)
        elif self._line != "START":
            raise self._error("START")
        while True:
            for row in self._picture():
                yield None
                if self._line != row and not self.warning:
                    self.warning = f"expected the row {row!r} of the board, found {self._line!r}"
            chosen = self._choose()
            yield [chosen]
            self._take(side, chosen)
            yield None
            self._take(side.other)

    def _written_setup(self) -> list[str]:
        letters = [LETTERS[self._setup[square]] for square in sorted(self._setup)]
        return ["".join(letters[at : at + WIDTH]) for at in range(0, len(letters), WIDTH)]

    def _picture(self) -> list[str]:
        """Return the rows of the board as the manager must show them to this player."""
        position = self._referee.position
        tokens = ["+" if LAKES >> at & 1 else "." for at in range(WIDTH * _ROWS)]
        for square in position.board.standing(self._side.other).values():
            tokens[square] = "#"
        for piece, square in position.board.standing(self._side).items():
            tokens[square] = LETTERS[self._setup[piece]]
        return ["".join(tokens[at : at + WIDTH]) for at in range(0, len(tokens), WIDTH)]

    # -- Turns

    def _choose(self) -> str:
        """Return a turn, or SURRENDER if the rules of movement or repetition leave no turn."""
        knowledge = collect_knowledge(self._referee, self._side, self._setup)
        if self._referee.outcome or not knowledge.turns:
            self._is_over = True
            return SURRENDER
        turn = self._player.choose(knowledge)
        return format_squares(turn.source, turn.target)

    def _take(self, side: Side, chosen: str = "") -> None:
        """Process a turn and its outcome, as reported by the manager.

        `chosen` is the player's own answer, which the manager must repeat.
        """
        words = self._line.split()
        if self._referee.outcome:
            return  # the player surrenders if the manager does not end the game
        if chosen and parse_squares(words)[:2] != parse_squares(chosen.split())[:2]:
            raise self._error(f"the outcome of {chosen!r}")
        if words[:1] == [SURRENDER]:
            self._is_over = True
        elif self._line in _PASSES or words[-1:] == ["ILLEGAL"]:
            self._pass(side)
        else:
            self._make(side, *parse_squares(words))

    def _make(self, side: Side, source: Square, target: Square, outcome: list[str]) -> None:
        word = outcome[0] if outcome else ""
        if word.startswith("VICTORY"):
            self._is_over = True
        elif word == "OK":
            self._expect(source, side)
            self._expect(target, None)
            self._apply(actions.Move(source, target))
        elif word in OUTCOMES.values():
            if len(outcome) != 3 or not all(each in RANKS for each in outcome[1:]):
                raise self._error(f"two ranks after {word}")
            self._expect(source, side)
            self._expect(target, side.other)
            self._fight(side, source, target, word, RANKS[outcome[1]], RANKS[outcome[2]])
        else:
            words = ", ".join(OUTCOMES.values())
            raise self._error(f"OK, ILLEGAL, VICTORY_FLAG, VICTORY_ATTRITION, {words} as outcome")
        over, stuck = self._referee.outcome, self._referee.stalemate
        if (over and over.reason is Reason.NO_LEGAL_MOVE and over.winner is self._side) or (
            stuck and stuck.stuck is not self._side
        ):
            self._play_on(side, source, target, word)

    def _expect(self, square: Square, side: Side | None) -> None:
        """Raise ProtocolError unless a square is occupied by a side, or empty if that is None."""
        if self._referee.position.board.side_at(square) is not side:
            y, x = divmod(square, WIDTH)
            piece = f"a piece of {side.name}" if side else "no piece"
            raise self._error(f"{piece} in column {x}, row {y}")

    def _fight(
        self, side: Side, source: Square, target: Square, outcome: str, one: Rank, other: Rank
    ) -> None:
        referee, declared = self._referee, {side: one, side.other: other}
        position, able = referee.position, MOVABLE if target in NEIGHBOURS[source] else SCOUTS
        possible = {
            side: position.ranks_at(source) & able,
            side.other: position.ranks_at(target),
        }
        own = source if side is self._side else target
        possible[self._side] = 1 << self._setup[position.pieces[own]]
        for owner, ranks in possible.items():
            if not ranks >> declared[owner] & 1:
                letters = " or ".join(LETTERS[rank] for rank in ranks_in(ranks))
                raise self._error(f"{letters} as the rank of {owner.name}'s piece")
        expected = OUTCOMES[resolve(one, other)]
        if outcome != expected:
            raise self._error(f"{expected} for {LETTERS[one]} against {LETTERS[other]}")
        self._apply(actions.Attack(source, target))
        while attack := referee.open_attack:
            owner = attack.awaited[0]
            self._apply(actions.Declare(Secret(owner, declared[owner])))

    def _apply(self, action: actions.Action) -> None:
        """Apply an action. Raises ProtocolError if it breaks a rule other than a repetition rule.

        The manager has no repetition rules.
        """
        try:
            rulings = self._referee.apply(action)
            if isinstance(action, actions.Move | actions.Attack) and _is_repetition(rulings[0]):
                rulings = self._referee.apply(actions.Override(action.source, action.target))
        except EngineError as error:
            raise self._error("a turn that is possible in this position") from error
        if refuses(rulings):
            why = "another rank is proved"
            if isinstance(violation := rulings[0], Violation):
                why = violation.fault.meaning
            raise self._error(f"a legal turn ({why})")

    def _pass(self, side: Side) -> None:
        """Skip a side's turn."""
        board = actions.AdoptBoard((), 0, side.other)
        latest = self._referee.in_force[-1]
        if self._referee.outcome and isinstance(latest, actions.AdoptBoard):
            # The side has no turn at all, but the manager lets it pass instead of ending the game.
            self._referee.undo()
            board = replace(latest, to_move=side.other)
        self._apply(board)

    def _play_on(self, side: Side, source: Square, target: Square, outcome: str) -> None:
        """Make the referee continue after a turn that has left the enemy without a legal turn.

        The manager has no repetition rules, so the enemy may still make a turn that they forbid.
        """
        referee = self._referee
        while referee.outcome or not referee.phase.is_turn:
            referee.undo()
        fallen = [source] * (outcome in ("DIES", "BOTHDIE"))
        fallen += [target] * (outcome in ("KILLS", "BOTHDIE"))
        shifted = () if source in fallen else (actions.Relocation(source, target),)
        self._apply(actions.AdoptBoard(shifted, set_of(fallen), side.other))


def _is_repetition(ruling: Ruling) -> bool:
    return isinstance(ruling, Violation) and ruling.fault.rule in _REPETITION
