"""Whatever reaches the table, in any order: it never fails, gets stuck or forgets."""

import random
from typing import Final, TypeVar

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.table import Step, Table, inputs
from companion.table.inputs import Input, Said
from companion.table.sayings import (
    Doubt,
    GiveTime,
    GoOn,
    OfferDraw,
    OfferTakeBack,
    Pause,
    Ready,
    Saying,
)
from companion.table.state import Asked
from engine.play.actions import (
    Action,
    AnswerCannotMove,
    AnswerGuess,
    Attack,
    CannotMove,
    Correct,
    Declare,
    Exchanged,
    Forfeit,
    Infiltrate,
    Insist,
    Move,
    NoLongMove,
    Override,
    Resign,
    SettleDispute,
    WrongRank,
)
from engine.play.clocks import TimeControl
from engine.play.moment import Phase
from engine.ranks import Rank, ranks_in
from engine.rulebook.editions import Edition
from engine.secrecy import Secret
from engine.sides import Side
from engine.squares import SQUARES, Square, square, squares_in
from firmware_bridge.image import Image
from tests.campaigns import Campaign
from tests.companion.table.evening import reach
from tests.companion.table.small_game import ARMIES, EDITION
from tests.engine.tables import state

T = TypeVar("T")
CONTROL: Final = TimeControl("short", each=300, delay=4, whole=500, setup=30)
SEED: Final = 5
STANDING_STILL: Final = (Phase.STANDSTILL, Phase.SHOWING)
ANYTHING: Final = Campaign("anything", part=6, whole=150)


