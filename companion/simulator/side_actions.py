"""Side actions: interruptions of the game by simulated people, between plies.

A side action is skipped if it does not fit the context. Otherwise it either leaves the game
unchanged or begins the next turn, which the players then complete.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from itertools import combinations
from typing import Final, TypeAlias, TypeVar

from companion.core.inputs import BoardClaimed, Command, NoAttack
from companion.core.piece_matching import BoardProposal
from companion.simulator.random_games import AGREE_DRAW, Turn
from companion.simulator.simulated_people import People, Style
from engine.board.board import Piece
from engine.board.geometry import LAKES, SQUARES, WIDTH, Side, Square, squares_in
from engine.board.ranks import IMMOBILE, MOVABLE, Rank, RankSet, ranks_in
from engine.board.visibility import Secret
from engine.game import actions
from engine.game.game_state import Phase
from engine.game.referee import Referee
from engine.game.rulings import refuses
from engine.rules.editions import MovedBombPenalty

# Contexts and results.


class SideActionResult(Enum):
    """Result of a side action."""

    UNFIT = "unfit"
    """The side action was impossible in this situation, so nothing was done."""
    DONE = "done"
    """The side action was performed, and the game is as before."""
    BEGUN = "begun"
    """The next turn has begun and has to be completed."""
    MISSED = "missed"
    """The table did not notice one of the actions."""
    WRONG = "wrong"
    """The game should have been left unchanged, but was not."""


class SideActionContext:
    """The state before a side action, which is anything that people do apart from taking turns.

    All pieces are in place, and the next turn is known.
    """

    def __init__(self, people: People, turn: Turn, dice: random.Random) -> None:
        self.people = people
        self.turn = turn
        self.dice = dice
        self._plies = people.referee.plies
        touched = people.referee.copy()
        self._as_before = [touched.position]
        if touched.can_touch(turn.source):
            # Under the touch-move rule, a lifted piece has to be moved, even if all actions after
            # the touch are undone.
            touched.apply(actions.Touch(turn.source))
            self._as_before.append(touched.position)

    def find_same(self) -> SideActionResult:
        """Check that the game is as it was before the side action."""
        same = self.people.referee.position in self._as_before
        return SideActionResult.DONE if same else SideActionResult.WRONG

    def take_all_back(self) -> SideActionResult:
        """Take back the turns of the side action, and check that the game is as before."""
        if not self.people.take_back_to(self._plies, self.dice):
            return SideActionResult.MISSED
        return self.find_same()


# Corrections by the arbiter, each of which is undone afterwards.

AnyMistake = TypeVar(
    "AnyMistake", actions.RankCorrection, actions.SwapCorrection, actions.NotAScout
)


def correct_rank(context: SideActionContext) -> SideActionResult:
    """As a correction, change a revealed rank to a wrong one, then restore it."""
    right = {piece: rank for side in Side for piece, rank in _pieces(context, side)}
    ranks = list(ranks_in(context.people.referee.edition.army.ranks))
    wrong = (
        actions.RankCorrection(piece, rank)
        for piece in right
        for rank in ranks
        if rank != right[piece]
    )
    mistake = _choose(context, wrong)
    if mistake is None:
        return SideActionResult.UNFIT
    return _correct(context, mistake, actions.RankCorrection(mistake.piece, right[mistake.piece]))


def exchange_pieces(context: SideActionContext) -> SideActionResult:
    """Swap two pieces of one side as a correction, then swap them back."""
    pairs = (pair for side in Side for pair in combinations(_pieces(context, side), 2))
    mistake = _choose(
        context, (actions.SwapCorrection(one, other) for (one, _), (other, _) in pairs)
    )
    return _correct(context, mistake, mistake) if mistake else SideActionResult.UNFIT


def correct_long_move(context: SideActionContext) -> SideActionResult:
    """As a correction, declare that a piece did not make its recorded long move.

    The referee then knows less about the piece.
    """
    pieces = (piece for side in Side for piece, _ in _pieces(context, side))
    mistake = _choose(context, map(actions.NotAScout, pieces))
    if mistake is None:
        return SideActionResult.UNFIT
    context.people.submit(actions.Correct(mistake))
    return (
        SideActionResult.MISSED
        if context.people.table.conversation.can_correct(mistake)
        else SideActionResult.DONE
    )


def break_seals(context: SideActionContext) -> SideActionResult:
    """Void a side's commitments, as an arbiter does when that side's phone is lost."""
    people = context.people
    sealed = [side for side in Side if side in people.view.sealed]
    if not sealed:
        return SideActionResult.UNFIT
    side = context.dice.choice(sealed)
    people.submit(actions.BreakSeals(side))
    return SideActionResult.MISSED if side in people.view.sealed else SideActionResult.DONE


def _pieces(context: SideActionContext, side: Side) -> list[tuple[Piece, Rank]]:
    people = context.people
    board = people.referee.position.board
    return [(board.piece_at(each), people.rank_at(each)) for each in squares_in(board.of(side))]


def _choose(context: SideActionContext, mistakes: Iterable[AnyMistake]) -> AnyMistake | None:
    """Choose a mistake that can be corrected without ending the game."""
    possible = list(mistakes)
    for mistake in context.dice.sample(possible, len(possible)):
        if context.people.table.conversation.can_correct(mistake):
            trial = context.people.referee.copy()
            if not refuses(trial.apply(actions.Correct(mistake))) and trial.phase is Phase.PLAY:
                return mistake
    return None


def _correct(
    context: SideActionContext, first: actions.Correction, then: actions.Correction
) -> SideActionResult:
    people = context.people
    accepted = len(people.referee.actions)
    for mistake in (first, then):
        people.submit(actions.Correct(mistake))
        accepted += 1
        if len(people.referee.actions) != accepted:
            return SideActionResult.MISSED
    return context.find_same()


# Premature endings, which both sides then take back.

HAS_A_TURN: Final = 0.5
"""Probability that the opponent claims to have a legal turn."""


def resign_too_early(context: SideActionContext) -> SideActionResult:
    return _end(context, actions.Resign(context.dice.choice([*Side])))


def agree_draw_too_early(context: SideActionContext) -> SideActionResult:
    return _end(context, *AGREE_DRAW)


def forfeit_too_early(context: SideActionContext) -> SideActionResult:
    """As the arbiter, declare the game forfeited, then play on."""
    return _end(context, actions.Forfeit(context.dice.choice([*Side, None])))


def claim_stalemate_too_early(context: SideActionContext) -> SideActionResult:
    """Claim to have no legal turn, let the opponent answer if asked, then play on."""
    people = context.people
    people.submit(actions.ClaimStalemate())
    if people.referee.phase is Phase.STALEMATE:
        able = context.dice.random() < HAS_A_TURN
        people.submit(actions.AnswerStalemate(able))
        if able and not people.show_a_move():
            return SideActionResult.MISSED
    return _take_end_back(context)


def _end(context: SideActionContext, *words: actions.Action | Command) -> SideActionResult:
    for word in words:
        context.people.submit(word)
    return _take_end_back(context)


def _take_end_back(context: SideActionContext) -> SideActionResult:
    return context.take_all_back() if context.people.referee.outcome else SideActionResult.MISSED


# Declarations of ranks that cannot be true.

STAYS_BY_IT: Final = 0.7
"""Probability that a player insists on an impossible declaration before giving in."""


def insist_and_give_in(context: SideActionContext) -> SideActionResult:
    """Make an impossible declaration, usually insist on it, then declare the true rank."""
    edition = context.people.referee.edition
    # If moving a bomb loses the game, insisting that a moved piece is a bomb would end the game.
    excluded = IMMOBILE if edition.moved_bomb is MovedBombPenalty.LOSES else 0
    declaration = _choose_lie(context, excluded)
    if declaration is None:
        return SideActionResult.UNFIT
    if not _begin(context, declaration):
        return SideActionResult.MISSED
    if context.dice.random() < STAYS_BY_IT:
        context.people.submit(actions.UpholdDeclaration(declaration))
        context.people.submit(actions.SettleDispute(accepted=False))
    return SideActionResult.BEGUN


def insist_and_take_back(context: SideActionContext) -> SideActionResult:
    """Insist on an impossible declaration until it is accepted, then undo the whole attack."""
    declaration = _choose_lie(context, excluded=0)
    if declaration is None:
        return SideActionResult.UNFIT
    if not _begin(context, declaration):
        return SideActionResult.MISSED
    context.people.submit(actions.UpholdDeclaration(declaration))
    context.people.submit(actions.SettleDispute(accepted=True))
    if not context.people.conclude(declaration.owner):
        return SideActionResult.MISSED
    return context.take_all_back()


def _choose_lie(context: SideActionContext, excluded: RankSet) -> Secret[Rank] | None:
    """Choose a side, and a rank that is impossible for that side's piece in the next attack."""
    referee = context.people.referee
    if not isinstance(context.turn, actions.Attack):
        return None
    trial = referee.copy()
    trial.apply(context.turn)
    attack = trial.open_attack
    if attack is None:
        return None
    lies = [
        Secret(side, rank)
        for side in attack.awaited
        for rank in ranks_in(
            referee.edition.army_of(side).ranks & ~excluded & ~attack.possible[side]
        )
    ]
    return context.dice.choice(lies) if lies else None


