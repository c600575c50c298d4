"""The referee of one game: actions in, rulings out; with a second interface for library users.

`Referee.apply` takes an action and returns rulings; the table uses this interface. The methods
named after game terms (`move`, `attack`, `declare` …) take squares by name, and raise an
`IllegalActionError` with a readable message for anything that a rule forbids. docs/engine.md has
recipes.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from engine.board.board import Board, Piece
from engine.board.geometry import BESIDE, BETWEEN, Side, Square, line, square
from engine.board.ranks import Rank, ranks_in
from engine.board.visibility import Secret
from engine.deduction.commitment import ArmyCommitment
from engine.game import (
    corrections,
    handle_moves,
    position_reader,
    position_text,
    position_updates,
    text_api,
)
from engine.game import game as amendments
from engine.game.actions import (
    Action,
    AgreeDraw,
    Amend,
    AnswerGuess,
    AnswerStalemate,
    Attack,
    ClaimStalemate,
    Correct,
    Correction,
    Declare,
    Infiltrate,
    Move,
    Override,
    PlaceArmies,
    Resign,
    TakeBack,
    WithdrawAttack,
)
from engine.game.apply_action import apply
from engine.game.game import Game
from engine.game.game_state import (
    GameState,
    OutOfPhaseError,
    PendingAttack,
    PendingGuess,
    Phase,
    Stalemate,
)
from engine.game.position import Position
from engine.game.rulings import GameOver, Ruling, refuses
from engine.game.text_api import Recorded
from engine.rules.editions import Edition
from engine.rules.violations import Violation

_NO_BOARD: Final = Board({}, {})
_REVISING: Final = (Amend, WithdrawAttack, TakeBack)
"""Actions that change the history of the game."""


class IllegalActionError(ValueError):
    """A rule forbids the action. The message names the squares, the rule and the rulebook."""

    def __init__(self, rulings: tuple[Ruling, ...]) -> None:
        super().__init__("; ".join(map(text_api.tell_refusal, rulings)))
        self.rulings = rulings
        """Rulings of the referee on the action."""


class Referee:
    """Applies actions to the state of a game. Knows only the ranks that were declared or proved.

    ``print(referee)`` is a picture of the board.
    """

    edition: Edition
    known: Mapping[Piece, Rank]
    """Ranks that were known beforehand."""
    game: Game
    """History of the game. Only the referee pushes and pops."""
    ruled: tuple[Ruling, ...] = ()
    """Rulings on the latest accepted action."""

    def __init__(
        self,
        edition: Edition | str = "original-1992",
        *,
        army: str | None = None,
        board: str | None = None,
        record: Recorded | None = None,
        pledges: Mapping[Side, ArmyCommitment] | None = None,
    ) -> None:
        """Begin a game with both armies on their rows and no rank known.

        Args:
            edition: An `Edition`, or the id of one (`engine.EDITIONS`).
            army: Another army of that edition, such as ``"barrage"``.
            board: The pieces as a picture (`engine.board.board_text`), for an army that does not
            fill
                its four rows; ``r?`` is a red piece, ``b10`` a blue marshal whose rank is known.
            record: A recorded game, whose armies and ranks are used.
            pledges: With sealed armies, the commitments of each side.

        Raises IllegalActionError if the setup of the armies is illegal, and ValueError for an
        edition, army or picture that is not valid.
        """
        chosen = text_api.edition(edition, army)
        known: dict[Piece, Rank] = {}
        red, blue = (side.home for side in Side)
        if board is not None:
            (red, blue), known = text_api.armies(board)
        elif record is not None:
            red, blue, known = record.red, record.blue, dict(record.ranks)
        self.edition, self.known = chosen, known
        self.game = Game(GameState(Position(chosen, _NO_BOARD)))
        self._do(PlaceArmies(red, blue, pledges or {}))

    # -- interface of the table: actions in, rulings out

    @classmethod
    def waiting(cls, edition: Edition, known: Mapping[Piece, Rank] | None = None) -> "Referee":
        """Return a referee of a game before its setup."""
        referee = cls.__new__(cls)
        referee.edition, referee.known = edition, known or {}
        referee.game, referee.ruled = Game(GameState(Position(edition, _NO_BOARD))), ()
        return referee

    @classmethod
    def replay(
        cls,
        edition: Edition,
        actions: Iterable[Action],
        known: Mapping[Piece, Rank] | None = None,
    ) -> "Referee":
        """Return the referee of a game from its accepted actions."""
        referee = cls.waiting(edition, known)
        for action in actions:
            referee.apply(action)
        return referee

    @classmethod
    def from_text(cls, text: str) -> "Referee":
        """Return a referee who goes on from a text by `to_text`; NotationError if no game has it.

        Nothing that was done before can be taken back, amended or corrected; only an open attack
        can be withdrawn, if no arbiter let it stand.
        """
        state = position_reader.read_state(text)
        referee = cls.waiting(state.position.edition)
        referee.game, attack = Game(state), state.matter
        if isinstance(attack, PendingAttack):
            opened = Attack(attack.source, attack.target)
            if state.position.find_violation(attack.source, attack.target) is None:
                referee.game = Game(GameState(state.position))
                referee.game.push(opened, state)
        return referee

    def to_text(self) -> str:
        """Return the position and the pending decision as one line of text: public facts only.

        docs/positions.md has the format. ValueError if the edition is not a published one.
        """
        return position_text.write_state(self.game.moment)

    def apply(self, action: Action) -> tuple[Ruling, ...]:
        """Judge an action and carry it out if it is allowed.

        An action that a rule forbids is answered by a `Violation` or `Contradiction` and changes
        nothing. Raises OutOfPhaseError if the action does not fit the phase of the game.
        """
        game = self.game
        if isinstance(action, _REVISING):
            rulings = amendments.change(game, action)
        else:
            after, rulings = apply(game.moment, action, self.known)
            if not refuses(rulings):
                game.push(action, after)
        if not refuses(rulings):
            game.actions.append(action)
            self.ruled = rulings
        return rulings

    @property
    def position(self) -> Position:
        """Current position: an immutable value."""
        return self.game.moment.position

    @property
    def phase(self) -> Phase:
        """Kind of action expected next."""
        return self.game.moment.phase

    @property
    def actions(self) -> list[Action]:
        """All accepted actions: replaying them reproduces the referee."""
        return self.game.actions

    @property
    def in_force(self) -> list[Action]:
        """Accepted actions without those that were taken back, withdrawn or amended."""
        return self.game.in_force

    @property
    def ranks_seen(self) -> Mapping[Piece, Rank]:
        """Ranks that the referee has seen since both armies were placed."""
        placing = next(iter(self.actions), None)
        return placing.ranks if isinstance(placing, PlaceArmies) else {}

    @property
    def open_attack(self) -> PendingAttack | None:
        """The attack that waits for declarations, if any."""
        matter = self.game.moment.matter
        return matter if isinstance(matter, PendingAttack) and not self.outcome else None

    @property
    def open_guess(self) -> PendingGuess | None:
        """The guess that waits for its answer, if any."""
        matter = self.game.moment.matter
        return matter if isinstance(matter, PendingGuess) and not self.outcome else None

    @property
    def standstill(self) -> Stalemate | None:
        """Pending stalemate claim: the opponent is being asked or is to prove that it can move."""
        matter = self.game.moment.matter
        return matter if isinstance(matter, Stalemate) and not self.outcome else None

    @property
    def to_move(self) -> Side:
        """Side whose turn it is."""
        return self.position.to_move

    @property
    def plies(self) -> int:
        """Number of turns completed."""
        return self.position.plies

    @property
    def outcome(self) -> GameOver | None:
        """Outcome of the game, None while it continues."""
        return self.position.outcome

    def find_violation(self, source: Square, target: Square) -> Violation | None:
        """Return the violation of a move or attack of the side to move, None if it is legal."""
        return self.position.find_violation(source, target)

    def can_amend(self, source: Square, target: Square) -> bool:
        """Whether the piece that was just set down may end its turn on another square."""
        return amendments.can_amend(self.game, source, target)

    def can_strike_on(self, source: Square, target: Square) -> bool:
        """Whether the scout that was just set down on `source` may tap the piece in front of it.

        It attacks from the square where its turn began, in one line through `source`.
        """
        began = self.turn_began_on(source)
        between = 0 if began is None else BETWEEN[began][target]
        ahead = bool(between and between >> source & 1 and BESIDE[source] >> target & 1)
        attacks = self.position.board.side_at(target) is self.to_move
        return ahead and attacks and self.can_amend(source, target)

    def can_slide_on(self, source: Square, target: Square) -> bool:
        """Whether the piece just set down on `source` may end on `target` in the same line.

        It continues, or goes back a little, in the direction in which its turn began.
        """
        began = self.turn_began_on(source)
        made = None if began is None else line(began, source)
        whole = None if began is None else line(began, target)
        if made is None or whole is None or made[0] != whole[0]:
            return False
        return self.position.board.side_at(target) is None and self.can_amend(source, target)

    def turn_began_on(self, source: Square) -> Square | None:
        """Start of the turn that has just ended on a square, if its piece may still move on."""
        if amendments.turn_begun(self.game, source) is None:
            return None
        latest = self.game.latest
        return latest.action.source if latest and isinstance(latest.action, Move) else None

    def can_correct(self, mistake: Correction) -> bool:
        """Whether an arbiter could make this correction."""
        return self.phase is Phase.PLAY and corrections.can_correct(self.position, mistake)

    def can_touch(self, place: Square, *, carried: bool = False) -> bool:
        """Whether, with touch-move, lifting the piece on a square obliges its owner to move it."""
        return self.phase is Phase.PLAY and handle_moves.can_touch(
            self.position, place, carried=carried
        )

    def excuse_touched(self) -> bool:
        """Accept the owner's private claim that the piece that was carried off cannot move.

        Other pieces may move then. It is not an action, so that the claim stays invisible; the
        caller applies `FreeTouched` before the move of another piece. False if there is no such
        piece.
        """
        position = self.position
        if self.phase is not Phase.PLAY or position.excusable is None or not position.touched:
            return False
        excused = position.touched._replace(excused=True)
        self.game.moment = GameState(position_updates.touch(position, excused))
        return True

    def is_excused_for(self, turn: Move | Attack) -> bool:
        """Whether a turn is legal only because the touched piece is claimed to be immobile."""
        position = self.position
        touched = position.touched
        if not (touched and touched.excused) or turn.source == touched.square:
            return False
        is_attack = position.board.side_at(turn.target) is not None
        fits = is_attack == isinstance(turn, Attack)
        return fits and position.find_violation(turn.source, turn.target) is None

    def is_decided(self, source: Square, target: Square) -> bool:
        """Whether a legal attack needs no declaration because both ranks are proved.

        This includes an attack in which the piece that was just set down on `source` continues.
        """
        begun, began_on = amendments.turn_begun(self.game, source), self.turn_began_on(source)
        before, source = (self.game.moment, source) if began_on is None else (begun, began_on)
        assert before
        after, _ = apply(before, Attack(source, target), {})
        return after is not before and not isinstance(after.matter, PendingAttack)

    # -- interface of the library: game terms in, IllegalActionError for illegal actions

    def move(self, way: str) -> tuple[Ruling, ...]:
        """Move a piece of the side to move: ``game.move("a4-a5")``."""
        return self._do(Move(*text_api.way(way)))

    def attack(self, way: str) -> tuple[Ruling, ...]:
        """Attack with a piece of the side to move: ``game.attack("a5-a6")``."""
        return self._do(Attack(*text_api.way(way)))

    def amend(self, way: str) -> tuple[Ruling, ...]:
        """End the turn of the piece that was just set down elsewhere, or attack: one turn."""
        return self._do(Amend(*text_api.way(way)))

    def withdraw(self) -> tuple[Ruling, ...]:
        """Withdraw the open attack, possible until the first declaration."""
        return self._do(WithdrawAttack())

    def declare(self, side: Side, rank: Rank | str, salt: str = "") -> tuple[Ruling, ...]:
        """Declare a rank in the open attack: ``game.declare(Red, "miner")``.

        With sealed armies, pass the salt of the piece as well.
        """
        opened = Secret(side, salt) if salt else None
        return self._do(Declare(Secret(side, text_api.rank(rank)), opened))

    def infiltrate(self, way: str, guess: Rank | str) -> tuple[Ruling, ...]:
        """Guess the rank of a piece near the infiltrator."""
        return self._do(Infiltrate(*text_api.way(way), text_api.rank(guess)))

    def answer(self, *, right: bool) -> tuple[Ruling, ...]:
        """Answer whether the infiltrator's guess is right."""
        return self._do(AnswerGuess(right))

    def cannot_move(self) -> tuple[Ruling, ...]:
        """Claim that the side to move has no legal move."""
        return self._do(ClaimStalemate())

    def can_you_move(self, *, able: bool) -> tuple[Ruling, ...]:
        """Answer whether the opponent can move, when a stalemate claim is pending."""
        return self._do(AnswerStalemate(able))

    def resign(self, side: Side) -> tuple[Ruling, ...]:
        return self._do(Resign(side))

    def agree_draw(self) -> tuple[Ruling, ...]:
        return self._do(AgreeDraw())

    def let_stand(self, way: str) -> tuple[Ruling, ...]:
        """Allow, as an arbiter, a move or attack that a rule forbids."""
        return self._do(Override(*text_api.way(way)))

    def set_right(self, mistake: Correction) -> tuple[Ruling, ...]:
        """Correct, as an arbiter, a mistake in the records."""
        return self._do(Correct(mistake))

    def undo(self) -> tuple[Ruling, ...]:
        """Take back the latest ply, the open attack, or the action that ended the game."""
        return self._do(TakeBack())

    def legal_moves(self) -> list[Move | Attack]:
        """List the moves and attacks of the side to move that no public fact forbids."""
        return self.position.legal_moves() if self.phase.is_turn else []

    def possible(self, place: str) -> set[Rank]:
        """Return the ranks that the piece on a square can have, according to public facts."""
        where = square(place)
        if self.position.board.side_at(where) is None:
            raise ValueError(f"no piece stands on {place}")
        return set(ranks_in(self.position.ranks_at(where)))

    def copy(self) -> "Referee":
        """Return an independent copy of the referee."""
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
