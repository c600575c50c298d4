"""Tests that pyright can check programs against the type annotations in the engine wheel."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.project import ROOT
from tests.project.test_wheel import PROGRAM, build, environment_of

PYRIGHT = Path(__file__).parent / "node_modules" / ".bin" / "pyright"


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a virtual environment in which only the engine is installed."""
    folder = tmp_path_factory.mktemp("engine")
    return environment_of(build(ROOT, folder)["boomboard_engine"], folder).parents[1]


def pyright(environment: Path, folder: Path, *arguments: str) -> dict[str, Any]:
    """Run pyright with the Python of an environment, and return its report."""
    paths = {"PATH": f"{environment / 'bin'}:{os.environ['PATH']}", "PYTHONPATH": ""}
    done = subprocess.run(
        [str(PYRIGHT), "--outputjson", *arguments],
        cwd=folder,
        env=os.environ | paths,
        capture_output=True,
        text=True,
        check=False,
    )
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def check(environment: Path, folder: Path, program: str) -> list[dict[str, Any]]:
    """Return pyright's errors and warnings for a program."""
    (folder / "program.py").write_text(program)
    (folder / "pyrightconfig.json").write_text(json.dumps({"typeCheckingMode": "strict"}))
    found: list[dict[str, Any]] = pyright(environment, folder)["generalDiagnostics"]
    return found


def test_small_program_type_checks(environment: Path, tmp_path: Path) -> None:
    assert check(environment, tmp_path, PROGRAM) == []


def test_wrong_argument_is_found(environment: Path, tmp_path: Path) -> None:
    (found,) = check(environment, tmp_path, f"{PROGRAM}game.push([4])\n")
    assert found["rule"] == "reportArgumentType"


def test_public_names_are_typed(environment: Path, tmp_path: Path) -> None:
    """The PettingZoo environment is excluded because PettingZoo is not installed."""
    report = pyright(environment, tmp_path, "--ignoreexternal", "--verifytypes", "engine")
    symbols = [
        symbol
        for symbol in report["typeCompleteness"]["symbols"]
        if symbol["isExported"] and not symbol["name"].startswith("engine.pettingzoo_env.")
    ]
    unknown = [s["name"] for s in symbols if not s["isTypeKnown"] and not s["isTypeAmbiguous"]]
    assert len(symbols) > 500
    assert unknown == []
