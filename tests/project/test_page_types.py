"""Tests that the TypeScript types for the pages match the Python types."""

from tools.page_types import TYPES, types


def test_types_are_current() -> None:
    assert TYPES.read_text(encoding="utf-8") == types(), "run make page-types"


def test_optional_fields() -> None:
    assert "\n  clock: ClockData | null;\n" in types()
    assert "\n  turn?: string | null;\n" in types()
