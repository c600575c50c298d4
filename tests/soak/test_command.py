import json
from functools import partial
from pathlib import Path

import pytest

from companion.cli import main as boomboard
from tests.soak import __main__
from tests.soak.__main__ import main
from tests.soak.runner import record, run_many
from tests.soak.spoiled import SPOILED
from tests.soak.test_soak import BROKEN, LASTS_MS

SHORT_MS = 30_000


@pytest.fixture
def briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(__main__, "run_many", partial(run_many, lasts_ms=SHORT_MS))


@pytest.mark.usefixtures("briefly")
def test_sessions_are_summed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--seeds", "2", "--seed", "5", "--jobs", "1"]) == 0
    output = capsys.readouterr().out
    assert output.startswith("2 sessions (seeds 5 to 6), 0.0 hours of play, ")
    assert ": 0 broken. It took " in output


@pytest.mark.usefixtures("briefly")
def test_session_is_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--seeds", "1", "--hours", "1", "--jobs", "1", "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    report = json.loads(line)
    assert report["seed"] == 0
    assert report["seconds"] >= SHORT_MS / 1000
    assert report["broken"] is report["trace"] is None


def test_failure_is_reported_with_its_trace(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    SPOILED[BROKEN].spoil(monkeypatch)
    monkeypatch.setattr(__main__, "run_many", partial(run_many, lasts_ms=LASTS_MS))
    monkeypatch.setattr(__main__, "record", partial(record, lasts_ms=LASTS_MS))
    seed = str(SPOILED[BROKEN].seed)
    given = ["--seeds", "1", "--seed", seed, "--jobs", "1", "--traces", str(tmp_path)]
    assert main(given) == 1
    output = capsys.readouterr().out
    assert output.startswith(f"seed {seed}, step ")
    assert "nothing private becomes public: lamps: " in output
    trace = next(word for word in output.split() if word.startswith(str(tmp_path)))
    assert boomboard(["trace", "replay", trace.rstrip("”.")]) == 0


def test_invalid_options(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--hours", "soon"])
    assert "hours, such as 4 or 0.5; found 'soon'" in capsys.readouterr().err
