"""docs/states.md lists the table's states from the code."""

import re

from companion.core.state import STATES, TRANSITIONS, Cause, Finished, SettingUp, TableState
from tools import states_document


def test_it_is_drawn_from_the_code() -> None:
    text = states_document.DOCUMENT.read_text("utf-8")
    assert states_document.draw(text) == text, "run make states"


def test_every_state_and_every_cause_is_in_it() -> None:
    drawn = states_document.states().splitlines()
    assert len(drawn) == len(STATES)
    assert all(re.fullmatch(r"- \*\*[a-z ]+\*\*: .+\.( .+\.)*", row) for row in drawn)
    assert all(f"- {cause.value}: " in states_document.transitions() for cause in Cause)


def test_every_state_is_left_as_it_was_entered() -> None:
    """Every state is reachable from the initial state, and the final state from every state."""
    assert set(TRANSITIONS) == set(STATES)
    assert reached(SettingUp) == set(STATES)
    assert all(Finished in reached(state) for state in STATES)


def reached(first: type[TableState]) -> set[type[TableState]]:
    found, more = {first}, [first]
    while more:
        for state in TRANSITIONS[more.pop()].values():
            if state not in found:
                found.add(state)
                more.append(state)
    return found