class Anybody:
    """Makes up what could reach the table next; often something that fits the moment."""

    def __init__(self, table: Table, seed: int) -> None:
        self.table = table
        self.chance = random.Random(seed)
        self.at = 0.0

    def next(self) -> Input:
        self.at += self._often((1.0, 60), (0.0, 10), (0.15, 20), (0.5, 10), (30.0, 1))
        if not self.table.is_connected and self.chance.random() < 0.2:
            return self.cable()
        kinds = (self.sees, 60), (self.time, 60), (self.touch, 40), (self.cable, 1), (self.end, 1)
        return self._often(*kinds)()

    def _often(self, *weighted: tuple[T, int]) -> T:
        weights = [weight for _, weight in weighted]
        ((thing, _),) = self.chance.choices(weighted, weights)
        return thing

    def time(self) -> Input:
        return inputs.TimePassed(self.at)

    def cable(self) -> Input:
        if self.table.is_connected:
            return inputs.BoardLost(self.at)
        return inputs.BoardFound(self.at, sees_colours=True)

    # What the board shows

    def sees(self) -> Input:
        """The board as expected, or something done to it; now and then without colours."""
        expected = self.table.expected
        if self.table.referee.phase is Phase.SETUP:
            expected = ARMIES
        done = self._often((self._untouched, 4), (self._turn, 4), (self._disturbed, 1))
        image = done(expected)
        blind = Image(unknown=image.occupied)
        return inputs.BoardSeen(self.at, self._often((image, 9), (blind, 1)))

    def _untouched(self, expected: Image) -> Image:
        return expected

    def _turn(self, expected: Image) -> Image:
        """A piece of the side to move goes where pieces can go, rather forward than backward."""
        board, side = self.table.referee.position.board, self.table.referee.to_move
        ways = [(s, t) for s in squares_in(board.of(side)) for t in reach(board, s)]
        if not ways:
            return expected
        forward = 1 if side is Side.RED else -1
        tried = self.chance.choices(ways, k=4)
        source, target = max(tried, key=lambda way: (way[1] - way[0]) * forward)
        if board.side_at(target) is None:
            return _carried(expected, source, target)
        taken = ~(1 << source | 1 << target)
        in_hand = Image(expected.red & taken, expected.blue & taken)
        return self._often((in_hand, 1), (_carried(expected, source, target), 1))

    def _disturbed(self, expected: Image) -> Image:
        """One or two pieces, of either side, are carried somewhere near."""
        for _ in range(self.chance.choice([1, 2])):
            source = self.chance.choice([*squares_in(expected.occupied)])
            expected = _carried(expected, source, self._near(source))
        return expected

    def _near(self, source: Square) -> Square:
        steps = (-20, -10, -2, -1, 1, 2, 9, 10, 20)
        return self.chance.choice([source + step for step in steps if source + step in SQUARES])

    # What players touch

    def touch(self) -> Input:
        """Anything on the screen that does not end the game."""
        at, side, yes = self.at, self.chance.choice([*Side]), self.chance.random() < 0.5
        source = self.chance.choice([*squares_in(self.table.expected.occupied), square("e5")])
        way, guess = (source, self._near(source)), self.chance.choice([*Rank])
        phase = self.table.referee.phase
        weighted: list[tuple[Input, int]] = [
            (Said(at, Ready(side)), 1),
            (Said(at, Attack(*way)), 1),
            (inputs.NoAttack(at), 1),
            (inputs.AttackerNamed(at, side), 5 if isinstance(self.table.state, Asked) else 1),
            (Said(at, Move(*way)), 1),
            (Said(at, Doubt(source, yes)), 1),
            (Said(at, Pause()), 1),
            (Said(at, GiveTime(side, self.chance.choice([-60, 10, 300]))), 1),
            (Said(at, GoOn()), 20 if self.table.is_paused else 1),
            (self._correcting(source, guess), 2),
            (inputs.RevealRead(at), 1),
            (Said(at, Declare(self._rank(side))), 20 if phase is Phase.ATTACK else 1),
            (
                Said(at, Insist(self._rank(side))),
                10 if self.table.conversation.contradiction else 1,
            ),
            (Said(at, SettleDispute(yes)), 10 if phase is Phase.DISPUTE else 1),
            (Said(at, Infiltrate(*way, guess)), 1),
            (self._infiltrating(guess), 10),
            (Said(at, AnswerGuess(yes)), 10 if phase is Phase.GUESS else 1),
            (self._letting_stand(way), 4),
            (Said(at, AnswerCannotMove(yes)), 10 if phase in STANDING_STILL else 1),
            (Said(at, OfferTakeBack(side)), 4),
            (Said(at, OfferDraw(Side.RED)), 1),
            (inputs.BoardBelieved(at, side, self._believed(yes)), 10),
        ]
        return self._often(*weighted)

    def _believed(self, yes: bool) -> Side:
        """Whose turn it is, as the other side has said, if it has said something."""
        offer = self.table.consent.offer
        return offer.to_move if offer and yes else self.chance.choice([*Side])

    def _infiltrating(self, guess: Rank) -> Input:
        """An infiltration that the rules allow, where there is one."""
        ways = [*self.table.view.infiltrations]
        if not ways:
            return self.time()
        return Said(self.at, Infiltrate(*self.chance.choice(ways), guess))

    def _correcting(self, source: Square, guess: Rank) -> Input:
        """A correction about pieces that stand."""
        board = self.table.view.board
        if not board.occupied:
            return self.time()
        others = [*squares_in(board.occupied)]
        piece = board.piece_at(source if board.side_at(source) else others[0])
        other = board.piece_at(self.chance.choice(others))
        mistakes = WrongRank(piece, guess), Exchanged(piece, other), NoLongMove(piece)
        return Said(self.at, Correct(self.chance.choice(mistakes)))

    def _letting_stand(self, way: tuple[Square, Square]) -> Input:
        """An arbiter's word about what was refused, or about anything."""
        refused = self.table.state.refused
        return Said(self.at, Override(*((refused.source, refused.target) if refused else way)))

    def _rank(self, side: Side) -> Secret[Rank]:
        """A rank for the question that is open, possible or not, or for none."""
        found, question = self.table.conversation.contradiction, self.table.conversation.question
        if found and self.chance.random() < 0.5:
            return Secret(found.owner, found.proof.rank)
        tiles = question.tiles if question and self.chance.random() < 0.7 else ()
        return Secret(question.owner if question else side, self.chance.choice(tiles or [*Rank]))

    def end(self) -> Input:
        """Anything that ends the game."""
        ends: list[Input] = [
            Said(self.at, what)
            for what in (CannotMove(), Resign(Side.BLUE), Forfeit(None), OfferDraw(Side.BLUE))
        ]
        return self.chance.choice(ends)


def _carried(image: Image, source: Square, target: Square) -> Image:
    """A piece is set down elsewhere, on an empty square or in the place of what stood there."""
    is_red, away = image.red >> source & 1, ~(1 << source | 1 << target)
    red, blue = image.red & away, image.blue & away
    return Image(red | 1 << target, blue) if is_red else Image(red, blue | 1 << target)


