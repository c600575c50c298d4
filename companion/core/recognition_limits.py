"""The tuned numbers of recognition, each with what it decides and where its value comes from.

None was measured on a physical board. “Simulated hands” are the profiles of
`tests.hands.profiles`, whose own times are judgement: a number just above one of them covers what
those hands do. A number with other values was varied with the hands of one profile
(`python -m tests.campaign.variation PROFILE NAME=VALUE --plies 4000`).
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class RecognitionLimits:
    """All times, counts and distances by which `companion.core` interprets a board."""

    # Rest: how long a piece has to be on its square before its turn is ruled. A ruled turn can be
    # amended for a while, so these may be short; they only have to exclude a hand that passes.

    piece_rested_seconds: float = 0.12
    """Minimum time on an empty square for a placement; shorter, it was carried low over it.

    Little more than `SensingLimits.faint_confirmed_seconds`, so that a weak magnet does not delay a
    turn. In about 4,100 plies of blitz none is wrong or missed; with 0.24 six are wrong and ten
    missed, with 0.06 one is wrong, two are missed and 23 amended instead of 6."""
    covering_piece_rested_seconds: float = 0.3
    """Minimum time on a square that was never seen empty; shorter, it was held over that piece.

    Longer than simulated hands touch an enemy piece with theirs (at most 250 ms). With 0.15 about
    4,100 plies of children have 14 wrong turns instead of 10, and 13 complaints instead of 7."""
    attack_rested_seconds: float = 0.25
    """Minimum time for an attack on a square that was seen empty.

    A hand passes over the square of a piece that a sleeve has tipped in less, and must not cause a
    question for a rank (fixed with the slides of two pieces)."""
    decided_attack_rested_seconds: float = 0.45
    """Minimum time for an attack if its combat is decided at once.

    No declaration follows that could amend it. It was 1.0 until the next limit was split off."""
    decided_covering_attack_rested_seconds: float = 1.0
    """The same on a square that was never seen empty: the attacker may only tap its target.

    Judgement."""
    second_piece_lifted_extra_seconds: float = 0.6
    """Additional time for a turn while its side holds another piece, or a piece is unexplained.

    The turn may then be the wrong one of two pieces. Judgement."""
    possible_loser_rested_seconds: float = 2.0
    """Minimum time for a turn whose piece may be the loser of a combat, laid aside.

    That is a turn of the winner on a board without colours, or one made before the combat was
    cleared up. Judgement."""
    possible_push_rested_seconds: float = 2.0
    """Minimum time for a slid piece while its owner holds another one, which is then the move.

    A sleeve may have pushed it; the same time as for amending a turn. Judgement."""
    slide_overlap_usual_seconds: float = 0.4
    """Longest time for which a sliding piece is usually felt on two squares.

    The last step of a simulated slide takes at most 350 ms."""
    long_overlap_rested_seconds: float = 1.0
    """Minimum time for a slid piece that was felt on two squares for longer than usual.

    It may be lifted, and the signal beside its square another piece that fell there. Judgement."""
    answer_unchanged_seconds: float = 1.2
    """Time without change after which an answer confirms the turn before it.

    It is needed if the piece of that turn was lifted again too soon to be sure that it was
    released. Added for fast play; judgement."""
    trembling_pass_seconds: float = 0.05
    """Longest time for which a trembling hand is over a square.

    With it 4 of about 5,050 plies of the profile blitz, where answers are lifted again at once,
    were wrong; 5 with 0.07 and 6 with 0.12."""
    board_in_order_seconds: float = 0.3
    """Time for which all pieces have to be in place to count so, however they got there.

    Judgement."""

    # One turn or two: what a hand does next with the piece that it has just released.

    turn_amendable_seconds: float = 2.0
    """Time for which a turn may be ended on another square, if the other side touches nothing.

    Longer than simulated players leave a piece before they reconsider (at most 1.9 s). An
    edition with touch-move allows none."""
    slide_continues_seconds: float = 0.4
    """Longest stop of a slide that goes on, whatever the other side holds.

    It was 0.25; a simulated slide takes up to 350 ms for each square."""
    passing_over_seconds: float = 0.15
    """Longest time from one square to the next of a hand that carries a piece low over both.

    The longest glimpse of a square by simulated hands."""
    early_answer_seconds: float = 0.5
    """Longest time by which an answer may be set down before the move that it answers.

    In fast play simulated hands reach for a piece up to 300 ms before the opponent's release.
    Judgement."""
    scout_proof_pause_seconds: float = 0.75
    """Pause after which a piece that goes on in line is asked about.

    It may be another step, out of turn, and a long move proves a scout for good. Judgement."""

    # Slides, shoves and sleeves: placements that were not made by lifting a piece.

    slide_gap_seconds: float = 0.1
    """Longest time for which a sliding piece is felt on no square, or on two.

    No hand lifts a piece and puts it down again as fast: simulated ones take at least 180 ms."""
    longest_shake_seconds: float = 0.35
    """Longest time off its square of a piece that was only shaken; longer, it was touched.

    A sensor may be blind for as long. Judgement."""
    push_before_lift_seconds: float = 0.3
    """Longest time from a sleeve's push to the lifting of the piece that its hand reaches for.

    In about 4,000 plies of sleeve six are wrong; with 0.1 nine."""
    shove_seconds: float = 0.15
    """Longest time between the arrival of a piece and the departure of the one that it shoves.

    A shove by simulated hands takes at most 130 ms."""
    shoved_unfelt_seconds: float = 0.25
    """Longest time for which a shoved piece is felt nowhere before it is beside its square.

    A piece shoved by simulated hands is between two squares for at most 130 ms."""
    sleeve_reach_squares: int = 2
    """Largest distance of a pushed piece from the hand whose sleeve pushes it.

    Judgement."""

    # Two lifted pieces of opposing sides, which may be an attack.

    pair_lifted_seconds: float = 0.3
    """Time for which two neighbours are lifted before they are an attack.

    Short, as it is withdrawn if the hands do something else before a rank is declared.
    Judgement."""
    decided_pair_lifted_seconds: float = 2.0
    """The same if both ranks are proved: nothing is declared, so it cannot be withdrawn.

    Raised from 1.0 in two steps until two proved pieces that are both looked at did not fight."""
    pair_lift_interval_seconds: float = 1.2
    """Longest time between lifting the two pieces of an attack without a question.

    A player who holds one for longer is looking at it. Judgement."""
    pair_question_seconds: float = 1.2
    """Time before the players are asked about two lifted pieces.

    Most often the next action of the hands settles it: with 0.4 there are 267 questions in about
    4,100 plies of people instead of 171."""
    pair_put_back_seconds: float = 0.35
    """Time for which both pieces are back before an attack by lifting is withdrawn.

    As long as the longest shake: until then the same hand may lift one again."""
    attack_after_run_seconds: float = 4.0
    """Time after a scout's run in which it may attack, even if its target is lifted first.

    Later the other side is taken to have begun its own turn. Judgement."""
    attack_after_step_seconds: float = 1.5
    """The same after a single step.

    Shorter, as few pieces that make a step are scouts and each attack on a piece that has just come
    near would be interrupted by a question. Judgement."""

    # Offers: attacks that the players may have meant although no sensor shows them.

    offer_beside_seconds: float = 2.0
    """Time for which a piece is held beside one it may attack before the attack is offered.

    One may cover the other, or lean on it, without a change of any sensor. Judgement."""
    offer_beside_colourless_seconds: float = 1.0
    """The same on a board without colours, which never shows that a piece covers another.

    Judgement."""
    offer_distant_seconds: float = 2.5
    """The same where only a scout could attack, from further away. Judgement."""
    offer_after_move_seconds: float = 0.8
    """The same for a piece that has just moved: it seems to be meant for more. Judgement."""
    most_offers: int = 4
    """Maximum number of attacks offered: in a longer list players do not find the right one.

    A piece has at most four neighbours, so all attacks beside it fit."""

    # Reports: what is wrong on the board, once hands had time to put it right by themselves.

    misplaced_report_seconds: float = 0.5
    """Delay before a misplaced piece is reported. Judgement."""
    unexplained_report_seconds: float = 0.8
    """Delay before a change that no turn explains is reported. Judgement."""
    unclear_placement_question_seconds: float = 1.6
    """Delay before the players are asked which of two held pieces was set down.

    The other one mostly goes back first, which settles it. Twice the delay without held pieces."""
    most_lifted_of_one_side: int = 4
    """Number of pieces of a side that are looked at together; more were knocked off the board.

    One more than simulated players look at together."""
    many_lifted_report_seconds: float = 3.0
    """Delay before more lifted pieces than that are reported. Judgement."""
    declaration_disturbance_seconds: float = 0.8
    """Delay before a disturbance of the board while ranks are declared is reported.

    The same as for a change that no turn explains."""

    # Bumps and looks: when hands cannot be followed, and what need not be followed any longer.

    most_squares_changed: int = 8
    """Number of squares that hands change at once, or of pieces they lift; more are a bump.

    Following 100 changed squares once took 2.4 s; a bump is not followed."""
    near_tie_penalty: int = 2
    """Difference in penalty up to which a second course with another piece is as likely.

    Less than the penalty of an unexplained piece (3)."""
    look_forgotten_seconds: float = 1.0
    """Age at which a look at a piece is forgotten; otherwise reading slows down with every look.

    Longer than a push can influence a turn (`push_before_lift_seconds`,
    `slide_continues_seconds`), so an older look explains nothing."""
    most_lifted_after_bump: int = 2
    """Number of pieces of a side that may be in hands when play resumes after a bump.

    One in each hand."""

    # Recovery: guiding the players in restoring the board.

    undone_move_seconds: float = 1.0
    """Time for which the last move is undone, in a disturbance, before it is asked about.

    Until then the players may not have finished restoring the board. Judgement."""
    moved_bomb_loses_seconds: float = 4.0
    """Time for which a bomb or flag is moved before that loses the game.

    A sleeve may push one: players need time to notice the warning and to put it back. Simulated
    players read a message in up to 3 s."""
    board_mended_seconds: float = 1.5
    """Time without change, after a request to restore the board, before what is left is a turn.

    Judgement."""

    # Cleanup after a combat.

    losers_remain_seconds: float = 10.0
    """Time for which losers may remain on the board after the result was shown.

    Simulated players clear the last one after at most 6 s."""
    most_lifted_in_combat: int = 4
    """Number of other pieces that are looked at during a combat; more were knocked off.

    As in `most_lifted_of_one_side`."""
    cleanup_reminder_seconds: float = 0.2
    """Delay before the players are reminded of what is left to clear up. Judgement."""
    cleared_board_seconds: float = 0.1
    """Time for which the result of a combat has to be on the board.

    Short, as a winner is soon lifted again: with 0.5 a winner that moves on at once is a complaint
    (case winner-taken-up-again)."""
    combat_readable_seconds: float = 10.0
    """Minimum time for which the ranks of a combat can be read, however fast the next move is.

    A touch ends it, and so does the next text that has to be read. Judgement."""

    # Setup and sensors.

    setup_count_seconds: float = 0.3
    """Time for which an army is unchanged before its pieces are counted. Judgement."""
    fault_counts_seconds: float = 1.2
    """Time for which a board reports a fault before it counts.

    A hand that lowers a piece very slowly looks like a dying sensor for a moment."""
    fault_over_seconds: float = 2.5
    """Time without a report after which a fault is over.

    With a hundred bad sensors it takes up to 2 s until each has been reported again."""
    most_missing_to_locate: int = 4
    """Number of missing pieces up to which one is looked for between squares.

    With more they are being set up, or the board was bumped. Judgement."""
    off_centre_squares: float = 0.2
    """Distance from the middle of a column up to which a piece is in it, not between two.

    Judgement."""

    def rested_seconds(self, *, covers: bool) -> float:
        """Return the minimum time for a placement, by whether it may have covered a piece."""
        return self.covering_piece_rested_seconds if covers else self.piece_rested_seconds


LIMITS: Final = RecognitionLimits()
