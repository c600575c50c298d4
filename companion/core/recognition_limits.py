"""Tuning parameters for move recognition.

The description of each parameter states its effect and the source of its value. No value was
measured on a physical board. “Simulated hands” are the profiles in
`tests.hands.profiles`. The times in these profiles were themselves chosen by judgement; a limit
just above such a time covers the behaviour of that profile. Results for other values come from runs
with the hands of one profile (`python -m tests.campaign.variation PROFILE NAME=VALUE
--plies 4000`).
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class RecognitionLimits:
    """All times, counts and distances that `companion.core` uses to interpret the board."""

    # Rest: how long a piece must stay on its square before its turn is ruled on. These times only
    # have to exclude hands that pass over the square. They can be short because an accepted turn
    # can still be amended for a while.

    piece_rested_seconds: float = 0.12
    """Minimum time that a piece must stay on an empty square to count as placed. A piece that stays
    for less time was carried low over the square.

    The value is slightly more than `SensingLimits.faint_confirmed_seconds`, so a weak magnet does
    not delay the ruling on a turn. In about 4,100 plies of the `blitz` profile, no turn is wrong or
    missed. With 0.24, six turns are wrong and ten are missed. With 0.06, one is wrong, two are
    missed, and 23 are amended instead of 6."""
    covering_piece_rested_seconds: float = 0.3
    """Minimum time at rest for a piece on a square that was never seen empty. A piece that stays
    for less time was held over another piece.

    Simulated hands touch an enemy piece with their own piece for at most 250 ms. With 0.15, about
    4,100 plies of the `children` profile lead to 14 wrong turns (instead of 10) and 13 complaints
    (instead of 7)."""
    attack_rested_seconds: float = 0.25
    """Minimum time that an attacker must stay on its target's square before ranks are declared.

    The limit applies if the square was seen empty. If a sleeve has tipped a piece, its square looks
    empty, and a hand that then carries another piece over this square seems to attack. The hand
    passes in less than the minimum time, so the players are not asked for a rank. The limit was
    introduced together with a fix for slides of two pieces."""
    decided_attack_rested_seconds: float = 0.45
    """Minimum time at rest for an attack whose result is known without a declaration. Such an
    attack cannot be amended afterwards. The value was 1.0 until
    `decided_covering_attack_rested_seconds` was introduced."""
    decided_covering_attack_rested_seconds: float = 1.0
    """Replaces `decided_attack_rested_seconds` if the square was never seen empty. The attacker may
    then only be tapping its target. Chosen by judgement, not measured."""
    second_piece_lifted_extra_seconds: float = 0.6
    """Additional time at rest for a turn while its side holds another piece, or while a piece is
    unexplained. The player may have meant to move that other piece. Chosen by judgement, not
    measured."""
    possible_loser_rested_seconds: float = 2.0
    """Minimum time at rest for what looks like a turn but may be a losing piece being laid aside.

    On a board without colours, the limit applies to a turn by the winning piece. On any board, it
    applies if a side that lost a piece seems to have taken a turn before the pieces were removed
    after the combat. Chosen by judgement, not measured."""
    possible_push_rested_seconds: float = 2.0
    """Minimum time at rest for a piece that slid while its owner was holding another one.

    A sleeve may have pushed the piece, and the held piece may be the one that moves. The value is
    the same as `turn_amendable_seconds`. Chosen by judgement, not measured."""
    slide_overlap_usual_seconds: float = 0.4
    """Maximum time for which a sliding piece is usually detected on two squares.

    The last step of a simulated slide takes at most 350 ms."""
    long_overlap_rested_seconds: float = 1.0
    """Minimum time at rest for a slid piece that was detected on two squares for longer than usual.
    The piece may not have slid: a player may have lifted it, while another piece fell onto the
    second square. Chosen by judgement, not measured."""
    answer_unchanged_seconds: float = 1.2
    """The opponent's answer confirms the previous turn once the board has not changed for this
    long.

    The limit applies if the piece of the previous turn was lifted again so soon that it may not
    have been released. The limit was introduced for fast play. Chosen by judgement, not
    measured."""
    trembling_pass_seconds: float = 0.05
    """A piece that stays on a square no longer than this is only passing over it.

    The limit was introduced for hands that tremble while they carry a piece. In about 5,050 plies
    of the `blitz` profile, in which players reply immediately, 4 turns are wrong. With 0.07, 5
    turns are wrong. With 0.12, 6 turns are wrong."""
    board_in_order_seconds: float = 0.3
    """If the board has been correct for this long, it does not matter how the pieces got there.

    Chosen by judgement, not measured."""

    # The next hand action on a released piece shows whether the player takes one turn or two.

    turn_amendable_seconds: float = 2.0
    """Period in which a player may still put the piece of a turn on another square if the other
    side touches nothing.

    Simulated players reconsider after at most 1.9 s. An edition with touch-move allows no
    amendment."""
    slide_continues_seconds: float = 0.4
    """Maximum duration of a stop within one slide, even if the other side holds a piece. A
    simulated slide takes up to 350 ms per square. The previous value was 0.25."""
    passing_over_seconds: float = 0.15
    """Maximum time between two squares for a hand that carries a piece low over both. Simulated
    hands take at most this long to pass over a square."""
    early_answer_seconds: float = 0.5
    """A player may complete an answer at most this long before the opponent completes the move.

    In fast play, simulated hands reach for a piece up to 300 ms before the opponent releases the
    move. Chosen by judgement, not measured."""
    scout_proof_pause_seconds: float = 0.75
    """If a piece pauses for longer than this and then moves on in the same direction, the players
    are asked what happened. Either the piece made a second step out of turn, or both steps were one
    long move, which would prove permanently that the piece is a scout. Chosen by judgement, not
    measured."""

    # Slides, shoves, and pushes by a sleeve: placements that were not made by lifting a piece.

    slide_gap_seconds: float = 0.1
    """Maximum time for which a sliding piece is detected on no square, or on two squares at once.
    No hand lifts a piece and puts it down again that fast: simulated hands take at least 180 ms."""
    longest_shake_seconds: float = 0.35
    """A piece that was only shaken is off its square for at most this long. A piece that is gone
    for longer counts as touched. A sensor may also miss a piece for this long. Chosen by judgement,
    not measured."""
    push_before_lift_seconds: float = 0.3
    """Maximum time between a push by a sleeve and the lift of the piece that the hand is reaching
    for. In about 4,000 plies with the `sleeve` profile, six turns are recognised incorrectly. With
    0.1, it is nine."""
    shove_seconds: float = 0.15
    """Maximum time between the arrival of a piece and the departure of the piece that it shoves.

    A shove by simulated hands takes at most 130 ms."""
    shoved_unfelt_seconds: float = 0.25
    """Maximum time for which a shoved piece is not detected before it appears beside its square.

    A piece shoved by simulated hands is between two squares for at most 130 ms."""
    sleeve_reach_squares: int = 2
    """Maximum distance between a pushed piece and the hand whose sleeve pushes it.

    Chosen by judgement, not measured."""

    # Two lifted pieces of opposing sides, which may be an attack.

    pair_lifted_seconds: float = 0.3
    """Minimum time for which two neighbouring pieces must be lifted to count as an attack. The
    value may be short, because the attack is withdrawn if the hands do something else before a rank
    is declared. Chosen by judgement, not measured."""
    decided_pair_lifted_seconds: float = 2.0
    """Replaces `pair_lifted_seconds` if both ranks are proved. Nothing is declared in that case, so
    the attack cannot be withdrawn. The value was raised from 1.0 in two steps, until looking at two
    pieces with proved ranks no longer counted as combat."""
    pair_lift_interval_seconds: float = 1.2
    """If two pieces are lifted within this time of each other, they count as an attack, and the
    players are not asked.

    A player who holds a piece for longer is assumed to be looking at it. Chosen by judgement, not
    measured."""
    pair_question_seconds: float = 1.2
    """Delay before the players are asked about two lifted pieces. Usually, what a hand does next
    settles the question. About 4,100 plies of the `people` profile led to 171 questions, or 267
    with a delay of 0.4."""
    pair_put_back_seconds: float = 0.35
    """Delay before an attack is withdrawn once both lifted pieces are back on their squares.

    The value is equal to `longest_shake_seconds`, because until then the same hand may lift a piece
    again."""
    attack_after_run_seconds: float = 4.0
    """After a run, a scout may still attack for this long, even if its target is lifted first.
    After that time, the other side is assumed to have begun its own turn. Chosen by judgement, not
    measured."""
    attack_after_step_seconds: float = 1.5
    """Replaces `attack_after_run_seconds` after a single step. The value is shorter because a piece
    that makes a single step is rarely a scout. With a longer value, most attacks on a piece that
    has just come close would be interrupted by a question. Chosen by judgement, not measured."""

    # Offers: attacks that the players may have intended although no sensor shows them.

    offer_beside_seconds: float = 2.0
    """Delay before an attack is offered while a piece is held beside a possible target. The piece
    may cover the target, or lean on it, without any sensor change. Chosen by judgement, not
    measured."""
    offer_beside_colourless_seconds: float = 1.0
    """Replaces `offer_beside_seconds` on a board without colours, which never shows that one piece
    covers another. Chosen by judgement, not measured."""
    offer_distant_seconds: float = 2.5
    """Replaces `offer_beside_seconds` for targets further away, which only a scout could attack.
    Chosen by judgement, not measured."""
    offer_after_move_seconds: float = 0.8
    """Replaces `offer_beside_seconds` for a piece that has just moved and is probably continuing
    its turn. Chosen by judgement, not measured."""
    most_offers: int = 4
    """Maximum number of attacks offered. In a longer list, the right attack is hard to find. A
    piece has at most four neighbours, so all attacks on neighbours fit."""

    # Reporting errors on the board, after the players have had time to correct them themselves.

    misplaced_report_seconds: float = 0.5
    """Delay before reporting a misplaced piece. Chosen by judgement, not measured."""
    unexplained_report_seconds: float = 0.8
    """Delay before reporting a change that no turn explains. Chosen by judgement, not measured."""
    unclear_placement_question_seconds: float = 1.6
    """Delay before the players are asked which of two held pieces was set down.

    Usually the other piece is put back first, which settles the question. The value is twice
    `unexplained_report_seconds`."""
    most_lifted_of_one_side: int = 4
    """If at most this many pieces of one side are lifted, the players are assumed to be looking at
    them. If more are missing, they were knocked off the board. Simulated players look at no more
    than three pieces at a time."""
    many_lifted_report_seconds: float = 3.0
    """Delay before reporting that more pieces than `most_lifted_of_one_side` are lifted. Chosen by
    judgement, not measured."""
    declaration_disturbance_seconds: float = 0.8
    """Delay before a disturbance of the board during a declaration is reported. The value is the
    same as `unexplained_report_seconds`."""

    # Bumps, which make it impossible to track the players' hands, and inspections of pieces, which
    # need not be tracked for long.

    most_squares_changed: int = 8
    """Hands change at most this many squares at once, and lift at most this many pieces at once.
    Anything more counts as a bump.

    A bump is not tracked, because tracking 100 changed squares once took 2.4 s."""
    near_tie_penalty: int = 2
    """Two hypotheses that move different pieces of one side count as equally likely if their
    penalties differ by at most this much. The value is less than the penalty for an unexplained
    piece (3)."""
    look_forgotten_seconds: float = 1.0
    """An inspection of a piece is forgotten after this time, because each remembered inspection
    slows recognition down. An inspection may explain a push by a sleeve, but a push can influence a
    turn only for a shorter time (`push_before_lift_seconds`, `slide_continues_seconds`)."""
    most_lifted_after_bump: int = 2
    """Maximum number of pieces of one side that may be lifted when play resumes after a bump: one
    per hand."""

    # Recovery: guiding the players in restoring the board.

    undone_move_seconds: float = 1.0
    """If the last move appears undone while the board is disturbed, the players are asked about it
    after this delay. Until then, they may still be restoring the board. Chosen by judgement, not
    measured."""
    moved_bomb_loses_seconds: float = 4.0
    """Time limit for putting back a moved bomb or flag before the game is lost. A sleeve may have
    pushed the piece, so the players need time to notice the warning and put it back. Simulated
    players take up to 3 s to read a message."""
    board_mended_seconds: float = 1.5
    """Once the players have been asked to restore the board, a remaining difference counts as a
    turn if nothing changes for this long. Chosen by judgement, not measured."""

    # Cleanup after a combat.

    losers_remain_seconds: float = 10.0
    """Time limit for removing captured pieces after the result has been shown.

    Simulated players remove the last one within 6 s."""
    most_lifted_in_combat: int = 4
    """If at most this many other pieces are lifted during a combat, the players are assumed to be
    looking at them. If more are missing, they were knocked off the board. The value is equal to
    `most_lifted_of_one_side`."""
    cleanup_reminder_seconds: float = 0.2
    """Delay before the players are reminded which pieces still have to be removed or moved. Chosen
    by judgement, not measured."""
    cleared_board_seconds: float = 0.1
    """Minimum time for which the board must show the result of a combat. The value is short because
    a winner may soon be lifted again: with 0.5, a winner that moves on at once causes a complaint
    (case winner-taken-up-again)."""
    combat_readable_seconds: float = 10.0
    """Minimum time for which the ranks of a combat stay on the screen, even if the next move
    follows at once. A touch or the next message hides them earlier. Chosen by judgement, not
    measured."""

    # Setup and sensors.

    setup_count_seconds: float = 0.3
    """The pieces of an army are counted once it has not changed for this long. Chosen by judgement,
    not measured."""
    fault_counts_seconds: float = 1.2
    """Minimum time for which a board must keep reporting a fault before the fault counts.

    A hand that lowers a piece very slowly looks briefly like a dying sensor."""
    fault_over_seconds: float = 2.5
    """Time without a report after which a fault counts as over.

    With a hundred bad sensors, the board takes up to 2 s to report all of them once more."""
    most_missing_to_locate: int = 4
    """The program looks between the squares for missing pieces only if at most this many are
    missing. If more are missing, the players are setting up the board, or it was bumped. Chosen by
    judgement, not measured."""
    off_centre_squares: float = 0.2
    """A piece counts as inside a column or row if it is at most this far from the centre, in
    squares. Otherwise, it counts as lying between two columns or rows. Chosen by judgement, not
    measured."""


LIMITS: Final = RecognitionLimits()
