"""Generate the table states and their transitions in docs/states.md.

``make states``. Both come from `companion.core`: the states from its `state`, the transitions from
its `transitions`.
"""

import inspect
import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from companion.core.state import IN_TURN, STATES, TRANSITIONS, Cause, TableState
from hardware.drawing.sheet import draw_part

ROOT: Final = Path(__file__).parents[1]
DOCUMENT: Final = ROOT / "docs" / "states.md"
_FEW: Final = 4
"""Minimum number of missing states for which the other states are listed instead."""


def draw(text: str) -> str:
    """Return the document with its generated parts replaced."""
    text = draw_part(text, "states", states())
    return draw_part(text, "transitions", transitions())


def states() -> str:
    """Return every state with its name in JSON and its description."""
    return "\n".join(
        f"- **{_named(state)}** (`{state.name}`): {_description(state)}" for state in STATES
    )


def transitions() -> str:
    """Return every cause with its source and target states; one row if valid in all states."""
    turn = ", ".join(map(_named, IN_TURN))
    rows = [f"Each with the states before and after; *a turn* is any of {turn}:", ""]
    for cause in Cause:
        sources: dict[type[TableState], list[type[TableState]]] = defaultdict(list)
        for state, causes in TRANSITIONS.items():
            if cause in causes:
                sources[causes[cause]].append(state)
        if all(states == [target] for target, states in sources.items()):
            rows.append(f"- {cause.value}: {_listed(sources)} → the same")
            continue
        for target, states in sources.items():
            rows.append(f"- {cause.value}: {_listed(states)} → {_named(target)}")
    return "\n".join(rows)


def _listed(states: Iterable[type[TableState]]) -> str:
    """Return the names of states; if they are most states, the names of the others."""
    found = set(states)
    missing = [_named(state) for state in STATES if state not in found]
    if len(missing) < _FEW:
        return f"any but {', '.join(missing)}" if missing else "any"
    if found >= set(IN_TURN):
        others = [_named(state) for state in STATES if state in found and state not in IN_TURN]
        return ", ".join([*others, "a turn"])
    return ", ".join(_named(state) for state in STATES if state in found)


def _named(state: type[TableState]) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", " ", state.__name__).lower()


def _description(state: type[TableState]) -> str:
    """Return the first sentence; the others repeat the transitions."""
    first, _, _ = " ".join((inspect.getdoc(state) or "").split()).partition(". ")
    return first.rstrip(".") + "."


def main() -> None:
    DOCUMENT.write_text(draw(DOCUMENT.read_text("utf-8")), encoding="utf-8")
    print(DOCUMENT.name)


if __name__ == "__main__":
    main()
