"""Attacks, the infiltrator, and the repetition rules, with examples that the engine plays."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import cycle, pairwise
from typing import Final

from companion.rules_pages.differences import has_infiltrator
from companion.rules_pages.markdown import (
    Way,
    bullets,
    mark,
    paragraph,
    said,
    times,
    titles,
    verbatim,
    ways,
)
from engine.board.board import Board
from engine.board.geometry import COLUMNS, WIDTH, Side, Square, square, squares_in
from engine.game import position_updates
from engine.game.position import Position
from engine.rules.editions import Edition, TwoSquaresForm
from engine.rules.rules import Interpretation
from engine.rules.violations import Violation


def attacks() -> list[str]:
    """Return the results in three sentences, and the four exceptions."""
    return [
        paragraph(
            "You attack by moving onto an opposing piece; then both players name and show their "
            "rank. The lower rank is removed; two equal ranks are both removed, even two spies"
            f"{mark(Interpretation.SPY_AND_SPY)}. An attacker that wins takes the square."
        ),
        bullets(
            [
                "**The spy** wins when it attacks the marshal, but not when the marshal attacks "
                "it.",
                "**A miner** that attacks a bomb removes it and takes its square.",
                "**A bomb** removes every other attacker and stays, with the cry *Boom!*",
                "**The flag** is captured by every attacker, and the game is over.",
            ]
        ),
    ]


def infiltrator(editions: Sequence[Edition]) -> list[str]:
    where = titles(filter(has_infiltrator, editions), editions)
    return [
        paragraph(
            f"The infiltrator ({where}) moves and attacks like any other piece, as the lowest rank "
            "together with the spy, but without the spy's power over the marshal. Every piece that "
            "attacks it wins, even the spy. When it attacks a spy, both are removed"
            f"{mark(Interpretation.SPY_AND_INFILTRATOR)}."
        ),
        paragraph(
            "Instead of moving it can infiltrate an opposing piece one or two squares away, in "
            "enemy territory: its player taps that piece, says that this is an infiltration, and "
            "guesses the rank."
        ),
        bullets(
            [
                "If the guess is right, the piece is removed, even a bomb, or the flag, which ends "
                "the game. If it is wrong, nothing changes. The infiltrator does not move.",
                "Enemy territory is the opponent's four rows"
                f"{mark(Interpretation.ENEMY_ROWS)}. One or two squares are counted in a straight "
                f"line, and a piece may stand between{mark(Interpretation.STRAIGHT_LINE)}.",
                "An infiltration ends a chase and interrupts moving to and fro"
                f"{mark(Interpretation.TURN_WITHOUT_MOVE)}.",
            ]
        ),
    ]


# Repetition rules, each with an example that the engine plays to the refused move.

_ROUND: Final = ["e5", "e6", "f6", "f5"]
"""Squares of a chase, in order."""
_PART: Final = "defg", range(7, 2, -1)
"""Columns and rows shown by the pictures."""


def two_squares(editions: Sequence[Edition]) -> list[str]:
    """Return the rule against moving back and forth, in both its forms."""
    blocks = [
        paragraph(
            "Only your own latest moves are counted: a move of another piece begins a new count, "
            "and your opponent's moves make no difference. An attack counts like a move"
            f"{mark(Interpretation.ATTACK_IS_A_MOVE)}."
        )
    ]
    if squares := [e for e in editions if e.recurrence is TwoSquaresForm.SAME_SQUARES]:
        blocks += _same_squares(squares)
    if borders := [e for e in editions if e.recurrence is TwoSquaresForm.SAME_BORDER]:
        blocks += _same_border(borders, editions)
    return blocks


def _same_squares(concerned: Sequence[Edition]) -> list[str]:
    """Return the form of the rule in the rulebooks."""
    limits = {edition.two_squares_limit: edition for edition in concerned}
    blocks = [
        paragraph(
            "**Between the same two squares.** A piece may go between the same two squares only so "
            "often in a row. After that it may still go to any third square."
        ),
    ]
    for limit, edition in limits.items():
        made, refused, _ = _played(edition, cycle(["e4", "e5"]))
        blocks.append(
            paragraph(
                f"If the limit is {times(limit)}: after {ways(made)} the next {ways([refused])} "
                "is refused."
            )
        )
    return blocks


def _same_border(concerned: Sequence[Edition], among: Sequence[Edition]) -> list[str]:
    """Return the federation's form of the rule."""
    edition = concerned[-1]
    made, refused, violation = _played(edition, ["e3", "e6", "e4", "e7", "e5"])
    free = refused[0], square("e6")
    assert _after(edition, made).find_violation(*free) is None
    return [
        paragraph(
            f"**Across the same border** ({titles(concerned, among)}"
            f"{_article(edition, violation)}). A piece may cross the border between the same two "
            f"neighbouring squares at most {times(edition.two_squares_limit)} in a row. Only for a "
            "scout does this differ, as it crosses several borders in one move"
            f"{mark(Interpretation.SCOUT_BORDERS)}."
        ),
        paragraph(
            f"After {ways(made)} the scout may go {ways([free])}, but {ways([refused])} is refused:"
        ),
        said(violation),
    ]


