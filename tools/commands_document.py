"""Generate the options and the events of docs/commands.md from the code: ``make commands``.

The options come from the parsers that ``--help`` prints, the events of ``boomboard table`` from
their dataclasses. An option that several commands have is documented once.
"""

# ruff: noqa: SLF001 (argparse has no public list of the options of a parser)

import argparse
import ast
import inspect
import re
import textwrap
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple, get_args

import platformdirs

from companion import cli
from companion.core.events import ColoursDrawn, Event
from companion.jsonl.events import event_name, field_names
from companion.rules_pages.markdown import table
from hardware.drawing.sheet import draw_part
from tests.bench import __main__ as bench
from tests.hands import __main__ as hands
from tests.soak import __main__ as soak

ROOT: Final = Path(__file__).parents[1]
DOCUMENT: Final = ROOT / "docs" / "commands.md"
EVENTS: Final = [kind for kind in get_args(Event) if kind is not ColoursDrawn]
"""Events that the table emits: the draw before a game is not one of them."""

_DEFAULT: Final = re.compile(r" *\(default: (.*)\)$")


class Option(NamedTuple):
    """An option or argument; the same in several commands if only the default differs."""

    typed: str
    help_text: str


def draw(text: str) -> str:
    """Return the document with its generated parts replaced."""
    text = draw_part(text, "commands", commands())
    text = draw_part(text, "development", development())
    text = draw_part(text, "common options", common_options())
    text = draw_part(text, "events", events())
    for name in parsers():
        text = draw_part(text, name, section(name))
    return text


def parsers() -> Mapping[str, argparse.ArgumentParser]:
    """Return the parsers of all commands and of the modules for development."""
    below = {**_below(cli._parser()), **_development()}
    return {name: parser for name, (parser, _) in below.items()}


def commands() -> str:
    """Return a table of all commands with their summaries."""
    rows = [
        [f"[`boomboard {name}`](#boomboard-{name})", _escaped(summary)]
        for name, (_, summary) in _below(cli._parser()).items()
    ]
    return table(["command", "does"], rows)


def development() -> str:
    """Return a table of the modules that are run for development."""
    rows = [
        [f"[`python -m tests.{name}`](#python--m-tests{name})", _escaped(summary)]
        for name, (_, summary) in _development().items()
    ]
    return table(["module", "does"], rows)


def _development() -> Mapping[str, tuple[argparse.ArgumentParser, str]]:
    found = {"hands": hands.parser(), "soak": soak.parser(), "bench": bench.parser()}
    return {name: (each, _summary(each)) for name, each in found.items()}


def _summary(parser: argparse.ArgumentParser) -> str:
    first, _, _ = (parser.description or "").partition("\n")
    return first[0].lower() + first[1:].rstrip(".")


def common_options() -> str:
    """Return a table of the options that several commands have."""
    rows = [
        [f"`{typed}`", _with_default(help_text, _joined(defaults)), ", ".join(defaults)]
        for (typed, help_text), defaults in _common().items()
    ]
    return table(["option", "does", "of"], rows)


def _joined(defaults: Mapping[str, str]) -> str:
    """Return the default of an option, or several with the commands of each."""
    texts = list(dict.fromkeys(filter(None, defaults.values())))
    if len(texts) < 2:
        return "".join(texts)
    of = {text: [name for name, each in defaults.items() if each == text] for text in texts}
    return "; ".join(f"{text} for {', '.join(names)}" for text, names in of.items())


def _with_default(help_text: str, default: str) -> str:
    return " ".join(filter(None, [help_text, f"(default: {default})" if default else ""]))


def section(name: str) -> str:
    """Return the description of a command, its sub-commands, and its own options."""
    parser = parsers()[name]
    _, _, description = (inspect.cleandoc(parser.description or "")).partition("\n")
    parts = [" ".join(description.split())]
    below = _below(parser)
    if below:
        rows = [
            [f"`{_invoked(name, sub, each)}`", summary] for sub, (each, summary) in below.items()
        ]
        parts.append(table(["command", "does"], rows))
    common = _common()
    rows = [
        [f"`{each.typed}`", _with_default(each.help_text, default), ", ".join(subs)]
        for each, (default, subs) in _options(parser).items()
        if each not in common
    ]
    if rows:
        columns = 3 if below else 2
        head = ["option", "does", "of"][:columns]
        parts.append(table(head, [row[:columns] for row in rows]))
    return "\n\n".join(filter(None, parts))


