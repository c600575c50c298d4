"""Differences between the rulebooks: the same questions, answered for each of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from companion.rules_pages.markdown import join, needed, table, times
from engine.board.ranks import Rank
from engine.rules.editions import Edition, MovedBombPenalty, TwoSquaresForm
from engine.rules.rules import Interpretation, Rule


@dataclass(frozen=True)
class RuleDifference:
    """One question, with a short answer for each rulebook."""

    question: str
    rule: Rule
    answer: Callable[[Edition], str]


_FORMS: Final = {
    TwoSquaresForm.SAME_SQUARES: "between the same two squares",
    TwoSquaresForm.SAME_BORDER: "across the same border",
}
MOVED_BOMB: Final = {
    MovedBombPenalty.NOT_ALLOWED: "is put back",
    MovedBombPenalty.LOSES: "loses at once",
    MovedBombPenalty.ARBITER: "the arbiter decides",
}
"""Penalty for moving a bomb or a flag."""


def _to_and_fro(edition: Edition) -> str:
    limit = edition.two_squares_limit
    others = [times(other) for other in edition.limits if other != limit]
    choice = f"; {join(others, 'or')} if so chosen" if others else ""
    return f"at most {times(limit)} {_FORMS[edition.recurrence]}{choice}"


def _chase(edition: Edition) -> str:
    if not edition.more_squares:
        return "no rule against it"
    return f"forbidden{needed(edition, Interpretation.CHASE_AS_ISF)}"


def _moved_bomb(edition: Edition) -> str:
    others = [MOVED_BOMB[c] for c in edition.moved_bomb_choices if c is not edition.moved_bomb]
    choice = f"; {join(others, 'or')} if so chosen" if others else ""
    return f"{MOVED_BOMB[edition.moved_bomb]}{choice}{needed(edition, Interpretation.KNOCKED_BOMB)}"


def _stuck(edition: Edition) -> str:
    return f"loses{needed(edition, Interpretation.SHUT_IN_LOSES, Interpretation.REPETITION_LOSES)}"


def _both_stuck(edition: Edition) -> str:
    return f"a draw{needed(edition, Interpretation.BOTH_SHUT_IN)}"


def _armies(edition: Edition) -> str:
    return join(army.name for army in edition.armies)


def _infiltrator(edition: Edition) -> str:
    return "yes" if has_infiltrator(edition) else "no"


def has_infiltrator(edition: Edition) -> bool:
    return any(army.counts[Rank.INFILTRATOR] for army in edition.armies)


ARMIES: Final = RuleDifference("armies", Rule.SETUP, _armies)
DIFFERENCES: Final = (
    RuleDifference("one piece to and fro", Rule.TWO_SQUARES, _to_and_fro),
    RuleDifference("an endless chase", Rule.MORE_SQUARES, _chase),
    RuleDifference("a moved bomb or flag", Rule.IMMOBILE_PIECE, _moved_bomb),
    RuleDifference("a player who cannot move", Rule.ENDING, _stuck),
    RuleDifference("if neither can move", Rule.ENDING, _both_stuck),
    ARMIES,
    RuleDifference("infiltrator", Rule.INFILTRATION, _infiltrator),
)
"""The facts that an arbiter has to know about a rulebook before a game."""


def one_table(editions: Sequence[Edition]) -> str:
    """Return all rulebooks and all questions."""
    head = ["rulebook", *(difference.question for difference in DIFFERENCES)]
    rows = [
        [
            f"{edition.rulebook} (`{edition.id}`)",
            *(difference.answer(edition) for difference in DIFFERENCES),
        ]
        for edition in editions
    ]
    return table(head, rows)