def _begin(context: SideActionContext, declaration: Secret[Rank]) -> bool:
    """Make the attack and the declaration. Return False if the table accepts the declaration."""
    people, mover = context.people, context.people.referee.to_move
    people.heard.clear()
    people.make(context.turn, context.dice)
    if not people.wait_for(people.is_turn_noticed):
        return False
    people.conclude(mover, until=declaration.owner)
    people.submit(actions.Declare(declaration))
    found = people.table.conversation.contradiction
    return found is not None and found.owner is declaration.owner


# Accidents with pieces, and recovery from them.


def accept_board(context: SideActionContext) -> SideActionResult:
    """Accept a board on which an opponent's piece was moved, then undo the acceptance."""
    people = context.people
    way = _find_way(context)
    if way is None:
        return SideActionResult.UNFIT
    people.at.hands.move(*way)
    if not people.wait_for(lambda: isinstance(people.table.adoption.claim, BoardProposal)):
        return SideActionResult.MISSED
    to_move = context.dice.choice([*Side])
    for side in context.dice.sample([*Side], 2):
        _claim_board(context, side, to_move)
    if not isinstance(people.referee.actions[-1], actions.AdoptBoard):
        return SideActionResult.MISSED
    return context.take_all_back()


def carry_off(context: SideActionContext) -> SideActionResult:
    """Carry a bomb or flag far away under touch-move, then put it back and declare it immovable."""
    people = context.people
    way = _find_far_way(context)
    if way is None:
        return SideActionResult.UNFIT
    people.at.hands.move(*way)
    if not people.wait_for(lambda: people.view.excusable == way[0]):
        return SideActionResult.MISSED
    people.at.hands.move(*reversed(way))
    if not people.wait_for(lambda: people.table.state.violation is None):
        return SideActionResult.MISSED
    accepted = len(people.referee.actions)
    people.submit(actions.FreeTouched())
    return (
        SideActionResult.DONE if len(people.referee.actions) == accepted else SideActionResult.WRONG
    )


