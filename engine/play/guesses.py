"""Infiltration handling: a guess, and its owner's answer."""

from engine.knowledge.proofs import Ground, Proof
from engine.play import advance
from engine.play.actions import AnswerGuess, Infiltrate
from engine.play.matters import OpenedInfiltration
from engine.play.moment import Judgement, Moment, settled
from engine.play.position import Position
from engine.play.rulings import Contradiction, Infiltrated, InfiltrationOpened
from engine.play.seals import is_as_pledged
from engine.play.unnamed import answer_of


def infiltrate(moment: Moment, action: Infiltrate) -> Judgement:
    """Judge an infiltration. If its result is unknown, the owner is asked for it.

    Whether it is unknown follows from public facts. A piece for which a rank was declared in
    silence is not asked again: its declaration is the answer, whatever it is.
    """
    position, source, target = moment.position, action.source, action.target
    violation = position.find_infiltration_violation(source, target)
    if violation:
        return moment, (violation,)
    side, guess = position.to_move, action.guess
    piece, ranks = position.board.piece_at(target), position.ranks_at(target)
    sealed = answer_of(position.waiter, piece)
    could_be, must_be = bool(ranks >> guess & 1), ranks == 1 << guess
    opened = Moment(position, OpenedInfiltration(source, target, guess))
    if could_be and not must_be and sealed is None:
        return opened, (InfiltrationOpened(side, source, target, guess, side.other),)
    right = must_be or (could_be and sealed is not None and sealed.unseal() is guess)
    after, rulings = _resolve(opened, right=right)
    return after, (InfiltrationOpened(side, source, target, guess, None), *rulings)


def answer_guess(moment: Moment, action: AnswerGuess) -> Judgement:
    """Process the answer to a guess; an impossible one is refused to the owner alone."""
    position, opened = moment.position, moment.matter
    assert isinstance(opened, OpenedInfiltration)
    proof = _refute(position, opened, action)
    if proof:
        citation = position.edition.cite(proof.ground.rule)
        return moment, (Contradiction(position.to_move.other, proof, citation),)
    return _resolve(moment, right=action.right)


def _refute(position: Position, opened: OpenedInfiltration, action: AnswerGuess) -> Proof | None:
    """Return the proof against an answer, None if it is possible."""
    owner, piece = position.to_move.other, position.board.piece_at(opened.target)
    opening = action.opening.unseal() if action.opening else None
    if is_as_pledged(position, owner, opened.target, opening) is False:
        return Proof(Ground.NOT_AS_SEALED, opened.guess)
    if opening and action.right is not (opening.rank is opened.guess):
        return Proof(Ground.NOT_AS_SEALED, opened.guess)
    if action.right:
        return position.waiter.informed.refute(piece, opened.guess, attacks=False)
    return None


def _resolve(moment: Moment, *, right: bool) -> Judgement:
    before, opened = moment.position, moment.matter
    assert isinstance(opened, OpenedInfiltration)
    source, target, guess = opened.source, opened.target, opened.guess
    position = advance.infiltrate(before, source, target, guess, right=right)
    infiltrated = Infiltrated(before.to_move, source, target, guess, right)
    after, rulings = settled(position)
    return after, (infiltrated, *rulings)
