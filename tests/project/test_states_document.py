"""Tests that docs/states.md lists the table's states."""

import re

from companion.core.state import STATES, TRANSITIONS, Cause, Finished, SettingUp, TableState
from tools import states_document


def test_document_is_current() -> None:
    text = states_document.DOCUMENT.read_text("utf-8")
    assert states_document.draw(text) == text, "run make states"


def test_states_and_causes_are_complete() -> None:
    drawn = states_document.states().splitlines()
    assert len(drawn) == len(STATES)
    assert all(re.fullmatch(r"- \*\*[a-z ]+\*\* \(`[a-z-]+`\): .+\.", row) for row in drawn)
    assert all(states_document.transitions().count(f"`{cause.name}`") == 1 for cause in Cause)


def test_states_are_reachable_and_left() -> None:
    """Every state must be reachable from the first state. The last state must be reachable from
    every state."""
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