def _find_far_way(context: SideActionContext) -> tuple[Square, Square] | None:
    """Choose a bomb or flag whose rank is not public, and a free square far from it."""
    people = context.people
    position = people.referee.position
    turn = context.turn
    if position.edition.moved_bomb is MovedBombPenalty.LOSES or isinstance(turn, actions.Override):
        return None
    immobile = [
        square
        for square in squares_in(position.own)
        if not 1 << people.rank_at(square) & MOVABLE
        and people.referee.can_touch(square, carried=True)
    ]
    taken = position.own | position.enemy | LAKES
    ways = [
        (source, target)
        for source in immobile
        for target in SQUARES
        if not taken >> target & 1
        and abs(source % WIDTH - target % WIDTH) > 1
        and source // WIDTH != target // WIDTH
    ]
    return context.dice.choice(ways) if ways else None


def _claim_board(context: SideActionContext, side: Side, to_move: Side) -> None:
    context.people.touch(lambda at: BoardClaimed(at, side, to_move))


def _find_way(context: SideActionContext) -> tuple[Square, Square] | None:
    """Choose an opposing piece that cannot continue its last move, and a free square."""
    position = context.people.referee.position
    latest = position.last_turn(position.to_move.other)
    loose = [
        square
        for square in squares_in(position.enemy)
        if position.ranks_at(square) & MOVABLE and (latest is None or square != latest[1])
    ]
    taken = position.own | position.enemy | LAKES
    free = [square for square in SQUARES if not taken >> square & 1]
    return (context.dice.choice(loose), context.dice.choice(free)) if loose else None


CanGoOn: TypeAlias = Callable[[Referee, Square, Square], bool]


