"""Writes docs/rules.md, the page for players.

The engine plays the examples of the repetition rules, so the examples always agree with its
rulings.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import cycle, pairwise
from typing import Final

from companion.rules_pages.edition_page import has_infiltrator, one_table, options, readings
from companion.rules_pages.markdown import (
    Way,
    bullets,
    join,
    mark,
    paragraph,
    source,
    table,
    times,
    titles,
    verbatim,
    ways,
    word,
)
from engine.board.board import Board
from engine.board.geometry import COLUMNS, WIDTH, Side, Square, square, squares_in
from engine.board.ranks import Army, Rank
from engine.game import position_updates
from engine.game.position import Position
from engine.game.rulings import Reason
from engine.rules.editions import Edition, MovedBombPenalty, TwoSquaresForm
from engine.rules.rules import Interpretation, Violation


def attacks() -> list[str]:
    """Return a paragraph that explains how attacks are resolved, and a list of four exceptions."""
    return [
        paragraph(
            "You attack by moving onto an opposing piece; then both players name and show their "
            "ranks. The lower rank is removed; two equal ranks are both removed, even two spies"
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
            f"The infiltrator ({where}) moves and attacks like any other piece, with the lowest "
            "rank. Every piece that attacks it wins, even the spy. When it attacks a spy, both are "
            f"removed{mark(Interpretation.SPY_AND_INFILTRATOR)}."
        ),
        paragraph(
            "Instead of moving, it can infiltrate an opposing piece one or two squares away in "
            "enemy territory: its player taps that piece and guesses the rank."
        ),
        bullets(
            [
                "If the guess is right, the piece is removed, even a bomb or the flag. If it is "
                "wrong, nothing changes. The infiltrator does not move.",
                "Enemy territory is the opponent's four rows"
                f"{mark(Interpretation.ENEMY_ROWS)}. One or two squares are counted in a straight "
                f"line, even across another piece{mark(Interpretation.STRAIGHT_LINE)}.",
                "An infiltration ends a chase and interrupts moving to and fro"
                f"{mark(Interpretation.TURN_WITHOUT_MOVE)}.",
            ]
        ),
    ]


# The engine plays an example of each repetition rule, up to the move that it refuses.

_ROUND: Final = ["e5", "e6", "f6", "f5"]
"""Squares of a chase, in order."""
_PART: Final = "defg", range(7, 2, -1)
"""Columns and rows shown in the diagrams."""


def two_squares(editions: Sequence[Edition]) -> list[str]:
    """Return the rule against moving back and forth, in both forms."""
    blocks = [
        paragraph(
            "Only your own latest moves are counted: a move of another piece begins a new count. "
            f"An attack counts like a move{mark(Interpretation.ATTACK_IS_A_MOVE)}."
        )
    ]
    if squares := [e for e in editions if e.recurrence is TwoSquaresForm.SAME_SQUARES]:
        blocks += _same_squares(squares)
    if borders := [e for e in editions if e.recurrence is TwoSquaresForm.SAME_BORDER]:
        blocks += _same_border(borders, editions)
    return blocks


def _same_squares(concerned: Sequence[Edition]) -> list[str]:
    limits = {edition.two_squares_limit: edition for edition in concerned}
    blocks = [
        paragraph(
            "**Between the same two squares.** A piece may move between the same two squares only "
            "a limited number of times in a row. After that, the piece may still move to any other "
            "square."
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
    edition = concerned[-1]
    made, refused, violation = _played(edition, ["e3", "e6", "e4", "e7", "e5"])
    free = refused[0], square("e6")
    assert _after(edition, made).find_violation(*free) is None
    return [
        paragraph(
            f"**Across the same border between squares** ({titles(concerned, among)}"
            f"{_article(edition, violation)}). A piece may cross the border between the same two "
            f"neighbouring squares at most {times(edition.two_squares_limit)} in a row. This only "
            "makes a difference for a scout, which crosses several borders in one move"
            f"{mark(Interpretation.SCOUT_BORDERS)}. After {ways(made)} the scout may go "
            f"{ways([free])}, but {ways([refused])} is refused."
        ),
    ]


def more_squares(editions: Sequence[Edition]) -> list[str]:
    concerned = [edition for edition in editions if edition.more_squares]
    if not concerned:
        return [paragraph("None of these rulebooks has a rule against an endless chase.")]
    edition = concerned[-1]
    board = Board({square("e5"): square("e5")}, {square("f6"): square("f6")})
    stops = {Side.RED: cycle(_round_from("e5")), Side.BLUE: cycle(_round_from("f6"))}
    made, refused = _circled(Position(edition, board), stops)
    return [
        paragraph(
            "Some rulebooks forbid an endless chase"
            f"{mark(Interpretation.CHASE_AS_ISF)}. You threaten a piece when you move next to it, "
            "along a row or a column. The piece evades you if your opponent immediately moves it "
            "away. The chase continues as long as each of your moves threatens a piece, even with "
            "different pieces, and the threatened pieces evade you."
        ),
        paragraph(
            "In a chase, you may not threaten a piece that has evaded you if that brings back a "
            "position that has already occurred in the chase"
            f"{mark(Interpretation.RUNNING_CHASE)}. Ranks do not matter. You may reverse your "
            "latest move whenever the two-squares rule allows it. An attack ends a chase, and may "
            "begin one."
        ),
        verbatim(_picture(board)),
        paragraph(
            f"Red chases Blue around four squares: {ways(made)}. Now the position is "
            f"again the one in the picture, and {ways([refused])} is refused."
        ),
    ]


def _article(edition: Edition, violation: Violation) -> str:
    article = edition.articles.get(violation.fault.rule)
    return f", {article}" if article else ""


def _played(edition: Edition, stops: Iterable[str]) -> tuple[list[Way], Way, Violation]:
    """Move a single red piece from stop to stop. Return the accepted moves and the rejected one."""
    made: list[Way] = []
    for way in pairwise(map(square, stops)):
        violation = _after(edition, made, start=way[0]).find_violation(*way)
        if violation:
            return made, way, violation
        made.append(way)
    raise AssertionError("nothing was refused")


def _after(edition: Edition, made: Sequence[Way], *, start: Square | None = None) -> Position:
    """Return the position after moves of a single red piece. Blue's piece does not matter."""
    begins = made[0][0] if made else start
    assert begins is not None
    aside = square("k10")
    position = Position(edition, Board({begins: begins}, {aside: aside}))
    for way in made:
        position = position_updates.turn_to(position_updates.move(position, *way), Side.RED)
    return position


