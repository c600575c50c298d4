"""The referee of one game: actions in, rulings out; and the same as a library would have it.

`Referee.apply` takes an action and returns rulings: that is what the table uses. The methods with
words of the game (`move`, `attack`, `declare` …) take squares by name, and what a rule forbids
raises an `IllegalActionError` in the game's words. docs/engine.md has recipes.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from engine.knowledge.pledge import Pledge
from engine.legality.board import Board, Piece
from engine.play import advance, amendments, corrections, turns, words
from engine.play.actions import (
    Action,
    AgreeDraw,
    Amend,
    AnswerCannotMove,
    AnswerGuess,
    Attack,
    CannotMove,
    Correct,
    Declare,
    Infiltrate,
    Mistake,
    Move,
    Override,
    PlaceArmies,
    Resign,
    TakeBack,
    WithdrawAttack,
)
from engine.play.game import Game
from engine.play.judging import judge
from engine.play.matters import OpenedAttack, OpenedInfiltration, Standstill
from engine.play.moment import Moment, OutOfPhaseError, Phase
from engine.play.position import Position
from engine.play.rulings import GameOver, Ruling, refuses
from engine.play.words import Recorded
from engine.ranks import Rank, ranks_in
from engine.rulebook.editions import Edition
from engine.rulebook.violation import Violation
from engine.secrecy import Secret
from engine.sides import Side
from engine.squares import BESIDE, BETWEEN, Square, line, square

_NO_BOARD: Final = Board({}, {})
_REVISING: Final = (Amend, WithdrawAttack, TakeBack)
"""The actions that change the line of the game."""


class IllegalActionError(ValueError):
    """A rule forbids it. The message names the squares, the rule and the rulebook."""

    def __init__(self, rulings: tuple[Ruling, ...]) -> None:
        super().__init__("; ".join(map(words.tell_refusal, rulings)))
        self.rulings = rulings
        """What the referee has ruled."""


class Referee:
    """Folds actions into the state of a game. Knows only the ranks that were declared or proved.

    ``print(referee)`` is a picture of the board.
    """

    edition: Edition
    known: Mapping[Piece, Rank]
    """The ranks that were known beforehand."""
    game: Game
    """The line of the game. Only the referee pushes and pops."""
    ruled: tuple[Ruling, ...] = ()
    """What was ruled on the latest accepted action."""

    def __init__(
        self,
        edition: Edition | str = "original-1992",
        *,
        army: str | None = None,
        board: str | None = None,
        record: Recorded | None = None,
        pledges: Mapping[Side, Pledge] | None = None,
    ) -> None:
        """Begin a game with both armies on their rows and no rank known.

        Args:
            edition: An `Edition`, or the id of one (`engine.EDITIONS`).
            army: Another army of that edition, such as ``"barrage"``.
            board: Who stands where as a picture (`engine.picture`), for an army that does not fill
                its four rows; ``r?`` is a red piece, ``b10`` a blue marshal whose rank is known.
            record: A recorded game, whose armies and ranks are taken.
            pledges: With sealed armies, what each side has promised of its own.

        Raises IllegalActionError if the armies do not stand as they have to, and ValueError for an
        edition, army or picture that makes no sense.
        """
        chosen = words.edition(edition, army)
        known: dict[Piece, Rank] = {}
        red, blue = (side.home for side in Side)
        if board is not None:
            (red, blue), known = words.armies(board)
        elif record is not None:
            red, blue, known = record.red, record.blue, dict(record.ranks)
        self.edition, self.known = chosen, known
        self.game = Game(Moment(Position(chosen, _NO_BOARD)))
        self._do(PlaceArmies(red, blue, pledges or {}))

    # -- the table's form: actions in, rulings out

    @classmethod
    def waiting(cls, edition: Edition, known: Mapping[Piece, Rank] | None = None) -> "Referee":
        """Return a referee who waits for the armies to be placed."""
        referee = cls.__new__(cls)
        referee.edition, referee.known = edition, known or {}
        referee.game, referee.ruled = Game(Moment(Position(edition, _NO_BOARD))), ()
        return referee

    @classmethod
    def replay(
        cls,
        edition: Edition,
        actions: Iterable[Action],
        known: Mapping[Piece, Rank] | None = None,
    ) -> "Referee":
        """Return the referee of a game whose actions were all accepted before."""
        referee = cls.waiting(edition, known)
        for action in actions:
            referee.apply(action)
        return referee

    def apply(self, action: Action) -> tuple[Ruling, ...]:
        """Judge an action and carry it out if it is allowed.

        An action that a rule forbids is answered by a `Violation` or `Contradiction` and changes
        nothing. Raises OutOfPhaseError if the action does not fit the phase of the game.
        """
        game = self.game
        if isinstance(action, _REVISING):
            rulings = amendments.change(game, action)
        else:
            after, rulings = judge(game.moment, action, self.known)
            if not refuses(rulings):
                game.push(action, after)
        if not refuses(rulings):
            game.actions.append(action)
            self.ruled = rulings
        return rulings

    @property
    def position(self) -> Position:
        """Where the game stands: a value, to be kept, compared and asked."""
        return self.game.moment.position

    @property
    def phase(self) -> Phase:
        """What kind of action is due."""
        return self.game.moment.phase

    @property
    def actions(self) -> list[Action]:
        """Every accepted action: replaying them gives the same referee."""
        return self.game.actions

    @property
    def in_force(self) -> list[Action]:
        """The accepted actions without those that were taken back, withdrawn or amended."""
        return self.game.in_force

    @property
    def ranks_seen(self) -> Mapping[Piece, Rank]:
        """The ranks that the referee has seen since both armies were placed."""
        placing = next(iter(self.actions), None)
        return placing.ranks if isinstance(placing, PlaceArmies) else {}

    @property
    def open_attack(self) -> OpenedAttack | None:
        """The attack that waits for declarations, if one does."""
        matter = self.game.moment.matter
        return matter if isinstance(matter, OpenedAttack) and not self.outcome else None

    @property
    def open_guess(self) -> OpenedInfiltration | None:
        """The guess that waits for its answer, if one does."""
        matter = self.game.moment.matter
        return matter if isinstance(matter, OpenedInfiltration) and not self.outcome else None

    @property
    def standstill(self) -> Standstill | None:
        """The question whether a side can move, if it is open or is being shown."""
        matter = self.game.moment.matter
        return matter if isinstance(matter, Standstill) and not self.outcome else None

    @property
    def to_move(self) -> Side:
        """The side whose turn it is."""
        return self.position.to_move

    @property
    def plies(self) -> int:
        """How many turns have been completed."""
        return self.position.plies

    @property
    def outcome(self) -> GameOver | None:
        """How the game has ended, None while it goes on."""
        return self.position.outcome

    def find_violation(self, source: Square, target: Square) -> Violation | None:
        """Say which rule forbids the side to move this move or attack, None if none does."""
        return self.position.find_violation(source, target)

    def can_amend(self, source: Square, target: Square) -> bool:
        """Whether the piece that was just set down may end its turn on another square."""
        return amendments.can_amend(self.game, source, target)

    def can_strike_on(self, source: Square, target: Square) -> bool:
        """Whether the scout that was just set down on `source` may tap the piece before it.

        It attacks from where its turn began, in one line through `source`.
        """
        began = self.turn_began_on(source)
        between = 0 if began is None else BETWEEN[began][target]
        ahead = bool(between and between >> source & 1 and BESIDE[source] >> target & 1)
        attacks = self.position.board.side_at(target) is self.to_move
        return ahead and attacks and self.can_amend(source, target)

    def can_slide_on(self, source: Square, target: Square) -> bool:
        """Whether the piece that was just set down on `source` may end on `target`, on its way.

        It goes on, or back a little, in the direction in which its turn began.
        """
        began = self.turn_began_on(source)
        made = None if began is None else line(began, source)
        whole = None if began is None else line(began, target)
        if made is None or whole is None or made[0] != whole[0]:
            return False
        return self.position.board.side_at(target) is None and self.can_amend(source, target)

    def turn_began_on(self, source: Square) -> Square | None:
        """Where the turn began that has just ended on a square, if its piece may still go on."""
        if amendments.turn_begun(self.game, source) is None:
            return None
        latest = self.game.latest
        return latest.action.source if latest and isinstance(latest.action, Move) else None

    def can_correct(self, mistake: Mistake) -> bool:
        """Whether an arbiter could set this right."""
        return self.phase is Phase.PLAY and corrections.can_correct(self.position, mistake)

    def can_touch(self, place: Square, *, carried: bool = False) -> bool:
        """Whether, with touch-move, lifting the piece on a square obliges its owner to move it."""
        return self.phase is Phase.PLAY and turns.can_touch(self.position, place, carried=carried)

    def excuse_touched(self) -> bool:
        """Take the owner's private word that the piece that was carried off cannot move.

        Other pieces may move then. It is no action, so that nobody can see that it was said; who
        moves another piece applies `FreeTouched` before. False if there is no such piece.
        """
        position = self.position
        if self.phase is not Phase.PLAY or position.excusable is None or not position.touched:
            return False
        excused = position.touched._replace(excused=True)
        self.game.moment = Moment(advance.touch(position, excused))
        return True

    def is_excused_for(self, turn: Move | Attack) -> bool:
        """Whether a turn is allowed only because the touched piece is said to be unable to move."""
        position = self.position
        touched = position.touched
        if not (touched and touched.excused) or turn.source == touched.square:
            return False
        is_attack = position.board.side_at(turn.target) is not None
        fits = is_attack == isinstance(turn, Attack)
        return fits and position.find_violation(turn.source, turn.target) is None

    def is_decided(self, source: Square, target: Square) -> bool:
        """Whether an attack that is allowed needs no declaration: both ranks are proved.

        Also of an attack with which the piece that was just set down on `source` goes on.
        """
        begun, began_on = amendments.turn_begun(self.game, source), self.turn_began_on(source)
        before, source = (self.game.moment, source) if began_on is None else (begun, began_on)
        assert before
        after, _ = judge(before, Attack(source, target), {})
        return after is not before and not isinstance(after.matter, OpenedAttack)

    # -- the library's form: words of the game in, IllegalActionError for what is forbidden

    def move(self, way: str) -> tuple[Ruling, ...]:
        """Move a piece of the side to move: ``game.move("a4-a5")``."""
        return self._do(Move(*words.way(way)))

    def attack(self, way: str) -> tuple[Ruling, ...]:
        """Attack with a piece of the side to move: ``game.attack("a5-a6")``."""
        return self._do(Attack(*words.way(way)))

    def amend(self, way: str) -> tuple[Ruling, ...]:
        """Let the piece that was just set down end its turn elsewhere, or attack: one turn."""
        return self._do(Amend(*words.way(way)))

    def withdraw(self) -> tuple[Ruling, ...]:
        """Take the open attack for none, as long as nobody has declared."""
        return self._do(WithdrawAttack())

    def declare(self, side: Side, rank: Rank | str, salt: str = "") -> tuple[Ruling, ...]:
        """Declare a rank in the open attack: ``game.declare(Red, "miner")``.

        With sealed armies the salt of the piece belongs to it.
        """
        opened = Secret(side, salt) if salt else None
        return self._do(Declare(Secret(side, words.rank(rank)), opened))

    def infiltrate(self, way: str, guess: Rank | str) -> tuple[Ruling, ...]:
        """Guess the rank of a piece near the infiltrator."""
        return self._do(Infiltrate(*words.way(way), words.rank(guess)))

    def answer(self, *, right: bool) -> tuple[Ruling, ...]:
        """Say whether the infiltrator's guess is right."""
        return self._do(AnswerGuess(right))

    def cannot_move(self) -> tuple[Ruling, ...]:
        """Say that the side to move has no legal move."""
        return self._do(CannotMove())

    def can_you_move(self, *, able: bool) -> tuple[Ruling, ...]:
        """Answer whether the other side can move, where that is asked."""
        return self._do(AnswerCannotMove(able))

    def resign(self, side: Side) -> tuple[Ruling, ...]:
        """Let a side give up."""
        return self._do(Resign(side))

    def agree_draw(self) -> tuple[Ruling, ...]:
        """Let both sides agree to a draw."""
        return self._do(AgreeDraw())

    def let_stand(self, way: str) -> tuple[Ruling, ...]:
        """Let stand, as an arbiter, a move or attack that a rule forbids."""
        return self._do(Override(*words.way(way)))

    def set_right(self, mistake: Mistake) -> tuple[Ruling, ...]:
        """Set right, as an arbiter, what was taken down wrongly."""
        return self._do(Correct(mistake))

    def undo(self) -> tuple[Ruling, ...]:
        """Take the latest ply back, or the attack that is open, or what has ended the game."""
        return self._do(TakeBack())

    def legal_moves(self) -> list[Move | Attack]:
        """List the moves and attacks of the side to move that no public fact forbids."""
        return self.position.legal_moves() if self.phase.is_turn else []

    def possible(self, place: str) -> set[Rank]:
        """Return the ranks that the piece on a square can have, by what everybody has seen."""
        where = square(place)
        if self.position.board.side_at(where) is None:
            raise ValueError(f"no piece stands on {place}")
        return set(ranks_in(self.position.ranks_at(where)))

    def copy(self) -> "Referee":
        """Return a referee of its own, who goes on from here without touching this one."""
        copy = Referee.waiting(self.edition, self.known)
        copy.game, copy.ruled = self.game.copy(), self.ruled
        return copy

    def __str__(self) -> str:
        return str(self.position)

    def __repr__(self) -> str:
        return f"<Referee by {self.edition.id}, {self.position!r}>"

    def _do(self, action: Action) -> tuple[Ruling, ...]:
        try:
            rulings = self.apply(action)
        except OutOfPhaseError as error:
            raise ValueError(str(error)) from error
        if refuses(rulings):
            raise IllegalActionError(rulings)
        return rulings
