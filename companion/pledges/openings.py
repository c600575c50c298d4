"""What opens the seals of the armies that were sealed here, in a file beside the games.

A pulled plug must not lose it, or a game could not go on without breaking the seals. It holds
ranks, so nobody but its owner may read it. Each army is in it as the action that would prove it. A
file that cannot be read is set aside under another name.
"""

import json
import secrets
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final

from companion.setups.setup import Setup
from companion.speech.language import N_
from companion.store.whole_file import set_aside_damaged, write_whole
from engine.games.notation import read_action, write_action
from engine.knowledge.pledge import SALT_BYTES, Opening, Pledge
from engine.legality.board import Piece
from engine.play.actions import ProveArmy
from engine.sides import Side

FILE: Final = "seals.json"
_SET_ASIDE: Final = N_("What opens the seals could not be read. Its file was set aside as {file}.")
_UNREADABLE: Final = N_("What opens the seals cannot be read from the disk.")
_UNSAVED: Final = N_("What opens the seals cannot be kept: free some space on the disk.")


class Openings:
    """What opens the seals of each army that was sealed here, by what was pledged of it."""

    def __init__(self, path: Path) -> None:
        """Read the file, if it is there."""
        self._path = path
        self.problem = ""
        """What is wrong with the file, in one plain sentence that is still to be translated."""
        self.set_aside = ""
        """The name under which a damaged file was set aside."""
        self._is_readable = True
        self._armies = self._read()

    def seal(self, side: Side, setup: Setup) -> Pledge:
        """Pledge a side to a setup. Two pledges to the same one have nothing in common."""
        army = {
            piece: Opening(rank, secrets.token_hex(SALT_BYTES))
            for piece, rank in setup.on_squares_of(side).items()
        }
        pledge = Pledge.of(side, army)
        self._keep({**self._armies, pledge: ProveArmy(side, army)})
        return pledge

    def of_piece(self, pledge: Pledge, piece: Piece) -> Opening | None:
        """What opens the seal of one piece; None if this was not sealed here."""
        return self.of_army(pledge).get(piece)

    def of_army(self, pledge: Pledge) -> Mapping[Piece, Opening]:
        """What opens all seals of an army; nothing if this was not sealed here."""
        proof = self._armies.get(pledge)
        return proof.army if proof else {}

    def forget_all_but(self, pledges: Collection[Pledge]) -> None:
        """Forget what nobody will ask for any more."""
        left = {pledge: proof for pledge, proof in self._armies.items() if pledge in pledges}
        if left != self._armies:
            self._keep(left)

    def _read(self) -> dict[Pledge, ProveArmy]:
        try:
            return _armies(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except OSError:
            self.problem, self._is_readable = _UNREADABLE, False
        except (ValueError, TypeError, AttributeError, RecursionError):
            self._set_aside()
        return {}

    def _set_aside(self) -> None:
        try:
            self.set_aside = set_aside_damaged(self._path)
        except OSError:
            self.problem, self._is_readable = _UNREADABLE, False
        else:
            self.problem = _SET_ASIDE

    def _keep(self, armies: dict[Pledge, ProveArmy]) -> None:
        """Keep them: what cannot be written is known until the program ends, at least."""
        self._armies = armies
        if not self._is_readable:  # what stands in the file may be worth more
            return
        try:
            write_whole(self._path, json.dumps(list(map(write_action, armies.values()))))
        except OSError:
            self.problem = _UNSAVED
        else:
            self.problem = ""


def _armies(text: str) -> dict[Pledge, ProveArmy]:
    """Read what was written; ValueError, TypeError or AttributeError if it is something else."""
    proofs = [read_action(plain) for plain in json.loads(text)]
    armies = {}
    for proof in proofs:
        if not isinstance(proof, ProveArmy):
            raise TypeError("only what proves an army opens its seals")
        armies[Pledge.of(proof.side, proof.army)] = proof
    return armies
