"""Tracks whether players have called an arbiter who has not answered yet.

A call is no part of the game: it stops nothing, is possible in every state of a game including a
pause, and remains open after its end.
"""

from typing import Final

from companion.table.proceedings import Proceedings
from companion.table.sayings import AnswerCall, CallArbiter, WithdrawCall
from engine.board.geometry import Side

_NONE: Final = ""
_BOTH: Final = "both"


class ArbiterCall:
    """The open call to an arbiter, if any."""

    def __init__(self, proceedings: Proceedings, call: CallArbiter | None) -> None:
        """Begin without a call, or with the one that was open before a restart."""
        self.open = call
        self._proceedings = proceedings

    @property
    def can_call(self) -> bool:
        """Whether an arbiter can be called: no call is open, and a game is in progress.

        While armies are set up nothing is saved yet, so no hall would learn of the call.
        """
        return self.open is None and self._proceedings.is_running

    def can_withdraw(self, side: Side | None) -> bool:
        """Whether a side, or None for both at their table, may withdraw the open call."""
        return self.open is not None and (side is None or self.open.side in (None, side))

    def hear(self, said: CallArbiter | WithdrawCall | AnswerCall) -> None:
        """Handle a command about a call. A second call changes nothing."""
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
    """Return the open call as a word; there is also a word for no call."""
    if call is None:
        return _NONE
    return call.side.value if call.side else _BOTH


def read_call(word: str) -> CallArbiter | None:
    """Parse a word from `write_call`; ValueError if it is malformed."""
    if word == _NONE:
        return None
    return CallArbiter(None if word == _BOTH else Side(word))
