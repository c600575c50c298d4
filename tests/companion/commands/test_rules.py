"""Use ``boomboard rules`` in an 80-column terminal. Show one rulebook, or all side by side."""

import pytest

from companion.cli import main
from engine.rules.editions import EDITIONS, Edition
from tests.engine.examples import editions

WIDTH = 80


def printed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *arguments: str
) -> list[str]:
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    assert main(["rules", *arguments]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= WIDTH
    return lines


def test_editions_side_by_side(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = printed(capsys, monkeypatch)
    for edition in EDITIONS:
        rows = [line.split() for line in lines if line.split()[:1] == [edition]]
        assert len(rows) == 4, "one complete row in each table"
    assert not any("…" in line for line in lines)


@editions
def test_one_edition(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, edition: Edition
) -> None:
    lines = printed(capsys, monkeypatch, "--edition", edition.id)
    text = " ".join(" ".join(lines).split())
    assert text.startswith(f"{edition.rulebook} ({edition.id})")
    assert all(reading.meaning in text for reading in edition.readings)
    others = {other.id for other in EDITIONS.values()} - {edition.id}
    assert not any(other in text.split() for other in others)


def test_unknown_edition(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["rules", "--edition", "club-2031"])
    assert ended.value.code == 2
    assert "club-2031" in capsys.readouterr().err
