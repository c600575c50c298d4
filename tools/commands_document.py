"""Generate the options and events in docs/commands.md from the code: ``make commands``.

The options come from the argument parsers, and the events of ``boomboard table`` come from their
dataclasses. An option that several commands share is documented only once. The sub-commands and
options of the commands in `GUIDES` are documented on separate pages.
"""

# ruff: noqa: SLF001 (argparse has no public list of the options of a parser)

import argparse
import ast
import inspect
import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple, get_args

import platformdirs

from companion import cli
from companion.core import events
from companion.jsonl.requests import NAMES as COMMANDS
from engine.game import rulings
from engine.records.serialization import published_name
from hardware.drawing.sheet import draw_part

ROOT: Final = Path(__file__).parents[1]
DOCUMENT: Final = ROOT / "docs" / "commands.md"
EVENTS: Final = [kind for kind in get_args(events.Event) if kind is not events.ColoursDrawn]
"""Events that the table emits. `ColoursDrawn` is emitted elsewhere, before a game."""

_QUESTIONS: Final = (
    events.ConfirmAttack,
    events.ChooseAttacker,
    events.ChooseExplanation,
    events.AttackSuggested,
    rulings.StalemateClaimed,
)
"""Events that only announce a question. The page explains the questions elsewhere."""
_PLAIN: Final = (
    rulings.ArmiesPlaced,
    rulings.AttackWithdrawn,
    rulings.Declared,
    rulings.DisputeSettled,
    rulings.Infiltrated,
    rulings.SealsBroken,
    rulings.TakenBack,
    events.BoardConnected,
    events.BoardDisconnected,
    events.Lifted,
    events.SensorFlickering,
    events.LowSupply,
    events.Restored,
    events.SetupTimeUp,
)
"""Events whose names and fields need no explanation."""
GUIDES: Final = ("camera", "hall", "tournament")
"""Commands whose sub-commands and options are documented on a separate page."""
_PAGE: Final = re.compile(r"\bdocs/((?!commands)\w+\.md)")
_DEFAULT: Final = re.compile(r" *\(default: (.*)\)$")


class Option(NamedTuple):
    """An option or argument. Commands share an option even if their defaults differ."""

    typed: str
    help_text: str


def draw(text: str) -> str:
    """Return the document with its generated parts replaced."""
    text = draw_part(text, "common options", common_options())
    text = draw_part(text, "events", list_events())
    for name in parsers():
        text = draw_part(text, name, section(name))
    return text


def parsers() -> Mapping[str, argparse.ArgumentParser]:
    return {name: parser for name, (parser, _) in _below(cli._parser()).items()}


def common_options() -> str:
    """Return the options that several commands share, as one list for each set of commands."""
    grouped: dict[tuple[str, ...], list[str]] = {}
    for (typed, help_text), defaults in _common().items():
        item = _item(typed, _with_default(help_text, _joined(defaults)))
        grouped.setdefault(tuple(defaults), []).append(item)
    return "\n\n".join(
        "\n".join([f"{', '.join(commands)}:", "", *items]) for commands, items in grouped.items()
    )


def _item(typed: str, help_text: str, commands: Sequence[str] = ()) -> str:
    """Return a list item: an option or command, the commands that accept it, and its help text."""
    of = f" ({', '.join(commands)})" if commands else ""
    return f"- `{typed}`{of}: {help_text}"


def _joined(defaults: Mapping[str, str]) -> str:
    """Return an option's usual default, and any commands in which the default is different."""
    counts = Counter(filter(None, defaults.values()))
    if len(counts) < 2:
        return "".join(counts)
    (commonest, _), *_ = counts.most_common(1)
    of = {text: [name for name, each in defaults.items() if each == text] for text in counts}
    others = [f"{', '.join(of[text])}: {text}" for text in counts if text != commonest]
    return "; ".join([commonest, *others])


def _with_default(help_text: str, default: str) -> str:
    return " ".join(filter(None, [help_text, f"(default: {default})" if default else ""]))


def section(name: str) -> str:
    """Return the description of a command, its sub-commands and its own options."""
    parser = parsers()[name]
    parts = [_PAGE.sub(r"[\1](\1)", _one_line(parser.description or ""))]
    if name in GUIDES:
        return parts[0]
    below = _below(parser)
    if below:
        items = [
            _item(_invoked(name, sub, each), summary) for sub, (each, summary) in below.items()
        ]
        parts.append("\n".join(items))
    common = _common()
    items = [
        _item(each.typed, _with_default(each.help_text, default), _some(subs, below))
        for each, (default, subs) in _options(parser).items()
        if each not in common
    ]
    if items:
        parts.append("\n".join(["Options:", "", *items] if below else items))
    return "\n\n".join(filter(None, parts))


def own_words(name: str) -> set[str]:
    """Return the names of a command's sub-commands and of the options that no other command has."""
    parser, common = parsers()[name], _common()
    typed = [option.typed for option in _options(parser) if option not in common]
    return {*_below(parser), *re.findall(r"--[\w-]+", " ".join(typed))}


