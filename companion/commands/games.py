"""List, show, export and delete the games that were played.

A game is called by its number in the list, or by a file with a recorded game. Of a game that is
not over nothing is shown, because nobody may look back before the end. Numbers win: a file that is
called 7 is named ./7.
"""

import argparse
import sys
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Final

from companion.commands import CommandError, add_data, add_edition, add_language, open_journal
from companion.commands.outcome import as_json, in_words
from companion.commands.output_file import add_out, write_out
from companion.sheets.diagram import diagram
from companion.sheets.incident_sheet import incident_sheet
from companion.sheets.png import png
from companion.sheets.score_sheet import score_sheet, written_plies
from companion.sheets.snapshot import Snapshot, snapshot
from companion.simulator.printed_pieces import PrintedPieces
from companion.speech.language import Language
from companion.store.game_row import Summary
from companion.store.incidents import find_incidents
from companion.store.journal import Journal
from companion.store.records import as_record, as_transcript, read_game
from companion.store.storage_trouble import JournalError
from engine.games.files.gravon_xml import write_gravon_xml
from engine.games.files.transcripts import write_transcript
from engine.games.record import Record, RecordError
from engine.games.transcript import Transcript
from engine.rulebook.editions import DEFAULT, EDITIONS

_PICTURES: Final = ("svg", "png")
_LONGEST: Final = 10
"""How many digits the number of a game has at most."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe what can be done, and the options of each."""
    doings = parser.add_subparsers(metavar="DO", required=True)
    listed = doings.add_parser("list", help="list the games that are kept")
    listed.set_defaults(do=_list)
    shown = doings.add_parser("show", help="show a game as a score sheet, or a position of it")
    _add_game(shown)
    _add_ply(shown)
    shown.add_argument(
        "--incidents", action="store_true", help="show what came up instead, as an arbiter notes it"
    )
    add_language(shown)
    shown.set_defaults(do=_show)
    exported = doings.add_parser("export", help="write a game or a position of it")
    _add_game(exported)
    exported.add_argument(
        "--format",
        choices=_FORMATS,
        default="json",
        help="everything, the moves alone for other programs, a score sheet, a picture "
        "(default: %(default)s)",
    )
    _add_ply(exported)
    exported.add_argument("--turned", action="store_true", help="draw Blue below")
    add_out(exported)
    add_language(exported)
    exported.set_defaults(do=_export)
    deleted = doings.add_parser("delete", help="throw a kept game away")
    deleted.add_argument("number", type=int, metavar="N", help="its number in the list")
    deleted.add_argument("--yes", action="store_true", help="do not ask")
    deleted.set_defaults(do=_delete)
    for doing in (listed, shown, exported, deleted):
        add_data(doing)


def run(options: argparse.Namespace) -> int:
    """Do what is asked for."""
    do: Callable[[argparse.Namespace], int] = options.do
    return do(options)


def _add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="N|FILE", help="the number of a kept game, or a file")
    add_edition(parser, default=None)


def _add_ply(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--ply", type=int, metavar="K", help="the position after K plies; 0 is the setup"
    )


def _list(options: argparse.Namespace) -> int:
    with closing(_journal(options)) as journal:
        rows = [_row(journal, game) for game in journal.games()]
        if not rows:
            print(f"No games are kept in {journal.path}.")
            return 0
    rows.insert(0, ("no.", "begun", "rules", "plies", "end"))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for number, begun, rules, plies, end in rows:
        print(
            f"{number:>{widths[0]}}  {begun:{widths[1]}}  {rules:{widths[2]}}  "
            f"{plies:>{widths[3]}}  {end}"
        )
    return 0


def _row(journal: Journal, game: Summary) -> tuple[str, ...]:
    number, begun = str(game.number), "?"
    if game.begun:
        begun = f"{datetime.fromisoformat(game.begun).astimezone():%Y-%m-%d %H:%M}"
    if game.plies is None:
        try:
            game = _read_whole(journal, game)
        except JournalError:
            return number, begun, "?", "?", "damaged"
    assert game.edition
    rules, army = game.edition.id, game.edition.army
    if army != EDITIONS[rules].army:
        rules += f", {army.name}"
    end = in_words(as_json(game.outcome))
    if not game.is_over and not game.is_latest:
        end = "broken off"
    return number, begun, rules, str(game.plies), end


def _read_whole(journal: Journal, game: Summary) -> Summary:
    """Read a game that an older Boomboard has kept, and keep what is told of it in the list."""
    kept = journal.transcript(game.number)
    told = replace(game, edition=kept.edition, plies=kept.referee().plies, outcome=kept.outcome)
    if told.is_over:
        with suppress(JournalError):  # then it is read again next time
            journal.fill_in(game.number, kept.referee().plies, kept.outcome)
    return told


def _show(options: argparse.Namespace) -> int:
    shown = _incidents if options.incidents else _text
    sys.stdout.buffer.write(shown(_load(options), options))
    return 0


def _export(options: argparse.Namespace) -> int:
    if options.turned and options.format not in _PICTURES:
        raise CommandError("--turned goes with a picture; add --format svg or --format png.")
    if options.ply is not None and options.format not in ("text", *_PICTURES):
        raise CommandError(
            f"--ply goes with a position, but {options.format} holds a whole game; leave --ply "
            "out, or choose --format text, svg or png."
        )
    if options.format == "png" and not options.out and sys.stdout.isatty():
        raise CommandError("A PNG is nothing for a terminal; name a file with --out.")
    data = _FORMATS[options.format](_load(options), options)
    write_out(data, options)
    return 0


