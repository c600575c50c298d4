"""Pieces are neither lost nor won: what stands and what has fallen make up the army, always."""

from companion.simulator.soak.claim import Claim, insist
from companion.table import Table
from engine.play.actions import AcceptBoard
from engine.play.moment import Phase
from engine.sides import Side


def check_pieces(table: Table) -> None:
    """Look at what everybody may see: what stands, and what lies among the fallen.

    Without a rank no piece goes but by consent of both sides.
    """
    view = table.view
    if view.phase is Phase.SETUP:
        return
    agreed: int | None = None
    for side in Side:
        standing, fallen = view.board.of(side).bit_count(), len(view.captured[side])
        missing = view.edition.army.size - standing - fallen
        if missing and agreed is None:
            agreed = sum(
                action.removed.bit_count()
                for action in table.referee.in_force
                if isinstance(action, AcceptBoard)
            )
        insist(
            Claim.PIECES,
            missing == view.unshown[side] and 0 <= missing <= (agreed or 0),
            f"{standing} pieces of {side.value} stand, {fallen} have fallen, {missing} are missing",
        )
