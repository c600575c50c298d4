"""Run whole games with simulated hands on a simulated board.

The board's bytes travel through a pseudo-terminal and the link, and every ruling is compared with
the record. Exit codes: 0: every ruling is correct; 1: a ruling was wrong or missing.
"""

import argparse
import hashlib
import json
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from companion import commands
from companion.commands.options import add_trace, tracing
from companion.core.events import Event
from companion.recorder.recorder import Recorder
from companion.session.session import Session
from companion.simulator import simulation
from companion.simulator.random_games import RandomGame, RecordedGame, SimulatedGame, VariedGame
from companion.simulator.side_actions import SIDE_ACTIONS
from companion.simulator.simulated_match import Profile, SimulatedPlayers
from companion.speech.announcer import Announcer
from companion.speech.i18n import SOURCE, Language
from companion.storage.journal import Journal
from companion.storage.records import read_record
from engine.records.adjudication import edition_for, judge
from engine.records.record import RecordError
from engine.rules.editions import DEFAULT, Edition
from firmware_bridge.simulated_board.board import SimulatedBoard
from firmware_bridge.simulated_board.port import LINES, SimulatedPort


def add_arguments(parser: argparse.ArgumentParser) -> None:
    games = parser.add_mutually_exclusive_group(required=True)
    games.add_argument("--game", type=Path, metavar="FILE", help="play a recorded game")
    games.add_argument("--random", type=commands.counting, metavar="N", help="play N random games")
    parser.add_argument(
        "--varied",
        action="store_true",
        help="with --random: vary the rules and cover all actions",
    )
    commands.add_choices(parser)
    commands.add_seed(parser)
    parser.add_argument(
        "--hands",
        choices=[profile.value for profile in Profile],
        default=Profile.CLEAN.value,
        help="behaviour of the hands (default: %(default)s)",
    )
    parser.add_argument(
        "--wire",
        choices=LINES,
        default="clean",
        help="quality of the line (default: %(default)s)",
    )
    parser.add_argument(
        "--plug",
        choices=simulation.PLUGS,
        default="steady",
        help="state of the plug; a loose plug makes the board reset, hang and disconnect "
        "(default: %(default)s)",
    )
    add_trace(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object per game")


def run(options: argparse.Namespace) -> int:
    chosen = commands.chosen_edition(options)
    if options.varied and (options.game or chosen != DEFAULT):
        raise commands.CommandError(
            "--varied plays random games, each under its own rules; omit the game and the "
            "options for rules."
        )
    with tracing(options.trace) as recorder:
        played = list(_play_all(options, chosen, recorder))
    actions = [game["actions"] for game in played]
    if len(actions) > 1:
        total = simulation.add_up(actions)
        summed = {"games": len(actions), "actions": total, "never": simulation.find_missing(total)}
        print(json.dumps(summed) if options.json else simulation.coverage_text(len(actions), total))
    return 1 if any(game["wrong"] or game["missed"] for game in played) else 0


def _play_all(
    options: argparse.Namespace, chosen: Edition, recorder: Recorder | None
) -> Iterator[dict[str, Any]]:
    """Play the games, and yield each result as soon as the game is over."""
    for name, game, edition, seed in _games(options, chosen):
        played: dict[str, Any] = {
            "game": name,
            "edition": edition.id,
            "army": edition.army.name,
            "seed": seed,
        }
        played |= {"hands": options.hands, "wire": options.wire, "plug": options.plug}
        played |= _play(options, game, edition, seed, recorder)
        print(json.dumps(played) if options.json else _in_words(played), flush=True)
        yield played


def load_game(path: Path, edition: Edition) -> tuple[RecordedGame, Edition]:
    """Load a recorded game for simulated hands, and return it with the edition for its army.

    Raise CommandError if the game is unreadable or illegal.
    """
    try:
        record = read_record(path)
    except RecordError as error:
        raise commands.CommandError(f"{path}: {error}") from error
    verdict = judge(record, edition)
    if verdict.violations:
        where = f"ply {verdict.ply}" if verdict.ply else "the setup"
        why = Announcer(Language(SOURCE)).sentence(verdict.violations[0])
        raise commands.CommandError(
            f"{path} is not a legal game under the chosen rules: {where} violates a rule. {why} "
            "Choose other rules or another game."
        )
    return RecordedGame(record), edition_for(record, edition)


def _games(
    options: argparse.Namespace, edition: Edition
) -> Iterator[tuple[str, SimulatedGame, Edition, int]]:
    if options.game:
        game, fitted = load_game(options.game, edition)
        yield str(options.game), game, fitted, options.seed
        return
    for seed in range(options.seed, options.seed + options.random):
        if options.varied:
            varied = VariedGame(seed)
            yield "varied", varied, varied.edition, seed
        else:
            yield "random", RandomGame(edition, seed), edition, seed


def _play(
    options: argparse.Namespace,
    game: SimulatedGame,
    edition: Edition,
    seed: int,
    recorder: Recorder | None,
) -> dict[str, Any]:
    digest = hashlib.sha256()

    def note(event: Event) -> None:
        digest.update(f"{event!r}\n".encode())

    with tempfile.TemporaryDirectory() as directory:
        journal = Journal(Path(directory) / "games.sqlite")
        session = Session.begin(journal, edition, seed, game.control)
        session.listen(note)
        if recorder:
            session.record(recorder)
        pieces = SimulatedBoard()
        port = SimulatedPort(pieces, line=LINES[options.wire])
        disruptions = simulation.PLUGS[options.plug](seed)
        with closing(journal), simulation.BoardRig(session, pieces, port, disruptions) as board:
            side_actions = SIDE_ACTIONS if options.varied else ()
            players = SimulatedPlayers(board, game, seed, Profile(options.hands), side_actions)
            players.play()
    tally = players.tally
    return {
        "plies": tally.plies,
        "wrong": tally.wrong,
        "missed": tally.missed,
        "prompts": tally.prompts,
        "combats": tally.combats,
        "actions": simulation.count_actions(session.table.referee.actions),
        "interludes": dict(sorted(tally.side_actions.items())),
        "latency_ms": tally.latency_ms,
        "restarts": len(board.greetings) - 1,
        "simulated_seconds": round(board.now),
        "outcome": commands.as_json(session.table.view.outcome),
        "events": digest.hexdigest(),
    }


def _in_words(played: dict[str, Any]) -> str:
    latency = played["latency_ms"]
    return (
        f"{played['game']} (seed {played['seed']}): {played['plies']} plies, "
        f"{played['wrong']} wrong, {played['missed']} missed, {played['combats']} combats, "
        f"{played['prompts']} prompts, ruling after {latency['median']} ms "
        f"(longest {latency['max']}); {commands.in_words(played['outcome'])}"
    )
