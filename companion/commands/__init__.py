"""The sub-commands of ``boomboard``, one per file, and the options and output they share."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

import platformdirs

from companion.speech import i18n
from companion.storage.journal import Journal
from companion.storage.journal_provider import JournalProvider
from engine.game.clocks import NO_CLOCK, TIME_CONTROLS, TimeControl
from engine.game.rulings import GameOver, Reason
from engine.rules.editions import DEFAULT, EDITIONS, Edition, Handicap, MovedBombPenalty

FILE: Final = "games.sqlite"
"""File name of the database in the saved-games folder."""
CHOSEN_LAST: Final = "the one last chosen on the screen"


class CommandError(Exception):
    """The command cannot continue. The message is one sentence with the reason and a remedy."""


@contextmanager
def hall_packages() -> Iterator[None]:
    """Guard imports that require the "hall" extra.

    If a package is missing, the CommandError explains how to install it.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise CommandError(
            f"A hall needs the package {error.name}, which is not installed; install it with “pip "
            "install 'boomboard[hall]'”, or in a clone with “tools/setup.sh hall”."
        ) from error


def add_edition(
    parser: argparse.ArgumentParser,
    default: str | None = DEFAULT.id,
    otherwise: str = f"the file's rulebook, else {DEFAULT.id}",
) -> None:
    """Add the rulebook option. `otherwise` describes the value used if there is no default."""
    parser.add_argument(
        "--edition",
        choices=EDITIONS,
        default=default,
        help=f"the rulebook of the game (default: {default or otherwise})",
    )


def add_choices(parser: argparse.ArgumentParser, default: str | None = DEFAULT.id) -> None:
    """Add the options for the rulebook and for the choices that it leaves open."""
    add_edition(parser, default, CHOSEN_LAST)
    armies = sorted({army.name for edition in EDITIONS.values() for army in edition.armies})
    parser.add_argument("--army", choices=armies, help="the army, if the rulebook has several")
    parser.add_argument(
        "--two-squares-limit",
        type=int,
        metavar="N",
        help="maximum number of consecutive back-and-forth moves, if the rulebook leaves it open",
    )
    parser.add_argument(
        "--moved-bomb",
        choices=[MovedBombPenalty.NOT_ALLOWED.value, MovedBombPenalty.LOSES.value],
        help="the penalty for moving a bomb or the flag, if the rulebook leaves it open",
    )
    parser.add_argument(
        "--silent-defence",
        action="store_true",
        help="the rank of a winning defender is not revealed",
    )
    parser.add_argument(
        "--aggressor-advantage",
        action="store_true",
        help="if the ranks are equal, only the defender falls",
    )
    parser.add_argument(
        "--touch-move",
        action="store_true",
        help="a lifted piece must move if it can",
    )
    parser.add_argument(
        "--handicap",
        type=_handicap,
        metavar="HANDICAP",
        help="the weaker side and its advantages, joined by +, such as red+marshal+time. spy, "
        "scouts, bombs, marshal or general: the other side lacks these pieces (bombs: half of "
        "them; general: also the marshal); open: its ranks are visible; take-backs: no agreement "
        "needed; time: doubled",
    )


def chosen_edition(options: argparse.Namespace) -> Edition:
    """Return the edition with the chosen options.

    Raise CommandError if the rulebook excludes one of the options.
    """
    edition = EDITIONS[options.edition or DEFAULT.id]
    try:
        if options.army is not None:
            edition = edition.with_army(options.army)
        if options.two_squares_limit is not None:
            edition = edition.with_limit(options.two_squares_limit)
        if options.moved_bomb is not None:
            edition = edition.with_moved_bomb(MovedBombPenalty(options.moved_bomb))
    except ValueError as error:
        raise CommandError(f"{error}.") from error
    return replace(
        edition,
        silent_defence=options.silent_defence,
        aggressor_advantage=options.aggressor_advantage,
        touch_move=options.touch_move,
        handicap=options.handicap,
    )


