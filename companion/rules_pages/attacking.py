"""Attacks: results, in sentences and as a table, and the abilities of the infiltrator."""

from collections.abc import Sequence
from typing import Final

from companion.rules_pages.differences import has_infiltrator
from companion.rules_pages.markdown import bullets, paragraph, verbatim
from companion.rules_pages.prose import mark, titles, word
from engine.board.ranks import IMMOBILE, Rank
from engine.rules.combat import Result, is_boom, resolve
from engine.rules.editions import Edition
from engine.rules.rules import Reading

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
            f"of two spies{mark(Reading.SPY_AND_SPY)}. An attacker that wins takes the square; a "
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
            f"fall{mark(Reading.SPY_AND_INFILTRATOR)}."
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
                f"{mark(Reading.ENEMY_ROWS)}. One or two squares are counted in a straight line, "
                f"and a piece may stand between{mark(Reading.STRAIGHT_LINE)}.",
                "An infiltration ends a chase, and as nobody moves, it also breaks off a to and fro"
                f"{mark(Reading.TURN_WITHOUT_MOVE)}.",
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
