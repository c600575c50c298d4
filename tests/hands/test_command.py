import json

import pytest

from tests.hands.__main__ import main


def test_profile_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", "--plies", "20", "--jobs", "1", "--policies"]) == 0
    output = capsys.readouterr().out
    assert "wait-250-ms" in output
    assert "rules-decide" in output
    assert "clean: attack-" in output


def test_figures_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fast", "--plies", "20", "--jobs", "1", "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    found = json.loads(line)
    assert found["profile"] == "fast"
    assert found["plies"] > 0
    assert found["ruled_ms"]["median"] > 0
    assert found["done"]["fast-answer"] > 0


def test_game_as_table_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", "--game", "1"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == {"at": 0.0, "found": {"colours": True}}
    assert {tuple(line)[1] for line in lines} <= {"found", "board", "say", "time"}


@pytest.mark.parametrize("wrong", [["nobody"], ["--game", "1"], ["clean", "fast", "--game", "1"]])
def test_invalid_options(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*wrong]) == 2
    assert "boomboard:" in capsys.readouterr().err
