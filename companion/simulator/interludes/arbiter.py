"""Corrections by the arbiter, each of which is undone again."""

from collections.abc import Iterable
from itertools import combinations
from typing import TypeVar

from companion.simulator.interludes.occasion import Answer, Occasion
from engine.board.board import Piece
from engine.board.geometry import Side, squares_in
from engine.board.ranks import Rank, ranks_in
from engine.game.actions import BreakSeals, Correct, Exchanged, Mistake, NoLongMove, WrongRank
from engine.game.game_state import Phase
from engine.game.rulings import refuses

AnyMistake = TypeVar("AnyMistake", WrongRank, Exchanged, NoLongMove)


def correct_rank(occasion: Occasion) -> Answer:
    """Correct a revealed rank to a wrong one, and then back."""
    right = {piece: rank for side in Side for piece, rank in _pieces(occasion, side)}
    ranks = list(ranks_in(occasion.people.referee.edition.army.ranks))
    wrong = (WrongRank(piece, rank) for piece in right for rank in ranks if rank != right[piece])
    mistake = _choose(occasion, wrong)
    if mistake is None:
        return Answer.UNFIT
    return _correct(occasion, mistake, WrongRank(mistake.piece, right[mistake.piece]))


def exchange_pieces(occasion: Occasion) -> Answer:
    """Exchange two pieces of one side as a correction, and exchange them back."""
    pairs = (pair for side in Side for pair in combinations(_pieces(occasion, side), 2))
    mistake = _choose(occasion, (Exchanged(one, other) for (one, _), (other, _) in pairs))
    return _correct(occasion, mistake, mistake) if mistake else Answer.UNFIT


def correct_long_move(occasion: Occasion) -> Answer:
    """Correct that a piece never moved far: the referee then knows less about it."""
    pieces = (piece for side in Side for piece, _ in _pieces(occasion, side))
    mistake = _choose(occasion, map(NoLongMove, pieces))
    if mistake is None:
        return Answer.UNFIT
    occasion.people.say(Correct(mistake))
    return Answer.MISSED if occasion.people.table.conversation.can_correct(mistake) else Answer.DONE


def break_seals(occasion: Occasion) -> Answer:
    """Void the commitments of a side, as when its phone is lost."""
    people = occasion.people
    sealed = [side for side in Side if side in people.view.sealed]
    if not sealed:
        return Answer.UNFIT
    side = occasion.dice.choice(sealed)
    people.say(BreakSeals(side))
    return Answer.MISSED if side in people.view.sealed else Answer.DONE


def _pieces(occasion: Occasion, side: Side) -> list[tuple[Piece, Rank]]:
    """List the pieces of a side with their printed ranks."""
    people = occasion.people
    board = people.referee.position.board
    return [(board.piece_at(each), people.rank_at(each)) for each in squares_in(board.of(side))]


def _choose(occasion: Occasion, mistakes: Iterable[AnyMistake]) -> AnyMistake | None:
    """Choose a mistake that can be corrected without ending the game."""
    possible = list(mistakes)
    for mistake in occasion.dice.sample(possible, len(possible)):
        if occasion.people.table.conversation.can_correct(mistake):
            trial = occasion.people.referee.copy()
            if not refuses(trial.apply(Correct(mistake))) and trial.phase is Phase.PLAY:
                return mistake
    return None


def _correct(occasion: Occasion, first: Mistake, then: Mistake) -> Answer:
    people = occasion.people
    accepted = len(people.referee.actions)
    for mistake in (first, then):
        people.say(Correct(mistake))
        accepted += 1
        if len(people.referee.actions) != accepted:
            return Answer.MISSED
    return occasion.find_same()
