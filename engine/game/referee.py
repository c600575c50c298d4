"""The referee of a game, with one interface for the table and another for library users.

`Referee.apply` takes an action and returns rulings; the table uses this interface. `Referee.push`
also accepts a line of text, and raises `IllegalActionError` with a readable message if an action
breaks a rule. Squares are given by name or by number. docs/engine.md has examples.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from engine.board import EngineError, NotationError
from engine.board.board import Board, Piece
from engine.board.geometry import (
    BESIDE,
    BETWEEN,
    AnySide,
    AnySquare,
    Side,
    Square,
    line,
    square,
    to_side,
)
from engine.board.ranks import AnyRank, Rank, ranks_in, to_rank
from engine.board.visibility import Secret
from engine.deduction.commitment import ArmyCommitment
from engine.game import (
    apply_action,
    corrections,
    position_reader,
    position_text,
    position_updates,
    revisions,
    text_api,
)
from engine.game.actions import (
    Action,
    Amend,
    Attack,
    Correction,
    Declare,
    Infiltrate,
    Move,
    PlaceArmies,
    TakeBack,
    Turn,
    WithdrawAttack,
)
from engine.game.apply_action import Openings, apply, legal_actions
from engine.game.game_state import (
    Game,
    GameState,
    InformationState,
    Judgement,
    PendingAttack,
    PendingGuess,
    Phase,
    Stalemate,
    information_state,
)
from engine.game.position import Position
from engine.game.rulings import GameOver, Ruling, refuses
from engine.game.text_api import Recorded, parse_action
from engine.rules.editions import Edition
from engine.rules.rules import Violation

_NO_BOARD: Final = Board({}, {})
_REVISING: Final = (Amend, WithdrawAttack, TakeBack)
"""Actions that change the history of the game."""


class IllegalActionError(EngineError):
    """The action breaks a rule. The message names the squares, the rule and the rulebook."""

    expected = "a legal action"

    def __init__(self, action: Action, rulings: tuple[Ruling, ...]) -> None:
        super().__init__(action, rulings)
        self.rulings = rulings
        """The referee's rulings on the action."""

    def __str__(self) -> str:
        return "; ".join(map(text_api.refusal_text, self.rulings))


