"""Whether players have called an arbiter who has not answered yet.

It has no part in the game: a call stops nothing, can be made in every state of a game, a pause as
well, and is still open after its end.
"""

from typing import Final

from companion.table.proceedings import Proceedings
from companion.table.sayings import AnswerCall, CallArbiter, WithdrawCall
from engine.sides import Side

_NONE: Final = ""
_BOTH: Final = "both"


class ArbiterCall:
    """The call that is open, if any."""

    def __init__(self, proceedings: Proceedings, call: CallArbiter | None) -> None:
        """Begin without a call, or with the one that was open before a restart."""
        self.open = call
        self._proceedings = proceedings

    @property
    def can_call(self) -> bool:
        """Whether an arbiter can be called: none is, and a game goes on.

        While armies are set up nothing is kept yet, so no hall would hear of it.
        """
        return self.open is None and self._proceedings.is_running

    def can_withdraw(self, side: Side | None) -> bool:
        """Whether a side, or None for both at their table, may withdraw what is open."""
        return self.open is not None and (side is None or self.open.side in (None, side))

    def hear(self, said: CallArbiter | WithdrawCall | AnswerCall) -> None:
        """Take what is said about a call. A second one changes nothing."""
        match said:
            case CallArbiter() if self.can_call:
                self.open = said
            case WithdrawCall(side) if self.can_withdraw(side):
                self.open = None
            case AnswerCall() if self.open:
                self.open = None
            case _:
                return
        self._proceedings.tell(said)


def write_call(call: CallArbiter | None) -> str:
    """Return an open call, or that there is none, as a word."""
    if call is None:
        return _NONE
    return call.side.value if call.side else _BOTH


def read_call(word: str) -> CallArbiter | None:
    """Return what `write_call` has written; ValueError if it is something else."""
    if word == _NONE:
        return None
    return CallArbiter(None if word == _BOTH else Side(word))
