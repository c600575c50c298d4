"""The referee of one game: actions in, rulings out."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from enum import Enum
from typing import Final

from engine import combat, infiltration, movement
from engine.actions import (
    Action,
    AgreeDraw,
    AnswerGuess,
    CannotMove,
    Declare,
    Forfeit,
    Infiltrate,
    Insist,
    Move,
    OpenAttack,
    Override,
    PlaceArmies,
    Resign,
    RunOut,
    SettleDispute,
    StrikeOn,
    TakeBack,
    WithdrawAttack,
)
from engine.attack import OpenedAttack
from engine.board import Board, Piece
from engine.dossier import Dossier, Ground, Proof
from engine.editions import Edition, MovedBomb
from engine.infiltration import OpenedInfiltration
from engine.more_squares import MoreSquares
from engine.ranks import IMMOBILE, Rank, RankSet, rank_set, sole
from engine.rules import Fault, Reading, Rule
from engine.rulings import (
    ArmiesPlaced,
    AttackOpened,
    AttackWithdrawn,
    Combat,
    Contradiction,
    Declared,
    Disputed,
    DisputeSettled,
    GameOver,
    Infiltrated,
    InfiltrationOpened,
    Moved,
    Overridden,
    Reason,
    Ruling,
    TakenBack,
    Violation,
    refuses,
)
from engine.secrecy import Secret
from engine.setup import Placed, find_faults
from engine.sides import Side
from engine.squares import BETWEEN, LAKES, NEIGHBOURS, Square, line, set_of, squares_in
from engine.two_squares import TwoSquares


class Phase(Enum):
    """What kind of action the game is waiting for."""

    SETUP = "setup"
    PLAY = "play"
    ATTACK = "attack"
    """Ranks are being declared."""
    DISPUTE = "dispute"
    """A declaration has to be decided about."""
    GUESS = "guess"
    """An infiltrator's guess has to be answered."""
    OVER = "over"


_RUNNING: Final = (Phase.PLAY, Phase.ATTACK, Phase.DISPUTE, Phase.GUESS)
_PHASES: Final[Mapping[type[Action], tuple[Phase, ...]]] = {
    PlaceArmies: (Phase.SETUP,),
    Move: (Phase.PLAY,),
    OpenAttack: (Phase.PLAY,),
    StrikeOn: (Phase.PLAY,),
    WithdrawAttack: (Phase.ATTACK,),
    Declare: (Phase.ATTACK,),
    Insist: (Phase.ATTACK,),
    SettleDispute: (Phase.DISPUTE,),
    Infiltrate: (Phase.PLAY,),
    AnswerGuess: (Phase.GUESS,),
    Override: (Phase.PLAY,),
    TakeBack: (*_RUNNING, Phase.OVER),
    CannotMove: (Phase.PLAY,),
    Resign: _RUNNING,
    AgreeDraw: _RUNNING,
    RunOut: _RUNNING,
    Forfeit: _RUNNING,
}
"""The phases in which an action makes sense."""
_TURNS: Final = (Move, OpenAttack, Infiltrate, Override)
"""The actions with which a turn begins."""
_OPENINGS: Final = (OpenAttack, StrikeOn, Override)
"""The actions that can open an attack."""
_UNDOING: Final = (TakeBack, WithdrawAttack)
"""The actions that leave nothing in force."""
_REPETITION: Final = (Rule.TWO_SQUARES, Rule.MORE_SQUARES)


class OutOfPhaseError(Exception):
    """The action makes no sense in this phase: a mistake of the program, not of a player."""


