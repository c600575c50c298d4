"""Tests for the verdicts, reasons and exit codes of ``boomboard adjudicate``."""

import shutil
from pathlib import Path

import pytest

from companion.cli import main
from tests.companion.commands.adjudicating import altered, judged, to_and_fro


@pytest.mark.parametrize("edition", ["isf", "original-1992"])
def test_legal_game(capsys: pytest.CaptureFixture[str], sample: Path, edition: str) -> None:
    assert judged(capsys, "--edition", edition, sample) == (
        0,
        [
            {
                "file": str(sample),
                "plies": 206,
                "verdict": "legal",
                "ply": None,
                "rule": None,
                "reason": None,
                "outcome": {"winner": "blue", "reason": "forfeit", "basis": "claimed"},
            }
        ],
    )


RESULT = '<result type="3" winner="2"/>'
BASES = {
    (0, 1): "refuted",
    (0, 2): "refuted",
    (0, 3): "refuted",
    (1, 1): "refuted",
    (1, 2): "refuted",
    (1, 3): "refuted",
    (2, 1): "refuted",
    (2, 2): "refuted",
    (2, 3): "refuted",
    (3, 1): "claimed",
    (3, 2): "claimed",
    (3, 3): "claimed",  # The two sides cannot both lose, and a draw has no winner.
    (4, 1): "refuted",  # A draw has no winner.
    (4, 2): "refuted",
    (4, 3): "claimed",
    (10, 1): "claimed",
    (10, 2): "claimed",
    (10, 3): "claimed",
}
"""Expected grounds for each ending of the sample game, keyed by Gravon result type and winner."""


@pytest.mark.parametrize(("claim", "basis"), BASES.items())
def test_claimed_ends(
    capsys: pytest.CaptureFixture[str], sample: Path, claim: tuple[int, int], basis: str
) -> None:
    kind, winner = claim
    path = altered(sample, RESULT, f'<result type="{kind}" winner="{winner}"/>')

    code, [verdict] = judged(capsys, path)
    assert main(["adjudicate", str(path)]) == code

    assert code == (1 if basis == "refuted" else 0)
    assert (verdict["verdict"], verdict["outcome"]["basis"]) == ("legal", basis)
    assert verdict["outcome"]["winner"] == {1: "red", 2: "blue", 3: None}[winner]
    assert (verdict["reason"] is None) == (basis != "refuted")
    assert f": {basis}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("kind", "named"),
    [
        ("duell", "duell"),
        ("barrage", "barrage"),
        ("ultimate lightning", "ultimate lightning"),
        ("chess", "chess"),
        ("Classic", "Classic"),
    ],
)
@pytest.mark.parametrize("edition", ["original-1992", "isf"])
def test_other_game_type_is_named(
    capsys: pytest.CaptureFixture[str], sample: Path, kind: str, named: str, edition: str
) -> None:
    code, [verdict] = judged(
        capsys, "--edition", edition, altered(sample, 'type="classic"', f'type="{kind}"')
    )

    assert code != 0
    assert verdict["verdict"] != "legal"
    assert f"'{named}'" in verdict["reason"]


@pytest.mark.parametrize(
    ("old", "new", "ply", "rule"),
    [
        ('id="5" source="F4" target="F5"', 'id="5" source="F4" target="G5"', 5, "movement"),
        ('id="20" source="I7" target="I6"', 'id="20" source="I7" target="H6"', 20, "movement"),
        ('id="5" source="F4" target="F5"', 'id="5" source="C1" target="C2"', 5, "immobile-piece"),
        ('id="5" source="F4" target="F5"', 'id="5" source="A7" target="A6"', 5, "out-of-turn"),
    ],
)
def test_illegal_ply(
    capsys: pytest.CaptureFixture[str], sample: Path, old: str, new: str, ply: int, rule: str
) -> None:
    code, [verdict] = judged(capsys, "--edition", "isf", altered(sample, old, new))
    assert code == 1
    assert (verdict["verdict"], verdict["ply"], verdict["rule"]) == ("illegal", ply, rule)
    assert "(ISF game rules: " in verdict["reason"]
    assert verdict["outcome"] is None


