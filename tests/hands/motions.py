"""Movements of one hand, in simulated time.

While a magnet slides from one square to the next, both squares or neither may detect it for a
while. A magnet that is carried low is detected by the squares below it.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from engine.board.geometry import Side, Square
from tests.hands.behaviours import Behaviour
from tests.hands.board import Piece
from tests.hands.scheduler import Act, Doing, Duration
from tests.hands.shared_state import SharedState

OVERLAP: Final = Duration(20, 70, 130)
"""Period in milliseconds during which a sliding piece is detected on both squares or on neither."""
TOUCHES: Final = Duration(30, 90, 250)
"""Time in milliseconds for which an attacker touches its target."""
_WEAKLY_FELT: Final = Duration(15, 35, 90)
_UNFELT: Final = Duration(40, 150, 500)
FINGER_LEAVES: Final = Duration(40, 120, 300)
STACK_SETTLES: Final = Duration(20, 50, 90)
AFTER_BUMP: Final = Duration(100, 250, 500)
"""Time in milliseconds from the end of a bump until a player continues."""
_PATIENCE_MS: Final = 5000
_FRAME_MS: Final = 20
"""Frame interval in milliseconds. A piece that stays on a square for less than this time may not
appear in any frame."""
_SEEN_MS: Final = 100
"""If a piece stays on a square for more than this many milliseconds, a frame shows it there, unless
the frame is lost."""


@dataclass
class HandTask:
    """A player's task in one turn. Hands that do something else use only some of its fields."""

    side: Side
    release_at: int | None = None
    """Time in milliseconds at which the player releases the last piece. None means that the time is
    not known yet."""
    is_done: bool = False
    over_at: int | None = None
    """Time in milliseconds at which the turn was complete and detectable."""
    reach_ms: int | None = None
    """Duration of the first movement in milliseconds, or None for the usual duration."""
    is_lifted: bool = False
    """Whether the first piece has been lifted."""
    waits_for: "HandTask | None" = None
    """If this turn is a premature reply, the task of the opponent's turn that it answers. This
    player then sets no piece down until the opponent has released the last piece."""
    has_taken_unfelt: bool = False
    """Whether the hand lifted a piece before any frame had shown that piece on its square."""


