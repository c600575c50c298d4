"""Openings of the armies sealed on this computer, in a file next to the games.

The openings must survive a power cut: otherwise, the game could continue only without its
commitments. The file contains ranks, so only its owner may read it. Each piece has its own line:
the digest of its army's commitment, the text that was hashed, and a checksum.

    DIGEST boomboard/1 red e4 miner SALT CHECKSUM

If a line is damaged, at most the opening of the piece on that line is lost. The damaged file is
then quarantined under another name, and everything readable is written to a new file.
"""

import secrets
from collections.abc import Collection, Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final

from companion.setups.setup import Setup
from companion.speech.i18n import N_
from companion.storage.atomic_file import AtomicFile, FileMessages
from engine.board.board import Piece
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.deduction.commitment import SALT_BYTES, ArmyCommitment, Opening, opening_text

FILE: Final = "seals.txt"
MOST_ARMIES: Final = 40
"""Maximum number of armies in the file. Only the latest armies are kept: otherwise, the file would
grow with every abandoned game. This number is a matter of judgement."""
_CHECKSUM_DIGITS: Final = 16
_PROBLEMS: Final = FileMessages(
    quarantined=N_("The keys to the seals could not be read. Their file was set aside as {file}."),
    unreadable=N_("The keys to the seals cannot be read from the disk."),
    unsaved=N_("The keys to your seals cannot be saved. Free some space on the disk."),
)
_Armies = dict[str, dict[tuple[Side, Piece], Opening]]
"""Openings of each army's pieces, keyed by the digest of the army's commitment."""


class Openings(AtomicFile):
    """Openings of the armies sealed on this host, keyed by commitment."""

    def __init__(self, path: Path) -> None:
        """Read the file if it exists."""
        super().__init__(path, _PROBLEMS)
        self._armies: _Armies = {}
        text = self._read(str, errors="replace") or ""
        self._armies, is_whole = _read_lines(text.split("\n"))
        if not is_whole:
            self._quarantine()
            problem = self.problem
            self._keep(self._armies)
            self.problem = problem

    def seal(self, side: Side, setup: Setup) -> ArmyCommitment:
        """Commit a side to a setup. Even commitments to the same setup differ."""
        army = {
            piece: Opening(rank, secrets.token_hex(SALT_BYTES))
            for piece, rank in setup.on_squares_of(side).items()
        }
        commitment = ArmyCommitment.of(side, army)
        openings = {(side, piece): opening for piece, opening in army.items()}
        latest = [*self._armies.items()][1 - MOST_ARMIES :]
        self._keep({**dict(latest), commitment.digest: openings})
        return commitment

    def of_piece(self, commitment: ArmyCommitment, piece: Piece) -> Opening | None:
        """Return the opening of one piece (its rank and salt), or None if missing or damaged."""
        return self.of_army(commitment).get(piece)

    def of_army(self, commitment: ArmyCommitment) -> Mapping[Piece, Opening]:
        """Return an army's intact openings, or none if the army was not sealed on this host."""
        openings = self._armies.get(commitment.digest, {})
        return {
            piece: opening
            for (side, piece), opening in openings.items()
            if commitment.holds(side, piece, opening)
        }

    def forget(self, commitments: Collection[ArmyCommitment]) -> None:
        """Delete the openings of these commitments."""
        digests = {commitment.digest for commitment in commitments}
        left = {digest: army for digest, army in self._armies.items() if digest not in digests}
        if left != self._armies:
            self._keep(left)

    def _keep(self, armies: _Armies) -> None:
        """Save the openings. If that fails, they are kept in memory until the process exits."""
        self._armies = armies
        lines = (
            _line(digest, opening_text(side, piece, opening))
            for digest, army in armies.items()
            for (side, piece), opening in army.items()
        )
        self._write("".join(lines))


def _line(digest: str, text: str) -> str:
    checksum = sha256(f"{digest} {text}".encode()).hexdigest()[:_CHECKSUM_DIGITS]
    return f"{digest} {text} {checksum}\n"


def _read_lines(lines: Iterable[str]) -> tuple[_Armies, bool]:
    """Read all intact lines, and return whether all lines were intact."""
    armies: _Armies = {}
    is_whole = True
    for line in filter(None, lines):
        digest, _, text = line.rpartition(" ")[0].partition(" ")
        try:
            _, side, place, rank, salt = text.split(" ")
            if f"{line}\n" != _line(digest, text):
                raise ValueError("the checksum is wrong")
            opening = Opening(Rank[rank.upper()], salt)
            armies.setdefault(digest, {})[Side(side), square(place)] = opening
        except (ValueError, KeyError):
            is_whole = False
    return armies, is_whole
