"""Simulated hands that move pieces on a few squares. They record what they really did, and what a
board would show.

Each square is touched at most once between two frames, so every action is visible in a frame. A
sliding piece counts as being on its old square.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from engine.board.geometry import BESIDE, Side, Square, name
from firmware_bridge.image import Image, Sensed
from firmware_bridge.sensing import hypotheses
from firmware_bridge.sensing.change_detector import Interval
from firmware_bridge.sensing.sensing_limits import SENSING_LIMITS
from tests.firmware_bridge.brute_force_hypotheses import BEGINNING, BoardReport, in_order

COLOURS: Final = {Side.RED: Sensed.RED, Side.BLUE: Sensed.BLUE}


@dataclass
class Slide:
    """A sliding piece that is detected on two squares."""

    source: Square
    target: Square
    since: Interval


@dataclass(frozen=True, repr=False)
class Act:
    """A possible action, and the squares that it touches."""

    kind: str
    touches: tuple[Square, ...]
    do: Callable[[], None]
    piece: hypotheses.TrackedPiece | None = None

    def __repr__(self) -> str:
        piece = f"{self.piece.side.value} {name(self.piece.home)}, " if self.piece else ""
        return f"{self.kind}: {piece}{' '.join(map(name, self.touches))}"


@dataclass
class Hands:
    stacks: dict[Square, list[hypotheses.TrackedPiece]]
    """Pieces on each square, topmost last."""
    has_colours: bool = True
    off: list[hypotheses.LiftedPiece] = field(default_factory=list)
    """Pieces that are not detected, because they are lifted, put aside, or beneath another
    piece."""
    carries: list[hypotheses.Placement] = field(default_factory=list)
    slides: list[Slide] = field(default_factory=list)
    passing: dict[Square, tuple[Side, Interval]] = field(default_factory=dict)
    """For each square over which a magnet is passing: the side to which the magnet belongs, and the
    interval in which it appeared."""
    now: Interval = BEGINNING
    """Interval between two frames in which the current actions take place."""
    touched: set[Square] = field(default_factory=set)
    """Squares touched since the last frame."""

    def advance(self, seconds: float) -> None:
        """Finish a frame. The next frame follows after `seconds`."""
        self.now = Interval(self.now.by, self.now.by + seconds)
        self.touched.clear()

    # -- observation and truth

    def _felt(self, square: Square) -> Side | None:
        for slide in self.slides:
            if slide.target == square:
                return self.stacks[slide.source][-1].side
        if square in self.passing:
            return self.passing[square][0]
        stack = self.stacks[square]
        return stack[-1].side if stack else None

    @property
    def image(self) -> Image:
        sets = dict.fromkeys(Sensed, 0)
        for square in self.stacks:
            if side := self._felt(square):
                sets[COLOURS[side] if self.has_colours else Sensed.UNKNOWN] |= 1 << square
        return Image(sets[Sensed.RED], sets[Sensed.BLUE], sets[Sensed.UNKNOWN])

    @property
    def truth(self) -> BoardReport:
        hidden = set(self.passing) | {slide.target for slide in self.slides}
        standing = {(s, stack[-1]) for s, stack in self.stacks.items() if stack and s not in hidden}
        came = {square: since for square, (_, since) in self.passing.items()}
        came |= {slide.target: slide.since for slide in self.slides}
        strays = {
            hypotheses.UnexplainedPiece(
                square, self.image.at(square), since, bool(self.stacks[square])
            )
            for square, since in came.items()
        }
        return BoardReport(
            frozenset(standing), frozenset(self.off), in_order(self.carries), frozenset(strays)
        )

    # -- possible actions

    @property
    def due(self) -> list[Act]:
        """Slides that must end now, because their pieces have been detected on two squares for the
        maximum time."""
        return [
            self._end(slide)
            for slide in self.slides
            if self.now.by - slide.since.by > SENSING_LIMITS.slow_slide_overlap_seconds
        ]

    @property
    def acts(self) -> list[Act]:
        """Possible actions on squares not touched since the last frame."""
        busy = self.touched | set(self.passing)
        busy |= {square for slide in self.slides for square in (slide.source, slide.target)}
        free = [square for square in self.stacks if square not in busy]
        found = [act for square in free for act in (*self._going(square), *self._coming(square))]
        found += [self._begin(*way) for way in self._ways(free)]
        found += [self._end(slide) for slide in self.slides]
        found += [
            Act("is gone", (square,), partial(self._pass_on, square)) for square in self.passing
        ]
        return [act for act in found if not self.touched & set(act.touches)]

    def do(self, act: Act) -> None:
        act.do()
        self.touched |= set(act.touches)

    def _going(self, square: Square) -> Iterator[Act]:
        """Yield the actions that take a piece away from a square."""
        stack, here = self.stacks[square], (square,)
        if stack:
            yield Act("is lifted", here, partial(self._lift, square))
        if len(stack) == 2:
            yield Act("is taken from beneath", here, partial(stack.remove, stack[0]))
            yield Act("both are taken", here, partial(self._clear, square))

    def _coming(self, square: Square) -> Iterator[Act]:
        """Yield the actions that make a piece appear on a square.

        A covered piece that has been taken away is never put back on the same square, because that
        would look as if it had been uncovered.
        """
        stack, here = self.stacks[square], (square,)
        beneath = {piece for stack in self.stacks.values() for piece in stack}
        for held in self.off:
            if held.piece in beneath:
                continue
            put = partial(self._put, held, square)
            if not stack:
                yield Act("is put", here, put, held.piece)
            elif self._is_seen_on(square, held.piece.side) and not (
                held.covered and held.source == square
            ):
                yield Act("covers", here, put, held.piece)
                if len(stack) == 1:
                    yield Act(
                        "is exchanged", here, partial(self._exchange, held, square), held.piece
                    )
        for side in Side:
            if self._is_seen_on(square, side):
                yield Act(f"a {side.value} magnet passes", here, partial(self._pass, square, side))

    def _ways(self, free: Iterable[Square]) -> list[tuple[Square, Square]]:
        """Return the pairs of squares between which a piece could slide."""
        return [
            (source, target)
            for source in free
            for target in free
            if BESIDE[source] >> target & 1
            and (stack := self.stacks[source])
            and self._is_seen_on(target, stack[-1].side)
        ]

    def _is_seen_on(self, square: Square, side: Side) -> bool:
        """Whether putting a piece of this side on the square changes the square's state."""
        stack = self.stacks[square]
        return not stack or (self.has_colours and stack[-1].side is not side)

    # -- execution of actions

    def _lift(self, square: Square) -> None:
        stack = self.stacks[square]
        self.off.append(hypotheses.LiftedPiece(stack.pop(), square, self.now))
        self._uncover(square)

    def _clear(self, square: Square) -> None:
        """Remove a stack of two pieces. The lower piece is already in `off`, because it counts as
        lifted as soon as it is covered."""
        self.off.append(hypotheses.LiftedPiece(self.stacks[square].pop(), square, self.now))
        self.stacks[square].clear()

    def _uncover(self, square: Square) -> None:
        if stack := self.stacks[square]:
            self.off = [held for held in self.off if held.piece != stack[-1]]

    def _cover(self, square: Square) -> None:
        if stack := self.stacks[square]:
            self.off.append(hypotheses.LiftedPiece(stack[-1], square, self.now, covered=True))

    def _put(self, held: hypotheses.LiftedPiece, square: Square) -> None:
        self._cover(square)
        self.off.remove(held)
        self._come(held.piece, square, held.source, held.lifted, self.now)

    def _come(
        self,
        piece: hypotheses.TrackedPiece,
        square: Square,
        source: Square,
        lifted: Interval,
        released: Interval,
    ) -> None:
        covers = bool(self.stacks[square])
        self.stacks[square].append(piece)
        self.carries.append(hypotheses.Placement(piece, source, square, lifted, released, covers))

    def _exchange(self, held: hypotheses.LiftedPiece, square: Square) -> None:
        self._put(held, square)
        del self.stacks[square][0]

    def _pass(self, square: Square, side: Side) -> None:
        self._cover(square)
        self.passing[square] = side, self.now

    def _pass_on(self, square: Square) -> None:
        del self.passing[square]
        self._uncover(square)

    def _begin(self, source: Square, target: Square) -> Act:
        def begin() -> None:
            self._cover(target)
            self.slides.append(Slide(source, target, self.now))

        return Act("slides", (source, target), begin)

    def _end(self, slide: Slide) -> Act:
        def end() -> None:
            self.slides.remove(slide)
            piece = self.stacks[slide.source].pop()
            self._uncover(slide.source)
            self._come(piece, slide.target, slide.source, self.now, slide.since)

        return Act("has slid", (slide.source, slide.target), end)
