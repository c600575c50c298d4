"""List, show, export and delete saved games; show the book of evenings.

The book of evenings groups finished games by evening. A game is identified by its number in the
list or its file name. A file called 7 is written as ./7. An unfinished game is never shown, because
players must not see the moves before the game ends.
"""

import argparse
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from functools import cache
from typing import Final

from companion import commands
from companion.storage.game_rows import GameSummary
from companion.storage.journal import Journal
from engine.game.rulings import GameOver
from engine.rules.editions import EDITIONS, Edition

_MINUTES: Final = len("2026-11-25 00:00")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    doings = parser.add_subparsers(metavar="DO", required=True)
    listed = doings.add_parser("list", help="list the saved games")
    listed.set_defaults(do=_list)
    shown = doings.add_parser("show", help="show a game as a score sheet, or one of its positions")
    _add_game(shown)
    _add_ply(shown)
    shown.add_argument(
        "--incidents",
        action="store_true",
        help="show the incidents instead of the score sheet",
    )
    shown.add_argument(
        "--review",
        action="store_true",
        help="show the review instead of the score sheet",
    )
    shown.add_argument(
        "--story",
        action="store_true",
        help="show three moments of the review, each with its position",
    )
    commands.add_language(shown)
    commands.add_ranks(shown)
    shown.set_defaults(do=_show)
    exported = doings.add_parser("export", help="write a game or one of its positions")
    _add_game(exported)
    exported.add_argument(
        "--format",
        choices=("json", "gravon", "text", "svg", "png"),
        default="json",
        help="the whole game, its moves for other programs, a score sheet, or a picture (default: "
        "%(default)s)",
    )
    _add_ply(exported)
    exported.add_argument("--turned", action="store_true", help="draw Blue at the bottom")
    commands.add_out(exported)
    commands.add_language(exported)
    commands.add_ranks(exported)
    exported.set_defaults(do=_export)
    deleted = doings.add_parser("delete", help="delete a saved game")
    deleted.add_argument("number", type=int, metavar="N", help="its number in the list")
    deleted.add_argument("--yes", action="store_true", help="do not ask for confirmation")
    deleted.set_defaults(do=_delete)
    book = doings.add_parser(
        "book", help="show or delete the book of evenings, a summary of past games"
    )
    book.add_argument(
        "--delete", action="store_true", help="delete the book, with all finished games"
    )
    book.add_argument("--yes", action="store_true", help="do not ask for confirmation")
    commands.add_language(book)
    commands.add_ranks(book)
    book.set_defaults(do=_book)
    for doing in (listed, shown, exported, deleted, book):
        commands.add_data(doing)


def run(options: argparse.Namespace) -> int:
    do: Callable[[argparse.Namespace], int] = options.do
    return do(options)


def _add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="N|FILE", help="the number of a saved game, or a file")
    commands.add_edition(parser, default=None)


def _add_ply(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--ply", type=int, metavar="K", help="the position after K plies; 0 is the setup"
    )


def _list(options: argparse.Namespace) -> int:
    with closing(_journal(options)) as journal:
        rows = [_row(game) for game in journal.games()]
        if not rows:
            print(f"There are no saved games in {journal.path}.")
            return 0
    rows.insert(0, ("no.", "begun", "rules", "plies", "end"))
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    line = f"{{:>{wide[0]}}}  {{:{wide[1]}}}  {{:{wide[2]}}}  {{:>{wide[3]}}}  {{}}".format
    # Print all lines at once. Otherwise, thousands of lines would be flushed to the terminal one by
    # one.
    print("\n".join(line(*row) for row in rows))
    return 0


def _row(game: GameSummary) -> tuple[str, ...]:
    number, begun = str(game.number), "?"
    if game.begun:
        begun = datetime.fromisoformat(game.begun).astimezone().isoformat(" ")[:_MINUTES]
    if game.edition is None:
        return number, begun, "?", "?", "damaged"
    return number, begun, _rules(game.edition), str(game.plies), _end(game.outcome)


def _rules(edition: Edition) -> str:
    """Return the name of a rulebook, followed by an unusual army and a handicap, if any."""
    is_usual = edition.army == EDITIONS[edition.id].army
    army = "" if is_usual else edition.army.name
    handicap = f"handicap {edition.handicap}" if edition.handicap else ""
    return ", ".join(filter(None, (edition.id, army, handicap)))


@cache
def _end(outcome: GameOver | None) -> str:
    return commands.in_words(commands.as_json(outcome))


def _show(options: argparse.Namespace) -> int:
    from companion.commands.game_exports import show  # noqa: PLC0415 (not needed by the list)

    return show(options)


def _export(options: argparse.Namespace) -> int:
    from companion.commands.game_exports import export  # noqa: PLC0415 (not needed by the list)

    return export(options)


def _delete(options: argparse.Namespace) -> int:
    number = options.number
    with closing(_journal(options)) as journal:
        known = {game.number for game in journal.games()}
        if number in known and not options.yes and not _agreed(f"game {number}"):
            print(f"Game {number} was not deleted.")
            return 0
        journal.delete(number)
    print(f"Game {number} was deleted.")
    return 0


def _book(options: argparse.Namespace) -> int:
    from companion.commands.game_exports import book_of_evenings  # noqa: PLC0415 (as above)

    with closing(_journal(options)) as journal:
        book = book_of_evenings(journal, options)
        if options.delete and book.evenings():
            if not options.yes and not _agreed("all finished games"):
                print("The book was not deleted.")
                return 0
            book.delete()
            print("The book was deleted.")
            return 0
        print(book.text() or f"There are no finished games in {journal.path}.")
    return 0


def _agreed(what: str) -> bool:
    try:
        answer = input(f"Delete {what} permanently? [y/N] ")
    except EOFError as error:
        raise commands.CommandError(
            f"The deletion of {what} was not confirmed; add --yes to delete without confirmation."
        ) from error
    return answer.strip().lower() in ("y", "yes")


def _journal(options: argparse.Namespace) -> Journal:
    return commands.open_journal(options.data)
