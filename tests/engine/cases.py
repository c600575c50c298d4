"""A table of cases that one test looks at.

What pytest does about a test takes longer than most rulings, so that a line of a table is no test
of its own. Every line is tried, whatever has come of the others, and what is wrong is told with it:

    | tests.engine.cases.Failed: 1 of 12 cases of test_who_remains (1 sub-exception)
    +-+---------------- 1 ----------------
      | AssertionError: assert 'defender' == 'attacker'
      | in the case attacker='spy', defender='marshal', remains='attacker'
"""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from reprlib import Repr
from typing import Any

import pytest

from engine.rulebook.editions import EDITIONS

Test = Callable[..., None]

_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = 80


class Failed(BaseExceptionGroup[BaseException]):
    """The cases that failed, each with a note that says which one it is."""


def each(
    names: str | tuple[str, ...], table: Iterable[Any], *, ids: Iterable[str] = ()
) -> Callable[[Test], Test]:
    """Let a test look at every line of a table, as if it were parametrised.

    All lines are given the same fixtures: none may be one that a test changes.
    """
    told = (names,) if isinstance(names, str) else names
    lines = [
        dict(zip(told, (line,) if isinstance(names, str) else line, strict=True)) for line in table
    ]
    called = list(ids) or [
        ", ".join(f"{name}={_SHORT.repr(value)}" for name, value in line.items()) for line in lines
    ]
    cases = list(zip(called, lines, strict=True))

    def looked_at(test: Test) -> Test:
        @wraps(test)
        def all_of_them(**others: Any) -> None:
            failed = []
            for case, line in cases:
                try:
                    test(**others, **line)
                except (Exception, pytest.fail.Exception, Failed) as wrong:  # noqa: BLE001 (told)
                    wrong.add_note(f"in the case {case}")
                    failed.append(wrong)
            if failed:
                raise Failed(f"{len(failed)} of {len(cases)} cases of {test.__name__}", failed)

        asked = inspect.signature(test)
        left = [asked.parameters[name] for name in asked.parameters if name not in told]
        vars(all_of_them)["__signature__"] = asked.replace(parameters=left)
        return all_of_them

    return looked_at


in_every_edition = each("edition", EDITIONS.values(), ids=EDITIONS)
"""For a test that every edition has to pass."""
