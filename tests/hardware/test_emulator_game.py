"""A whole game: the real firmware under emulation, its bytes, the real link, the real table."""

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from companion.commands.simulate import load_game
from companion.events import Event
from companion.journal import Journal
from companion.players import Players, Profile, Tally
from companion.session import Session
from engine.editions import DEFAULT
from engine.rulings import GameOver
from hardware.emulator.board import EmulatedBoard
from hardware.emulator.physics import WORST_CROWDING, Field, Spread
from tests.hardware.emulated import EmulatedTable

SAMPLE = Path(__file__).parents[2] / "companion" / "samples" / "classic-2004.xml"


@dataclass
class Played:
    tally: Tally
    over: bool
    lost: int
    bad: int


def play(firmware: Path, folder: Path, profile: Profile) -> Played:
    """Let hands play the sample game to its end at a board of the worst parts."""
    game, edition = load_game(SAMPLE, DEFAULT)
    journal = Journal(folder / "games.sqlite")
    endings: list[Event] = []
    field = Field(Spread().sensors(seed=1), crowding=WORST_CROWDING)
    with closing(journal):
        session = Session.begin(journal, edition, 0)
        session.listen(lambda event: endings.append(event) if isinstance(event, GameOver) else None)
        with EmulatedTable(session, EmulatedBoard(firmware, field, seed=1)) as table:
            players = Players(table, game, 0, profile)
            players.play()
            heard = table.statistics
    return Played(players.tally, len(endings) == 1, heard.lost, heard.bad_frames)


def test_the_sample_game_is_refereed_from_the_first_move_to_the_last(
    firmware_elf: Path, tmp_path: Path
) -> None:
    played = play(firmware_elf, tmp_path, Profile.CLEAN)
    assert (played.tally.plies, played.tally.wrong, played.tally.missed) == (206, 0, 0)
    assert played.over
    assert (played.lost, played.bad) == (0, 0)