def take_turn_back(context: SideActionContext) -> SideActionResult:
    """Complete the turn, then have both players agree to undo it."""
    if not context.people.carry_out(context.turn, context.dice):
        return SideActionResult.MISSED
    return context.take_all_back()


def withdraw_attack(context: SideActionContext) -> SideActionResult:
    people, turn = context.people, context.turn
    if not isinstance(turn, actions.Attack):
        return SideActionResult.UNFIT
    if people.referee.is_decided(turn.source, turn.target):
        return SideActionResult.UNFIT  # such an attack is decided at once and cannot be withdrawn
    people.heard.clear()
    people.make(turn, context.dice, (*Style,))
    if not people.wait_for(people.is_turn_noticed):
        return SideActionResult.MISSED
    people.touch(NoAttack)
    return context.find_same() if people.put_back() else SideActionResult.MISSED


def move_on(context: SideActionContext) -> SideActionResult:
    """Set a scout down in front of its target or a little beyond it, then move it there."""
    turn = context.turn
    if not isinstance(turn, actions.Move):
        return SideActionResult.UNFIT
    return _stop_on_the_way(context, turn, Referee.can_slide_on)


def strike_on(context: SideActionContext) -> SideActionResult:
    """Set a scout down on the way to its target, then attack from there."""
    turn = context.turn
    if not isinstance(turn, actions.Attack):
        return SideActionResult.UNFIT
    return _stop_on_the_way(context, turn, Referee.can_strike_on)


def _stop_on_the_way(
    context: SideActionContext, turn: actions.Move | actions.Attack, can_go_on: CanGoOn
) -> SideActionResult:
    """Set a scout down on one of its possible stops, then continue to the target of its turn."""
    people = context.people
    stops = sorted(_stops(people.referee, turn, can_go_on))
    if people.rank_at(turn.source) is not Rank.SCOUT or not stops:
        return SideActionResult.UNFIT
    if people.referee.edition.touch_move:  # with touch-move, releasing a piece ends its move
        return SideActionResult.UNFIT
    stop = context.dice.choice(stops)
    people.heard.clear()
    people.at.hands.move(turn.source, stop)
    if not people.wait_for(lambda: bool(people.heard)):
        return SideActionResult.MISSED
    people.heard.clear()
    people.make(type(turn)(stop, turn.target), context.dice)
    return SideActionResult.BEGUN


def _stops(
    referee: Referee, turn: actions.Move | actions.Attack, can_go_on: CanGoOn
) -> Iterator[Square]:
    for move in referee.legal_moves():
        if isinstance(move, actions.Move) and move.source == turn.source:
            trial = referee.copy()
            trial.apply(move)
            if can_go_on(trial, move.target, turn.target):
                yield move.target


# All side actions.

SideAction: TypeAlias = Callable[[SideActionContext], SideActionResult]

SIDE_ACTIONS: Final[tuple[SideAction, ...]] = (
    take_turn_back,
    withdraw_attack,
    move_on,
    strike_on,
    insist_and_give_in,
    insist_and_take_back,
    correct_rank,
    exchange_pieces,
    correct_long_move,
    break_seals,
    accept_board,
    carry_off,
    resign_too_early,
    agree_draw_too_early,
    forfeit_too_early,
    claim_stalemate_too_early,
)

OFTEN: Final = 0.5
"""Probability of a side action before a ply."""


class SideActionChooser:
    """Chooses side actions, preferring those that have been performed least often."""

    def __init__(self, among: Iterable[SideAction]) -> None:
        """Choose side actions from `among`. If it is empty, none are performed."""
        self.done: Counter[str] = Counter()
        """Number of times each side action has been performed, keyed by name."""
        self._among = tuple(among)

    def perform_perhaps(
        self, make_context: Callable[[], SideActionContext], dice: random.Random
    ) -> SideActionResult:
        """Perform a side action with probability `OFTEN`.

        `make_context` returns the state in which it is performed.
        """
        if not self._among or dice.random() >= OFTEN:
            return SideActionResult.UNFIT
        context = make_context()
        shuffled = dice.sample(self._among, len(self._among))
        for side_action in sorted(shuffled, key=lambda each: self.done[name(each)]):
            answer = side_action(context)
            if answer is not SideActionResult.UNFIT:
                self.done[name(side_action)] += 1
                return answer
        return SideActionResult.UNFIT


def name(side_action: SideAction) -> str:
    return side_action.__name__.replace("_", "-")
