"""The page for arbiters, and for readers who want the reasons: docs/rules/referee.md."""

from collections.abc import Sequence
from typing import Final

from companion.rules_pages.examples import every_attack
from companion.rules_pages.markdown import bullets, paragraph, table, titles, word
from companion.rules_pages.open_choices import clocks
from engine.rules.editions import Edition, MovedBombPenalty
from engine.rules.violations import ViolationKind

_INTRODUCTION: Final = """\
For arbiters, and for players who want the reasons of the referee. The rules themselves are on the \
page [The rules](../rules.md)."""


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
        "Every attack": every_attack(),
        "Clocks": [clocks(), *_clocks()],
    }
    lines = ["# What the referee does", paragraph(_INTRODUCTION)]
    for number, (title, blocks) in enumerate(sections.items(), start=1):
        lines += [f"## {number}. {title}", *blocks]
    return "\n\n".join(lines) + "\n"


def _knowledge() -> list[str]:
    return [
        paragraph(
            "The referee sees where pieces stand, not what they are. It knows a rank when it was "
            "shown in an attack, or when what everybody has seen proves it. A piece that has moved "
            "is neither bomb nor flag. A piece that went further than one square is a scout. And "
            "the pieces together have to make up the army, so the last piece that has never moved "
            "is the flag."
        ),
        paragraph(
            "It never guesses. A game is judged by what is proved, and what the referee says aloud "
            "gives nothing away that was not public before."
        ),
    ]


def _faults() -> list[str]:
    rows = [[word(fault.rule), fault.meaning] for fault in ViolationKind]
    return [
        paragraph(
            "Every refusal names its rule, its rulebook, and our reading where that decides. What "
            "is refused was never made: the pieces go back, and the same player is to move."
        ),
        table(["rule", "refused because"], rows),
    ]


def _hands() -> list[str]:
    return [
        paragraph(
            "The board sees pieces, not hands: it cannot tell a piece that was let go from one "
            "that pauses on its way. So a piece that was just set down may still go on in its "
            "direction or back a little, and a scout may tap the piece in front of it, until the "
            "opponent touches a piece. All of it is one turn, from the square where it began, and "
            "is judged as one. Back on that square it would be no turn at all; that is taking "
            "back, which takes both players."
        )
    ]


def _attack() -> list[str]:
    return [
        bullets(
            [
                "Each player tells the referee the rank of the piece, unseen by the other, the "
                "attacker first. Both ranks are then shown together with the result.",
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
                "A player who insists opens a dispute. It is announced who insists and on which "
                "square, but not the rank.",
                "The arbiter decides, or both players do together. If the rank is accepted, it "
                "counts, whatever was proved before. If not, the player names another one.",
                "No bomb and no flag attacks, whatever is decided.",
                "To insist that a piece which has moved is a bomb or the flag is to own up to "
                f"moving it. Where that loses, the game is over ({loses}).",
            ]
        )
    ]


def _silent_defence() -> list[str]:
    return [
        paragraph(
            "With silent defence the rank of a defender that wins is told to the referee, and to "
            "nobody else. The referee keeps it sealed. Whatever it says aloud from then on would "
            "be the same if the rank were another one: it judges moves, and the end of the game, "
            "by what everybody has seen."
        ),
        bullets(
            [
                "Attacked again, such a piece answers by itself with the rank that was told. Once "
                "it has shown something new by moving, its owner is asked again.",
                "If a move shows that the rank was not true, its owner alone is told so. The move "
                "counts, and nobody else notices.",
            ]
        ),
    ]


def _standstill(editions: Sequence[Edition]) -> list[str]:
    always = titles((each for each in editions if each.both_immobile_draw), editions)
    items = [
        "If what everybody has seen proves that the player whose turn it is cannot move, the "
        "referee ends the game by itself.",
        "Else the player says so. That needs no proof, because it loses.",
        "Before one player wins because the other one cannot move or has no movable piece left, "
        "the referee asks the winner: can you move? It does not ask where everybody has seen the "
        f"answer; but by {always} it always asks when a player says so. Who says no has a "
        "draw. Who says yes makes a legal move on the board to show it, and has won with it.",
    ]
    return [bullets(items)]


