"""Texts about seals that cannot be opened here."""

from companion.screens.base.stage import Stage
from companion.screens.widgets.texts import _
from engine.board.geometry import Side


def seal_text(stage: Stage, side: Side) -> str:
    """Return why a side's seals cannot be opened here; empty if they can, or if it has none."""
    seals = stage.seals
    if not seals.is_elsewhere(side):
        return ""
    if seals.problem:
        return _(seals.problem, file=seals.set_aside)
    return _("Your phone has what opens this seal.")
