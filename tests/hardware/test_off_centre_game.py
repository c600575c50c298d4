"""Tests for a whole game in which all pieces are set down off centre.

The simulated hands straighten pieces that the board does not detect, as players who watch the
screen would.
"""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from companion.commands.simulate import load_game
from companion.session.session import Session
from companion.simulator.random_games import RecordedGame
from companion.simulator.simulated_match import MatchResult, Profile, SimulatedPlayers
from companion.simulator.simulation import BoardRig
from companion.storage.journal import Journal
from engine.board.geometry import Side, Square, squares_in
from engine.rules.editions import DEFAULT
from firmware_bridge.simulated_board.board import SimulatedBoard
from firmware_bridge.wire import BadFrame, BoardMessage, Configure, Geometry, State
from hardware.emulator.board import EmulatedBoard
from hardware.emulator.physics import USUAL, Magnet
from hardware.emulator.port import EmulatedPort, configured
from hardware.magnetics.found_file import CHOSEN
from tests.campaigns import Campaign
from tests.hardware.placing import Hands
from tests.hardware.test_emulator_game import SAMPLE, WHOLE

SPREAD_MM = 3.0
"""Standard deviation of a piece's offset along each axis, in millimetres."""
LOOKS_AFTER_MS = 500
"""Time, in milliseconds, after which a player notices that the screen does not show a piece."""
PLIES = Campaign("whole-games", part=2, whole=WHOLE)
GEOMETRIES = Campaign("whole-games", part=1, whole=len(Geometry))


class Straightening(EmulatedPort):
    """Port of an emulated board on which a hand straightens any piece that is not detected."""

    def __init__(self, pieces: SimulatedBoard, board: EmulatedBoard, hands: Hands) -> None:
        super().__init__(pieces, board, self._set)
        self._hands = hands
        self._unseen: dict[Square, int] = {}
        """For each undetected piece: the time since which it has been missing, in microseconds on
        the board's clock."""
        self.set_down = self.straightened = 0

    def _set(self, square: Square, side: Side) -> Magnet:
        self.set_down += 1
        return self._hands.piece(square, side is Side.RED, SPREAD_MM)

    def _run(self, milliseconds: int) -> list[BoardMessage | BadFrame]:
        heard = super()._run(milliseconds)
        states = [message for message in heard if isinstance(message, State)]
        if states:
            unseen = self._shown.occupied & ~states[-1].image.occupied
            now = self._board.now_us
            self._unseen = {each: self._unseen.get(each, now) for each in squares_in(unseen)}
            for square, since in self._unseen.items():
                if now - since > 1000 * LOOKS_AFTER_MS:
                    self._straighten(square)
        return heard

    def _straighten(self, square: Square) -> None:
        is_red = self._shown.at(square).side is Side.RED
        self._board.place(square, self._hands.piece(square, is_red, SPREAD_MM))
        self._unseen[square] = self._board.now_us
        self.straightened += 1


def play(
    elf: Path, folder: Path, plies: int, seed: int, geometry: Geometry
) -> tuple[MatchResult, Straightening]:
    """Calibrate a board and play `plies` plies of the sample game."""
    hands = Hands(USUAL, CHOSEN.counts, seed, face_down=geometry is Geometry.TILES)
    with EmulatedBoard(elf, hands.field, geometry=geometry) as board:
        board.eeprom = configured(elf, Configure(geometry=geometry))
        board.power_on()
        hands.calibrate(board)
        learned = board.eeprom
    game, edition = load_game(SAMPLE, DEFAULT)
    assert isinstance(game, RecordedGame)
    if plies < game.length:
        game.length, game.last_words = plies, ()
    pieces = SimulatedBoard()
    board = EmulatedBoard(elf, hands.field, geometry=geometry, seed=seed)
    board.eeprom = learned
    port = Straightening(pieces, board, hands)
    with closing(Journal(folder / "games.sqlite")) as journal:
        session = Session.begin(journal, edition, 0)
        with BoardRig(session, pieces, port) as simulated:
            players = SimulatedPlayers(simulated, game, 0, Profile.CLEAN)
            players.play()
    return players.tally, port


@PLIES
@pytest.mark.parametrize("geometry", GEOMETRIES.among([Geometry.TILES, Geometry.BY_HAND]))
def test_no_wrong_rulings(
    firmware_elf: Path,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
    geometry: Geometry,
) -> None:
    tally, port = play(firmware_elf, tmp_path, PLIES.size, 1, geometry)
    assert (tally.plies, tally.wrong, tally.missed) == (min(PLIES.size, WHOLE), 0, 0)
    record_property("straightened", f"{port.straightened} of {port.set_down}")
    assert port.straightened <= port.set_down // 20
