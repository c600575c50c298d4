"""Compact notation for the lower left corner of a board and for hypotheses.

``"r . b"`` is row 1 from column a to c; ``"b .", "r ."`` are rows 2 and 1. All squares not listed
are empty.
"""

from collections.abc import Iterable

from engine.board.geometry import COLUMNS, name, set_of, square
from firmware_bridge.image import Image, Sensed
from firmware_bridge.sensing.change_detector import Change, ChangeDetector, Interval
from firmware_bridge.sensing.hypotheses import Hypothesis, TrackedPiece, extend_all, initial

FRAME = 0.02
"""Interval between two frames of a board, in seconds."""


def corner(*rows: str) -> Image:
    """Parse the notation for the corner. The last row given is row 1."""
    sets = dict.fromkeys(Sensed, 0)
    for number, row in enumerate(reversed(rows), start=1):
        for column, token in zip(COLUMNS, row.split(), strict=False):
            sets[Sensed(token)] |= 1 << square(f"{column}{number}")
    return Image(sets[Sensed.RED], sets[Sensed.BLUE], sets[Sensed.UNKNOWN])


def changes_in_words(seen: Iterable[Change]) -> list[str]:
    """Format changes. ``"a1 r."`` means that a1 was red and is now empty."""
    return [f"{name(each.square)} {each.was.value}{each.now.value}" for each in seen]


def in_words(hypothesis: Hypothesis) -> str:
    """Format a hypothesis: ``"a1-b1, c1 up, stray a2"`` or ``"a1xb1, b1 covered"``.

    If the piece was originally on another square, that square comes first: ``"a1:b1-c1"``.
    """

    def away(piece: TrackedPiece, source: int) -> str:
        return name(source) if piece.home == source else f"{name(piece.home)}:{name(source)}"

    words = [
        f"{away(each.piece, each.source)}{'x' if each.covers else '-'}{name(each.target)}"
        for each in hypothesis.carries
    ]
    words += [
        f"{away(each.piece, each.source)} {'covered' if each.covered else 'up'}"
        for each in hypothesis.held
    ]
    words += [f"stray {name(each.square)}" for each in hypothesis.unexplained]
    return ", ".join(words) or "nothing"


class Seen:
    """Consecutive frames of the lower left corner of a board, and the resulting hypotheses."""

    def __init__(self, *rows: str, colours: bool = True) -> None:
        self.times = [100.0]
        """Times of the frames, in seconds."""
        self.watch = ChangeDetector()
        image = corner(*rows)
        self.hypotheses = initial(image)
        self.watch.see(self.times[0], image if colours else Image(unknown=image.occupied))

    def then(self, *rows: str, after: float = FRAME, ignored: str = "") -> "Seen":
        """Add a frame `after` seconds after the last one."""
        self.times.append(self.times[-1] + after)
        seen = self.watch.see(self.times[-1], corner(*rows))
        self.hypotheses = extend_all(self.hypotheses, seen, set_of(map(square, ignored.split())))
        return self

    def at_last(self, square_name: str, shows: str, at: Interval) -> "Seen":
        """Accept a late change: a piece appeared on an empty square before the last frame."""
        change = Change(square(square_name), Sensed.EMPTY, Sensed(shows), at)
        self.hypotheses = extend_all(self.hypotheses, [change], 0)
        return self

    def span(self, frame: int) -> Interval:
        """Return the interval that ends with the given frame.

        Frame 1 is the first one after the initial frame.
        """
        return Interval(self.times[frame - 1], self.times[frame])

    @property
    def notations(self) -> list[str]:
        """Hypotheses in compact notation, most likely first."""
        return [in_words(hypothesis) for hypothesis in self.hypotheses]

    @property
    def likeliest(self) -> Hypothesis:
        return self.hypotheses[0]

    @property
    def standing(self) -> dict[str, str]:
        """For each piece in the most likely hypothesis: its current square and its original
        square."""
        standing = self.likeliest.standing
        return {name(where): name(piece.home) for where, piece in sorted(standing.items())}
