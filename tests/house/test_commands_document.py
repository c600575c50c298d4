"""docs/commands.md documents every command and every option."""

import argparse
import re
from collections.abc import Iterator

import pytest

from companion import cli
from tests.house import ROOT

DOCUMENT = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
GENERAL, *SECTIONS = re.split(r"^## ", DOCUMENT, flags=re.MULTILINE)


def subparsers(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


COMMANDS = subparsers(cli._parser())


def options(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        yield from (option for option in action.option_strings if option not in ("-h", "--help"))
    for below in subparsers(parser).values():
        yield from options(below)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_of_a_command_is_told(name: str) -> None:
    assert f"| `boomboard {name}" in GENERAL
    own = "".join(each for each in SECTIONS if re.match(rf"boomboard {name}\b", each))
    told = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", GENERAL + own))
    assert set(options(COMMANDS[name])) <= told


def test_every_section_is_of_a_command() -> None:
    told = {match[1] for each in SECTIONS if (match := re.match(r"boomboard (\w+)", each))}
    assert len(told) == len(SECTIONS)
    assert told <= set(COMMANDS)
