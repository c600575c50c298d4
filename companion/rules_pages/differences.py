"""Differences between the rulebooks, and the choices that they leave to the players."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from companion.rules_pages.markdown import bullets, join, mark, needed, paragraph, table, times
from engine.board.ranks import Rank
from engine.game.clocks import TIME_CONTROLS
from engine.rules.editions import Edition, MovedBombPenalty, TwoSquaresForm
from engine.rules.rules import Interpretation, Rule


def options() -> list[str]:
    return [
        paragraph("Off unless both players want them:"),
        bullets(
            [
                "**Silent defence.** The rank of a defender that wins is not named, unless a scout "
                "has attacked it, and a bomb has no cry. A defender that falls is shown"
                f"{mark(Interpretation.SILENT_SURVIVOR)}.",
                "**Aggressor advantage.** Of two equal ranks only the defender falls.",
                "**Touch-move.** If you lift a piece that has been seen to move, you have to move "
                "it. The same applies to a piece that you set down further away than on the "
                "squares around its own, unless you declare in private that it cannot move. A "
                "piece stays where you release it. Without this option you may change your move "
                "for two seconds, unless your opponent touches a piece.",
                "**[Sealed armies](sealed.md).** Before the game each of you commits to your "
                "setup, on your phone or on the screen. A piece can then only be declared as the "
                "rank that was sealed.",
            ]
        ),
        paragraph("Clocks:"),
        clocks(),
        paragraph(
            "Tournaments play by `bronstein` or `bronstein-50`, and duel and barrage by `short`. "
            "You can also choose each number freely. After a turn, the used time is given back, up "
            "to the number in the column *given back*. The limit for the whole game counts every "
            "turn in full, without the setup."
        ),
    ]


def choices(edition: Edition) -> list[str]:
    """Return the choices that one rulebook leaves to the players, other than the army."""
    left = []
    if edition.limits:
        options = join(map(times, edition.limits), "or")
        left.append(f"a piece may go to and fro {options}")
    if edition.moved_bomb_choices:
        options = join((MOVED_BOMB[choice] for choice in edition.moved_bomb_choices), "or")
        left.append(f"a moved bomb or flag {options}")
    return left


def clocks() -> str:
    """Return the available clocks."""
    rows = [
        [
            f"`{control.id}`",
            _span(control.each),
            _span(control.delay or None),
            _span(control.whole),
            _span(control.setup),
        ]
        for control in TIME_CONTROLS.values()
    ]
    return table(["clock", "each side", "given back", "whole game", "setting up, both"], rows)


def _span(seconds: float | None) -> str:
    if seconds is None:
        return "–"
    minutes, rest = divmod(round(seconds), 60)
    parts = [(minutes, "minute"), (rest, "second")]
    return " ".join(f"{n} {unit}{'s' * (n != 1)}" for n, unit in parts if n)


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


_MARK: Final = re.compile(r" \(readings? [\d, and]+\)")
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
    """Return all rulebooks, and the questions about which they differ.

    The answers are those of the rulebooks, without references to the interpretations.
    """
    answers = {
        each.question: [_MARK.sub("", each.answer(edition)) for edition in editions]
        for each in DIFFERENCES
    }
    differing = {question: told for question, told in answers.items() if len(set(told)) > 1}
    rows = [
        [f"{edition.rulebook} (`{edition.id}`)", *told]
        for edition, *told in zip(editions, *differing.values(), strict=True)
    ]
    return table(["rulebook", *differing], rows)
