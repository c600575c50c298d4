import random
from typing import Final, TypeVar

from companion.core import inputs
from companion.core.state import AwaitingAnswer
from companion.core.table import Table
from engine.board.geometry import SQUARES, Side, Square, square, squares_in
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.game import actions
from engine.game.game_state import Phase
from firmware_bridge.image import Image
from tests.companion.core.short_game import ARMIES
from tests.companion.core.table_driver import reach

T = TypeVar("T")
STANDING_STILL: Final = (Phase.STALEMATE, Phase.SHOWING)


class RandomInputs:
    """Generates inputs for a table, most of which fit the table's current state."""

    def __init__(self, table: Table, seed: int) -> None:
        self.table = table
        self.chance = random.Random(seed)
        self.at = 0.0

    def next(self) -> inputs.Input:
        self.at += self._often((1.0, 60), (0.0, 10), (0.15, 20), (0.5, 10), (30.0, 1))
        if not self.table.is_connected and self.chance.random() < 0.2:
            return self.cable()
        kinds = (self.sees, 60), (self.time, 60), (self.touch, 40), (self.cable, 1), (self.end, 1)
        return self._often(*kinds)()

    def _often(self, *weighted: tuple[T, int]) -> T:
        weights = [weight for _, weight in weighted]
        ((thing, _),) = self.chance.choices(weighted, weights)
        return thing

    def time(self) -> inputs.Input:
        return inputs.TimePassed(self.at)

    def cable(self) -> inputs.Input:
        if self.table.is_connected:
            return inputs.BoardLost(self.at)
        return inputs.BoardFound(self.at, sees_colours=True)

    def sees(self) -> inputs.Input:
        """Return a frame of the expected board, often with changes, sometimes without colours."""
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
        """Return the image after a legal move, or during or after an attack."""
        board, side = self.table.referee.position.board, self.table.referee.to_move
        ways = [(s, t) for s in squares_in(board.of(side)) for t in reach(board, s)]
        if not ways:
            return expected
        forward = 1 if side is Side.RED else -1
        tried = self.chance.choices(ways, k=4)
        source, target = max(tried, key=lambda way: (way[1] - way[0]) * forward)
        if board.side_at(target) is None:
            return carried(expected, source, target)
        taken = ~(1 << source | 1 << target)
        in_hand = Image(expected.red & taken, expected.blue & taken)
        return self._often((in_hand, 1), (carried(expected, source, target), 1))

    def _disturbed(self, expected: Image) -> Image:
        """Return the image after one or two pieces have moved to nearby squares."""
        for _ in range(self.chance.choice([1, 2])):
            source = self.chance.choice([*squares_in(expected.occupied)])
            expected = carried(expected, source, self._near(source))
        return expected

    def _near(self, source: Square) -> Square:
        steps = (-20, -10, -2, -1, 1, 2, 9, 10, 20)
        return self.chance.choice([source + step for step in steps if source + step in SQUARES])

    def touch(self) -> inputs.Input:
        """Return an input from a randomly chosen control on the screen.

        Controls that end the game are not chosen.
        """
        at, side, yes = self.at, self.chance.choice([*Side]), self.chance.random() < 0.5
        source = self.chance.choice([*squares_in(self.table.expected.occupied), square("e5")])
        way, guess = (source, self._near(source)), self.chance.choice([*Rank])
        phase = self.table.referee.phase
        weighted: list[tuple[inputs.Input, int]] = [
            (inputs.CommandInput(at, inputs.Ready(side)), 1),
            (inputs.CommandInput(at, actions.Attack(*way)), 1),
            (inputs.NoAttack(at), 1),
            (
                inputs.AttackerNamed(at, side),
                5 if isinstance(self.table.state, AwaitingAnswer) else 1,
            ),
            (inputs.CommandInput(at, actions.Move(*way)), 1),
            (inputs.CommandInput(at, inputs.IgnoreSquare(source, yes)), 1),
            (inputs.CommandInput(at, inputs.Pause()), 1),
            (
                inputs.CommandInput(
                    at, inputs.AdjustClock(side, self.chance.choice([-60, 10, 300]))
                ),
                1,
            ),
            (inputs.CommandInput(at, inputs.CallArbiter(side if yes else None)), 1),
            (inputs.CommandInput(at, inputs.WithdrawCall(side if yes else None)), 1),
            (inputs.CommandInput(at, inputs.AnswerCall()), 1),
            (inputs.CommandInput(at, inputs.Resume()), 20 if self.table.is_paused else 1),
            (self._correcting(source, guess), 2),
            (inputs.RevealDismissed(at), 1),
            (inputs.GameReviewed(at), 1),
            (
                inputs.CommandInput(at, actions.Declare(self._rank(side))),
                20 if phase is Phase.ATTACK else 1,
            ),
            (
                inputs.CommandInput(at, actions.UpholdDeclaration(self._rank(side))),
                10 if self.table.conversation.contradiction else 1,
            ),
            (
                inputs.CommandInput(at, actions.SettleDispute(yes)),
                10 if phase is Phase.DISPUTE else 1,
            ),
            (inputs.CommandInput(at, actions.Infiltrate(*way, guess)), 1),
            (self._infiltrating(guess), 10),
            (inputs.CommandInput(at, actions.AnswerGuess(yes)), 10 if phase is Phase.GUESS else 1),
            (self._override(way), 4),
            (
                inputs.CommandInput(at, actions.AnswerStalemate(yes)),
                10 if phase in STANDING_STILL else 1,
            ),
            (inputs.CommandInput(at, inputs.OfferUndo(side)), 4),
            (inputs.CommandInput(at, inputs.OfferDraw(Side.RED)), 1),
            (inputs.BoardClaimed(at, side, self._believed(yes)), 10),
        ]
        return self._often(*weighted)

    def _believed(self, yes: bool) -> Side:
        """Choose which side a claim will name as the side to move.

        If `yes` is set and a claim is open, choose the side that the open claim names.
        """
        offer = self.table.adoption.offer
        return offer.to_move if offer and yes else self.chance.choice([*Side])

    def _infiltrating(self, guess: Rank) -> inputs.Input:
        """Return a legal infiltration, or an input that advances time if there is none."""
        ways = [*self.table.view.infiltrations]
        if not ways:
            return self.time()
        return inputs.CommandInput(self.at, actions.Infiltrate(*self.chance.choice(ways), guess))

    def _correcting(self, source: Square, guess: Rank) -> inputs.Input:
        """Return a correction or, if the board is empty, an input that only advances time."""
        board = self.table.view.board
        if not board.occupied:
            return self.time()
        others = [*squares_in(board.occupied)]
        piece = board.piece_at(source if board.side_at(source) else others[0])
        other = board.piece_at(self.chance.choice(others))
        mistakes = (
            actions.RankCorrection(piece, guess),
            actions.SwapCorrection(piece, other),
            actions.NotAScout(piece),
        )
        return inputs.CommandInput(self.at, actions.Correct(self.chance.choice(mistakes)))

    def _override(self, way: tuple[Square, Square]) -> inputs.Input:
        """Return an override for the refused action, or for a random action if none was refused."""
        refused = self.table.state.refused
        return inputs.CommandInput(
            self.at, actions.Override(*((refused.source, refused.target) if refused else way))
        )

    def _rank(self, side: Side) -> Secret[Rank]:
        """Return a random rank to declare. If a question is open, its owner declares the rank."""
        found, question = self.table.conversation.contradiction, self.table.conversation.question
        if found and self.chance.random() < 0.5:
            return Secret(found.owner, found.proof.rank)
        tiles = question.tiles if question and self.chance.random() < 0.7 else ()
        return Secret(question.owner if question else side, self.chance.choice(tiles or [*Rank]))

    def end(self) -> inputs.Input:
        ends: list[inputs.Input] = [
            inputs.CommandInput(self.at, what)
            for what in (
                actions.ClaimStalemate(),
                actions.Resign(Side.BLUE),
                actions.Forfeit(None),
                inputs.OfferDraw(Side.BLUE),
            )
        ]
        return self.chance.choice(ends)


def carried(image: Image, source: Square, target: Square) -> Image:
    """Return the image after a move. The moved piece replaces any piece on the target."""
    is_red, away = image.red >> source & 1, ~(1 << source | 1 << target)
    red, blue = image.red & away, image.blue & away
    return Image(red | 1 << target, blue) if is_red else Image(red, blue | 1 << target)


def beginning() -> list[inputs.Input]:
    return [
        inputs.BoardFound(0, sees_colours=True),
        inputs.BoardSeen(0, ARMIES),
        inputs.TimePassed(1),
        *(inputs.CommandInput(1, inputs.Ready(side)) for side in Side),
        inputs.TimePassed(2),
    ]
