"""Run a tournament: players, pairings, results, standings and printouts.

It is saved in one file, by default "tournament.jsonl" in this folder; --file chooses another. Start
it with "new", enter players with "add", then for each round: "pair", "print slips", a "result" for
each table that does not report it itself, "standings". See docs/tournament.md for all steps.
"""

import argparse
import getpass
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

from companion.commands import (
    CommandError,
    add_language,
    add_out,
    counting,
    hall_packages,
    write_out,
)
from companion.hall.tournament.events import (
    FEDERATION,
    Created,
    Event,
    GameResult,
    PlayerAdded,
    RecordedEvent,
    ResultSet,
    Returned,
    RoundUndone,
    TournamentError,
    Withdrew,
    read_points,
    write_line,
)
from companion.hall.tournament.pairing import pair
from companion.hall.tournament.standings import TieBreak, standings
from companion.hall.tournament.tournament import Tournament
from companion.hall.tournament.tournament_file import add, create, read
from companion.hall.tournament.trf import read_players, read_trf, write_standings, write_trf
from companion.speech.i18n import Language

_FILE: Final = Path("tournament.jsonl")
_OPEN: Final = "open"


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
                help="who makes this change (default: the login name)",
            )
        command.set_defaults(do=do)
        return command

    new = doing("new", _new, "begin a tournament")
    new.add_argument("--name", default="", help="the tournament's name (default: the file's name)")
    new.add_argument(
        "--rounds", type=counting, default=7, metavar="N", help="how many (default: %(default)s)"
    )
    new.add_argument(
        "--points",
        default=str(FEDERATION),
        metavar="WIN-DRAW-LOSS",
        help="the points for a game (default: %(default)s)",
    )
    new.add_argument("--trf", type=Path, metavar="FILE", help="import another program's tournament")
    added = doing("add", _add, "enter a player, or a list of players")
    added.add_argument("name", nargs="?", metavar="NAME", help="who enters")
    added.add_argument("--rating", type=int, default=0, metavar="N", help="(default: none)")
    added.add_argument("--csv", type=Path, metavar="FILE", help="a list: name,rating")
    for name, do, text in (
        ("withdraw", _withdraw, "stop pairing a player, from the next round on"),
        ("return", _return, "pair a player again who has withdrawn"),
    ):
        doing(name, do, text).add_argument("player", type=int, metavar="NUMBER")
    doing("players", _players, "list who takes part, with their numbers", writes=False)
    doing("pair", _pair, "find out who plays whom in the next round")
    doing("unpair", _unpair, "throw the pairings away of a round that has no result yet")
    result = doing("result", _result, "set or correct the result of a game")
    result.add_argument("table", type=int, metavar="TABLE")
    result.add_argument("result", choices=[*(each.value for each in GameResult), _OPEN])
    result.add_argument("--reason", default="", metavar="TEXT", help="why, in a few words")
    _add_round(result)
    pairings = doing("pairings", _pairings, "show a round, with its results", writes=False)
    _add_round(pairings)
    doing("standings", _standings, "show the standings", writes=False)
    doing("log", _log, "show what was decided, when and by whom", writes=False)
    export = doing("export", _export, "write it for other programs", writes=False)
    export.add_argument("--format", choices=_FORMATS, default="csv", help="(default: %(default)s)")
    add_out(export)
    printed = doing("print", _print, "write a page for the printer", writes=False)
    printed.add_argument("sheet", choices=_SHEETS)
    _add_round(printed)
    add_language(printed)
    add_out(printed)


def run(options: argparse.Namespace) -> int:
    try:
        options.do(options)
    except TournamentError as error:
        raise CommandError(str(error)) from error
    return 0


