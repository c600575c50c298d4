"""Run the computer opponent as a process, for other programs.

Standard input and output use the text protocol of braathwaate/strategoevaluator. The army is
the original one, with 40 pieces. The bot obeys the edition's repetition rules, and surrenders if
they forbid all its turns. It accepts turns by which the enemy breaks these rules.
"""

import argparse
import sys

from companion.commands import CommandError, add_edition, add_seed
from companion.opponent.levels import Level
from companion.opponent.manager_protocol import ManagedPlayer, ProtocolError
from engine.rules.editions import EDITIONS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--level",
        choices=[level.value for level in Level],
        default=Level.MARSHAL.value,
        help="the playing strength (default: %(default)s)",
    )
    add_edition(parser)
    add_seed(parser)


def run(options: argparse.Namespace) -> int:
    """Answer the manager's commands until the manager quits."""
    player = ManagedPlayer(EDITIONS[options.edition], Level(options.level), options.seed)
    has_warned = False
    for number, text in enumerate(sys.stdin, start=1):
        try:
            answers = player.answer(text)
        except ProtocolError as error:
            raise CommandError(f"Line {number} does not follow the protocol: {error}.") from error
        if player.warning and not has_warned:
            has_warned = True
            print(f"Line {number} contradicts the turns: {player.warning}.", file=sys.stderr)
        for line in answers:
            sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
        if player.has_ended:
            break
    if not player.is_over:
        raise CommandError("The input ended in the middle of the game; expected QUIT.")
    return 0
