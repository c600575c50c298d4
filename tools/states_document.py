"""Generate the table states and their transitions in docs/states.md: ``make states``.

Both are read from `companion.core.state`.
"""

import inspect
import re
from pathlib import Path
from typing import Final

from companion.core.state import STATES, TRANSITIONS, Cause, TableState
from hardware.drawing.sheet import draw_part

ROOT: Final = Path(__file__).parents[1]
DOCUMENT: Final = ROOT / "docs" / "states.md"


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
    """Return the causes of transitions, grouped by the state to which they lead.

    A cause that does not always lead to one particular state is listed under "the same state".
    """
    causes: dict[str, list[str]] = {}
    for cause in Cause:
        targets = {each[cause] for each in TRANSITIONS.values() if cause in each}
        target = _named(*targets) if len(targets) == 1 else "the same state"
        causes.setdefault(target, []).append(f"`{cause.name}`")
    return "\n".join(f"- {target}: {', '.join(names)}" for target, names in causes.items())


def _named(state: type[TableState]) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", " ", state.__name__).lower()


def _description(state: type[TableState]) -> str:
    """Return the first sentence of a state's docstring.

    The other sentences repeat the transitions.
    """
    first, _, _ = " ".join((inspect.getdoc(state) or "").split()).partition(". ")
    return first.rstrip(".") + "."


def main() -> None:
    DOCUMENT.write_text(draw(DOCUMENT.read_text("utf-8")), encoding="utf-8")
    print(DOCUMENT.name)


if __name__ == "__main__":
    main()
