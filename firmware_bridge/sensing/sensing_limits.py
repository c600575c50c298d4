"""Tuned parameters of sensing, each with its effect and the source of its value.

No value was measured on a physical board. “Simulated hands” are the profiles of
`tests.hands.profiles`; other values were tried with them by `tests.campaign.variation`.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class SensingLimits:
    """All times, counts and penalties that are used to derive hypotheses from frames."""

    # Change detector.

    steady_frame_gap_seconds: float = 0.06
    """Longest time between two frames of a board with good reception.

    A board sends one every 20 ms, so two of the frames may be lost."""
    stream_frames: int = 10
    """Number of identical frames after which a source counts as a stream of frames.

    A source that sends only changes never sends that many. Chosen by judgement, not measured."""

    # Confidence filter.

    faint_confirmed_seconds: float = 0.1
    """Time for which further frames have to confirm a faint reading before it is accepted.

    The value is less than the time for which a piece has to rest before its turn is ruled on
    (0.12), so that a weak magnet does not delay a turn."""
    small_change_observed_seconds: float = 0.025
    """Longest time for which the board observes a small change before it reports it.

    The value is from the firmware (docs/protocol.md)."""

    # Flicker filter: a loose contact toggles one square over and over.

    flicker_blinks: int = 5
    """Number of blinks within `blink_remembered_seconds` after which a sensor is flickering.

    Players also lift a piece and put it back, but seldom the same one five times. Chosen by
    judgement, not measured."""
    blink_remembered_seconds: float = 40.0
    """Time for which a blink counts. Chosen by judgement, not measured."""
    longest_blink_seconds: float = 1.6
    """Longest blink: a change of a square and back again.

    The value is longer than the blinks of the simulated faulty sensor (at most 1.5 s)."""
    shortest_look_seconds: float = 0.3
    """Shortest time for which a player lifts a piece to look at it.

    The value is the shortest such time of simulated hands. A loose contact seldom stays open for
    that long."""
    tilt_around_look_seconds: float = 1.0
    """Time before and after lifting a piece to look at it in which changes of its square count as
    tilts, not blinks.

    Chosen by judgement, not measured."""
    played_square_seconds: float = 5.0
    """Time after a turn in which changes of its two squares are not blinks, because a hand may be
    there.

    Chosen by judgement, not measured."""
    flicker_quiet_seconds: float = 120.0
    """Time without a blink after which a flickering square is again accepted at once.

    Chosen by judgement, not measured."""
    flicker_stable_seconds: float = 1.0
    """Minimum time for which a flickering square has to be stable to be accepted.

    Chosen by judgement, not measured."""
    flicker_stable_factor: float = 1.25
    """Minimum stable time of a flickering square, as a multiple of its longest blink.

    Chosen by judgement, not measured."""

    # Hypotheses: possible hand actions and their speed.

    slide_overlap_seconds: float = 0.15
    """Longest usual time for which a sliding piece is detected on two squares at once.

    The value is longer than the overlap of simulated hands (at most 130 ms)."""
    slow_slide_overlap_seconds: float = 1.0
    """Longest time for which a piece is detected on two squares if it slides slowly or stops
    briefly.

    Chosen by judgement, not measured."""
    slide_coincidence_seconds: float = 0.1
    """Longest time between an appearance and a disappearance beside it that are one slide.

    Two hand actions within this time are a coincidence: simulated hands take at least 120 ms from
    one piece to the next. In about 4,000 plies of the profile `sleeve`, 0.1 gives six errors, 0.05
    gives fourteen and 0.15 gives thirteen."""
    fastest_carry_seconds: float = 0.1
    """Shortest time in which a hand carries a piece to a square that is not beside its own.

    Simulated hands take at least 180 ms. The limit was 0.08 until a push and a placement within
    0.06 s were exchanged, because the times of two changes are known to a few milliseconds only."""
    most_hypotheses: int = 16
    """Maximum number of hypotheses that are kept, the likeliest ones.

    The limit was 12 until trembling hands displaced the true hypothesis."""
    most_alike_hypotheses: int = 3
    """Maximum number of kept hypotheses that agree on the current place of every piece.

    Chosen by judgement, not measured."""

    # Penalties of unusual events. The hypothesis with the lowest sum is the likeliest. Only the
    # order of the values matters: a piece of unknown origin (3) is less likely than a piece that is
    # put on another lifted piece's square (2), and more likely than one carried faster than a hand
    # can move it (4). The values were chosen so that simulated hands are recognised.

    unexplained_penalty: int = 3
    """Penalty for each piece that appeared without a known origin."""
    phantom_penalty: int = 2
    """Penalty for each square from which an unexplained piece disappeared.

    Usually a magnet has passed."""
    tilt_penalty: int = 2
    """Penalty for an unexplained piece detected no longer than a slide's overlap: it was tilted."""
    slow_slide_penalty: int = 2
    """Penalty for a slide that was detected on two squares for longer than usual."""
    lift_despite_slide_penalty: int = 1
    """Penalty for a lifted piece that may instead have slid."""
    coincidence_penalty: int = 5
    """Penalty for a piece lifted at the moment when another one of its side was set down beside it.

    The piece has probably slid. This penalty is the highest, because all other interpretations of a
    slide need two hands at the same time."""
    exchanged_penalty: int = 2
    """Penalty for a piece set down on the square of another lifted piece.

    Players usually put each piece back on its own square."""
    too_fast_penalty: int = 4
    """Penalty for a piece carried faster than a hand can move it."""
    missed_slide_penalty: int = 4
    """Penalty for a carried piece if another piece left the square beside at the same moment."""
    ignored_source_penalty: int = 4
    """Penalty for a piece that came from an ignored square.

    It is higher than for an unknown origin, because that may still turn out to be a slide."""
    second_origin_penalty: int = 3
    """Penalty for an unknown origin where a lifted or slid piece explains the appearance."""
    possible_origin_penalty: int = 1
    """Penalty for an unknown origin where a piece lifted just then may explain the appearance."""
    left_square_penalty: int = 3
    """Penalty for an unknown origin on a square that a piece has left.

    Usually that piece has returned."""
    sliding_discount: int = 5
    """Reduction while a piece that has just appeared may be sliding from a square beside.

    The value is the sum for an unknown origin and a slow slide. Until the piece has left the other
    square, its hypothesis must not be displaced by complete ones."""


SENSING_LIMITS: Final = SensingLimits()