@dataclass
class Hand:
    side: Side
    room: SharedState
    task: HandTask
    is_over_board: bool = False

    @property
    def now(self) -> int:
        """Current simulated time in milliseconds."""
        return self.room.world.now

    def chance(self, of: float) -> bool:
        """Return True with probability `of`."""
        return self.room.dice.random() < of

    def reach(self) -> int:
        """Draw a random time, in milliseconds, for the hand to reach the next piece."""
        pace = self.room.profile.pace
        if self.task.reach_ms is not None:
            reach, self.task.reach_ms = self.task.reach_ms, None
        else:
            reach = self.room.draw(pace.second if self.is_over_board else pace.reach)
        self.is_over_board = True
        return reach

    # -- lifting and setting down

    def _wait(self) -> Act:
        """Wait until all knocked-over pieces are back. If the task has `waits_for`, also wait until
        the last piece of that turn has been released."""
        while self.room.is_bumped:
            yield 20
            if not self.room.is_bumped:
                yield self.room.draw(AFTER_BUMP)
        before = self.task.waits_for
        while before and (before.release_at is None or self.now <= before.release_at):
            yield 20

    def lift(self, square: Square, piece: Piece | None = None) -> Doing[Piece]:
        """Reach for a piece and lift it.

        If the piece is missing because someone is straightening it, wait. Raise RuntimeError if it
        is not put back.
        """
        yield self.reach()
        waiting, self.task.waits_for = self.task.waits_for, None
        yield from self._wait()
        self.task.waits_for = waiting
        waited = 0
        while (
            piece not in self.room.board.all_at(square)
            if piece
            else self.room.board.is_empty(square)
        ):
            waited += 50
            if waited > _PATIENCE_MS:
                raise RuntimeError(f"no piece to lift on square {square}")
            yield 50
        taken = piece or self.room.board.at(square)
        assert taken
        self.task.has_taken_unfelt |= not taken.is_felt or self._is_unseen(taken, square)
        self.task.is_lifted = True
        self.room.in_air.add(taken)
        return self.room.board.lift(square, taken)

    def _is_unseen(self, piece: Piece, square: Square) -> bool:
        """Whether a piece was set down too recently for a frame to show it."""
        stood = self.now - self.room.stands_since.get(piece, -_SEEN_MS)
        return stood < _FRAME_MS or (stood < _SEEN_MS and self.room.sensors.at(square) == ".")

    def put(
        self,
        piece: Piece,
        square: Square,
        *,
        finally_: bool = False,
        within: int | None = None,
        over: Sequence[tuple[Square, int]] = (),
    ) -> Act:
        """Carry a piece to a square and set it down there.

        If `finally_` is true, this motion completes the turn. `within` is the duration in
        milliseconds, by default a random one. `over` lists squares over which the piece passes low,
        with the duration for each.
        """
        yield from self._wait()
        carry = self.room.draw(self.room.profile.pace.carry) if within is None else within
        carry = max(carry, sum(lasts for _, lasts in over) + 40 * len(over))
        if finally_:
            self.task.release_at = self.now + carry
        for each, lasts in over:
            gap = self.room.dice.randint(10, 40)
            carry -= gap + lasts
            yield gap
            self.room.board.come_over(each, piece.side)
            yield lasts
            self.room.board.go_on(each, piece.side)
        yield carry
        self.room.board.put(piece, square)
        self.room.in_air.discard(piece)
        self.room.stands_since[piece] = self.now
        if finally_:
            yield from self._let_go(piece, square)

    def put_upon(self, piece: Piece, square: Square) -> Act:
        """Set a piece down on top of another one. The sensor detects one of the two, or both
        alternately."""
        yield from self._wait()
        yield self.room.draw(self.room.profile.pace.carry)
        board = self.room.board
        felt = self.room.dice.random()
        board.put(piece, square)
        if felt < 0.25:
            board.cover(square, is_covered=True)
        elif felt < 0.4:
            for _ in range(self.room.dice.randint(1, 3)):
                board.cover(square, is_covered=True)
                yield self.room.draw(STACK_SETTLES)
                if len(board.all_at(square)) < 2:
                    break
                board.cover(square, is_covered=False)
                yield self.room.draw(STACK_SETTLES)
        self.task.release_at = self.task.over_at = self.now

    def _let_go(self, piece: Piece, square: Square) -> Act:
        """Release a piece at the end of a turn. Sometimes the piece stays off centre until it is
        nudged."""
        self.task.release_at = self.task.over_at = self.now
        habit = self.room.habit(Behaviour.DROPOUT)
        if habit is None:
            return
        self.room.did(Behaviour.DROPOUT)
        unseen = self.room.draw(habit.lasts)
        self.room.board.feel(square, piece, is_felt=False)
        self.task.over_at = self.now + unseen
        yield min(unseen, 1000)
        if unseen > 1000:
            # From this time on, the table is entitled to report an undetected piece.
            self.room.begin_disturbance("unseen")
            yield unseen - 1000
            self.room.end_disturbance("unseen")
        if piece in self.room.board.all_at(square):
            self.room.board.feel(square, piece, is_felt=True)

    # -- along the board

    def slide(
        self, source: Square, path: Iterable[Square], span: Duration, *, lagging: bool = False
    ) -> Act:
        """Slide a piece from square to square. If `lagging` is true, the piece trails the finger
        that pushes it."""
        board, room = self.room.board, self.room
        yield self.reach()
        yield from self._wait()
        self.task.is_lifted = True
        here, squares, slid = source, list(path), board.at(source)
        for there in squares:
            step = room.draw(span)
            if there == squares[-1]:
                self.task.release_at = self.now + step
            yield step
            piece = slid = board.at(here)
            assert piece
            overlap, at_border = room.draw(OVERLAP), room.dice.random()
            if at_border < (0.55 if lagging else 0.45):
                board.come_over(here, piece.side)
                board.put(board.lift(here), there)
                yield overlap
                board.go_on(here, piece.side)
            elif at_border < (0.9 if lagging else 0.7):
                piece = board.lift(here)
                yield overlap
                board.put(piece, there)
            else:
                board.put(board.lift(here), there)
            here = there
        assert slid  # the other side may already have lifted the piece
        room.stands_since[slid] = self.now
        self.task.release_at = self.now
        yield from self._let_go(slid, here)

    def hover(self, piece: Piece, squares: Iterable[Square], span: Duration) -> Act:
        for square in squares:
            yield self.room.draw(Duration(80, 160, 300))
            self.room.board.come_over(square, piece.side)
            yield self.room.draw(span)
            self.room.board.go_on(square, piece.side)

    def tremble(self, piece: Piece, square: Square, lasts: int) -> Act:
        """Hold a piece over a square for `lasts` milliseconds, which makes the square's state
        flicker."""
        until = self.now + lasts
        while self.now < until:
            yield self.room.draw(_UNFELT)
            self.room.board.come_over(square, piece.side)
            yield self.room.draw(_WEAKLY_FELT)
            self.room.board.go_on(square, piece.side)

    def tap(self, piece: Piece, square: Square) -> Act:
        """Touch a piece with the piece in hand. The sensor may detect the touch."""
        yield self.room.draw(self.room.profile.pace.carry)
        if self.chance(0.6):
            self.room.board.come_over(square, piece.side)
            yield self.room.draw(TOUCHES)
            self.room.board.go_on(square, piece.side)
        else:
            yield self.room.draw(TOUCHES)

    def straighten(self, square: Square, span: Duration) -> Act:
        yield self.reach()
        piece = self.room.board.at(square)
        others = self.room.in_other_hands
        if piece is None or piece in others or len(self.room.board.all_at(square)) > 1:
            return
        others.add(piece)
        self.room.board.lift(square)
        yield self.room.draw(span)
        self.room.board.put(piece, square)
        others.discard(piece)


def in_turn(*acts: Act) -> Act:
    for act in acts:
        yield from act


def finishing(task: HandTask, act: Act, then: Callable[[], object] = lambda: None) -> Act:
    """Run an activity, mark the task as done, and call `then`."""
    yield from act
    task.is_done = True
    then()
