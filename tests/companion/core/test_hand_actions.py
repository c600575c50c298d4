"""Convert hypotheses to hand actions. No piece may be placed twice or on the wrong square."""

from hypothesis import given
from hypothesis import strategies as st

from companion.core.explanation import alternatives
from engine.board.geometry import SQUARES, Side, Square, square
from firmware_bridge.sensing.change_detector import Interval
from firmware_bridge.sensing.hypotheses import Hypothesis, Placement, TrackedPiece

PIECES = [TrackedPiece(Side.RED, square(name)) for name in ("d4", "e4", "f4")] + [
    TrackedPiece(Side.BLUE, square(name)) for name in ("d5", "e5", "f5")
]
NEAR = [each for each in range(100) if each in SQUARES and each // 10 in (3, 4)]
PAUSES = st.sampled_from([0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5])


def carry(piece: TrackedPiece, source: Square, target: Square, up: float, down: float) -> Placement:
    lifted = Interval(up, up)
    return Placement(piece, source, target, lifted, Interval(down, down), covers=False)


@st.composite
def hypotheses(draw: st.DrawFn) -> Hypothesis:
    """Draw a hypothesis in which pieces of both sides move at about the same time."""
    carries, standing = [], {piece.home: piece for piece in PIECES}
    for piece in PIECES:
        source, at = piece.home, draw(PAUSES)
        for _ in range(draw(st.integers(0, 2))):
            target, up = draw(st.sampled_from(NEAR)), at + draw(PAUSES)
            down = up + draw(PAUSES)
            carries.append(carry(piece, source, target, up, down))
            standing.pop(source, None)
            standing[target] = piece
            source, at = target, down + 0.01
    return Hypothesis(standing, carries=tuple(carries))


@given(hypotheses())
def test_piece_moves_on_from_its_square(hypothesis: Hypothesis) -> None:
    for way in alternatives(hypothesis):
        stands = {piece: piece.home for piece in PIECES}
        for step in way.carries:
            assert step.source == stands[step.piece], "a piece can only be lifted where it is"
            stands[step.piece] = step.target


def test_pushed_piece_moves_on_later() -> None:
    """A red piece pushes the blue piece on e5 to e6. The blue piece is then carried to f6."""
    red, blue = TrackedPiece(Side.RED, square("e4")), TrackedPiece(Side.BLUE, square("e5"))
    e4, e5, e6, f6 = (square(name) for name in ("e4", "e5", "e6", "f6"))
    shoved, goes_on = carry(blue, e5, e6, 1.0, 1.1), carry(blue, e6, f6, 1.12, 1.12)
    comes = carry(red, e4, e5, 0.5, 1.15)
    hypothesis = Hypothesis({e5: red, f6: blue}, carries=(shoved, goes_on, comes))
    orders = [[step.target for step in way.carries] for way in alternatives(hypothesis)]
    assert all(f6 not in order[: order.index(e6)] for order in orders if e6 in order)
