"""A recorded game as a score sheet: what an arbiter prints when it is over.

It tells every rank, so it is nothing for the time of the game (RULES §9).
"""

from itertools import zip_longest
from textwrap import fill
from typing import Final

from companion.announcer import Announcer
from companion.language import N_, Language
from companion.score.replay import Ply, legal_plies, position
from engine import picture
from engine.adjudication import Verdict, judge
from engine.combat import Result
from engine.editions import Edition
from engine.record import Record
from engine.sides import Side
from engine.squares import Square, name

_WIDTH: Final = 72
_NAME: Final = 40
"""The longest name of a player, in characters."""
_SIGNS: Final = {
    Result.ATTACKER_WINS: ">",
    Result.DEFENDER_WINS: "<",
    Result.BOTH_FALL: "=",
}


def score_sheet(record: Record, edition: Edition, language: Language) -> str:
    """Write the score sheet of a game, as far as it is legal, and say how it ended or went wrong.

    A ply is written ``e4-e5``, an attack ``e5xe6 (7>4)``: the attacker's rank, the result and the
    defender's rank. The legend on the sheet says so in the language of the players.
    """
    verdict = judge(record, edition)
    parts = [
        _head(record, edition, language),
        _setup(record, edition),
        _turns([_written(ply) for ply in legal_plies(record, edition)], language),
        _end(record, verdict, language),
        _legend(record, language),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def _head(record: Record, edition: Edition, language: Language) -> str:
    lines = [
        language.text(N_("Score sheet")),
        language.text(N_("Rules: {rulebook}"), rulebook=edition.rulebook),
    ]
    if record.players:
        for side, player in zip(Side, record.players, strict=True):
            lines.append(f"{language.side(side)}: {_clean(player)}")
    return "\n".join(lines)


def _clean(player: str) -> str:
    """A name from a file, which may hold anything, as one short piece of text."""
    return "".join(each if each.isprintable() else "?" for each in player[:_NAME])


def _setup(record: Record, edition: Edition) -> str:
    pieces = position(record, edition, 0)

    def token(square: Square) -> str | None:
        if square not in pieces:
            return None
        side, rank = pieces[square]
        return side.value[0] + rank.symbol

    return picture.draw(token)


def _turns(plies: list[str], language: Language) -> str:
    """Write the plies in two columns, a turn of both sides in a line."""
    if not plies:
        return ""
    turns = list(zip_longest(plies[::2], plies[1::2], fillvalue=""))
    lines = [("", language.side(Side.RED), language.side(Side.BLUE))]
    lines += [(f"{number}.", red, blue) for number, (red, blue) in enumerate(turns, start=1)]
    numbers, wide = (max(len(line[column]) for line in lines) for column in (0, 1))
    return "\n".join(f"{n:>{numbers}} {red:<{wide}}  {blue}".rstrip() for n, red, blue in lines)


def _written(ply: Ply) -> str:
    source, target = ply.move.source, ply.move.target
    if ply.result is None:
        return f"{name(source)}-{name(target)}"
    (_, attacker), (_, defender) = ply.before[source], ply.before[target]
    combat = f"{attacker.symbol}{_SIGNS[ply.result]}{defender.symbol}"
    return f"{name(source)}x{name(target)} ({combat})"


def _end(record: Record, verdict: Verdict, language: Language) -> str:
    say = Announcer(language).sentence
    lines = []
    if verdict.outcome:
        lines.append(say(verdict.outcome))
    rule = " ".join(dict.fromkeys(map(say, verdict.violations)))  # both armies may have one fault
    if verdict.ply:
        move = record.moves[verdict.ply - 1]
        lines.append(
            language.text(
                N_("Turn {turn}, {side}, {source} to {target} (ply {ply}) breaks a rule: {rule}"),
                turn=(verdict.ply + 1) // 2,
                side=language.side(Side.RED if verdict.ply % 2 else Side.BLUE),
                source=name(move.source),
                target=name(move.target),
                ply=verdict.ply,
                rule=rule,
            )
        )
    elif rule:
        lines.append(language.text(N_("The setup breaks a rule: {rule}"), rule=rule))
    if not lines:
        lines.append(language.text(N_("The game was not finished.")))
    return "\n".join(fill(line, _WIDTH) for line in lines)


def _legend(record: Record, language: Language) -> str:
    signs = language.text(
        N_("- move, x attack; > the attacker wins, < the defender wins, = both fall")
    )
    in_play = sorted(set(record.ranks.values()))
    # A sign and its name stay in one line.
    ranks = ", ".join(f"{rank.symbol}\N{NO-BREAK SPACE}{language.rank(rank)}" for rank in in_play)
    return "\n".join(fill(line, _WIDTH) for line in (signs, ranks)).replace(
        "\N{NO-BREAK SPACE}", " "
    )