def _moved_bomb(editions: Sequence[Edition]) -> list[str]:
    loses = titles((e for e in editions if _may_lose(e)), editions)
    arbiter = titles((e for e in editions if e.moved_bomb is MovedBombPenalty.ARBITER), editions)
    return [
        bullets(
            [
                "The referee speaks of a moved bomb or flag only when it is proved, by what "
                "everybody has seen or by its owner's word, that the piece is one.",
                f"Where it loses ({loses}, by choice in some), the referee waits a few seconds "
                "before it believes the move, and says to put the piece back: a sleeve loses "
                "nobody the game.",
                f"Where the arbiter decides ({arbiter}), the move is refused like any other, and "
                "the arbiter may let it stand or end the game. Either is on record.",
                "Else the piece is put back, and that is all.",
            ]
        )
    ]


def _may_lose(edition: Edition) -> bool:
    return MovedBombPenalty.LOSES in (edition.moved_bomb, *edition.moved_bomb_choices)


def _arbiter() -> list[str]:
    return [
        bullets(
            [
                "**Let it stand.** A move or an attack that a rule forbids can be let stand, "
                "whichever side made it. If no piece can go such a way, nothing is concluded from "
                "it; if only its turn, another piece that was touched or a repetition rule forbade "
                "it, what any move would show is concluded. Two pieces on one square cannot stand, "
                "nor a piece on a lake, nor an attack by a bomb or the flag.",
                "**Set it right.** The arbiter can say that a rank was shown wrongly, that two "
                "pieces of one side stand the wrong way round, or that a piece has not gone "
                "further than one square. The referee says on which squares it now knows something "
                "else. What was decided by then stays decided.",
                "**End it.** One player has lost, or both have, as after proved cheating.",
            ]
        ),
        paragraph(
            "The record of a game holds everything that was accepted, in order, and so every "
            "decision of an arbiter. What was refused is not in it."
        ),
    ]


def _taking_back() -> list[str]:
    return [
        paragraph(
            "If both players agree, the latest turn was never made, or the open attack, or what "
            "has just ended the game. The referee then knows what it knew before, and no more. "
            "What an arbiter has set right since stays right. Nobody gets time back."
        )
    ]


def _consent() -> list[str]:
    return [
        paragraph(
            "If the board shows something else than the referee has, and both players find that "
            "the board is right, the referee takes it over: which pieces stand elsewhere, which "
            "are off the board, and whose turn it is. Both have to say the same. No rulebook knows "
            "of it, as people need no referee to agree on a board; so what it means is our reading."
        ),
        bullets(
            [
                "Which piece is which, the referee reads off: as few steps as possible for all "
                "together. It names each piece before the players agree.",
                "What is known of a piece goes with it. Nothing is concluded from where it stands "
                "now: it may be a bomb or the flag as before, and need not be a scout.",
                "A piece that everybody knows to be a bomb or the flag cannot stand elsewhere, and "
                "a flag that everybody knows cannot be gone: who has lost it resigns. No piece can "
                "be there that the referee does not know of.",
                "A piece that is off the board counts as fallen, with its rank if everybody knows "
                "it; else as a question mark. A side of which everybody then knows that it has no "
                "movable piece left has lost.",
                "To and fro and chases are counted from there again.",
                "It counts as a turn, and both can take it back. If all ranks are known after the "
                "game, a bomb or a flag that was agreed to stand elsewhere comes to light.",
            ]
        ),
    ]


def _clocks() -> list[str]:
    return [
        paragraph(
            "A player's clock runs during that player's turns. *Given back* means: when a turn is "
            "completed, the clock gets back what the turn has used, at most so much. So it never "
            "shows more than at the beginning of the turn, and a clock that comes to zero on the "
            "way has lost. The whole game counts every turn in full, without setting up."
        )
    ]