@pytest.mark.parametrize(
    ("options", "plies", "ply"),
    [
        (("--edition", "isf"), 6, None),
        (("--edition", "isf"), 7, 7),
        (("--edition", "original-1992"), 10, None),
        (("--edition", "original-1992"), 11, 11),
        (("--edition", "isf", "--two-squares-limit", "5"), 10, None),
        (("--edition", "isf", "--two-squares-limit", "5"), 11, 11),
    ],
)
def test_to_and_fro(
    capsys: pytest.CaptureFixture[str],
    sample: Path,
    options: tuple[str, ...],
    plies: int,
    ply: int | None,
) -> None:
    code, [verdict] = judged(capsys, *options, to_and_fro(sample, plies))
    assert code == (0 if ply is None else 1)
    assert verdict["ply"] == ply
    if ply:
        assert verdict["rule"] == "two-squares"
        assert "between e4 and e5" in verdict["reason"]


def test_setup_faults_are_listed(capsys: pytest.CaptureFixture[str], sample: Path) -> None:
    text = sample.read_text()
    start = text.index('content="') + len('content="')
    field = list(text[start : start + 100])
    field[0], field[45], field[60] = "A", "B", "A"
    path = sample.with_name("setup.xml")
    path.write_text(text[:start] + "".join(field) + text[start + 100 :])
    code, [verdict] = judged(capsys, path)
    assert (code, verdict["rule"], verdict["ply"]) == (1, "setup", None)
    assert "f5" in verdict["reason"]
    assert "Blue: no army in this game has 39 pieces" in verdict["reason"]
    assert verdict["reason"].count("Original Stratego 498") == 1, "the rulebook is cited only once"


def test_record_is_judged_by_the_default_edition(
    capsys: pytest.CaptureFixture[str], sample: Path
) -> None:
    assert judged(capsys, to_and_fro(sample, 10))[0] == 0
    code, [verdict] = judged(capsys, to_and_fro(sample, 11))
    assert (code, "Original Stratego 498" in verdict["reason"]) == (1, True)


def test_text_output(capsys: pytest.CaptureFixture[str], sample: Path) -> None:
    wrong = altered(sample, 'id="5" source="F4" target="F5"', 'id="5" source="F4" target="G5"')
    assert main(["adjudicate", str(sample), str(wrong), str(sample.with_name("no.xml"))]) == 2
    legal, illegal, unreadable = capsys.readouterr().out.splitlines()
    assert legal == f"{sample}: 206 plies, all legal; Blue wins (forfeit): claimed by the record"
    assert illegal.startswith(f"{wrong}: ply 5 of 206 breaks the rule movement: Pieces move")
    assert unreadable.startswith(f"{sample.with_name('no.xml')}: the file cannot be opened")


@pytest.mark.parametrize("limit", ["0", "-3", "three"])
def test_invalid_limit(capsys: pytest.CaptureFixture[str], limit: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["adjudicate", "--two-squares-limit", limit, "game.xml"])
    assert ended.value.code == 2
    assert "--two-squares-limit" in capsys.readouterr().err


def test_folder_of_games(capsys: pytest.CaptureFixture[str], tmp_path: Path, sample: Path) -> None:
    folder = tmp_path / "games"
    (folder / "older").mkdir(parents=True)
    shutil.copy(sample, folder / "1.xml")
    shutil.copy(sample, folder / "older" / "2.xml")
    shutil.copy(to_and_fro(sample, 7), folder / "3.xml")
    (folder / "4.xml").write_text("")

    assert main(["adjudicate", "--edition", "isf", str(folder)]) == 2
    *lines, summary = capsys.readouterr().out.splitlines()
    assert [line.partition(": ")[0] for line in lines] == [
        str(folder / file) for file in ("1.xml", "3.xml", "4.xml", "older/2.xml")
    ]
    assert summary == "4 games: 2 legal, 1 two-squares, 1 unreadable"

    code, verdicts = judged(capsys, "--edition", "isf", folder)
    assert (code, len(verdicts)) == (2, 4)


def test_progress_on_a_terminal(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(100):
        (tmp_path / f"{number}.xml").write_text("")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert main(["adjudicate", "--json", str(tmp_path)]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("\r1 of 100\r2 of 100")
    assert captured.err.endswith("\r99 of 100\r\x1b[K")
    assert len(captured.out.splitlines()) == 100
