"""Driver for a table with a simulated board, players and clock.

Images go directly to the table. Only the test advances time.
"""

from collections.abc import Iterable
from typing import TypeVar

from companion.core import inputs
from companion.core.events import Event
from companion.core.game_context import Step
from companion.core.game_options import BLANK, SavedState
from companion.core.table import Table
from companion.storage.game_rows import is_noted
from engine.board.board import Board
from engine.board.geometry import BETWEEN, LAKES, SQUARES, Side, Square, square, squares_in
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.game.actions import (
    Action,
    Correct,
    Declare,
    Infiltrate,
    Move,
    Override,
    RankCorrection,
    UpholdDeclaration,
)
from engine.game.clocks import NO_CLOCK, ClockState, TimeControl
from engine.game.game_state import Phase
from engine.rules.editions import DEFAULT, EDITIONS, Edition
from firmware_bridge.image import Image
from firmware_bridge.simulated_board.board import PhysicalPiece, SimulatedBoard
from firmware_bridge.wire import BoardKind

E = TypeVar("E")
NORDIC = EDITIONS["nordic-2015"]
BOTH_ARMIES = Image(Side.RED.home, Side.BLUE.home)
FRAME = 0.02
"""Time between frames, in seconds."""
SEEN = 10
"""A long wait is simulated frame by frame for this many seconds at its beginning and its end."""
LONG = 2.2
"""Time after which every gesture has settled, in seconds."""


