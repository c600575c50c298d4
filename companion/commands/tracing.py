"""The option for recording the inputs of the table with a flight recorder."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

if TYPE_CHECKING:  # few games are recorded
    from companion.recorder.recorder import Recorder


def add_trace(parser: argparse.ArgumentParser) -> None:
    """Add the option for recording all inputs of the table."""
    parser.add_argument(
        "--trace",
        nargs="?",
        type=Path,
        const=platformdirs.user_data_path("boomboard") / "traces",
        metavar="FOLDER",
        help="keep all that reaches the table in trace files, with declared ranks, for “boomboard "
        "trace” (default folder: %(const)s)",
    )


@contextmanager
def tracing(folder: Path | None) -> "Iterator[Recorder | None]":
    """Record into a folder, if one is named; errors of the recorder are printed as sentences."""
    if folder is None:
        yield None
        return
    from companion.recorder.recorder import Recorder  # noqa: PLC0415

    with Recorder(folder, _tell) as recorder:
        yield recorder


def _tell(sentence: str) -> None:
    print(f"boomboard: {sentence}", file=sys.stderr, flush=True)
