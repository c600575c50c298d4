"""Run a tournament, from the players' entries to the standings.

See docs/tournament.md. “boomboard tournament ACTION --help” lists all options.
"""

import argparse
import getpass
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final, TypeVar

from companion import commands
from companion.hall.tournament import events, exchange
from companion.hall.tournament.standings import TieBreak, standings
from companion.hall.tournament.tournament import (
    Tournament,
    begin,
    check_pairable,
    fold,
    pair_round_robin,
    read_pairs,
)
from companion.hall.tournament.tournament_file import add, create, read
from companion.hall.tournament.trf import read_trf, write_trf
from companion.speech.i18n import Language

_FILE: Final = Path("tournament.jsonl")
_OPEN: Final = "open"
_SWISS_PROGRAM: Final = "bbpPairings"
"""File name of the pairing program when it is built from its public source."""
_PATIENCE: Final = 120.0
"""Time limit for the pairing program, in seconds. It paired 101 players in 0.02 s."""
Read = TypeVar("Read")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    doings = parser.add_subparsers(metavar="DO", required=True)

    def doing(
        name: str, do: Callable[[argparse.Namespace], None], text: str, *, writes: bool = True
    ) -> argparse.ArgumentParser:
        command = doings.add_parser(name, help=text)
        command.add_argument(
            "--file", type=Path, default=_FILE, metavar="FILE", help="(default: %(default)s)"
        )
        if writes:
            command.add_argument(
                "--by",
                metavar="NAME",
                default="",
                help="author of this change (default: the login name)",
            )
        command.set_defaults(do=do)
        return command

    new = doing("new", _new, "begin a tournament")
    new.add_argument("--name", default="", help="the tournament's name (default: the file's name)")
    new.add_argument(
        "--rounds",
        type=commands.counting,
        default=7,
        metavar="N",
        help="number of rounds (default: %(default)s)",
    )
    new.add_argument(
        "--points",
        default=str(events.FEDERATION),
        metavar="WIN-DRAW-LOSS",
        help="the points for a game (default: %(default)s)",
    )
    new.add_argument("--trf", type=Path, metavar="FILE", help="import another program's tournament")
    added = doing("add", _add, "enter a player, or a list of players")
    added.add_argument("name", nargs="?", metavar="NAME", help="the player who enters")
    added.add_argument("--rating", type=int, default=0, metavar="N", help="(default: none)")
    added.add_argument("--csv", type=Path, metavar="FILE", help="a list: name,rating")
    for name, do, text in (
        ("withdraw", _withdraw, "stop pairing a player, from the next round on"),
        ("return", _return, "pair a withdrawn player again"),
    ):
        doing(name, do, text).add_argument("player", type=int, metavar="NUMBER")
    doing("players", _players, "list the players with their numbers", writes=False)
    pairing = doing("pair", _pair, "pair the next round, by the Swiss system")
    pairing.add_argument("--round-robin", action="store_true", help="everyone plays everyone")
    pairing.add_argument(
        "--program", default=_SWISS_PROGRAM, metavar="FILE", help="(default: %(default)s)"
    )
    imported = doing("import", _import, "import rounds and results from another program")
    imported.add_argument(
        "source",
        type=Path,
        metavar="FILE",
        help="the tournament (TRF), or the next round as a list (.csv): table,red,blue",
    )
    doing("unpair", _unpair, "discard the pairings of a round without results")
    result = doing("result", _result, "set or correct the result of a game")
    result.add_argument("table", type=int, metavar="TABLE")
    result.add_argument("result", choices=[*(each.value for each in events.GameResult), _OPEN])
    result.add_argument("--reason", default="", metavar="TEXT", help="reason, for the log")
    _add_round(result)
    pairings = doing("pairings", _pairings, "show a round, with its results", writes=False)
    _add_round(pairings)
    doing("standings", _standings, "show the standings", writes=False)
    doing("log", _log, "show all decisions with time and author", writes=False)
    export = doing("export", _export, "export for other programs", writes=False)
    export.add_argument("--format", choices=_FORMATS, default="csv", help="(default: %(default)s)")
    commands.add_out(export)
    printed = doing("print", _print, "write a page to print", writes=False)
    printed.add_argument("sheet", choices=_SHEETS)
    _add_round(printed)
    commands.add_language(printed)
    commands.add_out(printed)


def run(options: argparse.Namespace) -> int:
    try:
        options.do(options)
    except events.TournamentError as error:
        raise commands.CommandError(str(error)) from error
    return 0


def _add_round(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--round", type=commands.counting, metavar="N", help="(default: the latest)"
    )


# Changes


