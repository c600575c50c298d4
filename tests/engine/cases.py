r"""Table-driven tests: one test function checks all rows of a table.

Table rows are not separate tests, because pytest's overhead for a test exceeds the time that most
rulings take. Every row runs even if earlier rows fail, and a failure shows its row:

    | tests.engine.cases.Failed: 1 of 12 cases of test_survivors_of_combat (1 sub-exception)
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

from engine.rules.editions import EDITIONS

Test = Callable[..., None]

_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = 80


class Failed(BaseExceptionGroup[BaseException]):
    """Failed cases, each with a note that identifies the case."""


def each(
    names: str | tuple[str, ...], table: Iterable[Any], *, ids: Iterable[str] = ()
) -> Callable[[Test], Test]:
    """Run a test once per table row, like a parametrised test.

    All rows share the same fixtures, so a test must not modify them.
    """
    values = (names,) if isinstance(names, str) else names
    lines = [
        dict(zip(values, (line,) if isinstance(names, str) else line, strict=True))
        for line in table
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
        left = [asked.parameters[name] for name in asked.parameters if name not in values]
        vars(all_of_them)["__signature__"] = asked.replace(parameters=left)
        return all_of_them

    return looked_at


in_every_edition = each("edition", EDITIONS.values(), ids=EDITIONS)
"""Decorator that runs a test for every edition."""
