"""Attacks, the infiltrator and both repetition rules, with tables and played examples."""

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
    word,
)
from engine.board.board import Board
from engine.board.geometry import COLUMNS, WIDTH, Side, Square, square, squares_in
from engine.board.ranks import IMMOBILE, Rank
from engine.game import position_updates
from engine.game.position import Position
from engine.rules.combat import Result, is_boom, resolve
from engine.rules.editions import Edition, TwoSquaresForm
from engine.rules.rules import Interpretation
from engine.rules.violations import Violation

_BOOM: Final = "!"
_SIGNS: Final = {
    Result.ATTACKER_WINS: "+",
    Result.DEFENDER_WINS: "-",
    Result.BOTH_FALL: "=",
}


def attacks() -> list[str]:
    """Return the results in three sentences, and the four exceptions."""
    return [
        paragraph(
            "You attack by moving onto an opposing piece; then both players name the rank of their "
            "piece and show it. The lower rank is removed, and of two equal ranks both are, also "
            f"of two spies{mark(Interpretation.SPY_AND_SPY)}. An attacker that wins takes the "
            "square; a "
            "defender that wins stays where it is."
        ),
        bullets(
            [
                "**The spy** wins when it attacks the marshal. When the marshal attacks the spy, "
                "the marshal wins.",
                "**A miner** that attacks a bomb removes it and takes its square.",
                "**A bomb** stands against every other attacker: the attacker is removed, the bomb "
                "stays, and everybody hears *Boom!*",
                "**The flag** falls to every attacker, and the game is over.",
            ]
        ),
    ]


def infiltrator(editions: Sequence[Edition]) -> list[str]:
    where = titles(filter(has_infiltrator, editions), editions)
    return [
        paragraph(
            f"The infiltrator belongs to {where}. It moves and attacks like any other piece, as "
            "the lowest rank beside the spy, but without the spy's power over the marshal. "
            "Everybody who attacks it wins, the spy too. When the infiltrator attacks a spy, both "
            f"fall{mark(Interpretation.SPY_AND_INFILTRATOR)}."
        ),
        paragraph(
            "In enemy territory it can do something else with its turn: infiltrate an opposing "
            "piece one or two squares away. Its player taps that piece, says that this is an "
            "infiltration, and guesses the rank."
        ),
        bullets(
            [
                "If the guess is right, the piece is removed. The infiltrator stays where it is. "
                "Bombs can be removed like this, and the flag, which ends the game.",
                "If the guess is wrong, nothing is removed, and nothing is said but that it is "
                "wrong.",
                "Either way, everybody now knows the infiltrator.",
                "Enemy territory is the opponent's four rows"
                f"{mark(Interpretation.ENEMY_ROWS)}. One or two squares are counted in a straight "
                "line, "
                f"and a piece may stand between{mark(Interpretation.STRAIGHT_LINE)}.",
                "An infiltration ends a chase, and as nobody moves, it also breaks off a to and fro"
                f"{mark(Interpretation.TURN_WITHOUT_MOVE)}.",
            ]
        ),
    ]


def every_attack() -> list[str]:
    """Return the result of every attack, as a lookup table."""
    attackers = [rank for rank in Rank if not IMMOBILE >> rank & 1]
    lines = [" " * 14 + "".join(f"{rank.symbol:>3}" for rank in Rank)]
    for attacker in attackers:
        signs = "".join(f"{_sign(attacker, defender):>3}" for defender in Rank)
        lines.append(f"{word(attacker):11} {attacker.symbol:>2}{signs}")
    return [
        verbatim("\n".join(lines)),
        bullets(
            [
                "The rows attack the columns.",
                f"`{_SIGNS[Result.ATTACKER_WINS]}` The attacker wins. A flag is captured, a bomb "
                "is defused.",
                f"`{_SIGNS[Result.DEFENDER_WINS]}` The defender wins.",
                f"`{_SIGNS[Result.BOTH_FALL]}` Both fall; with aggressor advantage, the defender "
                "alone.",
                f"`{_BOOM}` The defender wins with the cry *Boom!* The bomb stays.",
            ]
        ),
    ]


def _sign(attacker: Rank, defender: Rank) -> str:
    return _BOOM if is_boom(attacker, defender) else _SIGNS[resolve(attacker, defender)]


# Repetition rules, each with an example that the engine plays to the refused move.

_ROUND: Final = ["e5", "e6", "f6", "f5"]
"""Squares of a chase, in order."""
_PART: Final = "defg", range(7, 2, -1)
"""Columns and rows shown by the pictures."""


def two_squares(editions: Sequence[Edition]) -> list[str]:
    """Return the rule against moving back and forth, in its two forms."""
    blocks = [
        paragraph(
            "No piece goes to and fro without end. Only your own latest moves are counted, without "
            "a gap: a move of another piece begins a new count, and what your opponent does in "
            "between makes no difference. So the player who began has to stop first. An attack "
            f"counts like a move{mark(Interpretation.ATTACK_IS_A_MOVE)}."
        )
    ]
    for form, tell in {
        TwoSquaresForm.SAME_SQUARES: _same_squares,
        TwoSquaresForm.SAME_BORDER: _same_border,
    }.items():
        concerned = [edition for edition in editions if edition.recurrence is form]
        if concerned:
            blocks += tell(concerned, editions)
    return blocks