def _some(commands: Sequence[str], below: Mapping[str, object]) -> Sequence[str]:
    """Return the sub-commands that accept an option, or an empty sequence if all of them do."""
    return commands if below and len(commands) < len(below) else ()


def list_events() -> str:
    """Return a list of all events that the table emits, with their fields.

    Events that repeat a command, ask a question or have a self-explanatory name are listed without
    a description.
    """
    groups: dict[str, list[type]] = {
        "Repeating a command": [kind for kind in EVENTS if published_name(kind) in COMMANDS],
        "Asking a question": list(_QUESTIONS),
        "Explained by their names": list(_PLAIN),
    }
    grouped = {kind for kinds in groups.values() for kind in kinds}
    return "\n".join(
        [
            *(
                f"- {_event(kind)}: {_documentation(kind)}"
                for kind in EVENTS
                if kind not in grouped
            ),
            *(f"- {title}: {', '.join(map(_event, kinds))}" for title, kinds in groups.items()),
        ]
    )


def _event(kind: type) -> str:
    fields = ", ".join(f"`{each}`" for each in events.event_fields(kind))
    return f"`{published_name(kind)}`{fields and f' ({fields})'}"


def _below(
    parser: argparse.ArgumentParser,
) -> Mapping[str, tuple[argparse.ArgumentParser, str]]:
    """Return a parser's sub-commands with their summaries."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            help_texts = {each.dest: each.help or "" for each in action._choices_actions}
            return {name: (each, help_texts[name]) for name, each in action.choices.items()}
    return {}


def _common() -> Mapping[Option, Mapping[str, str]]:
    """Return the options that several commands share, each with its default in every command."""
    found: dict[Option, dict[str, str]] = {}
    for name, parser in parsers().items():
        for each, (default, _) in _options(parser).items():
            found.setdefault(each, {})[name] = default
    return {each: defaults for each, defaults in found.items() if len(defaults) > 1}


def _options(parser: argparse.ArgumentParser) -> Mapping[Option, tuple[str, list[str]]]:
    """Return a parser's options with their defaults and the sub-commands that accept each one."""
    below = _below(parser)
    found: dict[Option, tuple[str, list[str]]] = {}
    for name, each in [(name, each) for name, (each, _) in below.items()] or [("", parser)]:
        for action in each._actions:
            is_shown = action.option_strings or not below  # other arguments are in the table above
            if is_shown and not isinstance(action, argparse._HelpAction):
                option, default = _option(each, action)
                found.setdefault(option, (default, []))[1].append(name)
    return found


def _option(parser: argparse.ArgumentParser, action: argparse.Action) -> tuple[Option, str]:
    help_text = _help(parser, action)
    default = _DEFAULT.search(help_text)
    return Option(_typed(parser, action), _DEFAULT.sub("", help_text)), default[
        1
    ] if default else ""


def _typed(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    """Return an option or argument with a placeholder for its value, as the user enters it."""
    formatter = parser._get_formatter()
    default = (action.dest.upper() if action.option_strings else action.dest) or ""
    value = formatter._format_args(action, default) if action.nargs != 0 else ""
    value = re.sub(r"\{(.*?)\}", lambda found: found[1].replace(",", "|"), value)
    return _one_line(" ".join(filter(None, [", ".join(action.option_strings), value])))


def _help(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    """Return an option's help text, with the path of the current user's data folder replaced."""
    help_text = parser._get_formatter()._expand_help(action) if action.help else ""
    home = str(platformdirs.user_data_path("boomboard"))
    return _one_line(help_text.replace(home, "the user's data folder"))


def _invoked(name: str, sub: str, parser: argparse.ArgumentParser) -> str:
    """Return a sub-command with its arguments."""
    arguments = [_typed(parser, action) for action in parser._actions if not action.option_strings]
    return " ".join([name, sub, *arguments])


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _documentation(kind: type) -> str:
    """Return the docstrings of an event and its fields, with the names used in JSON."""
    whole = " ".join((inspect.getdoc(kind) or "").split())
    names = events.event_fields(kind)
    fields = [f"`{name}`: {text}" for name, text in _field_docstrings(kind) if name in names]
    return _one_line(" ".join([whole, *fields])).replace("None", "null")


def _field_docstrings(kind: type) -> Iterator[tuple[str, str]]:
    """Yield each field of a dataclass with its docstring. Fields without one are omitted."""
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(definition, ast.ClassDef)
    body = definition.body
    for here, after in pairwise(body):
        match here, after:
            case ast.AnnAssign(ast.Name(name)), ast.Expr(ast.Constant(str() as text)):
                yield name, " ".join(text.split())


def main() -> None:
    DOCUMENT.write_text(draw(DOCUMENT.read_text("utf-8")), encoding="utf-8")
    print(DOCUMENT.name)


if __name__ == "__main__":
    main()
