"""The referee of one game: actions in, rulings out."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from engine import infiltration, movement
from engine.actions import (
    Action,
    AgreeDraw,
    AnswerGuess,
    CannotMove,
    CorrectRank,
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
    SlideOn,
    StrikeOn,
    TakeBack,
    WithdrawAttack,
)
from engine.attack import OpenedAttack
from engine.board import Piece
from engine.dossier import Ground, Proof
from engine.editions import Edition, MovedBomb
from engine.game import Game
from engine.infiltration import OpenedInfiltration
from engine.position import Phase
from engine.ranks import IMMOBILE, RUNNERS, Rank, sole
from engine.rules import Fault, Rule
from engine.rulings import (
    AttackOpened,
    AttackWithdrawn,
    Contradiction,
    CorrectionRefused,
    Declared,
    Disputed,
    DisputeSettled,
    InfiltrationOpened,
    Overridden,
    RankCorrected,
    Reason,
    Ruling,
    TakenBack,
    Violation,
    refuses,
)
from engine.secrecy import Secret
from engine.sides import Side
from engine.squares import NEIGHBOURS, Square, line, squares_in

_RUNNING: Final = (Phase.PLAY, Phase.ATTACK, Phase.DISPUTE, Phase.GUESS)
_PHASES: Final[Mapping[type[Action], tuple[Phase, ...]]] = {
    PlaceArmies: (Phase.SETUP,),
    Move: (Phase.PLAY,),
    OpenAttack: (Phase.PLAY,),
    StrikeOn: (Phase.PLAY,),
    SlideOn: (Phase.PLAY,),
    WithdrawAttack: (Phase.ATTACK,),
    Declare: (Phase.ATTACK,),
    Insist: (Phase.ATTACK,),
    SettleDispute: (Phase.DISPUTE,),
    Infiltrate: (Phase.PLAY,),
    AnswerGuess: (Phase.GUESS,),
    Override: (Phase.PLAY,),
    CorrectRank: (Phase.PLAY,),
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
_REVISING: Final = (TakeBack, WithdrawAttack, SlideOn)
"""The actions that change what is in force, and are not in force themselves."""
_REPETITION: Final = (Rule.TWO_SQUARES, Rule.MORE_SQUARES)


class OutOfPhaseError(Exception):
    """The action makes no sense in this phase: a mistake of the program, not of a player."""


class Referee(Game):
    """Folds actions into the state of a game. Knows only the ranks that were declared or proved.

    An action that a rule forbids is answered by a `Violation` or `Contradiction` and changes
    nothing. Accepted actions are kept in `actions`: replaying them gives the same referee.
    """

    def __init__(self, edition: Edition, known: Mapping[Piece, Rank] | None = None) -> None:
        """Begin a game. `known` are ranks known beforehand, as from a complete record."""
        super().__init__(edition, known)
        self.actions: list[Action] = []
        self.in_force: list[Action] = []
        """The accepted actions without those that were taken back or withdrawn."""

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
            if not isinstance(action, _REVISING):
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
            case SlideOn():
                return self._slide_on(action.source, action.target)
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
            case CorrectRank():
                return self._correct_rank(action.piece, action.rank)
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

    def _move(self, source: Square, target: Square) -> tuple[Ruling, ...]:
        violation = self._find_violation(self.to_move, source, target, self._possible)
        if violation is None and self.board.side_at(target):
            violation = self._violation(Fault.ONTO_OPPONENT, source, target)
        if violation:
            return self._refuse(violation, source, target)
        return self._carry(source, target)

    def _refuse(self, violation: Violation, source: Square, target: Square) -> tuple[Ruling, ...]:
        """Refuse a move or attack; in some editions a moved bomb or flag has lost the game."""
        immobile = violation.fault is Fault.IMMOBILE and not self.outcome
        moved = immobile and movement.could_go(self.board, self.to_move, source, target)
        if moved and self.edition.moved_bomb is MovedBomb.LOSES:
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

    def can_correct(self, piece: Piece) -> bool:
        """Whether a piece stands on the board whose rank has been shown to everybody."""
        return piece in self._standing() and self.dossier.is_revealed(piece)

    def _standing(self) -> dict[Piece, Square]:
        """Where every piece stands."""
        squares = squares_in(self.board.red | self.board.blue)
        return {self.board.piece_at(square): square for square in squares}

    def _correct_rank(self, piece: Piece, rank: Rank) -> tuple[Ruling, ...]:
        """Let a piece have another rank from here on. What it has fought stays as it was ruled."""
        if not self.can_correct(piece):
            raise OutOfPhaseError("the rank of this piece was never shown")
        square = self._standing()[piece]
        side = self.board.side_at(square)
        assert side
        reconsidered = self.dossier.copy()
        reconsidered.unreveal(piece)
        proof = self._count_fallen(side, reconsidered.refute(piece, rank, attacks=False))
        if proof:
            return (CorrectionRefused(square, proof, self.edition.cite(proof.ground.rule)),)
        reconsidered.revealed(piece, rank, ply=self.plies)
        self.dossier = reconsidered
        return (RankCorrected(side, square, rank),)

    def _rewind(self, beginnings: tuple[type[Action], ...]) -> None:
        """Go back to before the latest of some actions or, after the end, of what has brought it.

        The referee knows afterwards what it knew then, and nothing of what was taken back. But a
        rank that the arbiter has set right meanwhile stays right.
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
        for action in self.in_force[len(kept) :]:
            if isinstance(action, CorrectRank) and before.can_correct(action.piece):
                before.apply(action)
        before.actions = self.actions
        vars(self).update(vars(before))

    def _open_attack(self, source: Square, target: Square) -> tuple[Ruling, ...]:
        violation = self.find_violation(source, target)
        if violation is None and self.board.side_at(target) is None:
            violation = self._violation(Fault.NOTHING_TO_ATTACK, source, target)
        if violation:
            return self._refuse(violation, source, target)
        return self._begin_attack(source, target)

    def _begin_attack(
        self, source: Square, target: Square, *, regular: bool = True
    ) -> tuple[Ruling, ...]:
        side = self.to_move
        # What the attack proves is not noted yet: it may still be withdrawn.
        ran = regular and movement.is_run(source, target)
        ends = {side: (source, RUNNERS if ran else ~IMMOBILE), side.other: (target, -1)}
        informed, possible, proved = self._informed, {}, {}
        for owner, (square, ranks) in ends.items():
            piece = self.board.piece_at(square)
            told = self._possible(piece) & ranks
            # Whoever has lied in silence must still have something to declare.
            possible[owner] = informed.possible(piece) & ranks or told
            if (rank := sole(told)) is not None:
                proved[owner] = Secret(owner, rank)
        self.attack = OpenedAttack(source, target, possible, proved, regular)
        self.phase = Phase.ATTACK
        opened = AttackOpened(side, source, target, self.attack.awaited)
        return (opened, *self._resolve_when_declared())

    def is_decided(self, attack: OpenAttack | StrikeOn) -> bool:
        """Whether an attack that is allowed needs no declaration: both ranks are proved."""
        after = Referee.replay(self.edition, self.in_force, self._known)
        after.apply(attack)
        return after.attack is None

    def can_strike_on(self, source: Square, target: Square) -> bool:
        """Whether the scout that was just set down on `source` may go on to attack `target`."""
        return self._strikes_from(source, target) is not None

    def can_slide_on(self, source: Square, target: Square) -> bool:
        """Whether the piece that was just set down on `source` may still end its move on `target`.

        It has to stay on its way. Back where the turn began it would be no move at all: what has
        been made is taken back by both sides (rules.md §4).
        """
        return self._slides_from(source, target) is not None

    def _strikes_from(self, source: Square, target: Square) -> Square | None:
        """Where the turn has begun in which the scout on `source` attacks; None if it cannot."""
        begun = self._way_begun(source, target)
        way = None if begun is None else line(begun, target)
        taps = way is not None and source in way and target in NEIGHBOURS[source]
        return begun if taps and self.board.side_at(target) is self.to_move else None

    def _slides_from(self, source: Square, target: Square) -> Square | None:
        """Where the turn has begun in which the piece on `source` goes on; None if it cannot."""
        return None if self.board.side_at(target) else self._way_begun(source, target)

    def _way_begun(self, source: Square, target: Square) -> Square | None:
        """Where a turn has begun that has come to `source` and could end on `target` instead.

        None if the latest ply was no move, or the other square is not on the same way.
        """
        move = self.in_force[-1] if self.phase is Phase.PLAY else None
        if not isinstance(move, Move) or move.target != source or source == target:
            return None
        made, whole = line(move.source, source), line(move.source, target)
        if made is None or whole is None or made[0] != whole[0]:
            return None
        before = Referee.replay(self.edition, self.in_force[:-1], self._known)
        return None if before.find_violation(move.source, target) else move.source

    def _strike_on(self, source: Square, target: Square) -> tuple[Ruling, ...]:
        began = self._strikes_from(source, target)
        if began is None:
            return (self._find_second_turn(source, target),)
        turn = self.in_force
        self._fold(turn[:-1])
        self.in_force = turn
        return self._open_attack(began, target)

    def _slide_on(self, source: Square, target: Square) -> tuple[Ruling, ...]:
        began = self._slides_from(source, target)
        if began is None:
            return (self._find_second_turn(source, target),)
        self._fold(self.in_force[:-1])
        self.in_force.append(Move(began, target))
        return self._move(began, target)

    def _find_second_turn(self, source: Square, target: Square) -> Violation:
        """Say why a piece may not go on in a turn that is over; OutOfPhaseError if it is none."""
        violation = self.find_violation(source, target)
        if violation is None:
            raise OutOfPhaseError("this piece was not set down just now")
        return violation

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
        return self._count_fallen(side, proof)

    def _count_fallen(self, side: Side, proof: Proof | None) -> Proof | None:
        """Say so in a proof if all pieces of the rank have fallen."""
        if proof is None or proof.ground is not Ground.ALL_FOUND:
            return proof
        fallen = self.captured[side][proof.rank] == proof.count
        return replace(proof, ground=Ground.ALL_FALLEN) if fallen else proof

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