class Referee:
    """Folds actions into the state of a game. Knows only the ranks that were declared or proved.

    An action that a rule forbids is answered by a `Violation` or `Contradiction` and changes
    nothing. Accepted actions are kept in `actions`: replaying them gives the same referee.
    """

    def __init__(self, edition: Edition, known: Mapping[Piece, Rank] | None = None) -> None:
        """Begin a game. `known` are ranks known beforehand, as from a complete record."""
        self.edition = edition
        self.actions: list[Action] = []
        self.in_force: list[Action] = []
        """The accepted actions without those that were taken back or withdrawn."""
        self.phase = Phase.SETUP
        self.to_move = Side.RED
        self.plies = 0
        """How many turns have been completed: moves, attacks and infiltrations."""
        self.board = Board({}, {})
        self.attack: OpenedAttack | None = None
        self.infiltration: OpenedInfiltration | None = None
        self.last_move: tuple[Square, Square] | None = None
        self.last_combat: Combat | None = None
        """The combat that the last ply was, None if it was none."""
        self.captured = {side: Counter[Rank]() for side in Side}
        """The fallen pieces of each side by rank: public, as the sorting trays are (RULES §9)."""
        self.outcome: GameOver | None = None
        self.dossier = Dossier(edition.army, ())
        """What is proved from public facts."""
        self._known = known or {}
        self._unnamed: dict[Piece, Secret[Rank]] = {}
        """The declared ranks of defenders that stayed unnamed."""
        self._two_squares = TwoSquares(edition.two_squares_limit)
        self._more_squares = MoreSquares() if edition.more_squares else None

    @classmethod
    def replay(
        cls,
        edition: Edition,
        actions: Iterable[Action],
        known: Mapping[Piece, Rank] | None = None,
    ) -> "Referee":
        """Return the referee of a game whose actions were all accepted before."""
        referee = cls(edition, known)
        for action in actions:
            referee.apply(action)
        return referee

    def apply(self, action: Action) -> tuple[Ruling, ...]:
        """Judge an action and carry it out if it is allowed.

        Raises OutOfPhaseError if the action does not fit the phase of the game.
        """
        if self.phase not in _PHASES[type(action)]:
            raise OutOfPhaseError(f"{action} does not fit the phase {self.phase.value!r}")
        rulings = self._judge(action)
        if not refuses(rulings):
            self.actions.append(action)
            if not isinstance(action, _UNDOING):
                self.in_force.append(action)
        return rulings

    def _judge(self, action: Action) -> tuple[Ruling, ...]:
        match action:
            case Move():
                return self._move(action.source, action.target)
            case OpenAttack():
                return self._open_attack(action.source, action.target)
            case Declare():
                return self._declare(action.rank)
            case PlaceArmies():
                return self._place_armies(action)
            case StrikeOn():
                return self._strike_on(action.source, action.target)
            case WithdrawAttack():
                return self._withdraw_attack()
            case Insist():
                return self._insist(action.rank)
            case SettleDispute():
                return self._settle_dispute(action.accepted)
            case Infiltrate():
                return self._infiltrate(action)
            case AnswerGuess():
                return self._resolve_guess(action.right)
            case Override():
                return self._override(action.source, action.target)
            case TakeBack():
                self._rewind(_TURNS)
                return (TakenBack(),)
            case CannotMove():
                return self._end_without_move()
            case Resign():
                return self._end(action.side.other, Reason.RESIGNATION)
            case AgreeDraw():
                return self._end(None, Reason.AGREED_DRAW)
            case RunOut():
                return self._end(action.side.other if action.side else None, Reason.TIME)
            case Forfeit():
                return self._end(action.side.other, Reason.FORFEIT)

    # What is allowed

    def find_violation(self, source: Square, target: Square) -> Violation | None:
        """Say which rule forbids the side to move this move or attack, None if none does.

        Who has no legal move left is told why this one is none, though the game is over.
        """
        over = self._violation(Fault.GAME_IS_OVER, source, target) if self.outcome else None
        if self.outcome and self.outcome.reason is not Reason.NO_LEGAL_MOVE:
            return over
        return self._find_violation(self.to_move, source, target, self._possible) or over

    def can_move(self, side: Side) -> bool:
        """Whether a side has a legal turn; False only if public facts prove that it has none."""
        board, dossier = self.board, self.dossier
        for source, target in movement.steps(board, side):
            piece = board.piece_at(source)
            if dossier.may_move(piece) and not self._find_repetition(side, piece, source, target):
                return True
        return self._can_run(side) or self._can_infiltrate(side)

    def _can_run(self, side: Side) -> bool:
        return any(
            not self._find_repetition(side, piece, source, target)
            for source in squares_in(self.board.of(side))
            if self.dossier.possible(piece := self.board.piece_at(source)) & movement.SCOUT
            for target in movement.reach(self.board, source)
        )

    def could_infiltrate(self, source: Square, target: Square) -> bool:
        """Whether, by what everybody knows, the side to move could infiltrate this target."""
        return self.phase is Phase.PLAY and self._may_infiltrate(self.to_move, source, target)

    def _can_infiltrate(self, side: Side) -> bool:
        if not self.edition.army.counts[Rank.INFILTRATOR]:
            return False
        return any(
            self._may_infiltrate(side, source, target)
            for source in squares_in(self.board.of(side))
            for target in infiltration.targets(self.board, side, source)
        )

    def _may_infiltrate(self, side: Side, source: Square, target: Square) -> bool:
        possible = self.dossier.possible
        return infiltration.find_fault(self.board, side, source, target, possible) is None

    def _find_violation(
        self,
        side: Side,
        source: Square,
        target: Square,
        possible: Callable[[Piece], RankSet],
    ) -> Violation | None:
        fault = movement.find_fault(self.board, side, source, target, possible)
        if fault:
            return self._violation(fault, source, target)
        return self._find_repetition(side, self.board.piece_at(source), source, target)

    def _find_repetition(
        self, side: Side, piece: Piece, source: Square, target: Square
    ) -> Violation | None:
        """Say which repetition rule forbids a move or attack that is allowed otherwise."""
        border = self._two_squares.worn_out(side, piece, source, target)
        if border:
            return self._violation(Fault.TO_AND_FRO, *border, count=self.edition.two_squares_limit)
        if self._more_squares and not self.board.side_at(target):
            plies_ago = self._more_squares.repeated(self.board, side, piece, source, target)
            if plies_ago:
                return self._violation(Fault.CHASE_REPEATS, source, target, count=plies_ago)
        return None

    def _violation(self, fault: Fault, *squares: Square, count: int = 0) -> Violation:
        source = self.edition.cite(fault.rule, fault.reading)
        return Violation(fault, set_of(squares), source, count)

    @property
    def _informed(self) -> Dossier:
        """What is known to one who has also heard the declarations that were not named aloud."""
        if not self._unnamed:
            return self.dossier
        return self.dossier.knowing({p: rank.unseal() for p, rank in self._unnamed.items()})

    def _possible(self, piece: Piece) -> RankSet:
        """The ranks that a piece can have, for one who also knows what was not named aloud."""
        if piece in self._unnamed:
            return 1 << self._unnamed[piece].unseal()
        return self.dossier.possible(piece)

    # Setting up

    def _place_armies(self, action: PlaceArmies) -> tuple[Ruling, ...]:
        armies = {Side.RED: action.red, Side.BLUE: action.blue}
        pieces = [(side, piece) for side in Side for piece in squares_in(armies[side])]
        faults = find_faults(self.edition, [Placed(square, side) for side, square in pieces])
        if faults:
            return faults
        self.board = Board(
            red={piece: piece for piece in squares_in(action.red)},
            blue={piece: piece for piece in squares_in(action.blue)},
        )
        self.dossier = Dossier(self.edition.army, pieces)
        for piece, rank in self._known.items():
            self.dossier.revealed(piece, rank)
        self.phase = Phase.PLAY
        return (ArmiesPlaced(), *self._end_if_stuck())

    # Moves

    def _move(self, source: Square, target: Square) -> tuple[Ruling, ...]:
        violation = self._find_violation(self.to_move, source, target, self._possible)
        if violation is None and self.board.side_at(target):
            violation = self._violation(Fault.ONTO_OPPONENT, source, target)
        if violation:
            return self._refuse(violation)
        return self._carry(source, target)

    def _carry(self, source: Square, target: Square, *, regular: bool = True) -> tuple[Ruling, ...]:
        """Make a move; an irregular one tells nothing about the piece."""
        side, ran = self.to_move, regular and movement.is_run(source, target)
        piece = self._complete_turn(source, target, ran=ran, regular=regular)
        self.board.shift(source, target)
        if self._more_squares:
            self._more_squares.record(self.board, side, piece, (source, target), attack=False)
        return (Moved(side, source, target, ran), *self._end_if_stuck())

    def _refuse(self, violation: Violation) -> tuple[Ruling, ...]:
        """Refuse a move or attack; in some editions a moved bomb or flag has lost the game."""
        immobile = violation.fault is Fault.IMMOBILE
        if immobile and self.edition.moved_bomb is MovedBomb.LOSES and not self.outcome:
            return (violation, *self._end(self.to_move.other, Reason.MOVED_BOMB))
        return (violation,)

    def _override(self, source: Square, target: Square) -> tuple[Ruling, ...]:
        violation = self.find_violation(source, target)
        if violation is None:
            raise OutOfPhaseError("no rule forbids this move, so there is nothing to override")
        side = self.board.side_at(source)
        if side is None or not self.can_stand(source, target):
            return (violation,)
        by_itself = self._find_violation(side, source, target, self._possible)
        regular = by_itself is None or by_itself.fault.rule in _REPETITION
        self.to_move = side
        made = self._begin_attack if self.board.side_at(target) else self._carry
        return (Overridden(violation), *made(source, target, regular=regular))

    def can_stand(self, source: Square, target: Square) -> bool:
        """Whether an arbiter could let a move or attack stand, by whichever side it was made.

        What the board cannot show never stands, and a bomb or a flag does not fight.
        """
        side, met = self.board.side_at(source), self.board.side_at(target)
        if side is None or met is side or LAKES >> target & 1:
            return False
        return met is None or bool(self._possible(self.board.piece_at(source)) & ~IMMOBILE)

    def _complete_turn(self, source: Square, target: Square, *, ran: bool, regular: bool) -> Piece:
        """Keep the books of a move or attack whose piece, returned, still stands on its source."""
        piece = self.board.piece_at(source)
        if regular:
            self.dossier.moved(piece, ran=ran, ply=self.plies + 1)
        if BETWEEN[source][target] is not None:
            self._two_squares.record(self.to_move, piece, source, target)
        else:
            self._two_squares.interrupt(self.to_move)
        self._pass_turn((source, target))
        return piece

    def _pass_turn(self, squares: tuple[Square, Square]) -> None:
        self.last_move = squares
        self.last_combat = None
        self.plies += 1
        self.to_move = self.to_move.other

    def _rewind(self, beginnings: tuple[type[Action], ...]) -> None:
        """Go back to before the latest of some actions or, after the end, of what has brought it.

        The referee knows afterwards what it knew then, and nothing of what was taken back.
        """
        kept = self.in_force[:-1]
        if not self.outcome:
            began = (n for n, act in enumerate(self.in_force) if isinstance(act, beginnings))
            kept = self.in_force[: max(began, default=0)]
        if not kept:
            raise OutOfPhaseError("nothing has been done that could be taken back")
        self._fold(kept)

    def _fold(self, kept: list[Action]) -> None:
        """Take the state of a game in which only these actions count."""
        before = Referee.replay(self.edition, kept, self._known)
        before.actions = self.actions
        vars(self).update(vars(before))

    # Attacks

    def _open_attack(self, source: Square, target: Square) -> tuple[Ruling, ...]:
        violation = self.find_violation(source, target)
        if violation is None and self.board.side_at(target) is None:
            violation = self._violation(Fault.NOTHING_TO_ATTACK, source, target)
        if violation:
            return self._refuse(violation)
        return self._begin_attack(source, target)

    def _begin_attack(
        self, source: Square, target: Square, *, regular: bool = True
    ) -> tuple[Ruling, ...]:
        side = self.to_move
        # What the attack proves is not noted yet: it may still be withdrawn.
        ran = regular and movement.is_run(source, target)
        ends = {side: (source, movement.SCOUT if ran else ~IMMOBILE), side.other: (target, -1)}
        informed, possible, proved = self._informed, {}, {}
        for owner, (square, ranks) in ends.items():
            piece = self.board.piece_at(square)
            told = self._possible(piece) & ranks
            # Whoever has lied in silence must still have something to declare.
            possible[owner] = informed.possible(piece) & ranks or told
            if (rank := sole(told)) is not None:
                proved[owner] = rank
        self.attack = OpenedAttack(source, target, possible, proved, regular)
        self.phase = Phase.ATTACK
        opened = AttackOpened(side, source, target, self.attack.awaited)
        return (opened, *self._resolve_when_declared())

    def can_strike_on(self, source: Square, target: Square) -> bool:
        """Whether the scout that was just set down on `source` may go on to attack `target`."""
        return self._began_run(source, target) is not None

    def _began_run(self, source: Square, target: Square) -> Square | None:
        """Where a scout has begun the turn in which it goes on to an attack; None if it cannot."""
        move = self.in_force[-1] if self.phase is Phase.PLAY else None
        if not isinstance(move, Move) or move.target != source or target not in NEIGHBOURS[source]:
            return None
        way = line(move.source, target)
        if way is None or source not in way or self.board.side_at(target) is not self.to_move:
            return None
        before = Referee.replay(self.edition, self.in_force[:-1], self._known)
        return None if before.find_violation(move.source, target) else move.source

    def _strike_on(self, source: Square, target: Square) -> tuple[Ruling, ...]:
        began = self._began_run(source, target)
        if began is None:
            violation = self.find_violation(source, target)
            if violation is None:
                raise OutOfPhaseError("this piece was not set down just now")
            return (violation,)
        turn = self.in_force
        self._fold(turn[:-1])
        self.in_force = turn
        return self._open_attack(began, target)

    def _withdraw_attack(self) -> tuple[Ruling, ...]:
        assert self.attack
        if self.attack.declared:
            raise OutOfPhaseError("an attack cannot be withdrawn once a rank has been declared")
        self._rewind(_OPENINGS)
        return (AttackWithdrawn(),)

    def _declare(self, declared: Secret[Rank]) -> tuple[Ruling, ...]:
        assert self.attack
        side = declared.owner
        proof = self._refute(declared)
        if proof:
            return (Contradiction(side, proof, self.edition.cite(proof.ground.rule)),)
        self.attack.declared[side] = declared
        return (Declared(side), *self._resolve_when_declared())

    def _refute(self, declared: Secret[Rank]) -> Proof | None:
        """Return the proof against a declaration; OutOfPhaseError if it is not awaited."""
        assert self.attack
        side, rank = declared.owner, declared.unseal()
        if side not in self.attack.awaited:
            raise OutOfPhaseError(f"no declaration is awaited from {side.value}")
        piece = self.board.piece_at(self._own_end(side))
        proof = self._informed.refute(piece, rank, attacks=side is self.to_move)
        if proof and proof.ground is Ground.ALL_FOUND:
            fallen = self.captured[side][rank] == proof.count
            return replace(proof, ground=Ground.ALL_FALLEN) if fallen else proof
        return proof

    def _own_end(self, side: Side) -> Square:
        """The square of a side's piece in the open attack."""
        assert self.attack
        return self.attack.source if side is self.to_move else self.attack.target

    def _insist(self, declared: Secret[Rank]) -> tuple[Ruling, ...]:
        assert self.attack
        proof = self._refute(declared)
        if not proof:
            raise OutOfPhaseError("nobody contradicts this declaration")
        side = declared.owner
        disputed = Disputed(side, self._own_end(side))
        moved_bomb = proof.ground.rule is Rule.IMMOBILE_PIECE
        if moved_bomb and self.edition.moved_bomb is MovedBomb.LOSES:
            return (disputed, *self._end(side.other, Reason.MOVED_BOMB))
        self.attack.disputed = declared
        self.phase = Phase.DISPUTE
        return (disputed,)

    def _settle_dispute(self, accepted: bool) -> tuple[Ruling, ...]:
        assert self.attack
        assert self.attack.disputed
        disputed = self.attack.disputed
        side, rank = disputed.owner, disputed.unseal()
        square = self._own_end(side)
        if side is self.to_move and IMMOBILE >> rank & 1:
            # That a bomb or a flag attacks cannot count, and why it does not must not be told.
            accepted = False
        self.attack.disputed = None
        self.phase = Phase.ATTACK
        settled = DisputeSettled(side, accepted)
        if not accepted:
            return (settled,)
        self.dossier.concede(self.board.piece_at(square), rank, ply=self.plies + 1)
        self.attack.declared[side] = disputed
        return (settled, *self._resolve_when_declared())

    def _resolve_when_declared(self) -> tuple[Ruling, ...]:
        assert self.attack
        if self.attack.awaited:
            return ()
        attack, side = self.attack, self.to_move
        attacker, defender = attack.rank(side), attack.rank(side.other)
        result = self._resolve(attacker, defender)
        named = self._note_defender(attacker, defender, result)
        ran = attack.regular and movement.is_run(attack.source, attack.target)
        piece = self._complete_turn(attack.source, attack.target, ran=ran, regular=attack.regular)
        self.dossier.revealed(piece, attacker, ply=self.plies)
        if result is not combat.Result.DEFENDER_WINS:
            self.board.remove(attack.target)
            self.captured[side.other][defender] += 1
        if result is combat.Result.ATTACKER_WINS:
            self.board.shift(attack.source, attack.target)
        else:
            self.board.remove(attack.source)
            self.captured[side][attacker] += 1
        if self._more_squares:
            move = (attack.source, attack.target)
            self._more_squares.record(self.board, side, piece, move, attack=True)
        self.attack = None
        self.phase = Phase.PLAY
        fought = Combat(side, attack.source, attack.target, attacker, named, result)
        self.last_combat = fought
        return (fought, *self._end_after_loss(fallen=defender))

    def _resolve(self, attacker: Rank, defender: Rank) -> combat.Result:
        advantage = self.edition.aggressor_advantage
        return combat.resolve(attacker, defender, aggressor_advantage=advantage)

    def _note_defender(self, attacker: Rank, defender: Rank, result: combat.Result) -> Rank | None:
        """Note what everybody learns of the defender; return its rank if it is named."""
        assert self.attack
        piece, ply = self.board.piece_at(self.attack.target), self.plies + 1
        stays = result is combat.Result.DEFENDER_WINS
        if not (self.edition.silent_defence and stays and attacker is not Rank.SCOUT):
            self.dossier.revealed(piece, defender, ply=ply)
            return defender
        winners = rank_set(rank for rank in Rank if self._resolve(attacker, rank) is result)
        self.dossier.won_unnamed(piece, winners, attacker, ply=ply)
        self._unnamed[piece] = Secret(self.to_move.other, defender)
        return None

    # Infiltration

    def _infiltrate(self, action: Infiltrate) -> tuple[Ruling, ...]:
        source, target, guess = action.source, action.target, action.guess
        side = self.to_move
        fault = infiltration.find_fault(self.board, side, source, target, self._possible)
        if fault:
            return (self._violation(fault, source, target),)
        self.infiltration = OpenedInfiltration(source, target, guess)
        self.phase = Phase.GUESS
        ranks = self._informed.possible(self.board.piece_at(target))
        could_be, must_be = bool(ranks >> guess & 1), ranks == 1 << guess
        awaited = side.other if could_be and not must_be else None
        opened = InfiltrationOpened(side, source, target, guess, awaited)
        return (opened,) if awaited else (opened, *self._resolve_guess(must_be))

    def _resolve_guess(self, right: bool) -> tuple[Ruling, ...]:
        assert self.infiltration
        side, opened = self.to_move, self.infiltration
        source, target, guess = opened.source, opened.target, opened.guess
        piece = self.board.piece_at(target)
        self._pass_turn((source, target))
        self._two_squares.interrupt(side)
        if self._more_squares:
            self._more_squares.interrupt(side)
        infiltrator = self.board.piece_at(source)
        self.dossier.revealed(infiltrator, Rank.INFILTRATOR, ply=self.plies)
        self.infiltration = None
        self.phase = Phase.PLAY
        infiltrated = Infiltrated(side, source, target, guess, right)
        if not right:
            self.dossier.guessed_wrong(piece, guess, ply=self.plies)
            return (infiltrated, *self._end_if_stuck())
        self.dossier.revealed(piece, guess, ply=self.plies)
        self.board.remove(target)
        self.captured[side.other][guess] += 1
        return (infiltrated, *self._end_after_loss(fallen=guess))

    # The end

    def _end_after_loss(self, fallen: Rank) -> tuple[Ruling, ...]:
        """End the game if a piece that was attacked or infiltrated, or its loss, ends it."""
        if fallen is Rank.FLAG:
            return self._end(self.to_move.other, Reason.FLAG_CAPTURED)
        spent = [side for side in Side if not self._has_movable_piece(side)]
        if len(spent) == len(Side):
            return self._end(None, Reason.BOTH_IMMOBILE)
        if spent:
            return self._end(spent[0].other, Reason.NO_MOVABLE_PIECE)
        return self._end_if_stuck()

    def _has_movable_piece(self, side: Side) -> bool:
        """Whether a side may have a movable piece left; the captured ones prove it (RULES §8)."""
        standing = map(self.board.piece_at, squares_in(self.board.of(side)))
        return any(map(self.dossier.may_move, standing))

    def _end_if_stuck(self) -> tuple[Ruling, ...]:
        """End the game if the side to move provably has no legal move."""
        return () if self.can_move(self.to_move) else self._end_without_move()

    def _end_without_move(self) -> tuple[Ruling, ...]:
        """End the game because the side to move cannot."""
        opponent = self.to_move.other
        if self.edition.both_immobile_draw and not self.can_move(opponent):
            return self._end(None, Reason.BOTH_IMMOBILE)
        return self._end(opponent, Reason.NO_LEGAL_MOVE)

    def _end(self, winner: Side | None, reason: Reason) -> tuple[Ruling, ...]:
        self.phase = Phase.OVER
        self.attack = self.infiltration = None
        rule = Rule.IMMOBILE_PIECE if reason is Reason.MOVED_BOMB else Rule.ENDING
        reading = Reading.SHUT_IN_LOSES if reason is Reason.NO_LEGAL_MOVE else None
        self.outcome = GameOver(winner, reason, self.edition.cite(rule, reading))
        return (self.outcome,)
