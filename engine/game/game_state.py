"""State of a game: the position, and any decision that is pending between two plies.

A pending decision is an attack, a guess or a stalemate claim. States are immutable: an update
returns another object. `Game` is the stack of states.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, NamedTuple, TypeAlias

from engine.board import OutOfPhaseError
from engine.board.board import Piece
from engine.board.geometry import (
    NEIGHBOURS,
    Side,
    Square,
    SquareSet,
    name,
    names,
    set_of,
    squares_in,
)
from engine.board.ranks import IMMOBILE, Rank, RankSet, only_rank, ranks_in
from engine.board.visibility import Secret
from engine.game import position_updates
from engine.game.actions import Action, Infiltrate, Turn
from engine.game.position import Position
from engine.game.rulings import Combat, Contradiction, GameOver, Ruling, StalemateClaimed
from engine.rules.editions import Edition
from engine.rules.repetition import recent_moves


@dataclass(frozen=True)
class PendingAttack:
    """An attack that awaits declarations."""

    attacker: Side
    source: Square
    target: Square
    possible: Mapping[Side, RankSet] = field(repr=False)
    """Ranks that each side's piece can have, attacker first. Secret declarations also restrict
    them."""
    proved: Mapping[Side, Secret[Rank]]
    """Ranks that need not be declared, because they are publicly proved, or because a defender
    declared them earlier."""
    regular: bool = True
    """Whether the attacker's path to the target is legal and therefore proves something about the
    attacker."""
    declared: Mapping[Side, Secret[Rank]] = field(default_factory=dict)
    disputed: Secret[Rank] | None = None
    """Declaration that a player stands by although it was proved impossible."""
    is_as_sealed: bool | None = None
    """Whether the disputed rank is the committed rank of the piece. None if there is no commitment.
    """
    conceded: frozenset[Side] = frozenset()
    """Sides whose disputed declaration was accepted by the arbiter or by both players."""

    @property
    def awaited(self) -> tuple[Side, ...]:
        """Sides that still have to declare a rank, attacker first."""
        answered = {*self.proved, *self.declared}
        return tuple(side for side in self.possible if side not in answered)

    def rank(self, side: Side) -> Rank:
        """Return the rank of a side's piece. The side must not be in `awaited`."""
        return (self.declared.get(side) or self.proved[side]).unseal()

    def square(self, side: Side) -> Square:
        """Return the square of a side's piece in the attack."""
        return self.source if side is self.attacker else self.target

    def with_declaration(self, declared: Secret[Rank]) -> "PendingAttack":
        """Return the attack with one more declaration."""
        return replace(self, declared={**self.declared, declared.owner: declared})


@dataclass(frozen=True)
class PendingGuess:
    """A guess that awaits its answer."""

    source: Square
    target: Square
    guess: Rank


@dataclass(frozen=True)
class Stalemate:
    """A side cannot move. The opponent must say that it cannot either, or prove that it can."""

    stuck: Side
    showing: bool = False
    """Whether the other side has claimed that it can move, and must now prove it."""


Pending: TypeAlias = PendingAttack | PendingGuess | Stalemate


class Phase(Enum):
    """Type of action that the game is waiting for."""

    SETUP = "setup"
    PLAY = "play"
    ATTACK = "attack"
    """Ranks are being declared."""
    DISPUTE = "dispute"
    """A dispute has to be settled."""
    GUESS = "guess"
    """An infiltrator's guess has to be answered."""
    STALEMATE = "standstill"
    """A side cannot move. The opponent must say whether it can move itself."""
    SHOWING = "showing"
    """The side to move has claimed that it can move, and must prove it with a legal move."""
    OVER = "over"

    is_turn: bool
    """Whether a turn on the board is expected."""

    def __init__(self, word: str) -> None:
        self.is_turn = word in ("play", "showing")