def _handicap(text: str) -> Handicap:
    try:
        return Handicap.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def add_clock(parser: argparse.ArgumentParser, default: TimeControl | None = NO_CLOCK) -> None:
    parser.add_argument(
        "--clock",
        type=_control,
        metavar="CLOCK",
        default=default,
        help=f"{', '.join(TIME_CONTROLS)}, or each side's minutes and the seconds given back per "
        "turn, such as 12+4; optionally followed by limits for the whole game and the setup, in "
        f"minutes, such as 15+10,whole=60,setup=5 (default: {default or CHOSEN_LAST})",
    )


def _control(text: str) -> TimeControl:
    try:
        return TimeControl.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def add_language(parser: argparse.ArgumentParser, default: str | None = i18n.SOURCE) -> None:
    parser.add_argument(
        "--language",
        choices=i18n.codes(),
        default=default,
        metavar="CODE",
        help=f"%(choices)s (default: {default or CHOSEN_LAST})",
    )


def add_ranks(parser: argparse.ArgumentParser) -> None:
    """Add the option for the notation of ranks."""
    signs = i18n.RankSigns
    parser.add_argument(
        "--ranks",
        type=signs,
        choices=signs,
        default=signs.EUROPEAN,
        metavar="SIGNS",
        help="european (10 is the marshal), american (1 is the marshal, S the spy) or names "
        "(default: european)",
    )


def add_data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data",
        type=Path,
        default=platformdirs.user_data_path("boomboard"),
        metavar="DIR",
        help="the folder with the saved games (default: %(default)s)",
    )


def add_seed(parser: argparse.ArgumentParser) -> None:
    """Add the option for the random seed, which makes a run reproducible."""
    parser.add_argument(
        "--seed",
        type=int,
        default=0,
        metavar="S",
        help="the same seed gives the same run (default: %(default)s)",
    )


def counting(text: str) -> int:
    """Parse a number of repetitions. The minimum is 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return int(text)


def open_journals(directory: Path, origin: str) -> JournalProvider:
    """Return a provider for the journal in a folder, limited to the games from `origin`.

    The journal is opened only when it is needed, so an unusable journal raises no error here.
    """
    return JournalProvider(directory / FILE, origin)


def open_journal(directory: Path) -> Journal:
    """Open the saved games for reading and deleting. A missing file is not created."""
    return Journal(directory / FILE, creates=False)


def add_out(parser: argparse.ArgumentParser) -> None:
    """Add the options for the output file and for overwriting an existing file."""
    parser.add_argument("-o", "--out", type=Path, metavar="FILE", help="write to this file")
    parser.add_argument("--force", action="store_true", help="overwrite an existing file")


def reason_of(error: OSError | ValueError) -> str:
    """Return the reason of an error without its number, for a message to the user."""
    return getattr(error, "strerror", None) or str(error)


def write_out(data: bytes, options: argparse.Namespace) -> None:
    """Write the output to the chosen file, or to standard output if none was chosen.

    Raise CommandError if the file cannot be written.
    """
    if not options.out:
        sys.stdout.buffer.write(data)
        return
    try:
        with options.out.open("wb" if options.force else "xb") as file:
            file.write(data)
    except FileExistsError as error:
        raise CommandError(
            f"{options.out} already exists; choose another file, or overwrite it with --force."
        ) from error
    except OSError as error:
        raise CommandError(
            f"{options.out} cannot be written ({error.strerror}); choose another file with --out."
        ) from error


def as_json(outcome: GameOver | None) -> dict[str, str | None] | None:
    """Convert the outcome of a game to JSON, or return None for an unfinished game.

    The winner is None in a draw, and in a game that the arbiter has declared lost for both sides.
    """
    if outcome is None:
        return None
    winner = outcome.winner.value if outcome.winner else None
    return {"winner": winner, "reason": outcome.reason.value}


def in_words(outcome: dict[str, str | None] | None) -> str:
    """Describe an outcome from `as_json` in a few words."""
    if outcome is None:
        return "not over"
    if outcome["winner"]:
        end = f"{outcome['winner'].capitalize()} wins"
    else:
        end = "both have lost" if outcome["reason"] == Reason.FORFEIT.value else "a draw"
    return f"{end} ({outcome['reason']})"
