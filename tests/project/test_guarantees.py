"""Tests that every claim in docs/reliability.md has at least one sabotage, and that a test catches
each sabotage."""

import re
from pathlib import Path
from typing import Final

import pytest

from tests.campaigns import TIMES, Campaign
from tests.project import ROOT
from tests.project.guarantees import GUARANTEES
from tests.project.mutation import Own, is_caught
from tests.soak.invariants import Invariant
from tests.soak.spoiled import SPOILED

KEPT, PROMISED = (
    (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8").split("\n## Soak test\n")
)
APPLIED: Final = {
    f"{claim}: {name}": sabotage
    for claim, sabotages in GUARANTEES.items()
    for name, sabotage in sabotages.items()
    if not isinstance(sabotage, Own)
}
LONG: Final = ("companion/ui", "companion/commands/test_many_games")
"""Tests that take several seconds because they open a window or store many games."""
SABOTAGES: Final = Campaign("sabotages", part=4, whole=len(APPLIED))
CHOSEN: Final = SABOTAGES.among(
    [name for name in APPLIED if TIMES or not APPLIED[name].caught_by.startswith(LONG)]
)


def claims(text: str) -> list[str]:
    """Return the bold text at the beginning of each list item."""
    return re.findall(r"^- \*\*(.*?)\.\*\*", text, flags=re.MULTILINE)


def test_guarantees_have_sabotages() -> None:
    assert claims(KEPT) == list(GUARANTEES)
    assert all(GUARANTEES.values())


def test_invariants_have_corrupted_builds() -> None:
    assert [text.casefold() for text in claims(PROMISED)] == [each.value for each in Invariant]
    assert {build.invariant for build in SPOILED.values()} == set(Invariant)


def test_self_applied_sabotages_exist() -> None:
    own = [each for of in GUARANTEES.values() for each in of.values() if isinstance(each, Own)]
    assert own
    assert [each.caught_by for each in own if not each.is_there] == []


@SABOTAGES
@pytest.mark.parametrize("name", CHOSEN)
def test_sabotage_is_detected(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert is_caught(APPLIED[name], monkeypatch, tmp_path)