def _delete(options: argparse.Namespace) -> int:
    number = options.number
    with closing(_journal(options)) as journal:
        known = {game.number for game in journal.games()}
        if number in known and not options.yes and not _agreed(number):
            print(f"Game {number} stays.")
            return 0
        journal.delete(number)
        PrintedPieces(journal.path).forget(number)
    print(f"Game {number} is gone.")
    return 0


def _agreed(number: int) -> bool:
    try:
        answer = input(f"Throw game {number} away for good? [y/N] ")
    except EOFError as error:
        raise CommandError(
            f"Nobody answers whether game {number} may go; add --yes to throw it away unasked."
        ) from error
    return answer.strip().lower() in ("y", "yes")


def _journal(options: argparse.Namespace) -> Journal:
    return open_journal(options.data, "board")


# What is shown


def _load(options: argparse.Namespace) -> Record | Transcript:
    """Return the game that is named; CommandError if it cannot be shown."""
    named: str = options.game
    number = _number(options)
    if number is not None:
        game: Record | Transcript = _load_kept(number, options)
    else:
        try:
            game = read_game(Path(named))
        except RecordError as error:
            raise CommandError(f"{named}: {error}; name another file.") from error
    if options.edition and isinstance(game, Transcript) and game.edition.id != options.edition:
        raise CommandError(
            f"This game was refereed by {game.edition.id}; leave --edition out, or export the "
            "game and have the file judged with “boomboard adjudicate”."
        )
    return game


def _number(options: argparse.Namespace) -> int | None:
    """The number of the kept game that is named; None for a file."""
    named: str = options.game
    return int(named) if named.isdecimal() and len(named) < _LONGEST else None


def _load_kept(number: int, options: argparse.Namespace) -> Transcript:
    with closing(_journal(options)) as journal:
        game = journal.transcript(number)
        going_on = any(each.is_latest for each in journal.games() if each.number == number)
    if going_on and not game.outcome:
        raise CommandError(
            f"Game {number} is not over, and nobody may look back before the end; take it up with "
            "“boomboard play” and end it there."
        )
    return game


def _transcript(game: Record | Transcript, options: argparse.Namespace) -> Transcript:
    """Return a game as a transcript; a record by the rules that were chosen."""
    if isinstance(game, Transcript):
        return game
    return as_transcript(game, EDITIONS[options.edition or DEFAULT.id])


def _seen_after(game: Record | Transcript, options: argparse.Namespace) -> Snapshot:
    try:
        return snapshot(_transcript(game, options), options.ply)
    except ValueError as error:
        raise CommandError(f"The game {options.game} has no such position: {error}.") from error


def _text(game: Record | Transcript, options: argparse.Namespace) -> bytes:
    """Write the score sheet or, after so many plies, the position."""
    transcript, language = _transcript(game, options), Language(options.language)
    if options.ply is None:
        return score_sheet(transcript, language).encode()
    seen = _seen_after(game, options)
    made = written_plies(transcript, language)
    ply = made[options.ply - 1] if options.ply else ""
    head = f"{options.ply}/{len(made)}  {ply}".rstrip()
    return f"{head}\n\n{seen}\n".encode()


def _incidents(game: Record | Transcript, options: argparse.Namespace) -> bytes:
    """Write what came up; in a file are the actions alone, and not what is noted beside them."""
    if options.ply is not None:
        raise CommandError("--incidents are those of the whole game; leave --ply out.")
    transcript, language = _transcript(game, options), Language(options.language)
    found = find_incidents(transcript)
    number = _number(options)
    if number is not None:
        with closing(_journal(options)) as journal:
            found = find_incidents(transcript, journal.clocks(number), journal.notes(number))
    return incident_sheet(transcript, found, language).encode()


def _json(game: Record | Transcript, options: argparse.Namespace) -> bytes:
    transcript = _transcript(game, options)
    if isinstance(game, Record) and transcript.violations:
        raise CommandError(
            f"The game {options.game} breaks a rule by {transcript.edition.id}; choose other rules "
            "with --edition, or let “boomboard adjudicate” say what is wrong."
        )
    return write_transcript(transcript).encode()


def _gravon(game: Record | Transcript, options: argparse.Namespace) -> bytes:
    try:
        return write_gravon_xml(as_record(game))
    except RecordError as error:
        raise CommandError(
            f"The game {options.game} cannot be written as Gravon XML ({error}); choose "
            "--format json."
        ) from error


def _svg(game: Record | Transcript, options: argparse.Namespace) -> bytes:
    seen = _seen_after(game, options)
    return diagram(seen.pieces, last_move=seen.last_move, turned=options.turned).encode()


def _png(game: Record | Transcript, options: argparse.Namespace) -> bytes:
    return png(_svg(game, options).decode())


_FORMATS: Final[Mapping[str, Callable[[Record | Transcript, argparse.Namespace], bytes]]] = {
    "json": _json,
    "gravon": _gravon,
    "text": _text,
    "svg": _svg,
    "png": _png,
}