class TableDriver:
    """A table with a board. `begun` creates a game with both armies set up and Red to move."""

    def __init__(
        self,
        edition: Edition = DEFAULT,
        seed: int = 1,
        actions: Iterable[Action] = (),
        kind: BoardKind = BoardKind.COLOURS,
        control: TimeControl = NO_CLOCK,
        clock: ClockState | None = None,
        saved: SavedState = BLANK,
        now: float = 0.0,
        computer: Side | None = None,
    ) -> None:
        self.seed, self.control, self.computer = seed, control, computer
        self.table = Table(
            *(edition, seed, actions),
            control=control,
            clock=clock,
            saved=saved,
            computer=computer,
        )
        self.board = SimulatedBoard(kind)
        self.now = now
        self.events: list[Event] = []
        self.actions: list[Action] = []
        self.inputs: list[inputs.Input] = []
        self.steps: list[Step] = []
        self.submit(inputs.BoardFound(self.now, sees_colours=kind is BoardKind.COLOURS))

    @classmethod
    def begun(
        cls,
        kind: BoardKind = BoardKind.COLOURS,
        seed: int = 1,
        edition: Edition = DEFAULT,
        control: TimeControl = NO_CLOCK,
        armies: Image = BOTH_ARMIES,
        computer: Side | None = None,
    ) -> "TableDriver":
        driver = cls(edition, seed, kind=kind, control=control, computer=computer)
        for side in Side:
            driver.stand(side, *squares_in(armies.of(side)))
        driver.wait()
        for side in Side:
            driver.command(inputs.Ready(side))
        driver.wait()
        driver.forget()
        return driver

    def replugged(self, now: float = 0.0) -> "TableDriver":
        """Restart after a power cut. The board is unchanged. The new session begins at `now`."""
        kept = (step for step in self.steps if step.actions or any(map(is_noted, step.events)))
        saved = [step.clock for step in kept]
        again = TableDriver(
            self.table.referee.edition,
            self.seed,
            tuple(self.table.referee.actions),
            control=self.control,
            clock=saved[-1] if saved else None,
            saved=self.steps[-1].saved,
            now=now,
            computer=self.computer,
        )
        again.board = self.board
        return again

    def submit(self, given: inputs.Input) -> None:
        self.inputs.append(given)
        step = self.table.handle(given)
        self.steps.append(step)
        self.actions += step.actions
        self.events += step.events

    def command(self, what: Action | inputs.Command) -> None:
        self.submit(inputs.CommandInput(self.now, what))

    def allow_move(self) -> None:
        """As the arbiter, allow the last refused action (by default, the move e4-e5)."""
        refused = self.table.state.refused or Move(square("e4"), square("e5"))
        self.command(Override(refused.source, refused.target))

    def correct(self, name: str, rank: Rank) -> None:
        """As the arbiter, correct a piece's rank. Do nothing if the square is empty."""
        board = self.table.view.board
        if board.side_at(square(name)):
            self.command(Correct(RankCorrection(board.piece_at(square(name)), rank)))

    def forget(self) -> None:
        self.events.clear()
        self.actions.clear()

    def emitted(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    def stand(self, side: Side, *squares: int) -> None:
        for each in squares:
            self.board.stand(side, each)

    def lift(self, name: str) -> PhysicalPiece:
        piece = self.board.lift(square(name))
        self.show()
        return piece

    def place(self, piece: PhysicalPiece, name: str) -> None:
        self.board.place(piece, square(name))
        self.show()

    def move(self, source: str, target: str, *, settle: float = LONG) -> None:
        self.place(self.lift(source), target)
        self.wait(settle)

    def play(self, moves: str) -> None:
        """Make moves such as ``"e4-e5 e7-e6"``, all of which must be accepted."""
        for move in moves.split():
            plies = self.table.referee.plies
            self.move(*move.split("-"))
            assert self.table.referee.plies == plies + 1, f"refused: {move}"

    def take_back(self) -> None:
        """Make both sides request a take-back."""
        for side in Side:
            self.command(inputs.OfferUndo(side))

    def believe(self, side: Side, to_move: Side) -> None:
        """Claim, on a side's behalf, that the board is right and that `to_move` is to move."""
        self.submit(inputs.BoardClaimed(self.now, side, to_move))

    def agree(self, to_move: Side) -> None:
        """Make the same claim for both sides, so that they accept the board as it stands."""
        for side in Side:
            self.believe(side, to_move)

    def show(self) -> None:
        self.now += FRAME
        self.submit(inputs.BoardSeen(self.now, self.board.image()))

    def wait(self, seconds: float = LONG) -> None:
        """Advance time. A connected board sends frames.

        In a long wait, frames are sent only at the beginning and the end.
        """
        until = self.now + seconds
        self._watch(min(until, self.now + SEEN))
        while self.table.next_deadline is not None and self.table.next_deadline <= until - SEEN:
            self.now = max(self.now, self.table.next_deadline)
            self.submit(inputs.TimePassed(self.now))
        self.now = max(self.now, until - SEEN)
        self._watch(until)
        while self.table.next_deadline is not None and self.table.next_deadline <= until:
            self.now = max(self.now, self.table.next_deadline)
            self.submit(inputs.TimePassed(self.now))
        self.now = until
        self.submit(inputs.TimePassed(self.now))

    def _watch(self, until: float) -> None:
        while self.table.is_connected and self.now + FRAME <= until:
            self.show()

    def lose_board(self) -> None:
        self.submit(inputs.BoardLost(self.now))

    def declare(self, side: Side, rank: Rank) -> None:
        self.command(Declare(Secret(side, rank)))

    def insist(self, side: Side, rank: Rank) -> None:
        self.command(UpholdDeclaration(Secret(side, rank)))

    def infiltrate(self, source: str, target: str, guess: Rank) -> None:
        self.command(Infiltrate(square(source), square(target), guess))


def clash(
    kind: BoardKind = BoardKind.COLOURS,
    seed: int = 1,
    edition: Edition = DEFAULT,
    control: TimeControl = NO_CLOCK,
) -> TableDriver:
    """Return a game with Red to move. Red's piece on e5 is adjacent to Blue's piece on e6."""
    driver = TableDriver.begun(kind, seed, edition, control)
    driver.play("e4-e5 e7-e6")
    driver.forget()
    return driver


def attack(driver: TableDriver) -> TableDriver:
    driver.lift("e5")
    driver.lift("e6")
    driver.wait()
    assert driver.table.referee.phase is Phase.ATTACK
    return driver


def fight(
    attacker: Rank, defender: Rank, edition: Edition = DEFAULT, control: TimeControl = NO_CLOCK
) -> TableDriver:
    """Return a game in which Red has attacked e6 from e5. Both ranks have been declared."""
    driver = attack(clash(edition=edition, control=control))
    driver.declare(Side.RED, attacker)
    driver.declare(Side.BLUE, defender)
    driver.wait()
    return driver


def dispute(rank: Rank = Rank.BOMB, control: TimeControl = NO_CLOCK) -> TableDriver:
    """Return a game with a dispute.

    Blue has declared `rank` for its piece on e6 and stands by the declaration, although the piece
    cannot have this rank.
    """
    driver = attack(clash(control=control))
    driver.declare(Side.RED, Rank.CAPTAIN)
    driver.declare(Side.BLUE, rank)
    driver.insist(Side.BLUE, rank)
    assert driver.table.referee.phase is Phase.DISPUTE
    return driver


def infiltrator(edition: Edition = NORDIC, control: TimeControl = NO_CLOCK) -> TableDriver:
    """Return a game in which Red has a possible infiltrator on e7 and is to move."""
    driver = TableDriver.begun(edition=edition, control=control)
    driver.play("e4-e5 e7-e6 k4-k5 e6-f6 e5-e6 f6-f5 e6-e7 k7-k6")
    driver.forget()
    return driver


def reach(board: Board, source: Square) -> list[Square]:
    """Return the squares that a scout on `source` can move to or attack."""
    side, blocked = board.side_at(source), board.occupied | LAKES
    assert side
    return [
        target
        for target in SQUARES
        if (between := BETWEEN[source][target]) is not None
        and not between & blocked
        and not (board.of(side) | LAKES) >> target & 1
    ]