def _add_round(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--round", type=counting, metavar="N", help="(default: the latest)")


# Changes


def _new(options: argparse.Namespace) -> None:
    events: Sequence[Event]
    if options.trf:
        events = _about(options.trf, read_trf)
    else:
        name = options.name or options.file.stem
        events = [Created(name, options.rounds, read_points(options.points))]
    tournament = create(options.file, [_noted(event, options) for event in events])
    print(
        f"{options.file}: {tournament.name}, {tournament.planned} rounds, {tournament.points} "
        "points for win, draw and loss. Enter players with “boomboard tournament add”."
    )


def _add(options: argparse.Namespace) -> None:
    if (options.name is None) is (options.csv is None):
        raise CommandError("Give a player's name, or a list of players with --csv.")
    entering = (
        _about(options.csv, read_players)
        if options.csv
        else [PlayerAdded(options.name, options.rating)]
    )
    tournament = add(options.file, lambda _: [_noted(each, options) for each in entering])
    for player in tournament.players[len(tournament.players) - len(entering) :]:
        print(f"{player.number:>4}  {player.name}")


def _withdraw(options: argparse.Namespace) -> None:
    tournament = _decide(options, Withdrew(options.player))
    print(f"{tournament.player(options.player).name} is no longer paired.")


def _return(options: argparse.Namespace) -> None:
    tournament = _decide(options, Returned(options.player))
    print(f"{tournament.player(options.player).name} is paired again.")


def _pair(options: argparse.Namespace) -> None:
    def decide(tournament: Tournament) -> list[RecordedEvent]:
        return [_noted(pair(tournament), options)]

    _show_round(add(options.file, decide), None)


def _unpair(options: argparse.Namespace) -> None:
    tournament = _decide(options, RoundUndone())
    print(f"Round {len(tournament.rounds) + 1} is no longer paired.")


def _result(options: argparse.Namespace) -> None:
    chosen = None if options.result == _OPEN else GameResult(options.result)

    def decide(tournament: Tournament) -> list[RecordedEvent]:
        number = options.round or len(tournament.rounds)
        return [_noted(ResultSet(number, options.table, chosen, options.reason), options)]

    tournament = add(options.file, decide)
    number = options.round or len(tournament.rounds)
    left = sum(not game.result for game in tournament.rounds[number - 1].games)
    print(
        f"Table {options.table}: {options.result}. " + (f"{left} open." if left else _whole(number))
    )


def _whole(number: int) -> str:
    return f"Round {number} is over."


def _decide(options: argparse.Namespace, event: Event) -> Tournament:
    return add(options.file, lambda _: [_noted(event, options)])


def _noted(event: Event, options: argparse.Namespace) -> RecordedEvent:
    at = datetime.now().astimezone().isoformat(timespec="seconds")
    return RecordedEvent(at, options.by or getpass.getuser(), event)


def _about(path: Path, reader: Callable[[str], Sequence[Event]]) -> Sequence[Event]:
    """Read a file with `reader`; CommandError names the file."""
    try:
        return reader(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise CommandError(f"{path} cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{path} is not text in UTF-8; save it as UTF-8.") from error
    except TournamentError as error:
        raise CommandError(f"{path}: {error}") from error


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
    if played.bye is not None:
        print(f"      {tournament.player(played.bye).name} has a bye.")


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
        print(write_line(noted))


_FORMATS: Final[dict[str, Callable[[Tournament], str]]] = {
    "csv": write_standings,
    "trf": write_trf,
}


def _export(options: argparse.Namespace) -> None:
    written = _FORMATS[options.format](read(options.file).tournament)
    write_out(written.encode(), options)


_SHEETS: Final = ("pairings", "standings", "cross-table", "slips")


def _print(options: argparse.Namespace) -> None:
    with hall_packages():
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
    write_out(printouts.printed(sheet, language).encode(), options)


def _check_round(tournament: Tournament, number: int | None) -> int:
    """Return the number of the chosen round; TournamentError if the round is not paired yet."""
    number = number or len(tournament.rounds)
    if not 1 <= number <= len(tournament.rounds):
        raise TournamentError(
            "No round is paired yet; pair one with “boomboard tournament pair”."
            if not tournament.rounds
            else f"There is no round {number} yet; {len(tournament.rounds)} are paired."
        )
    return number
