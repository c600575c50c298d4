"""The tuned parameters of recognition, each with its effect and the source of its value.

No value was measured on a physical board. “Simulated hands” are the profiles in
`tests.hands.profiles`. The times in these profiles are themselves chosen by judgement; a limit just
above such a time covers the profile's behaviour. If results for other values are given, the limit
was varied with the hands of one profile (`python -m tests.campaign.variation PROFILE NAME=VALUE
--plies 4000`).
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class RecognitionLimits:
    """All times, counts and distances that `companion.core` uses to interpret a board."""

    # Rest: how long a piece has to be on its square before its turn is ruled on. An accepted turn
    # can be amended for a while, so these times may be short; they only have to exclude a passing
    # hand.

    piece_rested_seconds: float = 0.12
    """Minimum time on an empty square for a placement; less means that the piece was carried low
    over it.

    The value is slightly more than `SensingLimits.faint_confirmed_seconds`, so that a weak magnet
    does not delay a turn. In about 4,100 plies of blitz no turn is wrong or missed. With 0.24 six
    turns are wrong and ten missed; with 0.06 one is wrong, two are missed and 23 amended instead of
    6."""
    covering_piece_rested_seconds: float = 0.3
    """Minimum time on a square that was never seen empty; less means that the piece was held over
    another.

    The value is longer than the time for which simulated hands touch an enemy piece with their own
    (at most 250 ms). With 0.15, about 4,100 plies of the profile children have 14 wrong turns
    instead of 10, and 13 complaints instead of 7."""
    attack_rested_seconds: float = 0.25
    """Minimum time for an attack whose ranks must be declared, on a square that was seen empty.

    A hand that passes over the square of a piece tipped by a sleeve takes less time, so no rank
    is asked for. Added with the fix for slides of two pieces."""
    decided_attack_rested_seconds: float = 0.45
    """Minimum time for an attack if its combat is decided at once.
    No declaration follows that could amend the attack. The value was 1.0 until the
    next limit was split off."""
    decided_covering_attack_rested_seconds: float = 1.0
    """Minimum time for such an attack on a square that was never seen empty.
    The attacker may only be tapping its target.

    Chosen by judgement, not measured."""
    second_piece_lifted_extra_seconds: float = 0.6
    """Additional time for a turn while its side holds another piece, or a piece is unexplained. The
    player may have meant to move the other piece. Chosen by judgement, not measured."""
    possible_loser_rested_seconds: float = 2.0
    """Minimum time for a turn whose piece may be the loser of a combat, laid aside.

    This is a turn by the winner on a board without colours, or a turn made before the combat was
    cleared up. Chosen by judgement, not measured."""
    possible_push_rested_seconds: float = 2.0
    """Minimum time for a slid piece while its owner holds another one, which may be the move.

    A sleeve may have pushed the piece. The value is the same as for amending a turn. Chosen by
    judgement, not measured."""
    slide_overlap_usual_seconds: float = 0.4
    """Longest time for which a sliding piece is usually sensed on two squares.

    The last step of a simulated slide takes at most 350 ms."""
    long_overlap_rested_seconds: float = 1.0
    """Minimum time for a slid piece that was sensed on two squares for longer than usual.
    It may have been lifted, and the signal beside its square may come from another piece that fell
    there. Chosen by judgement, not measured."""
    answer_unchanged_seconds: float = 1.2
    """Time without change after which an answer confirms the previous turn.

    This time applies if that turn's piece was lifted again too soon to be sure that it was
    released. Added for fast play; chosen by judgement, not measured."""
    trembling_pass_seconds: float = 0.05
    """Maximum time on a square for a piece to count as only passing over it.

    Added for hands that tremble while they carry a piece.

    With this value, 4 of about 5,050 plies of the profile blitz, where answers are lifted again at
    once, were wrong; with 0.07 it was 5 and with 0.12 it was 6."""
    board_in_order_seconds: float = 0.3
    """Time after which all pieces count as in place, however they got there.

    Chosen by judgement, not measured."""

    # One turn or two: what a hand does next with the piece that it has just released.

    turn_amendable_seconds: float = 2.0
    """Time for which a turn may be ended on another square, if the other side touches nothing.

    The value is longer than the time after which simulated players reconsider (at most 1.9 s). An
    edition with touch-move allows no amendment."""
    slide_continues_seconds: float = 0.4
    """Longest stop within one slide, whatever the other side holds.
    The value was 0.25 before; a simulated slide takes up to 350 ms per square."""
    passing_over_seconds: float = 0.15
    """Longest time between two squares for a hand that carries a piece low over both.
    The value is the longest time for which simulated hands pass over a square."""
    early_answer_seconds: float = 0.5
    """Longest time by which an answer may be set down before the move that it answers.

    In fast play simulated hands reach for a piece up to 300 ms before the opponent's release.
    Chosen by judgement, not measured."""
    scout_proof_pause_seconds: float = 0.75
    """Pause after which the players are asked about a piece that moves on in the same direction.
    This may be a second step, out of turn, and a long move proves a scout permanently. Chosen by
    judgement, not measured."""

    # Slides, shoves and sleeves: placements that were not made by lifting a piece.

    slide_gap_seconds: float = 0.1
    """Longest time for which a sliding piece is sensed on no square, or on two.
    No hand lifts a piece and puts it down again so fast: simulated hands take at least 180 ms."""
    longest_shake_seconds: float = 0.35
    """A piece that is off its square for at most this time was only shaken; after a longer time it
    counts as touched. A sensor may also miss a piece for this time. Chosen by judgement, not
    measured."""
    push_before_lift_seconds: float = 0.3
    """Longest time from a sleeve's push to the lifting of the piece that its hand reaches for.
    In about 4,000 plies of the profile sleeve six turns are wrong; with 0.1 nine."""
    shove_seconds: float = 0.15
    """Longest time between the arrival of a piece and the departure of the piece it shoves.

    A shove by simulated hands takes at most 130 ms."""
    shoved_unfelt_seconds: float = 0.25
    """Longest time for which a shoved piece is not sensed before it appears beside its square.

    A piece shoved by simulated hands is between two squares for at most 130 ms."""
    sleeve_reach_squares: int = 2
    """Largest distance of a pushed piece from the hand whose sleeve pushes it.

    Chosen by judgement, not measured."""

    # Two lifted pieces of opposing sides, which may be an attack.

    pair_lifted_seconds: float = 0.3
    """Time for which two neighbouring pieces are lifted before they count as an attack.
    The value is short because the attack is withdrawn if the hands do something else before a rank
    is declared. Chosen by judgement, not measured."""
    decided_pair_lifted_seconds: float = 2.0
    """Value of `pair_lifted_seconds` if both ranks are proved. Nothing is declared, so the attack
    cannot be withdrawn. Raised from 1.0 in two steps, until looking at two proved pieces no longer
    counted as a combat."""
    pair_lift_interval_seconds: float = 1.2
    """Longest time between lifting the two pieces of an attack without a question.

    A player who holds a piece for longer is looking at it. Chosen by judgement, not measured."""
    pair_question_seconds: float = 1.2
    """Time before the players are asked about two lifted pieces.
    Usually the next hand action settles the question: with 0.4 there are 267 questions in about
    4,100 plies of the profile people, instead of 171."""
    pair_put_back_seconds: float = 0.35
    """Time for which both pieces are back before an attack by lifting is withdrawn.

    The value is equal to `longest_shake_seconds`, because until then the same hand may lift a
    piece again."""
    attack_after_run_seconds: float = 4.0
    """Time after a scout's run in which it may attack, even if its target is lifted first.

    After that, the other side is assumed to have begun its own turn. Chosen by judgement, not
    measured."""
    attack_after_step_seconds: float = 1.5
    """Value of `attack_after_run_seconds` after a single step. It is shorter because few pieces
    that make a step are scouts, and each attack on a piece that has just come near would be
    interrupted by a question. Chosen by judgement, not measured."""

    # Offers: attacks that the players may have intended although no sensor shows them.

    offer_beside_seconds: float = 2.0
    """Time for which a piece is held beside a possible target before the attack is offered.
    It may cover the target, or lean on it, without any sensor change. Chosen by judgement, not
    measured."""
    offer_beside_colourless_seconds: float = 1.0
    """Value of `offer_beside_seconds` on a board without colours, which never shows that a piece
    covers another.

    Chosen by judgement, not measured."""
    offer_distant_seconds: float = 2.5
    """Value of `offer_beside_seconds` where only a scout could attack, from further away. Chosen by
    judgement, not measured."""
    offer_after_move_seconds: float = 0.8
    """Value of `offer_beside_seconds` for a piece that has just moved and probably continues its
    turn. Chosen by judgement, not measured."""
    most_offers: int = 4
    """Maximum number of attacks offered. In a longer list, players do not find the right one.
    A piece has at most four neighbours, so all attacks on neighbours fit."""

    # Reports: errors on the board, once the players have had time to correct them themselves.

    misplaced_report_seconds: float = 0.5
    """Delay before a misplaced piece is reported. Chosen by judgement, not measured."""
    unexplained_report_seconds: float = 0.8
    """Delay before a change that no turn explains is reported.
    Chosen by judgement, not measured."""
    unclear_placement_question_seconds: float = 1.6
    """Delay before the players are asked which of two held pieces was set down.

    The other piece mostly goes back first, which settles the question. The value is twice the delay
    without held pieces."""
    most_lifted_of_one_side: int = 4
    """Maximum number of a side's pieces that count as looked at; more were knocked off the board.
    The value is one more than simulated players look at together."""
    many_lifted_report_seconds: float = 3.0
    """Delay before a larger number of lifted pieces is reported.
    Chosen by judgement, not measured."""
    declaration_disturbance_seconds: float = 0.8
    """Delay before a disturbance of the board during a declaration is reported.
    The value is the same as for a change that no turn explains."""

    # Bumps and looks: when hands cannot be followed, and what no longer needs to be followed.

    most_squares_changed: int = 8
    """Maximum number of squares that hands change, or of pieces they lift, at once; more count as a
    bump.

    Following 100 changed squares once took 2.4 s; a bump is not followed."""
    near_tie_penalty: int = 2
    """Difference in penalty up to which a second hypothesis, with another piece, is as likely.
    The value is less than the penalty of an unexplained piece (3)."""
    look_forgotten_seconds: float = 1.0
    """Age at which a look at a piece is forgotten; otherwise recognition slows down with every
    look. The value is longer than the time for which a push can influence a turn
    (`push_before_lift_seconds`, `slide_continues_seconds`), so an older look explains nothing."""
    most_lifted_after_bump: int = 2
    """Number of a side's pieces that may be in hands when play resumes after a bump. The value is
    one per hand."""

    # Recovery: guiding the players in restoring the board.

    undone_move_seconds: float = 1.0
    """Time for which the last move has been undone during a disturbance before the players are
    asked about it. Until then they may not have finished restoring the board. Chosen by judgement,
    not measured."""
    moved_bomb_loses_seconds: float = 4.0
    """Time for which a bomb or flag may be off its square before the game is lost.
    A sleeve may push one, so players need time to notice the warning and to put the piece back.
    Simulated players read a message in up to 3 s."""
    board_mended_seconds: float = 1.5
    """Time without change, after a request to restore the board, before a remaining difference
    counts as a turn.

    Chosen by judgement, not measured."""

    # Cleanup after a combat.

    losers_remain_seconds: float = 10.0
    """Time for which losers may remain on the board after the result was shown.

    Simulated players clear the last loser after at most 6 s."""
    most_lifted_in_combat: int = 4
    """Maximum number of other pieces that count as looked at during a combat; more were knocked
    off. The value is equal to `most_lifted_of_one_side`."""
    cleanup_reminder_seconds: float = 0.2
    """Delay before the players are reminded of what is left to clear up.
    Chosen by judgement, not measured."""
    cleared_board_seconds: float = 0.1
    """Time for which the result of a combat has to be on the board.
    The value is short because a winner is soon lifted again: with 0.5 a winner that moves on at
    once causes a complaint (case winner-taken-up-again)."""
    combat_readable_seconds: float = 10.0
    """Minimum time for which the ranks of a combat can be read, however fast the next move is.
    A touch, or the next message to be read, ends it early. Chosen by judgement, not measured."""

    # Setup and sensors.

    setup_count_seconds: float = 0.3
    """Time for which an army is unchanged before its pieces are counted.
    Chosen by judgement, not measured."""
    fault_counts_seconds: float = 1.2
    """Time for which a board reports a fault before it counts.

    A hand that lowers a piece very slowly looks briefly like a dying sensor."""
    fault_over_seconds: float = 2.5
    """Time without a report after which a fault is over.

    With a hundred bad sensors it takes up to 2 s until every one has been reported again."""
    most_missing_to_locate: int = 4
    """Maximum number of missing pieces for which the search between squares is active. If more are
    missing, they are being set up, or the board was bumped. Chosen by judgement, not measured."""
    off_centre_squares: float = 0.2
    """Distance from the middle of a column up to which a piece is in that column, not between two.

    Chosen by judgement, not measured."""


LIMITS: Final = RecognitionLimits()