@dataclass(frozen=True, slots=True)
class GameState:
    """State of a game. Immutable: an update returns another object."""

    position: Position
    pending: Pending | None = None

    @property
    def phase(self) -> Phase:
        """Type of action expected next."""
        position, pending = self.position, self.pending
        if position.end_cache is not False and position.outcome:  # check the cache first, for speed
            return Phase.OVER
        if pending is None:
            return Phase.PLAY if position.own else Phase.SETUP
        match pending:
            case PendingAttack():
                return Phase.DISPUTE if pending.disputed else Phase.ATTACK
            case PendingGuess():
                return Phase.GUESS
            case Stalemate():
                return Phase.SHOWING if pending.showing else Phase.STALEMATE

    def legal_turns(self) -> list[Turn]:
        """List the turns that no public fact rules out. Empty if the game awaits an answer."""
        if self.pending is None:
            return self.position.legal_moves()
        if self.phase is not Phase.SHOWING:
            return []
        turns = self.position.legal_moves()
        return [each for each in turns if not isinstance(each, Infiltrate)]


Judgement: TypeAlias = tuple[GameState, tuple[Ruling, ...]]
"""State after an action, and the rulings on the action. A refused action leaves the state
unchanged."""


def after_turn(position: Position) -> Judgement:
    """Return the state after a turn, and the rulings on the consequences of the turn.

    The game may be over. It may also be known that one side is stuck, but not whether the other
    side can move. In this case, the other side is asked.
    """
    if over := position.outcome:
        return GameState(position), (over,)
    if position.end_cache is None and (stuck := position.stuck):
        return GameState(position, Stalemate(stuck)), (StalemateClaimed(stuck.other),)
    return GameState(position), ()


def notify_if_contradicted(
    before: Position, after: Position, piece: Piece
) -> tuple[Contradiction, ...]:
    """Return a notice to the owner if a piece's turn has disproved its secret rank.

    In this case, the owner has lied or is moving the wrong piece. To the opponent, the turn is
    legal.
    """
    player = before.own_player
    if piece not in player.sealed or piece not in player.unnamed:
        return ()
    side = after.to_move.other
    sealed = player.unnamed[piece]
    proof = after.player(side).deduction.refute(piece, sealed.unseal(), attacks=False)
    if proof is None:
        return ()
    return (Contradiction(side, proof, after.edition.cite(proof.ground.rule)),)


class GameStep(NamedTuple):
    """An action that still stands, and the state before it."""

    action: Action
    before: GameState


class Game:
    """Stack of game states: accepted actions are pushed and can be popped."""

    __slots__ = ("_befores", "actions", "in_force", "judged", "state")

    def __init__(self, state: GameState) -> None:
        self.state = state
        self.in_force: list[Action] = []
        """Accepted actions, except those that were taken back, withdrawn or amended."""
        self._befores: list[GameState] = []
        self.actions: list[Action] = []
        """All accepted actions, including undone ones. Replaying them reproduces the game."""
        self.judged: dict[Action, Judgement] = {}
        """Cache of judgements on turns in the current state, so that a turn is not judged again
        when it is played. Copies share the cache as long as their state is the same."""

    @property
    def latest(self) -> GameStep | None:
        """The latest action that still stands."""
        return GameStep(self.in_force[-1], self._befores[-1]) if self.in_force else None

    @property
    def states(self) -> list[GameState]:
        """The state before each action that still stands, followed by the current state."""
        return [*self._befores, self.state]

    def push(self, action: Action, after: GameState) -> None:
        """Push an action together with the state after it.

        The caller guarantees that the action leads to that state.
        """
        self.in_force.append(action)
        self._befores.append(self.state)
        self.enter(after)

    def enter(self, state: GameState) -> None:
        """Replace the current state without changing the history."""
        self.state = state
        if self.judged:
            self.judged = {}

    def pop(self) -> Action:
        """Undo the latest action and return it. Raises OutOfPhaseError if no action is left."""
        if not self.in_force:
            raise OutOfPhaseError("an action to take back", "none")
        self.enter(self._befores.pop())
        return self.in_force.pop()

    def copy(self) -> "Game":
        """Return an independent game with the same state and history."""
        copy = Game(self.state)
        copy.in_force, copy._befores = [*self.in_force], [*self._befores]
        copy.actions, copy.judged = [*self.actions], self.judged
        return copy


