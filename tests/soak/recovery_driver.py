"""Honest players who do what the table requests until play continues.

They plug the board in, answer questions, restore pieces, and report faulty sensors.
"""

from typing import Final

from companion.core.inputs import IgnoreSquare, NoAttack, Resume, RevealDismissed
from companion.core.state import AwaitingAnswer
from companion.core.table import Table
from companion.simulator.simulated_people import People
from engine.board.board import Piece as Identity
from engine.board.geometry import Side, set_of, squares_in
from engine.board.visibility import Secret
from engine.game import actions
from engine.game.game_state import Phase
from firmware_bridge.image import Image, compare
from firmware_bridge.simulated_board.board import PhysicalPiece
from tests.soak.fault_scheduler import FaultScheduler
from tests.soak.invariants import Invariant, require
from tests.soak.rig import SimulatedRig, retry_save

ACTS: Final = 8
"""Maximum number of rounds until play continues. Rounds with a fault do not count."""
SETTLED_MS: Final = 5_000
"""Time in milliseconds after which even the slowest sensor is trusted. By then, the table has ruled
on every hand action or has reported it."""
_WAIT_MS: Final = 1_000
_LONGEST_MS: Final = 400_000
"""Time in milliseconds within which every fault has ended."""
_LIFT_MS: Final = 400


class RecoveryDriver:
    """Brings a table back to a playable state."""

    def __init__(
        self, rig: SimulatedRig, faults: FaultScheduler, pieces: dict[Identity, PhysicalPiece]
    ) -> None:
        """`pieces` are the initial pieces, keyed by setup square."""
        self._rig, self._faults = rig, faults
        self.pieces = pieces

    @property
    def _table(self) -> Table:
        return self._rig.table

    def is_open(self) -> bool:
        """Whether play can continue: the board is correct, and no question is open."""
        table, rig = self._table, self._rig
        is_usable = rig.is_plugged_in and table.is_connected and not rig.host.unsaved
        is_due = table.referee.phase in (Phase.PLAY, Phase.OVER)
        is_still = isinstance(table.state, AwaitingAnswer) or table.state.waits_for_board
        is_shown = self.pieces_in_place() and table.state.lifted is None
        return (
            is_usable
            and is_due
            and is_shown
            and not (is_still or table.is_paused or table.state.violation)
        )

    def pieces_in_place(self) -> bool:
        """Whether every piece is where the table expects it."""
        return not compare(self.standing(), self._table.expected)

    def standing(self) -> Image:
        """Return the true image of the board, whatever the sensors report."""
        pieces = self._rig.board.pieces().items()
        red, blue = (set_of([at for at, each in pieces if each.side is side]) for side in Side)
        return Image(red, blue)

    def lead(self, people: People) -> None:
        """Do what the table requests, until play continues, the computer is off or the game has
        ended."""
        acts, begun_ms = 0, self._rig.ms
        while self._rig.is_on and self._rig.host.session and not self.is_open():
            quiet_since = self._faults.latest_ms
            self._act(people)
            is_undisturbed = not self._faults.active and self._rig.late_ms < self._rig.ms
            if quiet_since == self._faults.latest_ms and is_undisturbed:
                acts += 1
            state = type(self._table.state).__name__ if self._rig.host.table else "nothing"
            require(
                Invariant.RECOVERABLE,
                acts <= ACTS and self._rig.ms - begun_ms < _LONGEST_MS,
                f"{state} persists although players do all that is requested",
            )

    def _act(self, people: People) -> None:
        rig = self._rig
        if rig.host.unsaved:
            rig.pass_time(_WAIT_MS)
            retry_save(rig)
        elif not rig.is_plugged_in or not self._table.is_connected:
            rig.pass_time(_WAIT_MS)
        else:
            self._answer(people)
            self.put_right()
            rig.pass_time(SETTLED_MS)
            self._doubt(people)

    def _answer(self, people: People) -> None:
        table = self._table
        if table.is_paused:
            people.submit(Resume())
        if table.referee.phase is Phase.SETUP:
            for side in Side:
                people.be_ready(side)
        if isinstance(table.state, AwaitingAnswer):
            people.touch(NoAttack)
        match table.referee.phase:
            case Phase.ATTACK:
                self._declare(people)
            case Phase.DISPUTE:
                people.submit(actions.SettleDispute(accepted=False))
                self._declare(people)
            case Phase.GUESS:
                people.submit(actions.AnswerGuess(right=False))
            case Phase.STALEMATE | Phase.SHOWING:
                people.submit(actions.AnswerStalemate(able=False))
        if table.unread_combat:
            people.touch(RevealDismissed)

    def _declare(self, people: People) -> None:
        """Declare the true rank, even if it contradicts an earlier lie."""
        for _ in Side:
            if (question := self._table.conversation.question) is None:
                return
            rank = Secret(question.owner, people.rank_at(question.square))
            people.submit(actions.Declare(rank))
            if self._table.conversation.contradiction:
                people.submit(actions.UpholdDeclaration(rank))
                people.submit(actions.SettleDispute(accepted=True))

    def put_right(self) -> None:
        """Fill every square that should be occupied. If possible, use the piece that belongs
        there."""
        rig, table = self._rig, self._table
        if table.referee.phase is Phase.SETUP:
            return
        for piece in rig.hands.held:
            rig.hands.set_aside(piece)
        wanted = compare(self.standing(), table.expected)
        for square in squares_in(wanted.surplus):
            rig.pass_time(_LIFT_MS)
            rig.board.take_away(square)
        for square in squares_in(wanted.missing):
            rig.pass_time(_LIFT_MS)
            spare = self._spare(table, square)
            if spare is not None and rig.board.at(square) is None:
                rig.board.place(spare, square)

    def _spare(self, table: Table, square: int) -> PhysicalPiece | None:
        """Return the piece that belongs on a square, or a free piece of the same side."""
        board = table.referee.position.board
        side = board.side_at(square)
        if side is None:
            return None
        standing = self._rig.board.pieces().values()
        right = self.pieces[board.piece_at(square)]
        free = [right, *(each for each in self.pieces.values() if each.side is side)]
        return next((each for each in free if each not in standing), None)

    def _doubt(self, people: People) -> None:
        """If all pieces stand correctly but the table sees differences, report faulty sensors."""
        if self._rig.host.session is None or not self.pieces_in_place():
            return
        table = self._table
        wrong = table.state.difference
        for square in squares_in(wrong.missing | wrong.surplus):
            people.submit(IgnoreSquare(square, doubted=True))
