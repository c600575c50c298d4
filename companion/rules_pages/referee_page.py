"""The page for arbiters and for readers who want the reasons: docs/rules/referee.md."""

from collections.abc import Sequence
from typing import Final

from companion.rules_pages.markdown import bullets, paragraph, table, titles, word
from engine.rules.editions import Edition, MovedBombPenalty
from engine.rules.violations import ViolationKind

_INTRODUCTION: Final = """\
For arbiters and curious players. See also [The rules](../rules.md)."""


def document(editions: Sequence[Edition]) -> str:
    sections = {
        "What the referee knows": _knowledge(),
        "What it refuses": _faults(),
        "Slow hands": _hands(),
        "An attack": _attack(),
        "A disputed rank": _dispute(editions),
        "Silent defence": _silent_defence(),
        "A player who cannot move": _standstill(editions),
        "A moved bomb or flag": _moved_bomb(editions),
        "What an arbiter can do": _arbiter(),
        "Taking back": _taking_back(),
        "The board is right": _consent(),
    }
    lines = ["# What the referee does", paragraph(_INTRODUCTION)]
    for number, (title, blocks) in enumerate(sections.items(), start=1):
        lines += [f"## {number}. {title}", *blocks]
    return "\n\n".join(lines) + "\n"


def _knowledge() -> list[str]:
    return [
        paragraph(
            "The referee sees where pieces are, not which. It knows a rank when it was shown in an "
            "attack, or when public facts prove it: a piece that has moved is neither bomb nor "
            "flag; one that went further than one square is a scout; and the pieces make up the "
            "army, so the last piece that has never moved is the flag. It judges by what is "
            "proved, and announces nothing that was not public."
        ),
    ]


def _faults() -> list[str]:
    rules = dict.fromkeys(fault.rule for fault in ViolationKind)
    rows = [
        [word(rule), "; ".join(fault.meaning for fault in ViolationKind if fault.rule is rule)]
        for rule in rules
    ]
    return [
        paragraph("The pieces go back, and the same player is to move."),
        table(["rule", "refused because"], rows),
    ]


def _hands() -> list[str]:
    return [
        paragraph(
            "Until the opponent touches a piece, a piece that was set down may go on in its "
            "direction or back a little, and a scout may tap the piece in front of it: one turn "
            "from the first square. Back on that square it is a take-back, which takes both "
            "players."
        )
    ]


def _attack() -> list[str]:
    return [
        bullets(
            [
                "Each player declares the rank of the piece, unseen by the other, the attacker "
                "first. Both ranks are then shown together with the result.",
                "A rank that is proved is not asked for.",
                "Until a rank is declared, the attack can be called off. A scout that was "
                "set down in front of its target stays there.",
                "A rank that cannot be true is refused. Its owner alone sees the proof, and then "
                "names another rank or insists.",
            ]
        )
    ]


def _dispute(editions: Sequence[Edition]) -> list[str]:
    loses = titles((e for e in editions if _may_lose(e)), editions)
    return [
        bullets(
            [
                "A player who insists opens a dispute. The player and the square are announced, "
                "not the rank.",
                "The arbiter decides, or both players together. An accepted rank counts, whatever "
                "was proved before. Else the player names another one.",
                "No bomb and no flag attacks, whatever is decided.",
                "To insist that a piece which has moved is a bomb or the flag is to admit the "
                f"move. Where that loses, the game is over ({loses}).",
            ]
        )
    ]


def _silent_defence() -> list[str]:
    return [
        paragraph(
            "With silent defence only the referee is told the rank of a defender that wins. What "
            "it announces afterwards does not depend on that rank: it judges moves, and the end of "
            "the game, by public facts."
        ),
        bullets(
            [
                "Attacked again, such a piece answers by itself with the declared rank. Once it "
                "has shown something new by moving, its owner is asked again.",
                "If a move shows that the rank was not true, its owner alone is told. The move "
                "counts.",
            ]
        ),
    ]


def _standstill(editions: Sequence[Edition]) -> list[str]:
    always = titles((each for each in editions if each.both_immobile_draw), editions)
    items = [
        "If public facts prove that the player to move cannot, the referee ends the game.",
        "Else the player says so, without proof, because it loses.",
        "Before one player wins because the other one cannot move or has no movable piece left, "
        "the referee asks the winner: can you move? It does not ask where public facts answer; "
        f"but by {always} it always asks when a player says so. No is a draw. Yes needs a legal "
        "move on the board, and wins.",
    ]
    return [bullets(items)]


def _moved_bomb(editions: Sequence[Edition]) -> list[str]:
    loses = titles((e for e in editions if _may_lose(e)), editions)
    arbiter = titles((e for e in editions if e.moved_bomb is MovedBombPenalty.ARBITER), editions)
    return [
        bullets(
            [
                "It counts only when public facts, or its owner's word, prove that the piece is "
                "one.",
                f"Where it loses ({loses}, by choice in some), the referee first says to put the "
                "piece back and waits a few seconds: a sleeve loses nobody the game.",
                f"Where the arbiter decides ({arbiter}), the move is refused, and the arbiter may "
                "let it stand or end the game.",
                "Else the piece is put back.",
            ]
        )
    ]


def _may_lose(edition: Edition) -> bool:
    return MovedBombPenalty.LOSES in (edition.moved_bomb, *edition.moved_bomb_choices)


def _arbiter() -> list[str]:
    return [
        bullets(
            [
                "**Let it stand.** A forbidden move or attack of either side can be let stand. If "
                "no piece can go such a way, nothing is concluded from it; if only its turn, "
                "another touched piece or a repetition rule forbade it, what any move would show "
                "is concluded. Two pieces on one square cannot stand, nor a piece on a lake, nor "
                "an attack by a bomb or the flag.",
                "**Set it right.** A rank was shown wrongly, two pieces of one side are exchanged, "
                "or a piece has not gone further than one square. The referee names the squares "
                "of which it now knows something else. What was decided by then stays decided.",
                "**End it.** One player has lost, or both have, as after proved cheating.",
            ]
        ),
    ]


def _taking_back() -> list[str]:
    return [
        paragraph(
            "If both players agree, the latest turn, the open attack, or what has just ended the "
            "game was never made, and the referee forgets what it showed. What an arbiter has set "
            "right since stays right. Nobody gets time back."
        )
    ]


def _consent() -> list[str]:
    return [
        paragraph(
            "If both players say that the board is right, the referee takes over where the pieces "
            "are, which are off the board, and whose turn it is. No rulebook has this."
        ),
        bullets(
            [
                "Pieces are identified so that all together went as few steps as possible. The "
                "referee names each before the players agree.",
                "What is known of a piece goes with it. Nothing is concluded from where it is now: "
                "it may be a bomb or the flag as before, and need not be a scout.",
                "A known bomb or flag cannot be elsewhere, and a known flag cannot be gone: who "
                "has lost it resigns. No new piece can be there.",
                "A piece that is off the board counts as fallen, with its rank if it is known, "
                "else as a question mark. A side that is known to have no movable piece left has "
                "lost.",
                "To and fro and chases are counted from there again.",
                "It counts as a turn, and both can take it back. If all ranks are known after the "
                "game, a moved bomb or flag is found out.",
            ]
        ),
    ]
