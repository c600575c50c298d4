"""Status texts about the players' phones."""

from companion.screens.base.stage import Stage
from companion.screens.widgets.texts import _
from engine.board.geometry import Side


def presence_text(stage: Stage, side: Side) -> str:
    """Return whether the phone of a side is connected, as a text."""
    name, is_here = stage.called(side), stage.phones.seats.get(side)
    if is_here is None:
        return _("{name}: no phone yet", name=name)
    return _("{name}: phone is here", name=name) if is_here else _("{name}: phone away", name=name)


def away_text(stage: Stage, *sides: Side) -> str:
    """Return a line for each of these sides whose phone has gone silent."""
    away = (side for side in sides if stage.phones.seats.get(side) is False)
    return "\n".join(presence_text(stage, side) for side in away)
