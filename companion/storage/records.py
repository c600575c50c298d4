"""Reads games from files of all formats, and converts between records and transcripts."""

import sys
from contextlib import AbstractContextManager
from importlib import resources
from io import BufferedReader
from pathlib import Path
from reprlib import repr as short  # a hostile file may contain very long text
from typing import Final

from engine.board.visibility import Secret
from engine.game import actions
from engine.game.referee import Referee
from engine.game.rulings import GameOver, Reason
from engine.records import transcript
from engine.records.adjudication import edition_for, judge, to_action
from engine.records.record import Record, RecordedMove, RecordError
from engine.records.record_files import read
from engine.records.transcript import Transcript, TranscriptEntry, TranscriptError, transcribe
from engine.rules.editions import Edition

# ``-`` stands for standard input wherever a file name is allowed.

STDIN: Final = Path("-")


def open_binary(path: Path) -> BufferedReader:
    """Open a file or standard input in binary mode. Raise OSError or ValueError on failure."""
    if path == STDIN:
        return open(sys.stdin.fileno(), "rb", closefd=False)
    return path.open("rb")


def called(path: Path) -> str:
    """Return the name of a file for use at the beginning of a message."""
    return "The input" if path == STDIN else str(path)


LARGEST: Final = 2**20
"""Maximum file size in bytes. The longest games in the Gravon archive are a fortieth of this size.
Even in JSON, the largest format, this size is enough for about 5,000 plies. Reading a larger file
could take minutes and a lot of memory."""


def read_game(path: Path) -> Record | Transcript:
    """Read a game from a file, or from standard input for ``-``.

    Raise RecordError with a message for the user if anything goes wrong.
    """
    try:
        with open_binary(path) as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise RecordError(f"the file cannot be opened ({error.strerror})") from error
    except ValueError as error:
        raise RecordError(f"the file cannot be opened ({error})") from error
    if len(data) > LARGEST:
        raise RecordError(f"the file is larger than {LARGEST // 2**20} MB, so it is not a game")
    game = read(data)
    if isinstance(game, Record) and game.foreign_kind:
        raise RecordError(
            f"the file contains a game of type {short(game.foreign_kind)}, "
            "for which Boomboard has no rulebook"
        )
    return game


def read_record(path: Path) -> Record:
    """Read a game that contains only moves and attacks, and the ranks of all pieces.

    Raise RecordError for any other file.
    """
    return as_record(read_game(path))


def as_record(game: Record | Transcript) -> Record:
    """Convert a game to a record.

    Raise RecordError if a rank is unknown, or if the game has actions other than moves and attacks.
    """
    try:
        return game if isinstance(game, Record) else transcript.as_record(game)
    except TranscriptError as error:
        raise RecordError(str(error)) from error


def as_transcript(record: Record, edition: Edition) -> Transcript:
    """Convert a record into the transcript of truthful players' game with a referee.

    The rules are those of `edition`. The transcript ends where the record ends, or with the first
    illegal ply. If the moves do not lead to the recorded end of the game, commands that lead to it
    are added. The last resort is a forfeit or a draw by agreement.
    """
    verdict = judge(record, edition)
    edition = edition_for(record, edition)
    placing = record.placing
    if verdict.violations and verdict.ply is None:
        setup = TranscriptEntry(0, placing, verdict.violations)
        return Transcript(edition, (setup,), players=record.players, ranks=record.ranks)
    referee = Referee.replay(edition, [placing])
    for move in record.moves[: verdict.ply - 1 if verdict.ply else None]:
        play_truthfully(move, record, referee)
    last: tuple[TranscriptEntry, ...] = ()
    if verdict.ply:
        action = to_action(record.moves[verdict.ply - 1], referee.position)
        loses = verdict.outcome if _is_moved_bomb(verdict.outcome) else None
        last = (TranscriptEntry(0, action, (*verdict.violations, *([loses] if loses else []))),)
    if verdict.outcome and not referee.outcome and not (last and _is_moved_bomb(verdict.outcome)):
        for closing in _closing_actions(verdict.outcome, referee):
            if not referee.outcome:
                referee.apply(closing)
    timed = [(0.0, action) for action in referee.actions]
    transcript = transcribe(edition, timed, players=record.players, ranks=record.ranks)
    return Transcript(
        edition, transcript.entries + last, players=record.players, ranks=transcript.ranks
    )


def play_truthfully(move: RecordedMove, record: Record, referee: Referee) -> None:
    """Make a legal move from a record. The players truthfully declare any required ranks."""
    referee.apply(to_action(move, referee.position))
    while attack := referee.open_attack:
        side = attack.awaited[0]
        rank = record.ranks[referee.position.board.piece_at(attack.square(side))]
        referee.apply(actions.Declare(Secret(side, rank)))


def _is_moved_bomb(outcome: GameOver | None) -> bool:
    return outcome is not None and outcome.reason is Reason.MOVED_BOMB


def _closing_actions(outcome: GameOver, referee: Referee) -> tuple[actions.Action, ...]:
    """Return commands that end the game with `outcome` if its moves have not ended it."""
    loser = outcome.winner.other if outcome.winner else None
    is_asked = referee.edition.both_immobile_draw
    match outcome.reason:
        case Reason.NO_LEGAL_MOVE if loser is referee.to_move and not is_asked:
            if referee.position.must_be_able_to_move(loser.other):
                return (actions.ClaimStalemate(),)
        case Reason.BOTH_IMMOBILE if referee.stalemate:
            return (actions.AnswerStalemate(able=False),)
        case Reason.BOTH_IMMOBILE if not loser:
            if is_asked or not referee.position.must_be_able_to_move(referee.to_move.other):
                return actions.ClaimStalemate(), actions.AnswerStalemate(able=False)
        case Reason.RESIGNATION if loser:
            return (actions.Resign(loser),)
        case Reason.TIME:
            return (actions.TimeExpired(loser),)
        case Reason.FORFEIT:
            return (actions.Forfeit(loser),)
    return (actions.Forfeit(loser) if loser else actions.AgreeDraw(),)


def sample_game() -> AbstractContextManager[Path]:
    """Return the file of the sample game, with 206 moves, from the public Gravon archive."""
    return resources.as_file(resources.files("companion") / "samples" / "classic-2004.xml")