@dataclass(frozen=True)
class InformationState:
    """Knowledge of one side: public facts and its own secrets.

    Two games that differ only in secrets of the other side have equal information states.
    """

    side: Side
    edition: Edition
    phase: Phase
    to_move: Side
    plies: int
    ranks: Mapping[Square, Rank]
    """Known ranks of the side's own pieces: given, declared or proved."""
    possible: Mapping[Square, RankSet]
    """Ranks that each piece of either side can have according to public facts."""
    captured: Mapping[Side, Mapping[Rank, int]]
    """Number of captured pieces of each side, by rank."""
    unshown: Mapping[Side, int]
    """Number of pieces that left the board without their ranks being revealed."""
    runs: Mapping[Side, tuple[tuple[Square, Square, bool], ...]]
    """For the two-squares rule: the latest moves of the piece that a side moved last. Each entry is
    the source, the target, and whether the move was an attack. The most recent move is first. There
    are at most as many moves as the rule can count."""
    chases: Mapping[Side, tuple[int, SquareSet]]
    """For the more-squares rule: the length of a side's current chase in plies (0 without a chase),
    and the squares of the pieces that have evaded the chaser."""
    turns: tuple[Turn, ...]
    """Legal turns that the side's ranks allow. Empty if the side is not to move."""
    last_move: tuple[Square, Square] | None
    last_combat: Combat | None
    opened: tuple[Square, Square] | None
    """Squares of the pending attack or guess."""
    awaited: tuple[Side, ...]
    """Sides that have to declare a rank in the pending attack."""
    declared: Rank | None
    """Rank that the side itself has declared in the pending attack, even if disputed."""
    guess: Rank | None
    """Rank guessed in a pending infiltration."""
    stuck: Side | None
    """Side that cannot move, as long as the opponent must say that it cannot move either, or prove
    that it can. Otherwise None."""
    touched: Square | None
    """With touch-move: square of the piece that was touched."""
    sealed: tuple[Side, ...]
    """Sides whose commitments are in force."""
    is_as_sealed: bool | None
    """In a dispute: whether the commitment confirms the declaration. None without a commitment."""
    outcome: GameOver | None

    def __hash__(self) -> int:
        return hash((self.side, self.plies, self.last_move, tuple(self.possible.items())))

    def to_plain(self) -> dict[str, Any]:
        """Return the state as JSON-compatible data, with the names of squares and ranks."""
        fought, over = self.last_combat, self.outcome
        return {
            "side": self.side.value,
            "edition": self.edition.id,
            "phase": self.phase.value,
            "to_move": self.to_move.value,
            "plies": self.plies,
            "ranks": {name(square): _word(rank) for square, rank in self.ranks.items()},
            "possible": {
                name(square): [_word(rank) for rank in ranks_in(ranks)]
                for square, ranks in self.possible.items()
            },
            "captured": {
                side.value: {_word(rank): count for rank, count in sorted(fallen.items())}
                for side, fallen in self.captured.items()
            },
            "unshown": {side.value: count for side, count in self.unshown.items()},
            "runs": {
                side.value: [[name(start), name(end), attack] for start, end, attack in run]
                for side, run in self.runs.items()
            },
            "chases": {
                side.value: {"plies": plies, "evaders": names(evaders).split()}
                for side, (plies, evaders) in self.chases.items()
            },
            "turns": [str(turn) for turn in self.turns],
            "last_move": _names(self.last_move),
            "last_combat": fought
            and {
                "attacker": _word(fought.attacker),
                "defender": _word(fought.defender),
                "result": fought.result.value,
            },
            "opened": _names(self.opened),
            "awaited": [side.value for side in self.awaited],
            "declared": _word(self.declared),
            "guess": _word(self.guess),
            "stuck": self.stuck and self.stuck.value,
            "touched": None if self.touched is None else name(self.touched),
            "sealed": [side.value for side in self.sealed],
            "is_as_sealed": self.is_as_sealed,
            "outcome": over
            and {"winner": over.winner and over.winner.value, "reason": over.reason.value},
        }


