"""Tuned sensing parameters, each with its effect and the source of its value.

No value was measured on a physical board. “Simulated hands” are the profiles in
`tests.hands.profiles`; `tests.campaign.variation` tries other values with these profiles.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class SensingLimits:
    """All times, counts and penalties used to derive hypotheses from frames."""

    # Change detector.

    steady_frame_gap_seconds: float = 0.06
    """Maximum interval between two frames over a good connection.

    A board sends a frame every 20 ms, so two frames may be lost."""
    stream_frames: int = 10
    """A source counts as a stream of frames after this many identical frames.

    A source that sends only changes never repeats an image this often. Chosen by judgement, not
    measurement.
    """

    # Confidence filter.

    faint_confirmed_seconds: float = 0.1
    """A faint reading is accepted once later frames have shown it for this long.

    A piece must rest for longer than this (0.12 s) before a ruling is made on the turn, so a weak
    magnet does not delay the ruling."""
    small_change_observed_seconds: float = 0.025
    """The board observes a small change for at most this long before reporting it.

    The firmware determines the value (docs/protocol.md)."""

    # Flicker filter: a loose contact toggles one square repeatedly.

    flicker_blinks: int = 5
    """A sensor counts as flickering after this many blinks within `blink_remembered_seconds`.

    Players also lift a piece and put it back, but seldom do so five times with the same piece.
    Chosen by judgement, not measurement."""
    blink_remembered_seconds: float = 40.0
    """Time for which a blink is remembered. Chosen by judgement, not measurement."""
    longest_blink_seconds: float = 1.6
    """In a blink, a square changes and then changes back within at most this time. The value
    exceeds the longest blink of the simulated faulty sensor (1.5 s)."""
    shortest_look_seconds: float = 0.3
    """A player who lifts a piece to look at it keeps it lifted for at least this long. The value is
    the shortest time that simulated hands take. A loose contact seldom stays open for this long."""
    tilt_around_look_seconds: float = 1.0
    """For this long before and after a player looks at a lifted piece, changes to its square count
    as tilts, not blinks.

    Chosen by judgement, not measurement."""
    played_square_seconds: float = 5.0
    """For this long after a turn, changes to its two squares do not count as blinks, because a hand
    may still be over them.

    Chosen by judgement, not measurement."""
    flicker_quiet_seconds: float = 120.0
    """A square no longer counts as flickering once it has not blinked for this long.

    Chosen by judgement, not measurement."""
    flicker_stable_seconds: float = 1.0
    """A flickering square must be stable for at least this long before its state is accepted.

    Chosen by judgement, not measurement."""
    flicker_stable_factor: float = 1.25
    """A flickering square must be stable for at least the duration of its longest blink, multiplied
    by this factor.

    Chosen by judgement, not measurement."""

    # Hypotheses: possible hand actions and their speed.

    slide_overlap_seconds: float = 0.15
    """A sliding piece is usually detected on two squares at once for at most this long. The value
    exceeds the longest overlap produced by simulated hands (130 ms)."""
    slow_slide_overlap_seconds: float = 1.0
    """A piece that slides slowly or stops briefly is detected on two squares for at most this long.

    Chosen by judgement, not measurement."""
    slide_coincidence_seconds: float = 0.1
    """An appearance and a disappearance on adjacent squares count as one slide if they are at most
    this long apart. Two separate hand actions are unlikely to follow each other so closely:
    simulated hands take at least 120 ms to go from one piece to the next. In about 4,000 plies of
    the profile `sleeve`, a value of 0.1 causes six errors, 0.05 causes fourteen and 0.15 causes
    thirteen."""
    fastest_carry_seconds: float = 0.1
    """A hand needs at least this long to carry a piece to a square that is not adjacent.

    Simulated hands take at least 180 ms. With an earlier limit of 0.08, a push and a placement
    within 0.06 s were mistaken for each other, because change times are known only to within a few
    milliseconds."""
    most_hypotheses: int = 16
    """Maximum number of hypotheses to keep. The most likely ones are kept.

    With the original limit of 12, trembling hands displaced the correct hypothesis."""
    most_alike_hypotheses: int = 3
    """Of the hypotheses that agree on every piece's position, at most this many are kept.

    Chosen by judgement, not measurement."""

    # Penalties for unusual events. The hypothesis with the lowest sum is the most likely. Only the
    # order of the values matters. For example, a piece of unknown origin (3) is less likely than
    # one that is put on the square of another lifted piece (2). It is more likely than one that is
    # carried faster than a hand can move it (4). The values were chosen so that the actions of
    # simulated hands are recognised.

    unexplained_penalty: int = 3
    """Penalty for each piece that has appeared without a known origin."""
    phantom_penalty: int = 2
    """Penalty for each square from which an unexplained piece has disappeared.

    The usual cause is a passing magnet."""
    tilt_penalty: int = 2
    """Penalty for an unexplained piece detected so briefly that it was probably only tilted."""
    slow_slide_penalty: int = 2
    """Penalty for a slide that was detected on two squares for longer than usual."""
    lift_despite_slide_penalty: int = 1
    """Penalty for a piece that is assumed to have been lifted although it may have slid."""
    coincidence_penalty: int = 5
    """Penalty for a piece lifted just as another piece of its side is set down beside it.

    The piece has probably slid. This penalty is the highest, because any other explanation requires
    two hands at the same time."""
    exchanged_penalty: int = 2
    """Penalty for a piece set down on the square of another lifted piece.

    Players usually put each piece back on its own square."""
    too_fast_penalty: int = 4
    """Penalty for a piece carried faster than a hand can move it."""
    missed_slide_penalty: int = 4
    """Penalty for assuming that a piece was carried although another piece left an adjacent square
    at the same moment."""
    ignored_source_penalty: int = 4
    """Penalty for a piece that came from an ignored square.

    The penalty is higher than for an unknown origin, because a piece of unknown origin may still
    turn out to have slid."""
    second_origin_penalty: int = 3
    """Penalty for assuming that a piece has an unknown origin, although a lifted or sliding piece
    explains why it appeared."""
    possible_origin_penalty: int = 1
    """Penalty for assuming that a piece has an unknown origin, although it may be a piece that was
    lifted at the same moment."""
    left_square_penalty: int = 3
    """Penalty for assuming that a piece of unknown origin appeared on a square from which a piece
    has been moved.

    Usually, the same piece has returned."""
    sliding_discount: int = 5
    """While a piece that has just appeared may be sliding from an adjacent square, the penalty is
    reduced by this value.

    The value is the sum of the penalties for an unknown origin and a slow slide. Until the piece
    has left the other square, hypotheses that already explain the appearance must not displace the
    hypothesis of a slide."""


SENSING_LIMITS: Final = SensingLimits()
