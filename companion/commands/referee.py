"""Referee a game in the terminal.

With a board, the players answer at the keyboard, and an interrupted game is resumed. Without a
board, simulated hands replay a recorded game.
"""

import argparse
import hashlib
import json
import secrets
import sys
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress

from companion import commands
from companion.commands.options import add_hall, add_trace, taking_part, tracing
from companion.commands.simulate import load_game
from companion.core.events import Event
from companion.core.game_options import draw_colours
from companion.devices.lamps import PanelLamps
from companion.devices.live_board import MEMORY, LiveBoard
from companion.session.session import Session
from companion.simulator.random_games import RecordedGame
from companion.simulator.simulated_match import Profile, SimulatedPlayers
from companion.simulator.simulation import BoardRig
from companion.speech.announcer import Announcer
from companion.speech.i18n import Language
from companion.speech.small_texts import quarantine_text
from companion.storage.journal_provider import JournalProvider
from companion.storage.printed_pieces import PrintedPieces
from companion.storage.records import sample_game
from companion.terminal.output import narrate
from companion.terminal.private_prompt import open_console, private_console
from companion.terminal.terminal_referee import TerminalReferee
from engine.game.rulings import ArmiesPlaced
from engine.records.serialization import write_edition
from engine.rules.editions import Edition
from firmware_bridge.link import find_ports
from firmware_bridge.panel import Panel
from firmware_bridge.simulated_board.board import SimulatedBoard
from firmware_bridge.simulated_board.port import SimulatedPort


def add_arguments(parser: argparse.ArgumentParser) -> None:
    board = parser.add_mutually_exclusive_group()
    board.add_argument("--port", metavar="PORT", help="the serial port of the board")
    board.add_argument(
        "--simulate", action="store_true", help="simulated hands play the sample game"
    )
    board.add_argument(
        "--game", type=Path, metavar="FILE", help="simulated hands play this recorded game"
    )
    parser.add_argument(
        "--lots",
        nargs=2,
        metavar=("NAME", "NAME"),
        help="draw lots to decide who plays Red and begins",
    )
    parser.add_argument("--new", action="store_true", help="do not resume an interrupted game")
    commands.add_choices(parser)
    commands.add_clock(parser)
    commands.add_language(parser)
    commands.add_ranks(parser)
    commands.add_seed(parser)
    commands.add_data(parser)
    add_hall(parser)
    add_trace(parser)


def run(options: argparse.Namespace) -> int:
    at_board = options.port or not (options.simulate or options.game or not find_ports())
    if options.lots:
        _check_colour_draw(options.lots, at_board)
    if at_board:
        _referee_at_board(options)
    elif options.game:
        _referee_simulated(options, options.game)
    else:
        with sample_game() as path:
            _referee_simulated(options, path)
    return 0


def _check_colour_draw(names: Sequence[str], at_board: object) -> None:
    """Raise CommandError if colours cannot be assigned at random.

    There must be a board, and the two names must differ.
    """
    if not at_board:
        raise commands.CommandError(
            "Lots are drawn only between people at a board, not for simulated hands. Omit --lots, "
            "or plug in a board."
        )
    if len(set(names)) == 1:
        raise commands.CommandError(
            f"Both players are called {names[0]}; give them different names."
        )


def _referee_at_board(options: argparse.Namespace) -> None:
    announcer = Announcer(Language(options.language, options.ranks))
    console = open_console()
    with (
        private_console(console, sys.stdin) as private,
        closing(commands.open_journals(options.data, "board")) as journals,
        LiveBoard(options.port, memory=journals.path.with_name(MEMORY)) as board,
        Panel() as panel,
        tracing(options.trace) as recorder,
        taking_part(options.hall, journals.path, "board") as hall,
    ):
        if private is None:
            raise commands.CommandError(
                "Ranks are declared in private, which requires a terminal; start the command in "
                "one, and do not redirect both its input and its output."
            )
        edition, seed = commands.chosen_edition(options), secrets.randbits(32)
        session = _open_session(journals, options, edition, seed, announcer, console)
        if recorder:
            session.record(recorder)
        lamps = PanelLamps(panel)
        TerminalReferee(
            session, board, announcer, console, sys.stdin, private=private, lamps=lamps, hall=hall
        ).run()


def _referee_simulated(options: argparse.Namespace, path: Path) -> None:
    """Referee simulated hands that replay a recorded game."""
    game, edition = load_game(path, commands.chosen_edition(options))
    announcer = Announcer(Language(options.language, options.ranks))
    console = open_console()
    # Only the same simulated hands can resume a game, so the record, edition and seed must match.
    chosen = json.dumps(write_edition(edition))
    what = f"{chosen} {options.seed} {game.record!r}"
    origin = f"simulated {hashlib.sha256(what.encode()).hexdigest()}"
    with (
        closing(commands.open_journals(options.data, origin)) as journals,
        tracing(options.trace) as recorder,
        taking_part(options.hall, journals.path, origin),
    ):
        session = _open_session(journals, options, edition, options.seed, announcer, console)
        if recorder:
            session.record(recorder)
        table = session.table
        width = len(str(game.length))
        session.listen(
            narrate(
                console, announcer.sentence, lambda: f"{table.view.plies:{width}}/{game.length}  "
            )
        )
        progress = Progress(
            BarColumn(), MofNCompleteColumn(), console=console, disable=not console.is_terminal
        )
        task = progress.add_task("", total=game.length)
        session.listen(lambda _: progress.update(task, completed=table.view.plies))
        session.listen(partial(_keep_ranks, session, journals, game))
        pieces = SimulatedBoard()
        with progress, BoardRig(session, pieces, SimulatedPort(pieces)) as board:
            SimulatedPlayers(board, game, options.seed, Profile.CLEAN).play()


def _keep_ranks(
    session: Session, journals: JournalProvider, game: RecordedGame, event: Event
) -> None:
    """Save the ranks printed on the simulated pieces, for the game record."""
    number = session.number
    if isinstance(event, ArmiesPlaced) and number is not None:
        journal = journals.journal()
        begun = journal.transcript(number).begun
        PrintedPieces(journal.path).keep(number, game.record.ranks, begun)


def _open_session(
    journals: JournalProvider,
    options: argparse.Namespace,
    edition: Edition,
    seed: int,
    announcer: Announcer,
    console: Console,
) -> Session:
    """Resume the interrupted game, or start a new one.

    Raise StorageError if the game cannot be saved.
    """
    journal = journals.journal()
    if journals.quarantined:
        console.print(quarantine_text(journals.quarantined, announcer.language))
    if journals.error:
        raise journals.error
    kept = None if options.new else journal.unfinished()
    if kept is None:
        if options.lots:
            one, other = options.lots
            lot = draw_colours(one, other, lambda: secrets.randbits(32))
            console.print(announcer.sentence(lot), style="bold", markup=False)
        return Session.begin(journal, edition, seed, options.clock)
    if options.lots:
        raise commands.CommandError(
            "The interrupted game is resumed with the same colours. Omit --lots, or start a new "
            "game with --new."
        )
    session = Session.resume(journal, kept)
    plies = session.table.view.plies
    text = announcer.language.plural(
        "The interrupted game continues after {count} ply.",
        "The interrupted game continues after {count} plies.",
        plies,
    )
    console.print(text)
    return session