def information_state(
    state: GameState, side: Side, own_ranks: Mapping[Piece, Rank]
) -> InformationState:
    """Return what a side knows. `own_ranks` are the ranks of its pieces, by setup square."""
    position, over = state.position, state.position.outcome
    matter = None if over else state.pending
    attack = matter if isinstance(matter, PendingAttack) else None
    asked = matter if isinstance(matter, PendingGuess) else None
    opened = attack or asked
    limit, every = position.edition.two_squares_limit, squares_in(position.own | position.enemy)
    ranks, declared = _own_ranks(position, side, own_ranks), _declared_by(attack, side)
    seen = position_updates.as_public(position, (side.other,))
    turns = replace(state, position=seen).legal_turns() if side is position.to_move else []
    public = position_updates.as_public(seen, (side,))
    return InformationState(
        side=side,
        edition=position.edition,
        phase=state.phase,
        to_move=position.to_move,
        plies=position.plies,
        ranks=ranks,
        possible={square: public.ranks_at(square) for square in every},
        captured={each: position.player(each).captured for each in Side},
        unshown={each: position.unshown(each) for each in Side},
        runs={each: recent_moves(position.run(each), limit) for each in Side},
        chases={each: _chase(position, each) for each in Side},
        turns=tuple(each for each in turns if _is_able(ranks.get(each.source), each)),
        last_move=position.last_move,
        last_combat=position.last_combat,
        opened=(opened.source, opened.target) if opened else None,
        awaited=attack.awaited if attack else (),
        declared=declared,
        guess=asked.guess if asked else None,
        stuck=matter.stuck if isinstance(matter, Stalemate) else None,
        touched=position.touched.square if position.touched else None,
        sealed=tuple(each for each in Side if position.player(each).commitment),
        is_as_sealed=attack.is_as_sealed if attack else None,
        outcome=over,
    )


def _own_ranks(position: Position, side: Side, given: Mapping[Piece, Rank]) -> dict[Square, Rank]:
    """Return the ranks of a side's pieces: given, declared earlier, or proved."""
    player, ranks = position.player(side), {}
    declared = {piece: secret.unseal() for piece, secret in player.unnamed.items()}
    for square in squares_in(position.squares(side)):
        piece = position.pieces[square]
        proved = only_rank(player.deduction.possible(piece))
        rank = given.get(piece, declared.get(piece, proved))
        if rank is not None:
            ranks[square] = rank
    return ranks


def _declared_by(attack: PendingAttack | None, side: Side) -> Rank | None:
    """Return the rank that a side has declared in an attack, or stands by in a dispute."""
    if attack is None:
        return None
    disputed = attack.disputed if attack.disputed and attack.disputed.owner is side else None
    declared = disputed or attack.declared.get(side)
    return declared.unseal() if declared else None


def _chase(position: Position, side: Side) -> tuple[int, SquareSet]:
    plies, evaders = position.chase(side)
    standing = position.squares(side.other)
    return plies, set_of(
        square for square in squares_in(standing) if evaders >> position.pieces[square] & 1
    )


def _is_able(rank: Rank | None, turn: Turn) -> bool:
    """Whether this rank allows a turn that would be legal for a piece of unknown rank."""
    if rank is None:
        return True
    if isinstance(turn, Infiltrate):
        return rank is Rank.INFILTRATOR
    is_step = turn.target in NEIGHBOURS[turn.source]
    return rank is Rank.SCOUT or (is_step and not IMMOBILE >> rank & 1)


def _word(rank: Rank | None) -> str | None:
    return None if rank is None else rank.name.lower()


def _names(squares: tuple[Square, Square] | None) -> list[str] | None:
    return squares and [name(square) for square in squares]