def _circled(position: Position, stops: Mapping[Side, Iterator[str]]) -> tuple[list[Way], Way]:
    """Move one piece of each side in circles. Return the accepted moves and the rejected one."""
    made: list[Way] = []
    for side in cycle(Side):
        (source,) = squares_in(position.squares(side))
        target = square(next(stops[side]))
        if position.find_violation(source, target):
            return made, (source, target)
        made.append((source, target))
        position = position_updates.move(position, source, target)
    raise AssertionError("unreachable, because the cycle of sides is endless")


def _round_from(start: str) -> list[str]:
    """Return the squares of one round of the chase, beginning after the given square."""
    first = _ROUND.index(start) + 1
    return [*_ROUND[first:], *_ROUND[:first]]


def _picture(board: Board) -> str:
    columns, rows = _PART
    chosen = [COLUMNS.index(column) for column in columns]
    lines = str(board).split("\n")
    shown = [*(lines[WIDTH - row] for row in rows), lines[-1]]
    return "\n".join(
        line[:3] + " ".join(line[3 + 3 * column : 5 + 3 * column] for column in chosen)
        for line in shown
    )


def before_the_game(editions: Sequence[Edition]) -> list[str]:
    armies = _armies(editions)
    filling = join(army.name for army in armies if _fills(army))
    free = join(army.name for army in armies if not _fills(army))
    return [
        bullets(
            [
                "Agree on a rulebook (section 6), on an army, and on the options (section 11).",
                "Draw lots for the colours. Red moves first.",
                "Put a screen between the two armies until both of you are ready.",
                "Red sets up on rows 1 to 4 and Blue on rows 7 to 10, one piece per square. "
                f"{filling.capitalize()} fill all forty squares; {free} may use any of them.",
            ]
        )
    ]


def board_and_armies(editions: Sequence[Edition]) -> list[str]:
    """Describe the board, and list the number of pieces of each rank in every army."""
    armies = _armies(editions)
    rows = [
        [word(rank), rank.symbol, *(str(army.counts[rank] or "") for army in armies)]
        for rank in Rank
    ]
    rows.append(["**all**", "", *(f"**{army.size}**" for army in armies)])
    return [
        paragraph(
            "The board has ten columns, a to k without a j, and ten rows. The two lakes are c5 to "
            "d6 and g5 to h6."
        ),
        table(["rank", "sign", *(army.name for army in armies)], rows),
        paragraph(
            "The higher number is stronger. In American sets the marshal is 1, the scout 9 and the "
            "spy S."
        ),
    ]


def _armies(editions: Sequence[Edition]) -> list[Army]:
    return list({army.name: army for edition in editions for army in edition.armies}.values())


def _fills(army: Army) -> bool:
    return army.size == Side.RED.home.bit_count()