def _new(options: argparse.Namespace) -> None:
    history: Sequence[events.Event]
    if options.trf:
        history = _read_file(options.trf, read_trf)
    else:
        name = options.name or options.file.stem
        history = [events.Created(name, options.rounds, events.read_points(options.points))]
    tournament = create(options.file, [_noted(event, options) for event in history])
    print(
        f"{options.file}: {tournament.name}, {tournament.planned} rounds, {tournament.points} "
        "points for win, draw and loss. Enter players with “boomboard tournament add”."
    )


def _add(options: argparse.Namespace) -> None:
    if (options.name is None) is (options.csv is None):
        raise commands.CommandError("Give a player's name, or a list of players with --csv.")
    entering = (
        _read_file(options.csv, exchange.read_players)
        if options.csv
        else [events.PlayerAdded(options.name, options.rating)]
    )
    tournament = add(options.file, lambda _: [_noted(each, options) for each in entering])
    for player in tournament.players[len(tournament.players) - len(entering) :]:
        print(f"{player.number:>4}  {player.name}")


def _withdraw(options: argparse.Namespace) -> None:
    tournament = _decide(options, events.Withdrew(options.player))
    print(f"{tournament.player(options.player).name} is no longer paired.")


def _return(options: argparse.Namespace) -> None:
    tournament = _decide(options, events.Returned(options.player))
    print(f"{tournament.player(options.player).name} is paired again.")


def _pair(options: argparse.Namespace) -> None:
    # The file is not locked during pairing, so the hall can still enter results.
    before = read(options.file).tournament
    paired = (
        pair_round_robin(before) if options.round_robin else pair_swiss(before, options.program)
    )

    def decide(tournament: Tournament) -> list[events.RecordedEvent]:
        if tournament != before:
            raise events.TournamentError("The tournament changed during the pairing; pair again.")
        decided: list[events.Event] = [paired, *_lost_by_absence(tournament, paired)]
        return [_noted(event, options) for event in decided]

    _show_round(add(options.file, decide), None)


def pair_swiss(tournament: Tournament, program: str) -> events.Paired:
    """Pair the next round by the Dutch system, using an installed bbpPairings.

    Raises:
        TournamentError: No round can be paired yet, or the pairing program is missing or finds no
            pairing.
    """
    check_pairable(tournament)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "tournament.trf")
        file.write_text(write_trf(tournament, is_swiss=True), encoding="utf-8")
        command = [program, "--dutch", str(file), "-p"]
        try:
            done = subprocess.run(  # noqa: S603 (the program that the arbiter has chosen)
                command, capture_output=True, text=True, timeout=_PATIENCE, check=False
            )
        except FileNotFoundError as error:
            raise events.TournamentError(
                f"Swiss pairings need the program {program}, which was not found. Install it, "
                "“import” the pairings of another program, or pair with --round-robin; see "
                "docs/tournament.md."
            ) from error
        except (OSError, subprocess.TimeoutExpired) as error:
            raise events.TournamentError(f"{program} could not be run: {error}") from error
    if done.returncode:
        reason = " ".join((done.stderr or done.stdout).replace(str(file), "the tournament").split())
        raise events.TournamentError(
            f"{program} has found no pairing: {reason[:200] or 'no reason given'}"
        )
    return read_pairs(tournament, done.stdout)


def _lost_by_absence(tournament: Tournament, paired: events.Paired) -> list[events.ResultSet]:
    """Return the results of round-robin games whose players have withdrawn."""
    results = {
        (False, True): events.GameResult.RED_ABSENT,
        (True, False): events.GameResult.BLUE_ABSENT,
        (False, False): events.GameResult.BOTH_ABSENT,
    }
    round_ = len(tournament.rounds) + 1
    here = [tuple(tournament.player(each).is_present for each in game) for game in paired.games]
    return [
        events.ResultSet(round_, table, results[two], "withdrawn")
        for table, two in enumerate(here, start=1)
        if two in results
    ]


def _import(options: argparse.Namespace) -> None:
    if options.source.suffix.lower() == ".csv":
        text = _read_file(options.source, str)

        def found(tournament: Tournament) -> Sequence[events.Event]:
            return [exchange.read_round(tournament, text)]
    else:
        first, *others = _read_file(options.source, read_trf)
        other = fold(begin(first), others)

        def found(tournament: Tournament) -> Sequence[events.Event]:
            return exchange.merge(tournament, other)

    before = read(options.file).tournament

    def decide(tournament: Tournament) -> list[events.RecordedEvent]:
        return [_noted(event, options) for event in found(tournament)]

    try:
        tournament = add(options.file, decide)
    except events.TournamentError as error:
        raise commands.CommandError(f"{options.source}: {error} Nothing has changed.") from error
    added = len(tournament.players) - len(before.players)
    print(f"{added} new players, {len(tournament.rounds) - len(before.rounds)} new rounds.")
    if len(tournament.rounds) > len(before.rounds):
        _show_round(tournament, None)


def _unpair(options: argparse.Namespace) -> None:
    tournament = _decide(options, events.RoundUndone())
    print(f"Round {len(tournament.rounds) + 1} is no longer paired.")


