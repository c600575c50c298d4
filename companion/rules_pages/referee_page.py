"""Writes docs/rules/referee.md, the page for arbiters.

It also explains why the referee rules as it does.
"""

from collections.abc import Sequence
from typing import Final

from companion.rules_pages.markdown import bullets, join, paragraph, titles, word
from engine.rules.editions import Edition, MovedBombPenalty
from engine.rules.rules import ViolationKind

_INTRODUCTION: Final = """\
For arbiters and curious players, in addition to [the rules](../rules.md)."""


def document(editions: Sequence[Edition]) -> str:
    sections = {
        "What the referee knows": _knowledge(),
        "What it refuses": _faults(),
        "Slow hands": _hands(),
        "An attack": _attack(),
        "A disputed rank": _dispute(editions),
        "Silent defence": _silent_defence(),
        "A player who cannot move": _stalemate(editions),
        "A moved bomb or flag": _moved_bomb(editions),
        "What an arbiter can do": _arbiter(),
        "Taking back": _taking_back(),
        "The board is right": _adopting_the_board(),
    }
    lines = ["# What the referee does", paragraph(_INTRODUCTION)]
    for number, (title, blocks) in enumerate(sections.items(), start=1):
        lines += [f"## {number}. {title}", *blocks]
    return "\n\n".join(lines) + "\n"


def _knowledge() -> list[str]:
    return [
        paragraph(
            "The referee sees where the pieces are, but not their ranks. Its rulings depend only "
            "on public facts: a rank was shown in an attack; a piece that has moved is neither "
            "bomb nor flag; a piece that has moved further than one square is a scout; the last "
            "piece that has never moved is the flag."
        ),
    ]


def _faults() -> list[str]:
    rules = dict.fromkeys(word(fault.rule) for fault in ViolationKind)
    return [
        paragraph(
            "The referee rejects a setup or a turn that breaks a rule. It names the rule "
            f"({join(rules, 'or')}), the reason and the squares. The pieces go back, and it is "
            "still the same player's turn."
        ),
    ]


def _hands() -> list[str]:
    return [
        paragraph(
            "Until the opponent touches a piece, a piece that was just set down may go further or "
            "part of the way back, and a scout may tap the piece in front of it. This counts as "
            "one turn from the original square. Returning to the original square is a take-back, "
            "to which both players have to agree."
        )
    ]


def _attack() -> list[str]:
    return [
        bullets(
            [
                "Both players declare the ranks of their pieces in private, attacker first, "
                "unless a rank is already proved. Then both ranks are shown together with the "
                "result.",
                "Until a rank is declared, the attack can be withdrawn.",
                "An impossible rank is refused. The proof is shown only to the owner, who then "
                "declares another rank or stands by this one.",
            ]
        )
    ]


def _dispute(editions: Sequence[Edition]) -> list[str]:
    loses = titles((e for e in editions if _may_lose(e)), editions)
    return [
        bullets(
            [
                "A player who insists on an impossible rank opens a dispute. The rank stays "
                "secret.",
                "The arbiter or both players together decide. An accepted rank overrides earlier "
                "proofs. Otherwise the player declares another rank.",
                "A bomb or the flag cannot attack, whatever the arbiter or the players decide.",
                "A player who insists that a moved piece is a bomb or the flag admits an illegal "
                "move. If such a move loses under the rulebook, the game is over "
                f"({loses}).",
            ]
        )
    ]


def _silent_defence() -> list[str]:
    return [
        paragraph(
            "Only the referee learns the rank of a defender that wins. Later rulings do not depend "
            "on that rank."
        ),
        bullets(
            [
                "If the piece is attacked again, the referee uses the declared rank. If a move has "
                "revealed something new about the piece, its owner is asked again.",
                "If a move shows that the declared rank was false, only the owner is informed. The "
                "move counts.",
            ]
        ),
    ]


def _stalemate(editions: Sequence[Edition]) -> list[str]:
    always = titles((each for each in editions if each.both_immobile_draw), editions)
    items = [
        "If public facts prove that the player to move has no legal move, the referee ends the "
        "game. Otherwise the player declares it, which needs no proof.",
        "Before a player wins because the opponent cannot move, the referee asks whether the "
        f"winner can move, unless public facts give the answer. Under {always}, it always asks "
        "after such a claim. If the answer is no, the game is a draw. If the answer is yes, it has "
        "to be proved by a legal move, which wins the game.",
    ]
    return [bullets(items)]


def _moved_bomb(editions: Sequence[Edition]) -> list[str]:
    loses = titles((e for e in editions if _may_lose(e)), editions)
    arbiter = titles((e for e in editions if e.moved_bomb is MovedBombPenalty.ARBITER), editions)
    return [
        bullets(
            [
                "A move counts as moving a bomb or the flag only if public facts or the owner's "
                "declaration prove what the piece is.",
                f"If such a move loses the game ({loses}, in part as an option), the referee "
                "first asks the player to put the piece back, and waits for a few seconds.",
                f"If the rulebook leaves the decision to the arbiter ({arbiter}), the move is "
                "refused, and the arbiter may allow it or end the game.",
                "Otherwise the piece is put back.",
            ]
        )
    ]


def _may_lose(edition: Edition) -> bool:
    return MovedBombPenalty.LOSES in (edition.moved_bomb, *edition.moved_bomb_choices)


def _arbiter() -> list[str]:
    return [
        paragraph("On the touchscreen, open Menu, then Arbiter. Every decision is recorded."),
        bullets(
            [
                "**Allow a move.** The arbiter can allow a forbidden move or attack by either "
                "side. If no piece can move that way, nothing is deduced from the move. Two pieces "
                "on one square, a piece on a lake, and an attack by a bomb or the flag cannot be "
                "allowed.",
                "**Correct a mistake.** A rank was revealed wrongly, two pieces of one side were "
                "swapped, or a piece has never moved further than one square. Earlier rulings "
                "still stand.",
                "**Ignore a sensor.** Moves from or to its square are made on the screen.",
                "**Add or remove time**, or break a side's seals.",
                "**End the game** as a loss for one or both players.",
            ]
        ),
    ]


def _taking_back() -> list[str]:
    return [
        paragraph(
            "If both players agree, the latest turn, the open attack, or the action that ended the "
            "game is undone, and the referee forgets everything that it revealed. Later "
            "corrections by an arbiter still stand. Used time is not given back."
        )
    ]


def _adopting_the_board() -> list[str]:
    return [
        paragraph(
            "After a knock, the referee may be wrong about the board, because sensors cannot "
            "identify pieces. If both "
            "players agree that the board is right, the referee accepts the positions of the "
            "pieces and the side to move. No rulebook has such a rule."
        ),
        bullets(
            [
                "Pieces are matched so that the total distance they have moved is as small as "
                "possible. The referee names each piece before the players confirm. The known "
                "facts about a piece remain.",
                "A known bomb or flag cannot be on another square, and a known flag cannot be "
                "missing. There cannot be more pieces than before.",
                "A missing piece counts as captured. A side that is known to have no movable piece "
                "left has lost.",
                "Repeated moves and chases are counted from zero.",
                "Accepting the board counts as a turn, and both players can take it back.",
            ]
        ),
    ]
