"""Open the companion on this computer's screen.

Uses the board given with --port, otherwise one that is plugged in, otherwise a simulated board.
Options override the choices made on the screen, for this run only. Without a display, the game runs
in the terminal, as with "boomboard referee".
"""

import argparse
import os
from contextlib import closing
from dataclasses import replace

from companion import commands
from companion.commands.options import add_hall, add_phones, add_trace, reach, taking_part, tracing
from companion.devices.lamps import PanelLamps
from companion.devices.live_board import MEMORY, LiveBoard
from companion.devices.watchdog import switch_off
from companion.session.game_host import CameraFeed
from companion.session.settings import ROTATIONS
from companion.speech.i18n import Language, RankSigns, system_code
from companion.ui import app
from companion.ui.app import find_drivers
from engine.game.clocks import NO_CLOCK
from engine.rules.editions import Edition
from firmware_bridge.link import find_ports
from firmware_bridge.panel import Panel
from firmware_bridge.simulated_board.board import SimulatedBoard


def add_arguments(parser: argparse.ArgumentParser) -> None:
    board = parser.add_mutually_exclusive_group()
    board.add_argument("--port", metavar="PORT", help="the serial port of the board")
    board.add_argument("--simulate", action="store_true", help="play on a simulated board")
    board.add_argument("--board", action="store_true", help="wait for a board; requires a display")
    parser.add_argument(
        "--appliance",
        action="store_true",
        help="run on a dedicated computer, which can be shut down on the screen",
    )
    parser.add_argument(
        "--turn",
        type=int,
        choices=ROTATIONS,
        metavar="DEGREES",
        help="rotate the picture clockwise by 0, 90, 180 or 270",
    )
    commands.add_choices(parser, default=None)
    parser.add_argument(
        "--sealed-armies",
        action="store_true",
        help="both sides seal their setups and prove them after the game",
    )
    commands.add_clock(parser, default=None)
    commands.add_language(parser, default=None)
    commands.add_data(parser)
    add_phones(parser)
    add_hall(parser)
    add_trace(parser)


def run(options: argparse.Namespace, camera: CameraFeed | None = None) -> int:
    """Show the companion until it is closed. `camera` watches a board that has no sensors."""
    try:
        if find_drivers(os.environ) is None:
            raise app.NoDisplayError
        _show(options, camera)
    except app.NoDisplayError as error:
        if options.board:
            raise commands.CommandError(
                "No window can be opened, because no display was found. Connect a display, start "
                "Boomboard in a desktop session, or play in the terminal with “boomboard referee”."
            ) from error
        from companion.commands import referee  # noqa: PLC0415 (a window needs no terminal)

        print("There is no display: the table is in this terminal.", flush=True)
        if options.pads:
            print("Phones can be used only with a window, so --pads is ignored.", flush=True)
        if options.sealed_armies:
            print(
                "Armies can be sealed only in a window, so --sealed-armies is ignored.", flush=True
            )
        return referee.run(_for_terminal(options))
    return 0


def _show(options: argparse.Namespace, camera: CameraFeed | None) -> None:
    simulated = options.simulate or not (options.port or options.board or find_ports())
    simulated_board = SimulatedBoard() if simulated else None
    language = Language(options.language) if options.language else None
    origin = "simulated board" if simulated else "board"
    with (
        closing(commands.open_journals(options.data, origin)) as journals,
        LiveBoard(
            options.port, simulated=simulated_board, memory=journals.path.with_name(MEMORY)
        ) as board,
        Panel() as panel,
        tracing(options.trace) as recorder,
        taking_part(options.hall, journals.path, origin) as hall,
    ):
        lamps = PanelLamps(panel)
        try:
            edition = _named_edition(options)
            power = switch_off if options.appliance else None
            app.run(
                *(board, journals, language, edition, options.clock, lamps, recorder),
                reach=reach(options),
                switch_off=power,
                far_arbiter=hall,
                rotation=options.turn,
                camera=camera,
            )
        except ImportError as error:
            raise commands.CommandError(
                f"The window cannot be opened ({error}). Install what is missing with "
                "“make setup”, or play in the terminal with “boomboard referee”."
            ) from error


def _for_terminal(options: argparse.Namespace) -> argparse.Namespace:
    """Return the options for a game in the terminal, without the choices made on the screen."""
    unnamed = {
        "language": system_code(os.environ),
        "clock": NO_CLOCK,
        "ranks": RankSigns.EUROPEAN,
    }
    named = {option: value for option, value in vars(options).items() if value is not None}
    every = {
        **vars(options),
        **unnamed,
        **named,
        "game": None,
        "new": False,
        "seed": 0,
        "lots": None,
    }
    return argparse.Namespace(**every)


def _named_edition(options: argparse.Namespace) -> Edition | None:
    """Return the edition with the options given by the user, or None if no options were given."""
    named = (
        *(options.edition, options.army, options.two_squares_limit, options.moved_bomb),
        options.handicap,
    )
    chosen = options.silent_defence or options.aggressor_advantage or options.touch_move
    is_named = chosen or options.sealed_armies or any(choice is not None for choice in named)
    if not is_named:
        return None
    return replace(commands.chosen_edition(options), sealed_armies=options.sealed_armies)
