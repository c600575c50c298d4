"""Conservation of pieces: those on the board and those captured always add up to the army."""

from companion.simulator.soak.claim import Claim, insist
from companion.table import Table
from engine.board.geometry import Side
from engine.game.actions import AcceptBoard
from engine.game.game_state import Phase


def check_pieces(table: Table) -> None:
    """Check the public view: the pieces on the board and the captured ones.

    A piece can only be removed without revealing its rank if both sides agree.
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
