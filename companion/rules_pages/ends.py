"""The ends of a game."""

from collections.abc import Sequence

from companion.rules_pages.markdown import paragraph, table
from companion.rules_pages.prose import mark, titles
from engine.game.rulings import Reason
from engine.rules.editions import Edition, MovedBomb
from engine.rules.rules import Reading


def ends(editions: Sequence[Edition]) -> list[str]:
    told = {
        Reason.FLAG_CAPTURED: ("A flag is captured.", "Its owner loses."),
        Reason.NO_MOVABLE_PIECE: (
            "All movable pieces of a player are captured, whoever's turn it is.",
            "That player loses, unless the other one cannot move either. If one attack takes the "
            f"last ones of both, it is a draw{mark(Reading.BOTH_SPENT)}.",
        ),
        Reason.NO_LEGAL_MOVE: (
            "The player whose turn it is cannot move: every piece is shut in, or a repetition rule "
            "forbids every move that is left.",
            f"That player loses{mark(Reading.SHUT_IN_LOSES, Reading.REPETITION_LOSES)}.",
        ),
        Reason.BOTH_IMMOBILE: (
            "Neither player can move.",
            f"A draw{mark(Reading.BOTH_SHUT_IN)}.",
        ),
        Reason.MOVED_BOMB: (
            "A player moves a bomb or the flag.",
            f"{_moved_bomb(editions)} A bomb or flag that stands where it could not have gone was "
            f"knocked: it is put back{mark(Reading.KNOCKED_BOMB)}.",
        ),
        Reason.RESIGNATION: ("A player gives up.", "That player loses (a house rule)."),
        Reason.AGREED_DRAW: ("Both players agree to a draw.", "A draw (a house rule)."),
        Reason.TIME: (
            "Time is up, if you play with a clock.",
            "The player whose time is up loses. When the time of the whole game is up, it is a "
            "draw (the organiser's rule).",
        ),
        Reason.FORFEIT: (
            "The arbiter decides so, as after proved cheating.",
            "One player loses, or both do (the organiser's rule).",
        ),
    }
    return [
        table(["what happens", "how it ends"], [told[reason] for reason in Reason]),
        paragraph(
            "If you cannot move, say so. What the referee does then, and when it finds out by "
            "itself, is told in [What the referee does](rules/referee.md)."
        ),
    ]


def _moved_bomb(editions: Sequence[Edition]) -> str:
    """Return the penalty for moving a bomb, by rulebook."""
    loses = titles((e for e in editions if e.moved_bomb is MovedBomb.LOSES), editions)
    chosen = [e for e in editions if MovedBomb.LOSES in e.moved_bomb_choices]
    by_choice = f", and by {titles(chosen, editions)} if so chosen" if chosen else ""
    arbiter = titles((e for e in editions if e.moved_bomb is MovedBomb.ARBITER), editions)
    return (
        f"That player loses at once by {loses}{by_choice}. By {arbiter} the arbiter decides. "
        "Else it is put back."
    )
