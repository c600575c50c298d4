"""Without the "hall" extra, games still work. Hall commands explain how to install the extra."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.campaigns import RARE, slow_after_first
from tests.companion.hall_packages import without_hall

WHERE = "“pip install 'boomboard[hall]'”, or in a clone with “tools/setup.sh hall”."


def boomboard(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "companion", *words],
        env=without_hall(folder),
        input="",
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    "words",
    [
        ("table", "--json"),
        ("play", "--help"),
        ("hall", "--help"),
        ("hall", "broker-config", "{}/hall", "--tables", "2"),
        ("tournament", "new", "--file", "{}/cup.jsonl"),
    ],
    ids=" ".join,
)
@RARE
def test_commands_without_hall_packages(words: tuple[str, ...], tmp_path: Path) -> None:
    done = boomboard(tmp_path, *(each.format(tmp_path) for each in words))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("words", "package"),
    slow_after_first(
        "variants",
        [
            (("play", "--hall", "table-1.json", "--simulate", "--data", "{}"), "paho"),
            (("referee", "--hall", "table-1.json", "--data", "{}"), "paho"),
            (("hall", "serve", "{}"), "jinja2"),
            (("hall", "rehearse"), "jinja2"),
        ],
    ),
    ids=str,
)
def test_missing_hall_packages_are_named(
    words: tuple[str, ...], package: str, tmp_path: Path
) -> None:
    assert_named(package, boomboard(tmp_path, *(each.format(tmp_path) for each in words)))


@RARE
def test_missing_package_for_printing_is_named(tmp_path: Path) -> None:
    file = "--file", str(tmp_path / "cup.jsonl")
    for words in (("new",), ("add", "Ada"), ("add", "Bo")):
        boomboard(tmp_path, "tournament", *words, *file)
    assert_named("jinja2", boomboard(tmp_path, "tournament", "print", "standings", *file))


def assert_named(package: str, done: subprocess.CompletedProcess[str]) -> None:
    """Assert that a command failed with a single sentence that names the missing package."""
    assert done.returncode == 2
    (sentence,) = done.stderr.splitlines()
    assert package in sentence
    assert sentence.endswith(WHERE)
