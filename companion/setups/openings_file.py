"""Openings of the armies sealed at this computer, in a file beside the games.

The openings must survive a power cut, because otherwise the game could only continue without its
commitments. The file contains ranks, so only its owner may read it. Each army is stored as the
action that would prove it. A damaged file is quarantined under another name.
"""

import json
import secrets
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final

from companion.setups.setup import Setup
from companion.speech.i18n import N_
from companion.storage.atomic_file import AtomicFile, FileMessages
from engine.board.board import Piece
from engine.board.geometry import Side
from engine.deduction.commitment import SALT_BYTES, ArmyCommitment, Opening
from engine.game.actions import OpenArmy
from engine.records.serialization import read_action, write_action

FILE: Final = "seals.json"
MOST_ARMIES: Final = 40
"""Maximum number of armies in the file, so that it does not grow with every game that is abandoned.
The openings of the latest armies are kept. Chosen by judgement, not measured."""
_PROBLEMS: Final = FileMessages(
    quarantined=N_("The keys to the seals could not be read. Their file was set aside as {file}."),
    unreadable=N_("The keys to the seals cannot be read from the disk."),
    unsaved=N_("The keys to your seals cannot be saved. Free some space on the disk."),
)


class Openings(AtomicFile):
    """Openings of each army sealed here, by the army's commitment."""

    def __init__(self, path: Path) -> None:
        """Read the file if it exists."""
        super().__init__(path, _PROBLEMS)
        self._armies = self._read(_armies) or {}

    def seal(self, side: Side, setup: Setup) -> ArmyCommitment:
        """Commit a side to a setup. Even commitments to the same setup differ."""
        army = {
            piece: Opening(rank, secrets.token_hex(SALT_BYTES))
            for piece, rank in setup.on_squares_of(side).items()
        }
        commitment = ArmyCommitment.of(side, army)
        latest = [*self._armies.items()][1 - MOST_ARMIES :]
        self._keep({**dict(latest), commitment: OpenArmy(side, army)})
        return commitment

    def of_piece(self, commitment: ArmyCommitment, piece: Piece) -> Opening | None:
        """Return the opening of one piece; None if its army was not sealed here."""
        return self.of_army(commitment).get(piece)

    def of_army(self, commitment: ArmyCommitment) -> Mapping[Piece, Opening]:
        """Return the openings of a whole army; empty if it was not sealed here."""
        proof = self._armies.get(commitment)
        return proof.army if proof else {}

    def forget(self, commitments: Collection[ArmyCommitment]) -> None:
        """Delete the openings of these commitments."""
        left = {
            commitment: proof
            for commitment, proof in self._armies.items()
            if commitment not in commitments
        }
        if left != self._armies:
            self._keep(left)

    def _keep(self, armies: dict[ArmyCommitment, OpenArmy]) -> None:
        """Save the openings; if that fails, they are kept in memory until the program ends."""
        self._armies = armies
        self._write(json.dumps(list(map(write_action, armies.values()))))


def _armies(text: str) -> dict[ArmyCommitment, OpenArmy]:
    """Parse the file; ValueError if it is malformed."""
    try:
        proofs = [read_action(plain) for plain in json.loads(text)]
    except (TypeError, AttributeError, RecursionError) as wrong:
        raise ValueError(f"these are not actions: {wrong}") from wrong
    armies = {}
    for proof in proofs:
        if not isinstance(proof, OpenArmy):
            raise ValueError("only an action that proves an army opens its seals")
        armies[ArmyCommitment.of(proof.side, proof.army)] = proof
    return armies
