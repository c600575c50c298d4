"""Tests for a whole game with emulated firmware, the real link and the real table."""

from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from companion.commands.simulate import load_game
from companion.core.events import Event
from companion.session.session import Session
from companion.simulator import simulation
from companion.simulator.random_games import RecordedGame
from companion.simulator.simulated_match import MatchResult, Profile, SimulatedPlayers
from companion.storage.journal import Journal
from engine.board.geometry import SQUARES
from engine.game.rulings import GameOver
from engine.rules.editions import DEFAULT
from firmware_bridge.link import Statistics
from firmware_bridge.simulated_board.board import SimulatedBoard
from firmware_bridge.wire import ResetCause
from hardware.emulator.board import EmulatedBoard
from hardware.emulator.physics import WORST_CROWDING, Field, Spread, Switch
from hardware.emulator.port import EmulatedPort
from tests.campaigns import Campaign

WORST = Spread().sensors(seed=1)
WHOLE = 206
"""Number of plies in the sample game."""
PLIES = Campaign("whole-games", part=3, whole=WHOLE)
DISRUPTIONS = Campaign("whole-games", part=12, whole=WHOLE)
EVERY_DISRUPTION_SOON = 1648
"""Random seed with which a loose plug causes every type of disruption within a few plies."""
SWITCHED = Campaign("whole-games", part=3, whole=60)
SAMPLE = Path(__file__).parents[2] / "companion" / "samples" / "classic-2004.xml"


@dataclass
class Played:
    tally: MatchResult
    events: list[Event]
    heard: Statistics
    disruptions: list[simulation.Disruption]
    started_for: list[ResetCause]
    """Reset causes reported by the board, except that of the first start."""


def play(
    firmware: Path,
    folder: Path,
    plug: Callable[[int], simulation.Disruptions] = simulation.steady,
    field: Field | None = None,
    eeprom: bytes | None = None,
    plies: int = WHOLE,
) -> Played:
    """Play up to `plies` plies of the sample game, by default on a board with worst-case parts
    (`WORST`)."""
    game, edition = load_game(SAMPLE, DEFAULT)
    assert isinstance(game, RecordedGame)
    if plies < game.length:
        game.length, game.last_words = plies, ()
    events: list[Event] = []
    disruptions: list[simulation.Disruption] = []

    def noted() -> simulation.Disruptions:
        for at_ms, disruption in plug(EVERY_DISRUPTION_SOON):
            disruptions.append(disruption)
            yield at_ms, disruption

    field = field or Field(list(WORST), crowding=WORST_CROWDING)
    pieces = SimulatedBoard()
    board = EmulatedBoard(firmware, field, seed=1)
    if eeprom:
        board.eeprom = eeprom
    port = EmulatedPort(pieces, board)
    with closing(Journal(folder / "games.sqlite")) as journal:
        session = Session.begin(journal, edition, 0)
        session.listen(events.append)
        with simulation.BoardRig(session, pieces, port, noted()) as simulated:
            players = SimulatedPlayers(simulated, game, 0, Profile.CLEAN)
            players.play()
            heard, greetings = simulated.statistics, simulated.greetings
    causes = [hello.reset_cause for hello in greetings[1:]]
    # The last disruption was planned, but the game ended before it took place.
    return Played(players.tally, events, heard, disruptions[:-1], causes)


@PLIES
def test_sample_game_at_the_firmware(firmware_elf: Path, tmp_path: Path) -> None:
    played = play(firmware_elf, tmp_path, plies=PLIES.size)
    plies = min(PLIES.size, WHOLE)
    assert (played.tally.plies, played.tally.wrong, played.tally.missed) == (plies, 0, 0)
    over = [event for event in played.events if isinstance(event, GameOver)]
    assert over == (played.events[-1:] if plies == WHOLE else [])
    assert (played.heard.lost, played.heard.bad_frames) == (0, 0)
    assert not played.started_for


@DISRUPTIONS
def test_game_survives_resets_hangs_and_unplugging(firmware_elf: Path, tmp_path: Path) -> None:
    played = play(firmware_elf, tmp_path, simulation.loose, plies=DISRUPTIONS.size)
    plies = min(DISRUPTIONS.size, WHOLE)
    assert (played.tally.plies, played.tally.wrong, played.tally.missed) == (plies, 0, 0)
    happened = Counter(played.disruptions)
    assert min(happened.values()) >= (3 if plies == WHOLE else 1)
    assert set(happened) == set(simulation.Disruption)
    starts = Counter(played.started_for)
    for disruption, cause in simulation.RESTARTS.items():
        assert starts[cause] == happened[disruption], disruption
    assert starts[ResetCause.POWER_ON] == happened[simulation.Disruption.PLUGGED_IN]


@SWITCHED
def test_game_with_switches(firmware_elf: Path, switches_eeprom: bytes, tmp_path: Path) -> None:
    """Attacks are made by lifting both pieces, or are entered on the screen."""
    switches = Field([Switch()] * len(SQUARES), crowding=WORST_CROWDING)
    played = play(
        firmware_elf, tmp_path, field=switches, eeprom=switches_eeprom, plies=SWITCHED.size
    )
    plies = min(SWITCHED.size, WHOLE)
    assert (played.tally.plies, played.tally.wrong, played.tally.missed) == (plies, 0, 0)
    assert played.tally.combats >= plies // 6
    assert (played.heard.lost, played.heard.bad_frames) == (0, 0)