class Referee:
    """Applies actions to the state of a game. Knows only the ranks that were declared or proved.

    ``print(referee)`` draws the board.
    """

    edition: Edition
    known: Mapping[Piece, Rank]
    """Ranks that were known in advance."""
    game: Game
    """History of the game. Only the referee pushes to it and pops from it."""
    position: Position
    """Current position, an immutable value."""
    ruled: tuple[Ruling, ...] = ()
    """Rulings on the latest accepted action, as returned by `apply`."""

    def __init__(
        self,
        edition: Edition | str = "original-1992",
        *,
        army: str | None = None,
        board: str | None = None,
        record: Recorded | None = None,
        commitments: Mapping[Side, ArmyCommitment] | None = None,
    ) -> None:
        """Begin a game with both armies in their rows and no rank known.

        Args:
            edition: An `Edition`, or the id of one (`engine.EDITIONS`).
            army: Another army of that edition, such as ``"barrage"``.
            board: Diagram of the pieces (`engine.board.board_text`), for armies that do not fill
                their four rows. ``r?`` is a red piece, and ``b10`` a blue marshal of known rank.
            record: A recorded game, whose armies and ranks are used.
            commitments: With sealed armies, the commitments of each side.

        Raises IllegalActionError if the armies are set up illegally, and NotationError if the
        edition, army or diagram is invalid.
        """
        chosen = text_api.edition(edition, army)
        known: dict[Piece, Rank] = {}
        red, blue = (side.home for side in Side)
        if board is not None:
            (red, blue), known = text_api.armies(board)
        elif record is not None:
            if not isinstance(record, Recorded):
                raise NotationError("a record that states every rank", type(record).__name__)
            red, blue, known = record.red, record.blue, dict(record.ranks)
        self.edition, self.known = chosen, known
        self.game = Game(GameState(Position(chosen, _NO_BOARD)))
        self.position = self.game.state.position
        self.push(PlaceArmies(red, blue, commitments or {}))

    # -- table interface: takes actions, returns rulings

    @classmethod
    def waiting(cls, edition: Edition, known: Mapping[Piece, Rank] | None = None) -> "Referee":
        """Return a referee for a game that awaits its setup."""
        return cls.of_game(Game(GameState(Position(edition, _NO_BOARD))), known)

    @classmethod
    def of_game(cls, game: Game, known: Mapping[Piece, Rank] | None = None) -> "Referee":
        """Return a referee that continues a game."""
        referee = cls.__new__(cls)
        referee.edition, referee.known = game.state.position.edition, known or {}
        referee.game, referee.ruled = game, ()
        referee.position = game.state.position
        return referee

    @classmethod
    def replay(cls, edition: Edition, actions: Iterable[Action]) -> "Referee":
        """Return a referee for a game, given its accepted actions."""
        referee = cls.waiting(edition)
        for action in actions:
            referee.apply(action)
        return referee

    @classmethod
    def from_text(cls, text: str) -> "Referee":
        """Return a referee that continues from text returned by `to_text`.

        Raises NotationError if the text is invalid. Earlier actions cannot be taken back, amended
        or corrected. An open attack can still be withdrawn, unless an arbiter had to permit it.
        """
        state = position_reader.read_state(text)
        game, attack = Game(state), state.pending
        if isinstance(attack, PendingAttack):
            opened = Attack(attack.source, attack.target)
            if state.position.find_violation(attack.source, attack.target) is None:
                game = Game(GameState(state.position))
                game.push(opened, state)
        return cls.of_game(game)

    def to_text(self) -> str:
        """Return the public facts about the position and the pending decision on a single line.

        docs/positions.md describes the format. Raises NotationError if the edition is not a
        published one.
        """
        state = self.game.state
        public = position_updates.as_public(state.position)
        return position_text.write_state(replace(state, position=public))

    def apply(self, action: Action) -> tuple[Ruling, ...]:
        """Judge an action and carry it out if it is allowed.

        An action that breaks a rule changes nothing, and the ruling is a `Violation` or
        `Contradiction`. Raises OutOfPhaseError if the action is not allowed in this phase of the
        game.
        """
        game = self.game
        if isinstance(action, _REVISING):
            rulings = revisions.change(game, action)
            if refuses(rulings):
                return rulings
        else:
            before = game.state
            is_turn = game.judged and isinstance(action, Move | Attack)
            judged = game.judged.get(action) if is_turn else None
            after, rulings = judged or apply(before, action, self.known)
            if after is before:  # refused
                return rulings
            game.push(action, after)
        game.actions.append(action)
        self.ruled = rulings
        self.position = game.state.position
        return rulings

    def judge(self, turn: Move | Attack) -> Judgement:
        """Judge a turn without playing it. A later `apply` reuses the judgement."""
        game = self.game
        if turn not in game.judged:
            game.judged[turn] = apply(game.state, turn, self.known)
        return game.judged[turn]

    @property
    def actions(self) -> list[Action]:
        """All accepted actions. Replaying them recreates this referee."""
        return self.game.actions

    @property
    def in_force(self) -> list[Action]:
        """Accepted actions, except those that were taken back, withdrawn or amended."""
        return [*self.game.in_force]

    @property
    def ranks_seen(self) -> Mapping[Piece, Rank]:
        """Ranks that have been visible to the referee since the setup."""
        placing = next(iter(self.actions), None)
        return placing.ranks if isinstance(placing, PlaceArmies) else {}

    @property
    def open_attack(self) -> PendingAttack | None:
        """The attack that awaits declarations, if any."""
        matter = self.game.state.pending
        return matter if isinstance(matter, PendingAttack) and not self.outcome else None

    @property
    def open_guess(self) -> PendingGuess | None:
        """The guess that awaits its answer, if any."""
        matter = self.game.state.pending
        return matter if isinstance(matter, PendingGuess) and not self.outcome else None

    @property
    def stalemate(self) -> Stalemate | None:
        """Pending stalemate. The opponent must say that it cannot move, or prove that it can."""
        matter = self.game.state.pending
        return matter if isinstance(matter, Stalemate) and not self.outcome else None

    @property
    def phase(self) -> Phase:
        """Type of action expected next."""
        return self.game.state.phase

    @property
    def to_move(self) -> Side:
        """The side to move."""
        return self.position.to_move

    @property
    def plies(self) -> int:
        """Number of completed turns."""
        return self.position.plies

    @property
    def outcome(self) -> GameOver | None:
        """Outcome of the game, or None while the game continues."""
        return self.position.outcome

    def find_violation(self, source: AnySquare, target: AnySquare) -> Violation | None:
        """Return the violation committed by a move or attack, or None if the turn is legal."""
        return self.position.find_violation(source, target)

    def can_amend(self, source: AnySquare, target: AnySquare) -> bool:
        """Whether the piece that was just set down may end its turn on another square."""
        return revisions.can_amend(self.game, square(source), square(target))

    def can_strike_on(self, source: AnySquare, target: AnySquare) -> bool:
        """Whether the scout that was just set down on `source` may tap the piece in front of it.

        The scout attacks from the square where its turn began, in a straight line through `source`.
        """
        source, target = square(source), square(target)
        began = self.turn_began_on(source)
        between = 0 if began is None else BETWEEN[began][target]
        ahead = bool(between and between >> source & 1 and BESIDE[source] >> target & 1)
        attacks = self.position.board.side_at(target) is self.to_move
        return ahead and attacks and self.can_amend(source, target)

    def can_slide_on(self, source: AnySquare, target: AnySquare) -> bool:
        """Whether the piece that was just set down on `source` may slide to `target`.

        The piece must continue in the direction of its move, or go back part of the way.
        """
        source, target = square(source), square(target)
        began = self.turn_began_on(source)
        made = None if began is None else line(began, source)
        whole = None if began is None else line(began, target)
        if made is None or whole is None or made[0] != whole[0]:
            return False
        return self.position.board.side_at(target) is None and self.can_amend(source, target)

    def turn_began_on(self, source: AnySquare) -> Square | None:
        """Return the first square of the turn that just ended on `source`.

        Return None if that turn cannot be continued.
        """
        if revisions.turn_begun(self.game, square(source)) is None:
            return None
        latest = self.game.latest
        return latest.action.source if latest and isinstance(latest.action, Move) else None

    def can_correct(self, mistake: Correction) -> bool:
        """Whether an arbiter could make this correction."""
        return self.phase is Phase.PLAY and corrections.can_correct(self.position, mistake)

    def can_touch(self, place: AnySquare, *, carried: bool = False) -> bool:
        """With touch-move: whether a player who lifts the piece on a square must move it."""
        return self.phase is Phase.PLAY and apply_action.can_touch(
            self.position, square(place), carried=carried
        )

    def excuse_touched(self) -> bool:
        """Accept the owner's private claim that the carried-off piece cannot move.

        Other pieces may then move. The claim is not an action, because it must stay invisible. The
        caller applies `FreeTouched` before another piece moves. Return False if there is no such
        piece.
        """
        position = self.position
        if self.phase is not Phase.PLAY or position.excusable is None or not position.touched:
            return False
        excused = position.touched._replace(excused=True)
        self.game.enter(GameState(position_updates.touch(position, excused)))
        self.position = self.game.state.position
        return True

    def is_excused_for(self, turn: Turn) -> bool:
        """Whether a turn is legal only because of the claim that the touched piece cannot move."""
        position = self.position
        touched = position.touched
        if not (touched and touched.excused) or turn.source == touched.square:
            return False
        if isinstance(turn, Infiltrate):
            return position.find_infiltration_violation(turn.source, turn.target) is None
        is_attack = position.board.side_at(turn.target) is not None
        fits = is_attack == isinstance(turn, Attack)
        return fits and position.find_violation(turn.source, turn.target) is None

    def is_decided(self, source: AnySquare, target: AnySquare) -> bool:
        """Whether a legal attack needs no declaration because both ranks are proved.

        The piece on `source` may have just been set down there. The attack then continues its turn.
        """
        source, target = square(source), square(target)
        begun, began_on = revisions.turn_begun(self.game, source), self.turn_began_on(source)
        before, source = (self.game.state, source) if began_on is None else (begun, began_on)
        assert before
        after, _ = apply(before, Attack(source, target), {})
        return after is not before and not isinstance(after.pending, PendingAttack)

    # -- library interface: takes actions or text, raises errors for refused actions

    def push(self, action: Action | str) -> tuple[Ruling, ...]:
        """Apply an action, given as an object or as text such as ``a4-a5`` or ``resign red``.

        Raises IllegalActionError if the action breaks a rule, and OutOfPhaseError if it is not
        allowed in this phase. Raises NotationError if the text cannot be parsed. The syntax is
        described in `engine.game.text_api`.
        """
        made = parse_action(action) if isinstance(action, str) else action
        rulings = self.apply(made)
        if refuses(rulings):
            raise IllegalActionError(made, rulings)
        return rulings

    def declare(self, side: AnySide, rank: AnyRank, salt: str = "") -> tuple[Ruling, ...]:
        """Declare a rank in the open attack: ``game.declare(Red, "miner")``.

        With sealed armies, also pass the salt of the piece.
        """
        owner = to_side(side)
        opened = Secret(owner, salt) if salt else None
        return self.push(Declare(Secret(owner, to_rank(rank)), opened))

    def undo(self) -> tuple[Ruling, ...]:
        """Take back the latest ply, the open attack, or the action that ended the game.

        An attack is undone together with its declarations. To keep a state for a search, use
        `copy`.
        """
        return self.push(TakeBack())

    def legal_moves(self) -> list[Turn]:
        """List the turns of the side to move that no public fact rules out.

        These are moves, attacks, and infiltrations with every guess that may be right. Return an
        empty list if no turn is due.
        """
        return self.game.state.legal_turns()

    def legal_actions(self, openings: Openings | None = None) -> list[Action]:
        """List the possible turns or answers. Return an empty list if the game is over.

        In an open attack, these are the possible declarations of each side that has not declared
        yet. They also depend on ranks that a side has declared in secret, so do not show them to
        the other side. With sealed armies, a rank can be declared only for a piece in `openings`.
        Actions that are always possible, such as resigning, are left out.
        """
        return legal_actions(self.game.state, openings or {})

    def information_state(
        self,
        side: AnySide,
        own_ranks: Mapping[Square, AnyRank] | Mapping[str, AnyRank] | None = None,
    ) -> InformationState:
        """Return exactly what a side knows, as input for playing or training a bot.

        `own_ranks` are the ranks of the side's pieces, by setup square. Without them, the result
        contains only ranks that the side has declared or that are proved.
        """
        ranks = {square(piece): to_rank(rank) for piece, rank in (own_ranks or {}).items()}
        return information_state(self.game.state, to_side(side), ranks)

    def possible(self, place: AnySquare) -> set[Rank]:
        """Return the ranks that the piece on a square can have according to public facts.

        Raises NotationError if the square is empty.
        """
        deduction, piece = self.position.deduction_at(square(place))
        return set(ranks_in(deduction.public.possible(piece)))

    def copy(self) -> "Referee":
        """Return an independent copy of the referee."""
        copy = Referee.of_game(self.game.copy(), self.known)
        copy.ruled = self.ruled
        return copy

    __copy__ = copy

    def __str__(self) -> str:
        return str(self.position)

    def __repr__(self) -> str:
        try:
            return f"Referee.from_text({self.to_text()!r})"
        except NotationError:  # a custom edition or army
            return f"<Referee by {self.edition.id}, {self.position!r}>"