def events() -> str:
    """Return a table of all events that the table emits, with their fields."""
    rows = [
        [
            f"`{event_name(kind)}`",
            ", ".join(f"`{each}`" for each in field_names(kind)),
            _documentation(kind),
        ]
        for kind in EVENTS
    ]
    return table(["`event`", "fields", "tells"], rows)


def _below(
    parser: argparse.ArgumentParser,
) -> Mapping[str, tuple[argparse.ArgumentParser, str]]:
    """Return the sub-commands of a parser with their summaries."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            help_texts = {each.dest: each.help or "" for each in action._choices_actions}
            return {name: (each, help_texts[name]) for name, each in action.choices.items()}
    return {}


def _common() -> Mapping[Option, Mapping[str, str]]:
    """Return the options that several commands have, with the default in each of these."""
    found: dict[Option, dict[str, str]] = {}
    for name, parser in parsers().items():
        for each, (default, _) in _options(parser).items():
            found.setdefault(each, {})[name] = default
    return {each: defaults for each, defaults in found.items() if len(defaults) > 1}


def _options(parser: argparse.ArgumentParser) -> Mapping[Option, tuple[str, list[str]]]:
    """Return the options of a parser with their defaults, and the sub-commands that have them."""
    below = _below(parser)
    found: dict[Option, tuple[str, list[str]]] = {}
    for name, each in [(name, each) for name, (each, _) in below.items()] or [("", parser)]:
        for action in each._actions:
            is_shown = action.option_strings or not below  # else it is in the table above
            if is_shown and not isinstance(action, argparse._HelpAction):
                option, default = _option(each, action)
                found.setdefault(option, (default, []))[1].append(name)
    return found


def _option(parser: argparse.ArgumentParser, action: argparse.Action) -> tuple[Option, str]:
    """Return an option and its default."""
    help_text = _help(parser, action)
    default = _DEFAULT.search(help_text)
    return Option(_typed(parser, action), _DEFAULT.sub("", help_text)), default[
        1
    ] if default else ""


def _typed(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    """Return how an option or argument is typed, with its value."""
    formatter = parser._get_formatter()
    default = (action.dest.upper() if action.option_strings else action.dest) or ""
    value = formatter._format_args(action, default) if action.nargs != 0 else ""
    value = re.sub(r"\{(.*?)\}", lambda found: found[1].replace(",", "|"), value)
    return _escaped(" ".join(filter(None, [", ".join(action.option_strings), value])))


def _help(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    """Return the help of an option; paths of the user are not those of this computer."""
    help_text = parser._get_formatter()._expand_help(action) if action.help else ""
    home = str(platformdirs.user_data_path("boomboard"))
    return _escaped(help_text.replace(home, "the user's data folder"))


def _invoked(name: str, sub: str, parser: argparse.ArgumentParser) -> str:
    """Return a sub-command with its arguments."""
    arguments = [_typed(parser, action) for action in parser._actions if not action.option_strings]
    return " ".join([name, sub, *arguments])


def _escaped(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _documentation(kind: type) -> str:
    """Return the docstrings of an event and of its fields, in the words of JSON."""
    whole = " ".join((inspect.getdoc(kind) or "").split())
    names = field_names(kind)
    told = [f"`{name}`: {text}" for name, text in _field_docstrings(kind) if name in names]
    return _escaped(" ".join([whole, *told])).replace("None", "null")


def _field_docstrings(kind: type) -> Iterator[tuple[str, str]]:
    """Yield the fields of a dataclass that have a docstring."""
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(definition, ast.ClassDef)
    body = definition.body
    for here, after in pairwise(body):
        match here, after:
            case ast.AnnAssign(ast.Name(name)), ast.Expr(ast.Constant(str() as text)):
                yield name, " ".join(text.split())


def main() -> None:
    """Write the document."""
    DOCUMENT.write_text(draw(DOCUMENT.read_text("utf-8")), encoding="utf-8")
    print(DOCUMENT.name)


if __name__ == "__main__":
    main()
