"""The players' choices: options, rules that a rulebook leaves open, and the clock."""

from companion.rules_pages.differences import MOVED_BOMB
from companion.rules_pages.markdown import bullets, join, mark, paragraph, table, times
from engine.game.clocks import TIME_CONTROLS
from engine.rules.editions import Edition
from engine.rules.rules import Interpretation


def options() -> list[str]:
    return [
        paragraph("Off unless both players want them:"),
        bullets(
            [
                "**Silent defence.** A defender that wins does not say its rank, unless a scout "
                "has attacked it, and a bomb goes without its cry. A defender that falls is laid "
                f"aside for all to see{mark(Interpretation.SILENT_SURVIVOR)}.",
                "**Aggressor advantage.** Of two equal ranks only the defender falls.",
                "**Touch-move.** If you lift a piece of which everybody has seen that it can move, "
                "you have to move it; also one that you set down further away than on the squares "
                "around its own, unless you say in private that it cannot move. A piece stays "
                "where you let go of it. Without this option you may change your mind for two "
                "seconds, as long as your opponent has not touched a piece.",
                "**[Sealed armies](sealed.md).** Before the game each of you commits to your "
                "setup, on your phone or on the screen. A piece can then only be declared as the "
                "rank that was sealed.",
            ]
        ),
        paragraph("Clocks:"),
        clocks(),
        paragraph(
            "Tournaments play by `bronstein` or `bronstein-50`, and duel and barrage by `short`. "
            "You can also choose every number freely, or leave it out. A clock runs during its "
            "player's turns. After a turn it gets back the time that it used, at most as much as "
            "the column *given back* has. At zero the player has lost. The whole game counts every "
            "turn in full, without setting up."
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
