"""Players' choices: options, rules that a rulebook leaves open, and the clock."""

from collections.abc import Sequence

from companion.rules_pages.differences import MOVED_BOMB
from companion.rules_pages.markdown import bullets, join, mark, paragraph, table, times
from engine.game.clocks import TIME_CONTROLS
from engine.rules.editions import Edition
from engine.rules.rules import Interpretation


def options(editions: Sequence[Edition]) -> list[str]:
    return [
        paragraph("Four options are off unless both players want them:"),
        bullets(
            [
                "**Silent defence.** A defender that wins does not say its rank, unless a scout "
                "has attacked it. A defender that falls is laid aside for all to see, and there is "
                f"no cry for a bomb that stays unnamed{mark(Interpretation.SILENT_SURVIVOR)}.",
                "**Aggressor advantage.** Of two equal ranks only the defender falls.",
                "**Touch-move.** If you lift a piece of which everybody has seen that it can move, "
                "you have to move it. Others you may lift to look at them; but one that you set "
                "down further away than on the squares around its own you have to move as well, "
                "unless you say in private that it cannot. A piece "
                "stays where you let go of it. Without this option you may think better of it for "
                "two seconds, as long as your opponent has not touched a piece.",
                "**Sealed armies.** Before the game each of you enters your setup, on your phone "
                "or on the screen, and seals it: the table is given a sum of each piece, from "
                "which nobody can tell its rank. When a piece is declared, its seal is opened, and "
                "another rank than the sealed one is refused. So nobody can declare falsely, and "
                "whether it was a bomb that has moved is found out. After the game you can open "
                "all your seals and so prove how you were set up. If what opens them is lost, the "
                "arbiter, or both of you, break the seals: then your word counts again.",
            ]
        ),
        paragraph("Some rulebooks leave a choice to you:"),
        bullets(
            f"{edition.rulebook}: {left}." for edition in editions for left in choices(edition)
        ),
        paragraph("And you can play with a clock:"),
        clocks(),
        paragraph(
            "Tournaments play by `bronstein`, or with 50 minutes in all by `bronstein-50`, and the "
            "small armies of duel and barrage by `short`. You can also choose every number freely, "
            "or leave it out."
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