def beginning() -> list[Input]:
    """What players do to begin."""
    return [
        inputs.BoardFound(0, sees_colours=True),
        inputs.BoardSeen(0, ARMIES),
        inputs.TimePassed(1),
        *(Said(1, Ready(side)) for side in Side),
        inputs.TimePassed(2),
    ]


@ANYTHING
@settings(max_examples=ANYTHING.size)
@given(
    edition=EDITION, begun=st.sampled_from([True, True, True, False]), seed=st.integers(0, 2**32)
)
def test_any_inputs_in_any_order(edition: Edition, begun: bool, seed: int) -> None:
    table = Table(edition, SEED, control=CONTROL)
    anybody = Anybody(table, seed)
    given: list[Input] = []
    steps: list[Step] = []
    begin = beginning() if begun else [inputs.BoardFound(0, sees_colours=True)]
    while len(given) < 300 and table.referee.outcome is None:
        given.append(begin.pop(0) if begin else anybody.next())
        anybody.at = max(anybody.at, given[-1].at)
        steps.append(table.handle(given[-1]))
        check(table, anybody.at)
        if steps[-1].actions:
            actions = [action for step in steps for action in step.actions]
            assert actions == table.referee.actions
            check_taken_up(table, Table(edition, SEED, actions, clock=steps[-1].clock))
    repeated = Table(edition, SEED, control=CONTROL)
    assert repr([repeated.handle(each) for each in given]).encode() == repr(steps).encode()
    go_on(table, anybody.at)


def check_taken_up(table: Table, again: Table) -> None:
    """A table that was taken up after the latest action goes on where the other one is."""
    assert state(again.referee) == state(table.referee)
    assert [again.conversation.private_word(side) for side in Side] == [
        table.conversation.private_word(s) for s in Side
    ]
    assert again.conversation.question == table.conversation.question
    assert again.clock.state(0) == table.clock.state(0)


def check(table: Table, at: float) -> None:
    """Everything that is shown fits the phase of the game."""
    phase = table.referee.phase
    assert (table.conversation.question is not None) == (phase is Phase.ATTACK)
    assert (table.referee.open_guess is not None) == (phase is Phase.GUESS)
    assert (table.referee.outcome is not None) == (phase is Phase.OVER)
    assert table.due is None or table.due > at, "it asks for a moment that has not passed"
    if table.conversation.contradiction:
        owner = (
            table.conversation.question.owner
            if table.conversation.question
            else table.referee.to_move.other
        )
        assert table.conversation.contradiction.owner is owner
        assert table.conversation.question or phase is Phase.GUESS
    if table.conversation.can_let_stand:
        assert table.state.violation
    if table.state.reveal:
        assert table.state.waits_for_board or phase is not Phase.PLAY


def go_on(table: Table, at: float) -> None:
    """Two honest players find a way on from anywhere, and can end the game."""
    if table.referee.phase in (Phase.SETUP, Phase.OVER):
        return

    def say(what: Action | Saying) -> None:
        table.handle(Said(at, what))

    table.handle(inputs.BoardFound(at, sees_colours=True))
    if table.is_paused:
        say(GoOn())
    if table.referee.phase is Phase.DISPUTE:
        say(SettleDispute(accepted=False))
    if table.referee.phase is Phase.GUESS:
        say(AnswerGuess(right=False))
    if table.referee.phase in STANDING_STILL:
        say(AnswerCannotMove(able=False))
    while table.conversation.question:
        owner, tiles = table.conversation.question.owner, table.conversation.question.tiles
        army = [*ranks_in(table.referee.edition.army.ranks)]
        say(Declare(Secret(owner, [*tiles, *army][0])))
        if table.conversation.contradiction:
            say(Insist(Secret(owner, table.conversation.contradiction.proof.rank)))
            say(SettleDispute(accepted=True))
    for _ in range(3):
        table.handle(inputs.BoardSeen(at, table.expected))
        at += 2
        table.handle(inputs.TimePassed(at))
    if table.referee.phase is Phase.PLAY:
        assert not table.state.waits_for_board
        assert table.state.violation is None
        say(Resign(Side.RED))
    assert table.referee.outcome