def _result(options: argparse.Namespace) -> None:
    chosen = None if options.result == _OPEN else events.GameResult(options.result)

    def decide(tournament: Tournament) -> list[events.RecordedEvent]:
        number = options.round or len(tournament.rounds)
        return [_noted(events.ResultSet(number, options.table, chosen, options.reason), options)]

    tournament = add(options.file, decide)
    number = options.round or len(tournament.rounds)
    left = sum(not game.result for game in tournament.rounds[number - 1].games)
    rest = f"{left} open." if left else f"Round {number} is over."
    print(f"Table {options.table}: {options.result}. {rest}")


def _decide(options: argparse.Namespace, event: events.Event) -> Tournament:
    return add(options.file, lambda _: [_noted(event, options)])


def _noted(event: events.Event, options: argparse.Namespace) -> events.RecordedEvent:
    at = datetime.now().astimezone().isoformat(timespec="seconds")
    return events.RecordedEvent(at, options.by or getpass.getuser(), event)


def _read_file(path: Path, reader: Callable[[str], Read]) -> Read:
    """Read a file with `reader`. Raise CommandError, naming the file, if reading fails."""
    try:
        return reader(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise commands.CommandError(f"{path} cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise commands.CommandError(f"{path} is not UTF-8 text; save it as UTF-8.") from error
    except events.TournamentError as error:
        raise commands.CommandError(f"{path}: {error}") from error


# Output


def _players(options: argparse.Namespace) -> None:
    for player in read(options.file).tournament.players:
        rating = str(player.rating or "")
        away = "" if player.is_present else "  withdrawn"
        print(f"{player.number:>4}  {player.name:30} {rating:>4}{away}".rstrip())


def _pairings(options: argparse.Namespace) -> None:
    _show_round(read(options.file).tournament, options.round)


def _show_round(tournament: Tournament, number: int | None) -> None:
    number = _check_round(tournament, number)
    played = tournament.rounds[number - 1]
    print(f"Round {number} of {tournament.planned}")
    for game in played.games:
        red, blue = (tournament.player(each).name for each in (game.red, game.blue))
        result = game.result.value if game.result else ""
        print(f"{game.table:>4}  {red:30} – {blue:30} {result}".rstrip())
    seated = {each for game in played.games for each in (game.red, game.blue)}
    for number in (*played.byes, *played.half_byes):
        print(f"      {tournament.player(number).name} has a bye.")
    for player in tournament.players:
        if player.is_present and player.number not in {*seated, *played.byes, *played.half_byes}:
            print(f"      {player.name} does not play in this round.")


def _standings(options: argparse.Namespace) -> None:
    tournament = read(options.file).tournament
    names = [each.value for each in TieBreak]
    print(f"      {'':30} Points  {'  '.join(names)}")
    for row in standings(tournament):
        values = "  ".join(
            f"{value:>{len(name)}g}" for name, value in zip(names, row.tie_breaks, strict=True)
        )
        print(f"{row.place:>4}  {row.player.name:30} {row.points:>6}  {values}")


def _log(options: argparse.Namespace) -> None:
    for noted in read(options.file).events:
        print(events.write_line(noted))


_FORMATS: Final[dict[str, Callable[[Tournament], str]]] = {
    "csv": exchange.write_standings,
    "results": exchange.write_results,
    "trf": write_trf,
}


def _export(options: argparse.Namespace) -> None:
    written = _FORMATS[options.format](read(options.file).tournament)
    commands.write_out(written.encode(), options)


_SHEETS: Final = ("pairings", "standings", "cross-table", "slips")


def _print(options: argparse.Namespace) -> None:
    with commands.hall_packages():
        from companion.hall.tournament import printouts  # noqa: PLC0415 (few need it)

    tournament, language = read(options.file).tournament, Language(options.language)
    match options.sheet:
        case "pairings":
            number = _check_round(tournament, options.round)
            sheet = printouts.pairings(tournament, number, language)
        case "slips":
            sheet = printouts.slips(tournament, _check_round(tournament, options.round), language)
        case "standings":
            sheet = printouts.standings_sheet(tournament, language)
        case _:
            sheet = printouts.cross_table(tournament, language)
    commands.write_out(printouts.printed(sheet, language).encode(), options)


def _check_round(tournament: Tournament, number: int | None) -> int:
    """Return the chosen round, or else the latest.

    Raise TournamentError if the round is not paired yet.
    """
    number = number or len(tournament.rounds)
    if not 1 <= number <= len(tournament.rounds):
        raise events.TournamentError(
            "No round has been paired yet; see “boomboard tournament pair” and “import”."
            if not tournament.rounds
            else f"Round {number} does not exist yet; rounds paired: {len(tournament.rounds)}."
        )
    return number
