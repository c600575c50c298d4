"""Command line for the test packages that are run with ``python -m``."""

import argparse
from collections.abc import Callable, Sequence

from companion.cli import carry_out


def main(
    package: str,
    description: str | None,
    add_arguments: Callable[[argparse.ArgumentParser], None],
    run: Callable[[argparse.Namespace], int],
    arguments: Sequence[str] | None,
) -> int:
    """Parse the arguments and return the exit code of `run`.

    By default, the arguments are those of the process.
    """
    parser = argparse.ArgumentParser(
        prog=f"python -m {package}",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_arguments(parser)
    parser.set_defaults(run=run)
    return carry_out(parser.parse_args(arguments))
