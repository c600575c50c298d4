"""The ``boomboard`` command, its subcommands, and their error handling.

Everything else is imported by `main`, so that Ctrl-C ends the program without a traceback even if
it comes early.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

_COMMANDS: Final = (
    *(
        "play",
        "referee",
        "simulate",
        "table",
        "trace",
        "adjudicate",
        "verify",
        "games",
        "hall",
        "rules",
    ),
    *("bot", "tournament", "camera", "doctor", "decode", "calibrate", "flash"),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0 success, 2 failure, 130 interrupted by the user.

    Without arguments, open the companion's window.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    given = given or ["play"]
    _replace_closed_streams()
    try:
        parser = _parser([given[0]] if given[0] in _COMMANDS else _COMMANDS)
        return carry_out(parser.parse_args(given))
    except KeyboardInterrupt:
        return 130


def _replace_closed_streams() -> None:
    """Connect closed standard streams to the null device, as most programs expect open streams."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 (stays open)


def carry_out(options: argparse.Namespace) -> int:
    from companion.commands import CommandError  # noqa: PLC0415 (see above)
    from companion.storage.errors import JournalError  # noqa: PLC0415

    try:
        code: int = options.run(options)
    except (CommandError, JournalError) as error:
        from rich.console import Console  # noqa: PLC0415 (not needed without an error)

        console = Console(stderr=True, highlight=False, markup=False)
        console.print(f"boomboard: {error}", soft_wrap=not console.is_terminal)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The program reading the pipe, such as `head`, has exited, so another flush would fail too.
        sys.stdout = None
        return 1
    return code


class _Version(argparse.Action):
    """Prints the version and exits. The lookup is slow, so it is done only on demand."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version  # noqa: PLC0415

        print(f"boomboard {version('boomboard')}")
        parser.exit()


def _parser(names: Sequence[str] = _COMMANDS) -> argparse.ArgumentParser:
    """Build a parser for the commands in `names` only. Loading all commands takes 50 % longer."""
    parser = argparse.ArgumentParser(
        prog="boomboard",
        description="An automatic referee for a real Stratego board. Without a command, the "
        "companion is opened, as with “boomboard play”.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name in names:
        command = import_module(f"companion.commands.{name}")
        summary = (command.__doc__ or "").strip().splitlines()[0]
        sub = commands.add_parser(name, help=summary[0].lower() + summary[1:].rstrip("."))
        sub.description = command.__doc__
        sub.formatter_class = argparse.RawDescriptionHelpFormatter
        command.add_arguments(sub)
        sub.set_defaults(run=command.run)
    return parser
