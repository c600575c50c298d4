"""Tests with random hand actions. The true hypothesis must be among those found.

The hypotheses must also be the same as those that `all_reports` finds by brute force.
"""

from collections.abc import Iterator
from typing import Final

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from engine.board.geometry import Side, Square, SquareSet, set_of, square
from firmware_bridge.image import Image, Sensed
from firmware_bridge.sensing.change_detector import Change, ChangeDetector
from firmware_bridge.sensing.hypotheses import TrackedPiece, extend_all, initial
from firmware_bridge.sensing.sensing_limits import SENSING_LIMITS
from tests.firmware_bridge.brute_force_hypotheses import all_reports, report_of
from tests.firmware_bridge.hands import Hands
from tests.firmware_bridge.small_board import changes_in_words

SQUARES: Final = [square(each) for each in ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]]
SIDES: Final = (Side.RED, Side.BLUE, Side.RED, Side.BLUE)
FRAMES: Final = 8
MOST_COME: Final = 5
"""Maximum number of pieces that appear. Each of them has many possible origins, so more pieces
would take too long."""
homes = st.lists(st.sampled_from(SQUARES), min_size=2, max_size=len(SIDES), unique=True)
pauses = st.sampled_from([0.02, 0.04, 0.1, 0.2, 2.0])
"""Times between two frames, in seconds. The longer times simulate lost frames."""


def over(homes: list[Square], *, has_colours: bool) -> tuple[Hands, Image]:
    """Return `Hands` for a board with pieces on the given squares, and the expected image."""
    pieces = {home: [TrackedPiece(side, home)] for home, side in zip(homes, SIDES, strict=False)}
    stacks = {square: pieces.get(square, []) for square in SQUARES}
    red, blue = (set_of(s for s, [p] in pieces.items() if p.side is side) for side in Side)
    return Hands(stacks, has_colours), Image(red, blue)


def frames(data: st.DataObject, hands: Hands, ignored: SquareSet = 0) -> Iterator[list[Change]]:
    """Perform random actions. Yield the changes in each frame, except on ignored squares."""
    watch, came = ChangeDetector(), 0
    watch.see(hands.now.by, hands.image)
    for _ in range(data.draw(st.integers(1, FRAMES))):
        hands.advance(data.draw(pauses))
        for act in hands.due:
            note(str(act))
            hands.do(act)
        for _ in range(data.draw(st.integers(0, 3))):
            if acts := hands.acts:
                kind = data.draw(st.sampled_from(list(dict.fromkeys(act.kind for act in acts))))
                hands.do(data.draw(st.sampled_from([act for act in acts if act.kind == kind])))
        shown = watch.see(hands.now.by, hands.image)
        seen = [change for change in shown if not ignored >> change.square & 1]
        note(f"{hands.now.by:.2f}: {', '.join(changes_in_words(seen))}")
        came += sum(change.now is not Sensed.EMPTY for change in seen)
        if came > MOST_COME:
            return
        yield seen


@settings(max_examples=200)
@given(st.data(), homes, st.booleans())
def test_true_hypothesis_is_kept(
    data: st.DataObject, homes: list[Square], has_colours: bool
) -> None:
    hands, begun = over(homes, has_colours=has_colours)
    followed, seen = initial(begun), []
    for changes in frames(data, hands):
        seen += changes
        followed = extend_all(followed, changes, 0)
        if len(all_reports(begun, seen)) > SENSING_LIMITS.most_hypotheses:
            break
        assert hands.truth in map(report_of, followed)


@settings(max_examples=200)
@given(st.data(), homes, st.booleans(), st.sets(st.sampled_from(SQUARES), max_size=2).map(set_of))
def test_all_hypotheses_and_no_others(
    data: st.DataObject, homes: list[Square], has_colours: bool, ignored: SquareSet
) -> None:
    hands, begun = over(homes, has_colours=has_colours)
    followed, seen = initial(begun), []
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(vars(SENSING_LIMITS), "most_hypotheses", 10**6)
        for changes in frames(data, hands, ignored):
            seen += changes
            followed = extend_all(followed, changes, ignored)
            assert set(map(report_of, followed)) == all_reports(begun, seen, ignored)
