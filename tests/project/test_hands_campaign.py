"""Tests for ``make hands``: running, resuming and reporting."""

import csv
import io
from pathlib import Path
from typing import Any

import pytest

from tests.campaign import __main__ as command
from tests.campaign import results as kept
from tests.campaign.at_firmware import FirmwareGames
from tests.campaign.limits import LIMITS, Limit, limits_of, limits_of_slice
from tests.campaign.results import Figures, Results
from tests.campaign.runs import AT_FIRMWARE, FIRMWARE, SEED, Run, runs
from tests.campaign.tables import render, table_file
from tests.hands.profiles import PROFILES
from tests.hands.runner import TABLE
from tests.hands.score import Score

RUN = Run("clean", TABLE, 4, SEED)


def figures(**counts: int) -> dict[str, Any]:
    return Score(plies=1000).as_json() | {"seconds": 1.0} | counts


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.md"
    path.write_text(f"before\n<!-- drawn: {command.PART} -->\nold\n<!-- end -->\nafter\n")
    return path


def played(page: Path, *arguments: str) -> int:
    """Run a small campaign that writes all its output to the page's folder."""
    folder = page.parent / "kept"
    small = ["--times", "0.001", "--only", "clean", "--jobs", "1"]
    return command.main([*small, "--kept", str(folder), "--into", str(page), *arguments])


def test_campaign_has_100_000_plies() -> None:
    whole = [run for run in runs(SEED, 1) if run.referee == TABLE]
    assert [run.profile for run in whole] == list(PROFILES)
    assert sum(run.plies for run in whole) >= 100_000
    assert {limit.profile for limit in LIMITS} < PROFILES.keys()


def test_campaign_covers_policies_and_firmware() -> None:
    whole = list(runs(SEED, 0.5))
    assert [run.referee for run in whole if run.profile == "normal"] == [
        "table",
        "wait-250-ms",
        "rules-decide",
        FIRMWARE,
    ]
    for run in whole:
        assert isinstance(run.campaign, FirmwareGames) == (run.referee == FIRMWARE)


@pytest.mark.parametrize(
    ("most", "of", "found", "plies", "is_kept"),
    [
        (0, 1, 0, 1000, True),
        (0, 1, 1, 1000, False),
        (1, 500, 2, 1000, True),
        (1, 500, 3, 1000, False),
        (1, 5000, 1, 100, True),
        (1, 5000, 2, 100, False),
        (30, 4200, 7, 1000, True),
        (30, 4200, 8, 1000, False),
    ],
)
def test_limits_are_shares_of_plies(
    most: int, of: int, found: int, plies: int, is_kept: bool
) -> None:
    limit = Limit("normal", "wrong", most, of)
    assert limit.is_kept(figures(wrong=found, plies=plies)) == is_kept


def test_slice_has_no_limit_of_questions() -> None:
    asked = set(limits_of("normal")) - set(limits_of_slice("normal"))
    assert [limit.counted for limit in asked] == ["questions"]


def test_people_have_their_own_limits() -> None:
    counted = {limit.counted for limit in LIMITS if limit.profile == "people"}
    assert counted == {"wrong", "silent", "missed", "complaints"}


def test_no_nonsense_is_allowed() -> None:
    assert all(
        not all(limit.is_kept(figures(broken=1)) for limit in limits_of(profile))
        for profile in PROFILES
    )


def test_results_of_other_code_are_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = Results(tmp_path)
    assert results.get(RUN) is None
    results.keep(RUN, figures(wrong=3))
    assert results.get(RUN) == figures(wrong=3)
    assert results.get(Run("clean", TABLE, 5, SEED)) is None
    monkeypatch.setattr(kept, "_code_of", lambda run: "changed")
    assert results.get(RUN) is None


def test_figures_are_written_to_the_page(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert played(page) == 0
    text = page.read_text("utf-8")
    assert text.startswith("before\n")
    assert text.endswith("<!-- end -->\nafter\n")
    assert "`make hands TIMES=0.001`" in text
    assert f"seed {SEED}" in text
    assert "All results are within the limits." in text
    assert "clean, rules-decide: plies" in capsys.readouterr().out


def test_campaign_resumes(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played(page)
    text = page.read_text("utf-8")
    asked: list[Run] = []

    def play(run: Run, jobs: int) -> Figures:
        asked.append(run)
        return figures()

    monkeypatch.setattr(command, "play", play)
    assert played(page) == 0
    assert not asked
    assert page.read_text("utf-8") == text
    played(page, "--seed", "3")
    assert [run.seed for run in asked] == [3, 3, 3]
    assert '`make hands TIMES=0.001 ARGS="--seed 3"`' in page.read_text("utf-8")


def test_exceeded_limit_exits_with_1(
    page: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "play", lambda run, jobs: figures(wrong=1))
    assert played(page) == 1
    lines = capsys.readouterr().err.splitlines()
    assert lines == ["Broken: clean, table: clean, wrong: none, found 1"]  # others have no limit
    assert "| clean, wrong: none | 1 in 1,000 |" in page.read_text("utf-8")


def test_report_has_every_run() -> None:
    everything = {run: figures(questions=25) for run in runs(SEED, 1)}
    lines = render(everything, "make hands").splitlines()
    figures_of = list(csv.DictReader(io.StringIO(table_file(everything))))
    for profile in PROFILES:
        rows = [line for line in lines if line.startswith(f"| {profile} |")]
        compared = profile in {limit.profile for limit in LIMITS}
        assert len(rows) == 2 * compared + (profile in AT_FIRMWARE)
        assert all("| 40 |" in row for row in rows[::2])
        found = [each for each in figures_of if each["hands"] == profile]
        assert len(found) == 1 + (profile in AT_FIRMWARE)
        assert {each["plies per question"] for each in found} == {"40"}


def test_kept_figures_have_every_run() -> None:
    written = command.DOCUMENT.with_name(command.FIGURES).read_text("utf-8")
    kept_rows = list(csv.DictReader(io.StringIO(written)))
    assert [each["hands"] for each in kept_rows if each["referee"] == TABLE] == list(PROFILES)


def test_page_has_the_generated_part() -> None:
    assert f"<!-- drawn: {command.PART} -->\n" in command.DOCUMENT.read_text("utf-8")
