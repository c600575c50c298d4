"""What continuous integration starts."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.house import ROOT


@pytest.mark.parametrize(("given", "seen"), [(None, "true"), ("", "true"), ("1", "1")])
def test_every_test_knows_that_it_runs_there(tmp_path: Path, given: str | None, seen: str) -> None:
    make = tmp_path / "make"
    make.write_text('#!/bin/sh\necho "make $*, CI=$CI"\n')
    make.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    environment.pop("CI", None)
    if given is not None:
        environment["CI"] = given
    run = subprocess.run(
        [str(ROOT / ".ci" / "run")], capture_output=True, text=True, check=True, env=environment
    )
    assert run.stdout == f"make test, CI={seen}\n"
