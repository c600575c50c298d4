"""The sub-commands of ``boomboard``, one a file, and the options that several of them share."""

import argparse
from pathlib import Path

import platformdirs

from companion import language
from companion.journal import Journal
from engine.editions import DEFAULT, EDITIONS


class CommandError(Exception):
    """A command cannot go on: one plain sentence that says why, and a way out."""


def add_edition(parser: argparse.ArgumentParser) -> None:
    """Let the user choose the rulebook."""
    parser.add_argument(
        "--edition",
        choices=EDITIONS,
        default=DEFAULT.id,
        help="the rulebook that is played by (default: %(default)s)",
    )


def add_language(parser: argparse.ArgumentParser) -> None:
    """Let the user choose the language of everything that is said."""
    parser.add_argument(
        "--language",
        choices=language.codes(),
        default=language.SOURCE,
        metavar="CODE",
        help="the language of the players: %(choices)s (default: %(default)s)",
    )


def add_data(parser: argparse.ArgumentParser) -> None:
    """Let the user choose where games are kept."""
    parser.add_argument(
        "--data",
        type=Path,
        default=platformdirs.user_data_path("boomboard"),
        metavar="DIR",
        help="where games are kept (default: %(default)s)",
    )


def add_seed(parser: argparse.ArgumentParser) -> None:
    """Let the user repeat a run."""
    parser.add_argument(
        "--seed",
        type=int,
        default=0,
        metavar="S",
        help="the same seed gives the same run (default: %(default)s)",
    )


def open_journal(directory: Path, origin: str) -> Journal:
    """Open the journal of a folder for the games of one origin."""
    return Journal(directory / "games.sqlite", origin)
