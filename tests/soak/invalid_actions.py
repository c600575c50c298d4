"""Disruptive actions: knocks, illegal moves, false declarations and ill-timed commands."""

from collections.abc import Callable
from random import Random
from typing import Final, TypeAlias

from companion.core import inputs
from companion.simulator.random_games import AGREE_DRAW, Turn
from companion.simulator.simulated_people import People
from engine.board.geometry import LAKES, NEIGHBOURS, SQUARES, Side, Square
from engine.board.ranks import Rank, ranks_in
from engine.board.visibility import Secret
from engine.game import actions
from engine.game.game_state import Phase
from firmware_bridge.simulated_board.board import (
    FLIPPED_MAGNET,
    WEAK_MAGNET,
    ImpossibleError,
    PhysicalPiece,
    exchange,
)
from tests.soak.rig import SimulatedRig

_FREE: Final = [each for each in SQUARES if not LAKES >> each & 1]
_AWAY_MS: Final = (60_000, 300_000, 1_200_000)
_PAUSES_MS: Final = (100, 300, 700, 1_500, 3_000, 6_000)

Doing: TypeAlias = Callable[[], object]


class InvalidActions:
    """Performs invalid actions, provided that they are physically possible on the board."""

    def __init__(self, rig: SimulatedRig, people: People, dice: Random) -> None:
        self._rig, self._people, self._dice = rig, people, dice

    def anything(self, turn: Turn) -> None:
        """Perform a random action. Impossible actions are skipped."""
        doings: list[tuple[Doing, int]] = [
            (lambda: self._lie(turn), 5),
            (self._knock, 3),
            (self._carry_anywhere, 4),
            (self._lift_and_hold, 4),
            (self._tap, 3),
            (self._pause, 2),
            (self._go_away, 1),
            (lambda: self._cross(turn), 2),
            (self._exchange_magnet, 1),
            (self.words, 6),
        ]
        kinds, weights = zip(*doings, strict=True)
        (doing,) = self._dice.choices(kinds, weights)
        try:
            doing()
        except ImpossibleError:
            return

    def end(self) -> None:
        self._people.submit(
            self._dice.choice(
                (
                    actions.Resign(Side.RED),
                    actions.Resign(Side.BLUE),
                    actions.Forfeit(None),
                    actions.ClaimStalemate(),
                )
            )
        )
        for word in AGREE_DRAW:
            self._people.submit(word)

    # -- hands

    def _standing(self) -> list[Square]:
        return [each for each in _FREE if self._rig.board.at(each)]

    def _wait(self) -> None:
        self._rig.pass_time(self._dice.choice(_PAUSES_MS))

    def _lie(self, turn: Turn) -> None:
        """Take a turn, and answer questions at random."""
        self._people.make(turn, self._dice)
        self._people.wait_for(self._people.is_turn_noticed)
        for _ in range(4):
            self._rig.pass_time(1_000)
            self.words()

    def _knock(self) -> None:
        """Push some pieces to adjacent squares. Some fall off the board."""
        board, dice = self._rig.board, self._dice
        self._rig.pass_time(500)
        for square in dice.sample(
            self._standing(), min(dice.randint(2, 12), len(self._standing()))
        ):
            piece = board.lift(square)
            free = [each for each in NEIGHBOURS[square] if each in _FREE and not board.at(each)]
            if free and dice.random() < 0.8:
                board.place(piece, dice.choice(free))
        self._wait()

    def _carry_anywhere(self) -> None:
        """Carry a piece to any free square, or slide it to an adjacent one."""
        board, dice = self._rig.board, self._dice
        source = dice.choice(self._standing())
        free = [each for each in _FREE if not board.at(each)]
        near = [each for each in NEIGHBOURS[source] if each in free]
        self._rig.hands.move(source, dice.choice(near or free))
        self._wait()
        if dice.random() < 0.5:
            for side in dice.sample([*Side], 2):
                self._believe(side, Side.RED)

    def _lift_and_hold(self) -> None:
        """Lift up to three pieces and, in most cases, put them back."""
        for square in self._dice.sample(self._standing(), self._dice.randint(1, 3)):
            self._rig.hands.lift(square)
        self._wait()
        if self._dice.random() < 0.8:
            self._rig.hands.put_back()

    def _tap(self) -> None:
        """Set a piece down on another one for a moment."""
        board = self._rig.board
        source, target = self._dice.sample(self._standing(), 2)
        held = self._rig.hands.lift(source)
        self._rig.pass_time(500)
        beneath: PhysicalPiece = board.lift(target)
        board.place(held, target)
        self._wait()
        board.lift(target)
        board.place(beneath, target)
        self._rig.pass_time(500)
        if board.at(source) is None:
            self._rig.hands.place(source, held)

    def _pause(self) -> None:
        """Pause the game, and sometimes move a piece during the pause."""
        self._people.submit(inputs.Pause())
        self._wait()
        if self._dice.random() < 0.5:
            self._carry_anywhere()
        self._people.submit(inputs.Resume())

    def _go_away(self) -> None:
        """Walk away from the board, with or without pausing the game."""
        if self._dice.random() < 0.7:
            self._people.submit(inputs.Pause())
        self._rig.pass_time(self._dice.choice(_AWAY_MS))

    def _cross(self, turn: Turn) -> None:
        """Make a move while another piece is lifted."""
        if not isinstance(turn, actions.Move):
            return
        held = self._rig.hands.lift(turn.source)
        other = self._dice.choice(self._standing())
        self._rig.hands.lift(other)
        self._rig.hands.place(turn.target, held)
        self._wait()
        self._rig.hands.put_back()

    def _exchange_magnet(self) -> None:
        """Make a piece's magnet weak or reversed for a while."""
        square = self._dice.choice(self._standing())
        board = self._rig.board
        piece = board.at(square)
        exchange(board, square, self._dice.choice((WEAK_MAGNET, FLIPPED_MAGNET)))
        self._wait()
        if piece and board.at(square):
            board.lift(square)
            board.place(piece, square)

    # -- commands

    def words(self) -> None:
        """Give a random command, whether or not it fits the state. Some commands end the game."""
        dice, table = self._dice, self._rig.table
        side, yes = dice.choice([*Side]), dice.random() < 0.5
        square = dice.choice(_FREE)
        commands: list[actions.Action | inputs.Command] = [
            inputs.OfferUndo(side),
            inputs.OfferDraw(side),
            inputs.IgnoreSquare(square, doubted=yes),
            inputs.IgnoreSquare(square, doubted=False),
            inputs.AdjustClock(side, dice.choice((-30, 20, 120))),
            actions.SettleDispute(accepted=yes),
            actions.AnswerGuess(right=yes),
            actions.AnswerStalemate(able=yes),
        ]
        if table.view.sealed:
            commands += [actions.BreakSeals(side), actions.OpenArmy(side, {})]
        if question := table.conversation.question:
            rank = dice.choice(question.tiles) if yes else self._any_rank()
            commands += [actions.Declare(Secret(question.owner, rank))] * 6
        if found := table.conversation.contradiction:
            commands += [actions.UpholdDeclaration(Secret(found.owner, found.proof.rank))] * 6
        if table.referee.phase is Phase.OVER or dice.random() < 0.1:
            commands = [actions.Resign(side), actions.Forfeit(None), actions.ClaimStalemate()]
        touched: list[Doing] = [
            lambda: self._people.touch(inputs.NoAttack),
            lambda: self._people.touch(inputs.RevealDismissed),
            lambda: self._people.touch(lambda at: inputs.AttackerNamed(at, side)),
            lambda: self._people.touch(lambda at: inputs.ExplanationChosen(at, dice.randint(0, 2))),
            lambda: self._believe(side, side),
            lambda: self._believe(side.other, side),
        ]
        if dice.random() < 0.7:
            self._people.submit(dice.choice(commands))
        else:
            dice.choice(touched)()

    def _believe(self, side: Side, to_move: Side) -> None:
        self._people.touch(lambda at: inputs.BoardClaimed(at, side, to_move))

    def _any_rank(self) -> Rank:
        return self._dice.choice([*ranks_in(self._rig.table.referee.edition.army.ranks)])
