"""Display and export of a saved game, or of a game in a file.

An unfinished game is never shown, because players must not see the moves before the game ends.
"""

import argparse
import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from textwrap import fill
from typing import Final

from companion.commands import CommandError, open_journal, write_out
from companion.reports.diagram import diagram, png
from companion.reports.incident_sheet import find_incidents, incident_sheet
from companion.reports.replay import Snapshot, snapshot
from companion.reports.reviews import EveningBook, build_story, review_paragraphs
from companion.reports.score_sheet import score_sheet, written_plies
from companion.speech.announcer import Announcer
from companion.speech.i18n import N_, Language
from companion.speech.review_texts import TITLE
from companion.storage.journal import Journal
from companion.storage.records import as_record, as_transcript, read_game
from engine.records.gravon import write_gravon_xml
from engine.records.record import Record, RecordError
from engine.records.record_files import write_transcript
from engine.records.transcript import Transcript
from engine.rules.editions import DEFAULT, EDITIONS

_PICTURES: Final = ("svg", "png")
_WIDTH: Final = 72
_LONGEST: Final = 9
"""Maximum number of digits in a game number."""


def show(options: argparse.Namespace) -> int:
    """Print a game, one of its positions, its incidents or its story."""
    chosen = {"--incidents": _incidents, "--story": _story, "--review": _review}
    named = [name for name in chosen if vars(options)[name.removeprefix("--")]]
    if len(named) > 1:
        raise CommandError(f"Choose either {named[0]} or {named[1]}.")
    if named and options.ply is not None:
        raise CommandError(f"{named[0]} always covers the whole game; omit --ply.")
    shown = chosen[named[0]] if named else _text
    sys.stdout.buffer.write(shown(_load(options), options))
    return 0


def export(options: argparse.Namespace) -> int:
    """Write a game or one of its positions in the chosen format."""
    if options.turned and options.format not in _PICTURES:
        raise CommandError("--turned needs a picture; add --format svg or --format png.")
    if options.ply is not None and options.format not in ("text", *_PICTURES):
        raise CommandError(
            f"--ply selects a position, but {options.format} contains a whole game; omit --ply, "
            "or choose --format text, svg or png."
        )
    if options.format == "png" and not options.out and sys.stdout.isatty():
        raise CommandError("A PNG cannot be written to a terminal; choose a file with --out.")
    data = _FORMATS[options.format](_load(options), options)
    write_out(data, options)
    return 0


def _journal(options: argparse.Namespace) -> Journal:
    return open_journal(options.data)


def _load(options: argparse.Namespace) -> Record | Transcript:
    """Return the chosen game. Raise CommandError if the game cannot be shown."""
    named: str = options.game
    number = _number(options)
    if number is not None:
        game: Record | Transcript = _load_saved(number, options)
    else:
        try:
            game = read_game(Path(named))
        except RecordError as error:
            raise CommandError(f"{named}: {error}; choose another file.") from error
    if options.edition and isinstance(game, Transcript) and game.edition.id != options.edition:
        raise CommandError(
            f"This game was refereed under {game.edition.id}; omit --edition, or export the "
            "game and have the file judged with “boomboard adjudicate”."
        )
    return game


def _number(options: argparse.Namespace) -> int | None:
    """Return the number of the chosen game, or None if a file was chosen."""
    named: str = options.game
    return int(named) if named.isdecimal() and len(named) <= _LONGEST else None


def _load_saved(number: int, options: argparse.Namespace) -> Transcript:
    with closing(_journal(options)) as journal:
        game = journal.transcript(number)
    if not game.outcome:
        raise CommandError(
            f"Game {number} is not over, and cannot be viewed before the end; resume it with "
            "“boomboard play” and finish it there."
        )
    return game


def _transcript(game: Record | Transcript, options: argparse.Namespace) -> Transcript:
    """Return a game as a transcript. The plies of a record are judged under the chosen rules."""
    if isinstance(game, Transcript):
        return game
    return as_transcript(game, EDITIONS[options.edition or DEFAULT.id])


def _seen_after(game: Record | Transcript, options: argparse.Namespace) -> Snapshot:
    try:
        return snapshot(_transcript(game, options), options.ply)
    except ValueError as error:
        raise CommandError(f"The game {options.game} has no such position: {error}.") from error


def _text(game: Record | Transcript, options: argparse.Namespace) -> bytes:
    """Return the score sheet or, with `--ply`, the position after that ply."""
    transcript, language = _transcript(game, options), Language(options.language, options.ranks)
    if options.ply is None:
        return score_sheet(transcript, language).encode()
    seen = _seen_after(game, options)
    plies = written_plies(transcript, language)
    ply = plies[options.ply - 1] if options.ply else ""
    head = f"{options.ply}/{len(plies)}  {ply}".rstrip()
    return f"{head}\n\n{seen.draw(language.sign)}\n".encode()


def _incidents(game: Record | Transcript, options: argparse.Namespace) -> bytes:
    """Return the game's incidents. A game from a file has no notes, only actions."""
    transcript, language = _transcript(game, options), Language(options.language, options.ranks)
    found = find_incidents(transcript)
    number = _number(options)
    if number is not None:
        with closing(_journal(options)) as journal:
            found = find_incidents(transcript, journal.clocks(number), journal.notes(number))
    return incident_sheet(transcript, found, language).encode()


def _story(game: Record | Transcript, options: argparse.Namespace) -> bytes:
    """Return the review's moments with their positions, and its closing paragraphs."""
    transcript, language = _finished(game, options), Language(options.language, options.ranks)
    story = build_story(transcript, Announcer(language))
    parts = [language.text(TITLE)]
    for moment in story.moments:
        head = language.text(N_("{ply} of {length}"), ply=moment.ply, length=len(story.pages) - 1)
        parts += [head, story.view(moment).draw(language.sign), fill(moment.text, _WIDTH)]
    parts += [fill(paragraph, _WIDTH) for paragraph in story.closing]
    return ("\n\n".join(parts) + "\n").encode()


def _review(game: Record | Transcript, options: argparse.Namespace) -> bytes:
    """Return all of the review's moments, and its closing paragraphs."""
    transcript, language = _finished(game, options), Language(options.language, options.ranks)
    paragraphs = review_paragraphs(transcript, language, whole=True)
    parts = [language.text(TITLE), *(fill(paragraph, _WIDTH) for paragraph in paragraphs)]
    return ("\n\n".join(parts) + "\n").encode()


def _finished(game: Record | Transcript, options: argparse.Namespace) -> Transcript:
    """Return a game that can be reviewed. Raise CommandError if the game has no legal end."""
    transcript = _transcript(game, options)
    if transcript.outcome is None or transcript.violations:
        raise CommandError(f"The game {options.game} has no legal end, so it cannot be reviewed.")
    return transcript


def book_of_evenings(journal: Journal, options: argparse.Namespace) -> EveningBook:
    """Return a journal's book of evenings, in the chosen language."""
    language = Language(options.language, options.ranks)
    return EveningBook(lambda: journal, Announcer(language))


def _json(game: Record | Transcript, options: argparse.Namespace) -> bytes:
    transcript = _transcript(game, options)
    if isinstance(game, Record) and transcript.violations:
        raise CommandError(
            f"The game {options.game} violates a rule of {transcript.edition.id}; choose other "
            "rules with --edition, or find the fault with “boomboard adjudicate”."
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