def more_squares(editions: Sequence[Edition]) -> list[str]:
    """Return the rule against an endless chase."""
    concerned = [edition for edition in editions if edition.more_squares]
    if not concerned:
        return [paragraph("None of these rulebooks has a rule against an endless chase.")]
    edition = concerned[-1]
    board = Board({square("e5"): square("e5")}, {square("f6"): square("f6")})
    stops = {Side.RED: cycle(_round_from("e5")), Side.BLUE: cycle(_round_from("f6"))}
    made, refused, violation = _circled(Position(edition, board), stops)
    return [
        paragraph(
            "Some rulebooks forbid an endless chase. This is a chase"
            f"{mark(Interpretation.CHASE_AS_ISF)}: you threaten a piece when you move next to it, "
            "along a row or a column, and the piece evades when your opponent moves it away at "
            "once. The chase continues as long as you threaten with every move, even with "
            "different pieces, and the threatened pieces evade."
        ),
        paragraph(
            "In a chase you may not threaten a piece that has evaded you if that brings back a "
            "position that has already occurred in the chase"
            f"{mark(Interpretation.RUNNING_CHASE)}. Ranks do not matter. You may always reverse "
            "your latest move if the two-squares rule allows it. An attack ends a chase, and may "
            "begin one."
        ),
        verbatim(_picture(board)),
        paragraph(
            f"Red chases Blue around four squares: {ways(made)}. Now the pieces stand as in the "
            f"picture again, and {ways([refused])} is refused:"
        ),
        said(violation),
    ]


def _article(edition: Edition, violation: Violation) -> str:
    article = edition.articles.get(violation.fault.rule)
    return f", {article}" if article else ""


def _played(edition: Edition, stops: Iterable[str]) -> tuple[list[Way], Way, Violation]:
    """Move a lone red piece from stop to stop; return the moves, and the move that is refused."""
    made: list[Way] = []
    for source, target in pairwise(map(square, stops)):
        violation = _after(edition, made, start=source).find_violation(source, target)
        if violation:
            return made, (source, target), violation
        made.append((source, target))
    raise AssertionError("nothing was refused")


def _after(edition: Edition, made: Sequence[Way], *, start: Square | None = None) -> Position:
    """Return the position after these moves of a lone red piece, with an idle blue one."""
    begins = made[0][0] if made else start
    assert begins is not None
    aside = square("k10")
    position = Position(edition, Board({begins: begins}, {aside: aside}))
    for source, target in made:
        position = position_updates.turn_to(
            position_updates.move(position, source, target), Side.RED
        )
    return position


def _circled(
    position: Position, stops: Mapping[Side, Iterator[str]]
) -> tuple[list[Way], Way, Violation]:
    """Move one piece of each side in circles; return the moves, and the move that is refused."""
    made: list[Way] = []
    for side in cycle(Side):
        (source,) = squares_in(position.squares(side))
        target = square(next(stops[side]))
        if violation := position.find_violation(source, target):
            return made, (source, target), violation
        made.append((source, target))
        position = position_updates.move(position, source, target)
    raise AssertionError("a cycle has no end")


def _round_from(start: str) -> list[str]:
    """Endless route of the chase, from a given square; Red pursues, and Blue flees ahead."""
    first = _ROUND.index(start) + 1
    return [*_ROUND[first:], *_ROUND[:first]]


def _picture(board: Board) -> str:
    """Return a part of the board as text."""
    columns, rows = _PART
    chosen = [COLUMNS.index(column) for column in columns]
    lines = str(board).split("\n")
    shown = [*(lines[WIDTH - row] for row in rows), lines[-1]]
    return "\n".join(
        line[:3] + " ".join(line[3 + 3 * column : 5 + 3 * column] for column in chosen)
        for line in shown
    )
