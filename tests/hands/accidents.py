"""Accidents: knocked-over pieces, captured pieces that fall onto the board, and stray magnets.

A disturbance is recorded for as long as pieces are out of place. During this time, the table may
complain.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from engine.board.geometry import (
    ALL,
    BESIDE,
    LAKES,
    WIDTH,
    Side,
    Square,
    SquareSet,
    line,
    set_of,
    squares_in,
)
from tests.hands.behaviours import Behaviour, Habit
from tests.hands.board import GroundTruth, Piece, Turn
from tests.hands.clearing import is_free_to_lift
from tests.hands.motions import OVERLAP, Hand, HandTask
from tests.hands.scheduler import Act, Doing, Duration
from tests.hands.shared_state import SharedState

_LEAST_KNOCKED, _MOST_KNOCKED = 9, 24
_KNOCKS: Final = Duration(0, 60, 300)
"""Delay in milliseconds from the start of a bump until a piece falls over or moves."""
_PUSHED_STANDS: Final = Duration(150, 400, 1000)
"""Delay in milliseconds from the push of the first piece until the bump begins."""
_LOOKS_AT_IT: Final = Duration(400, 1000, 3000)
"""Delay in milliseconds from a bump until the first piece is put back."""
_UP: Final = Duration(100, 220, 500)
_DOWN: Final = Duration(120, 280, 700)
_LIES: Final = Duration(150, 800, 4000)
_PULSES: Final = Duration(20, 60, 160)
_GAPS: Final = Duration(60, 300, 1500)
_CHECK_MS: Final = 100
_EDGE: Final = set_of(
    square for square in range(100) if square % WIDTH in (0, 9) or square // WIDTH in (0, 9)
)


class Bump:
    """A bump against the board that knocks pieces over. The players then put all pieces back."""

    def __init__(self, room: SharedState, truth: GroundTruth, start: Turn | None = None) -> None:
        """`start` is a move. Before the bump, a piece is pushed as if to make this move. If `start`
        is None, no piece is pushed first."""
        self._room, self._truth, self._start = room, truth, start
        self._belongs: dict[Piece, Square] = {}

    def act(self) -> Act:
        room, board, start = self._room, self._room.board, self._start
        while room.is_undecided or room.is_bumped:
            yield _CHECK_MS
        knocked = self._choose()
        if len(knocked) < _LEAST_KNOCKED:
            return
        behaviour = Behaviour.BUMP_AFTER_MOVE if start else Behaviour.BUMP
        room.did(behaviour)
        room.begin_disturbance(behaviour.value)
        room.is_bumped = True
        if start and (pushed := board.at(start.source)):
            self._belongs[pushed] = start.source
            board.put(board.lift(start.source), start.target)
            yield room.draw(_PUSHED_STANDS)
        self._belongs |= knocked
        room.in_other_hands |= set(self._belongs)
        yield from self._knock(knocked)
        yield room.draw(_LOOKS_AT_IT)
        yield from self._put_back()
        room.in_other_hands -= set(self._belongs)
        room.is_bumped = False
        room.end_disturbance(behaviour.value)

    def _choose(self) -> dict[Piece, Square]:
        """Choose pieces that stand near each other. Pieces that are being held and pieces that take
        part in the current turn are excluded."""
        room = self._room
        could = {
            square: piece
            for square, (side, origin) in self._truth.standing().items()
            if square not in room.busy
            and (self._start is None or square != self._start.source)
            and room.board.at(square) is (piece := room.pieces[side, origin])
            and is_free_to_lift(room, piece, square)
        }
        if len(could) < _LEAST_KNOCKED:
            return {}
        middle = self._start.target if self._start else room.dice.randrange(WIDTH * WIDTH)
        column, row = middle % WIDTH, middle // WIDTH
        nearest = sorted(
            could,
            key=lambda each: ((each % WIDTH - column) ** 2 + (each // WIDTH - row) ** 2, each),
        )
        count = min(len(could), room.dice.randint(_LEAST_KNOCKED, _MOST_KNOCKED))
        return {could[square]: square for square in nearest[:count]}

    def _knock(self, knocked: dict[Piece, Square]) -> Act:
        room, board = self._room, self._room.board
        moments = sorted((room.draw(_KNOCKS), square) for square in knocked.values())
        before = 0
        for moment, square in moments:
            yield moment - before
            before = moment
            piece = next(each for each, stood in knocked.items() if stood == square)
            way = room.dice.random()
            beside = self._free_beside(square)
            if way < 0.55 or (way < 0.8 and not beside):
                board.feel(square, piece, is_felt=False)  # half out of its square, or on its side
            elif way < 0.8:
                board.put(board.lift(square, piece), room.dice.choice(beside))
            else:
                board.lift(square, piece)

    def _free_beside(self, square: Square) -> list[Square]:
        room = self._room
        near = squares_in(BESIDE[square] & self._truth.free & ~LAKES)
        return [each for each in near if room.board.is_empty(each) and each not in room.busy]

    def _put_back(self) -> Act:
        room, board = self._room, self._room.board
        order = list(self._belongs)
        room.dice.shuffle(order)
        for piece in order:
            there, belongs = board.square_of(piece), self._belongs[piece]
            if there == belongs and piece.is_felt:
                continue
            for lying in board.all_at(belongs):
                if lying is not piece:
                    board.lift(belongs, lying)  # the piece is beside the board until it is put back
                    yield room.draw(_UP)
            if there is not None:
                board.lift(there, piece)
            yield room.draw(_DOWN)
            board.put(piece, belongs)
            yield room.draw(_UP)


def fall(room: SharedState, squares: Iterable[Square], not_of: Side | None = None) -> Act:
    """Drop a captured piece on one of the squares, and remove the piece after a while.

    No piece of the side `not_of` is dropped, because the table would mistake it for the lifted
    attacker.
    """
    free = [each for each in squares if room.board.is_empty(each) and each not in room.busy]
    could = (each for each in room.captured - room.in_other_hands if each.side is not not_of)
    captured = sorted(could, key=lambda piece: (piece.side.value, piece.origin))
    if not free or not captured:
        return
    room.did(Behaviour.FALL)
    room.begin_disturbance(Behaviour.FALL.value)
    piece, square = room.dice.choice(captured), room.dice.choice(free)
    room.in_other_hands.add(piece)
    room.board.put(piece, square)
    yield room.draw(_LIES)
    if piece in room.board.all_at(square):
        room.board.lift(square, piece)
    room.in_other_hands.discard(piece)
    room.end_disturbance(Behaviour.FALL.value)


def beside(turn: Turn, free: SquareSet) -> list[Square]:
    """Return the free squares beside the source or target of an attack."""
    around = BESIDE[turn.source] | BESIDE[turn.target]
    return list(squares_in(around & free & ALL & ~LAKES & ~(1 << turn.source)))


def edge_ghost(room: SharedState, truth: GroundTruth, behaviour: Behaviour, side: Side) -> Act:
    """Lay a magnet beside the board. An edge square detects the magnet until somebody pushes the
    magnet away."""
    while any(piece.side is side for piece in room.looked_at) or room.is_bumped:
        yield _CHECK_MS
    could = [each for each in squares_in(_EDGE & truth.free) if room.board.is_empty(each)]
    could = [each for each in could if each not in room.busy | room.ghosts]
    if not could:
        return
    square = room.dice.choice(could)
    room.did(behaviour)
    room.ghosts.add(square)
    lasts, begun = room.draw(room.profile.habits[behaviour].lasts), room.world.now
    if behaviour is Behaviour.EDGE_FLICKER:
        while room.world.now - begun < lasts:
            room.board.come_over(square, side)
            yield room.draw(_PULSES)
            room.board.go_on(square, side)
            yield room.draw(_GAPS)
    else:
        room.begin_disturbance(behaviour.value)
        room.board.come_over(square, side)
        while room.world.now - begun < lasts and not room.has_complained:
            yield _CHECK_MS
        yield room.draw(room.profile.pace.react)
        room.board.go_on(square, side)
        room.end_disturbance(behaviour.value)
    room.ghosts.discard(square)


# Incidental actions: a player straightens a piece, or a sleeve displaces one. A player puts a
# displaced piece back after a while, or when the table reports it.

_LOOKS_MS: Final = 100
"""Interval in milliseconds between two checks of a condition that a hand is waiting for."""


def adjust(room: SharedState, side: Side, behaviour: Behaviour, pieces: SquareSet) -> Act:
    habit = room.profile.habits[behaviour]
    could = [square for square in squares_in(pieces) if square not in room.busy]
    if not could:
        return
    while room.is_undecided:
        yield _LOOKS_MS
    room.did(behaviour)
    square = room.dice.choice(could)
    room.busy.add(square)
    yield from Hand(side, room, HandTask(side)).straighten(square, habit.lasts)
    room.busy.discard(square)


class Sleeve:
    """A sleeve that displaces a piece, which a player puts back later."""

    def __init__(self, room: SharedState, whose: Side) -> None:
        """`whose` is the side that wears the sleeve and puts the piece back."""
        self.room = room
        self.whose = whose
        self.has_complained = False
        """Whether the table has reported the displaced piece."""

    def sweep(self, behaviour: Behaviour, near: SquareSet, free: SquareSet) -> Act:
        """Displace a piece, wait until a player notices, and put the piece back."""
        room = self.room
        while room.is_undecided:
            yield _LOOKS_MS
        could = [
            square
            for square in squares_in(near)
            if square not in room.busy
            and len(room.board.all_at(square)) == 1
            and room.board.at(square) not in room.in_other_hands
        ]
        if behaviour is Behaviour.SLEEVE_NEXT:
            could = [each for each in could if self._next(each, free)]
        if not could:
            return
        square = room.dice.choice(could)
        piece = room.board.at(square)
        assert piece
        room.did(behaviour)
        disturbance = f"{behaviour.value} {square}"
        room.begin_disturbance(disturbance)
        room.in_other_hands.add(piece)
        there = yield from self._harm(behaviour, square, piece, free)
        room.busy |= {square, there}
        yield from self._notice(room.draw(room.profile.habits[behaviour].lasts))
        yield from self._mend(piece, there, square)
        room.busy -= {square, there}
        room.in_other_hands.discard(piece)
        room.end_disturbance(disturbance)

    def _next(self, square: Square, free: SquareSet) -> list[Square]:
        open_squares = squares_in(BESIDE[square] & free & ~LAKES)
        return [each for each in open_squares if each not in self.room.busy]

    def _harm(
        self, behaviour: Behaviour, square: Square, piece: Piece, free: SquareSet
    ) -> Doing[Square]:
        """Displace the piece and return its new square."""
        room = self.room
        if behaviour is Behaviour.SLEEVE_TIP:
            room.board.feel(square, piece, is_felt=False)
            return square
        if behaviour is Behaviour.SLEEVE_NEXT:
            there = room.dice.choice(self._next(square, free))
            room.pushed.add((piece.side, square, there))
            room.board.come_over(square, piece.side)
            room.board.put(room.board.lift(square), there)
            yield room.draw(OVERLAP)
            room.board.go_on(square, piece.side)
            return there
        # The piece ends up between two squares, where neither of them detects it. Before that, the
        # other square may detect it briefly.
        beside = list(squares_in(BESIDE[square] & free))
        if beside and room.dice.random() < 0.5:
            other = room.dice.choice(beside)
            room.board.come_over(other, piece.side)
            yield room.draw(OVERLAP)
            room.board.go_on(other, piece.side)
        room.board.feel(square, piece, is_felt=False)
        return square

    def _notice(self, unnoticed: int) -> Act:
        waited = 0
        while waited < unnoticed and not self.has_complained:
            yield _LOOKS_MS
            waited += _LOOKS_MS
        yield self.room.draw(self.room.profile.pace.react)

    def _mend(self, piece: Piece, there: Square, square: Square) -> Act:
        hand = Hand(self.whose, self.room, HandTask(self.whose))
        if piece in self.room.board.all_at(there):
            yield from hand.lift(there, piece)
        yield from hand.put(piece, square)


# Technical faults: unreliable sensors and lost frames


def flicker(room: SharedState, square: Square, lasts: int) -> Act:
    """Make a sensor briefly lose its piece or, on an empty square, detect one."""
    is_empty = room.board.felt(square) is None
    colours = ("r", "b") if room.profile.sees_colours else ("?",)
    token = room.dice.choice(colours) if is_empty else "."
    room.sensors.force(square, token, room.world.now)
    yield lasts
    room.sensors.force(square, None, room.world.now)


def flicker_somewhere(room: SharedState, habit: Habit) -> Act:
    square = room.dice.choice(list(squares_in(ALL & ~LAKES)))
    yield room.dice.randint(0, 1500)
    room.did(Behaviour.FLICKER)
    for _ in range(room.dice.choice((1, 1, 1, 2))):
        yield from flicker(room, square, room.draw(habit.lasts))
        yield room.draw(habit.lasts)


def flicker_for_ever(room: SharedState, habit: Habit) -> Act:
    """Make one sensor flicker in bursts throughout the game."""
    square = room.dice.choice(list(squares_in(ALL & ~LAKES)))
    while True:
        yield room.dice.choice((300, 1000, 3000, 8000))
        room.did(Behaviour.FAULTY)
        for _ in range(room.dice.randint(1, 4)):
            yield from flicker(room, square, room.draw(habit.lasts))
            yield room.draw(habit.lasts)


def lose_frames(room: SharedState, behaviour: Behaviour, habit: Habit) -> Act:
    yield room.dice.randint(0, 1500)
    room.did(behaviour)
    lost = 20 if behaviour is Behaviour.LOST_FRAME else room.draw(habit.lasts)
    room.sensors.silence(room.world.now, lost)


# Mistakes that last until the table reports them: the wrong piece, the wrong player, an illegal
# move

SLIPS: Final = (Behaviour.WRONG_PIECE, Behaviour.OUT_OF_TURN, Behaviour.ILLEGAL)


@dataclass(frozen=True)
class Slip:
    """A movement that is not a valid turn. `by` is the side whose hand moves the piece."""

    behaviour: Behaviour
    by: Side
    source: Square
    target: Square


def find_slip(room: SharedState, truth: GroundTruth, behaviour: Behaviour) -> Slip | None:
    """Choose a wrong movement, or return None if none is possible."""
    mover = truth.referee.to_move
    board = truth.referee.position.board
    if behaviour is Behaviour.ILLEGAL:
        return _choose(room, behaviour, mover, board.of(mover), truth.free, illegal=True)
    last = truth.plies[-1].turn.target if truth.plies else None
    # The piece that has just moved is excluded, because its new movement could simply continue that
    # move.
    theirs = board.of(mover.other) & ~(0 if last is None else 1 << last)
    by = mover if behaviour is Behaviour.WRONG_PIECE else mover.other
    return _choose(room, behaviour, by, theirs, truth.free, illegal=False)


def _choose(
    room: SharedState,
    behaviour: Behaviour,
    by: Side,
    pieces: SquareSet,
    free: SquareSet,
    *,
    illegal: bool,
) -> Slip | None:
    found = []
    for source in squares_in(pieces):
        if not BESIDE[source] & free:
            continue
        targets = crooked_from(source) & free if illegal else BESIDE[source] & free
        found += [Slip(behaviour, by, source, target) for target in squares_in(targets & ~LAKES)]
    return room.dice.choice(found) if found else None


def crooked_from(source: Square) -> SquareSet:
    """Return the squares within two steps of `source` that no piece can reach from `source`."""
    near = 0
    for beside in squares_in(BESIDE[source]):
        near |= BESIDE[beside]
    return sum(1 << each for each in squares_in(near & ~(1 << source)) if not line(source, each))