def ends(editions: Sequence[Edition]) -> list[str]:
    rows = {
        Reason.FLAG_CAPTURED: ("A flag is captured.", "Its owner loses."),
        Reason.NO_MOVABLE_PIECE: (
            "All movable pieces of a player are captured, whoever's turn it is.",
            "That player loses, unless the other player cannot move either. If one attack "
            "captures the last movable pieces of both players, the game is a "
            f"draw{mark(Interpretation.BOTH_SPENT)}.",
        ),
        Reason.NO_LEGAL_MOVE: (
            "The player to move has no legal move, because pieces are blocked or a repetition rule "
            "forbids their moves.",
            f"That player "
            f"loses{mark(Interpretation.SHUT_IN_LOSES, Interpretation.REPETITION_LOSES)}.",
        ),
        Reason.BOTH_IMMOBILE: (
            "Neither player can move.",
            f"A draw{mark(Interpretation.BOTH_SHUT_IN)}.",
        ),
        Reason.MOVED_BOMB: (
            "A player moves a bomb or the flag.",
            f"{_moved_bomb(editions)} A piece on a square that it could not have reached was "
            f"knocked, and is put back"
            f"{mark(Interpretation.KNOCKED_BOMB)}.",
        ),
        Reason.RESIGNATION: ("A player resigns.", "That player loses (a house rule)."),
        Reason.AGREED_DRAW: ("Both players agree to a draw.", "A draw (a house rule)."),
        Reason.TIME: (
            "Time is up, if you play with a clock.",
            "The player whose time is up loses; the end of the whole game's time is a draw (the "
            "organiser's rule).",
        ),
        Reason.FORFEIT: (
            "The arbiter decides, for example after proved cheating.",
            "One player or both players lose (the organiser's rule).",
        ),
    }
    return [
        bullets("**{}** {}".format(*rows[reason]) for reason in Reason),
        paragraph("If you cannot move, say so; see [What the referee does](rules/referee.md)."),
    ]


def _moved_bomb(editions: Sequence[Edition]) -> str:
    loses = titles((e for e in editions if e.moved_bomb is MovedBombPenalty.LOSES), editions)
    chosen = [e for e in editions if MovedBombPenalty.LOSES in e.moved_bomb_choices]
    by_choice = f", and of {titles(chosen, editions)} if so chosen" if chosen else ""
    arbiter = titles((e for e in editions if e.moved_bomb is MovedBombPenalty.ARBITER), editions)
    return (
        f"That player loses at once under the rules of {loses}{by_choice}. Under {arbiter}, the "
        "arbiter decides. Otherwise, the piece is put back."
    )


_INTRODUCTION: Final = """\
Stratego as Boomboard referees it. A number such as (reading 4) marks one of our decisions where \
the rulebooks are silent; see section 12. [What the referee does](rules/referee.md) covers \
mistakes, disputes and arbiters."""


def document(editions: Sequence[Edition]) -> str:
    sections = {
        "The aim": _aim(),
        "Before the game": before_the_game(editions),
        "The board and the armies": board_and_armies(editions),
        "Moving": _moving(),
        "Attacking": [*attacks(), *infiltrator(editions)],
        "What differs between the rulebooks": _differences(editions),
        "To and fro: the two-squares rule": two_squares(editions),
        "Endless chases: the more-squares rule": more_squares(editions),
        "How a game ends": ends(editions),
        "What nobody may see": _silence(),
        "Options": options(),
        "Our readings": readings(),
        "Sources": _sources(editions),
    }
    lines = ["# The rules", paragraph(_INTRODUCTION)]
    for number, (title, blocks) in enumerate(sections.items(), start=1):
        lines += [f"## {number}. {title}", *blocks]
    return "\n\n".join(lines) + "\n"


def _aim() -> list[str]:
    return [
        paragraph(
            "Capture your opponent's flag, or all pieces that can move. Ranks are only revealed in "
            "attacks."
        )
    ]


def _moving() -> list[str]:
    return [
        bullets(
            [
                "A turn is one move or one attack; you never have to attack.",
                "The flag and the bombs never move. Every other piece moves one square along a row "
                "or a column, never diagonally. No piece enters a lake, or jumps over a lake or a "
                "piece.",
                "A scout moves any number of empty squares in a straight line, and may attack at "
                "the end of that line in the same turn, but not around a corner"
                f"{mark(Interpretation.STRAIGHT_STRIKE)}. You may set it down in front of its "
                "target and then tap the target.",
                "Lifting a piece is not a move. A move is made when you let go of the piece on "
                "another square, or tap an opposing piece with it.",
            ]
        )
    ]


def _differences(editions: Sequence[Edition]) -> list[str]:
    return [
        one_table(editions),
        paragraph("`boomboard rules --edition isf` prints the page of one rulebook."),
    ]


def _silence() -> list[str]:
    return [
        paragraph(
            "Write nothing down during a game. The screen shows ranks only while an attack is "
            "being resolved, and the list of moves only after the game. Captured pieces are "
            "visible to both players."
        )
    ]


def _sources(editions: Sequence[Edition]) -> list[str]:
    return [
        bullets(f"{source(edition)}." for edition in editions),
        paragraph(
            "The texts of the rulebooks differ between languages: only the French text of Original "
            "Stratego 498 says that a player who cannot move loses, and only the German text of "
            "Stratego Travel makes a moved bomb lose."
        ),
        paragraph(
            "“Stratego” is a registered trademark of its owner; this project is independent of it."
        ),
    ]
