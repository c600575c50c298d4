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
                "**Silent defence.** The rank of a defender that wins is not named, unless a scout "
                "has attacked it, and a bomb has no cry. A defender that falls is shown to both "
                f"players{mark(Interpretation.SILENT_SURVIVOR)}.",
                "**Aggressor advantage.** Of two equal ranks only the defender falls.",
                "**Touch-move.** If you lift a piece that has been seen to move, you have to move "
                "it. The same applies to a piece that you set down further away than on the "
                "squares around its own, unless you declare in private that it cannot move. A "
                "piece stays where you release it. Without this option you may change your move "
                "for two seconds, unless your opponent touches a piece.",
                "**[Sealed armies](sealed.md).** Before the game each of you commits to your "
                "setup, on your phone or on the screen. A piece can then only be declared as the "
                "rank that was sealed.",
            ]
        ),
        paragraph("Clocks:"),
        clocks(),
        paragraph(
            "Tournaments play by `bronstein` or `bronstein-50`, and duel and barrage by `short`. "
            "You can also choose each number freely. After a turn, the used time is given back, up "
            "to the number in the column *given back*. At zero the player has lost. The limit for "
            "the whole game counts every turn in full, without the setup."
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