def _same_squares(concerned: Sequence[Edition], among: Sequence[Edition]) -> list[str]:
    """Return the form in the rulebooks."""
    limits = {edition.two_squares_limit: edition for edition in concerned}
    those = {
        limit: titles((e for e in concerned if e.two_squares_limit == limit), among)
        for limit in limits
    }
    allowed = "; ".join(f"{times(limit)} by {where}" for limit, where in those.items())
    blocks = [
        paragraph(
            "**Between the same two squares.** A piece may go between the same two squares only so "
            f"often in a row: {allowed}. After that it may still go to any third square."
        ),
        verbatim(_picture(Board({square("e4"): square("e4")}, {}))),
    ]
    for limit, edition in limits.items():
        made, refused, violation = _move_until_refused(edition, cycle(["e4", "e5"]))
        blocks += [
            paragraph(
                f"Where {times(limit)} is the most: after {ways(made)} the next {ways([refused])} "
                "is refused. The referee says:"
            ),
            said(violation),
        ]
    return blocks


def _same_border(concerned: Sequence[Edition], among: Sequence[Edition]) -> list[str]:
    """Return the form of the federation."""
    edition = concerned[-1]
    made, refused, violation = _move_until_refused(edition, ["e3", "e6", "e4", "e7", "e5"])
    free = refused[0], square("e6")
    assert _after(edition, made).find_violation(*free) is None
    return [
        paragraph(
            f"**Across the same border** ({titles(concerned, among)}"
            f"{_article(edition, violation)}). A piece may cross the border between the same two "
            f"neighbouring squares at most {times(edition.two_squares_limit)} in a row. For a "
            "piece that goes one square at a time this comes to the same. A scout crosses several "
            f"borders in one move{mark(Interpretation.SCOUT_BORDERS)}, so it may find a part of "
            "its way "
            "still open:"
        ),
        verbatim(_picture(Board({square("e3"): square("e3")}, {}))),
        paragraph(
            f"After {ways(made)} the scout may go {ways([free])}, but {ways([refused])} is "
            "refused. The referee says:"
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
    made, refused, violation = _chase_until_refused(Position(edition, board), stops)
    return [
        paragraph(
            f"An endless chase is forbidden ({titles(concerned, editions)}). This is a chase"
            f"{mark(Interpretation.CHASE_AS_ISF)}: you threaten a piece when you move next to it, "
            "along a "
            "row or a column, and the piece evades when your opponent moves it away at once. The "
            "chase goes on as long as you threaten with every move, be it with different pieces, "
            "and the threatened pieces keep evading."
        ),
        paragraph(
            "In a chase you may not threaten a piece that has evaded you if that brings back a "
            f"position that has stood on the board during the "
            f"chase{mark(Interpretation.RUNNING_CHASE)}. "
            "A position means which piece stands where; ranks do not matter. You may always take "
            "back your own latest move, as far as the two-squares rule lets you. An attack ends a "
            "chase, and a chase may begin with one."
        ),
        verbatim(_picture(board)),
        paragraph(
            f"Red chases Blue around four squares: {ways(made)}. Now the pieces stand as in the "
            f"picture again, and {ways([refused])} is refused. The referee says:"
        ),
        said(violation),
    ]


def _article(edition: Edition, violation: Violation) -> str:
    article = edition.articles.get(violation.fault.rule)
    return f", {article}" if article else ""


def _move_until_refused(edition: Edition, stops: Iterable[str]) -> tuple[list[Way], Way, Violation]:
    """Move a lone red piece from stop to stop until a move is refused; return that move as well."""
    moves: list[Way] = []
    for source, target in pairwise(map(square, stops)):
        violation = _after(edition, moves, start=source).find_violation(source, target)
        if violation:
            return moves, (source, target), violation
        moves.append((source, target))
    raise AssertionError("nothing was refused")


def _after(edition: Edition, moves: Sequence[Way], *, start: Square | None = None) -> Position:
    """Return the position after these moves of a lone red piece, with an idle blue one."""
    begins = moves[0][0] if moves else start
    assert begins is not None
    aside = square("k10")
    position = Position(edition, Board({begins: begins}, {aside: aside}))
    for source, target in moves:
        position = position_updates.turn_to(
            position_updates.move(position, source, target), Side.RED
        )
    return position


def _chase_until_refused(
    position: Position, stops: Mapping[Side, Iterator[str]]
) -> tuple[list[Way], Way, Violation]:
    """Move one piece of each side in circles until a move is refused; return that move as well."""
    moves: list[Way] = []
    for side in cycle(Side):
        (source,) = squares_in(position.squares(side))
        target = square(next(stops[side]))
        if violation := position.find_violation(source, target):
            return moves, (source, target), violation
        moves.append((source, target))
        position = position_updates.move(position, source, target)
    raise AssertionError("a cycle has no end")


def _round_from(start: str) -> list[str]:
    """Endlessly repeated route of the chase from a square; Red pursues and Blue flees ahead."""
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
