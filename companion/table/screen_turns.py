"""Turns that are made on the screen, because the board does not show them or is ignored there.

An attack may be opened and a guess made by touches alone. A move is made on the board, and on the
screen only if it starts or ends on an ignored square.
"""

from companion.table.proceedings import Proceedings
from companion.table.sight import Sight
from companion.table.state import Clearing, Restoring, WrongMove
from companion.table.transitions import Cause
from engine.board.geometry import Square, set_of
from engine.game.actions import Amend, Attack, Infiltrate, Move
from engine.game.game_state import Phase
from engine.rules.violations import Fault


class ScreenTurns:
    """Submits turns on the screen to the referee."""

    def __init__(self, proceedings: Proceedings, sight: Sight) -> None:
        """Create the screen turns of a game."""
        self._proceedings, self._sight = proceedings, sight
        self._referee = proceedings.referee

    def take(self, turn: Attack | Move | Infiltrate) -> None:
        """Try a turn, if nothing has to be put right on the board."""
        is_waiting = isinstance(self._proceedings.state, Clearing | Restoring)
        if is_waiting or not self._referee.phase.is_turn:
            return
        match turn:
            case Attack():
                self._attack(turn.source, turn.target)
            case Move():
                if self._sight.unbelieved & set_of((turn.source, turn.target)):
                    self._proceedings.attempt(turn)
            case Infiltrate() if self._referee.phase is Phase.PLAY:
                self._proceedings.attempt(turn)

    def forget_forbidden(self) -> None:
        """Forget a turn that is forbidden: the players have gone on without it."""
        state = self._proceedings.state
        if isinstance(state, WrongMove) and not state.difference:
            self._proceedings.go(Cause.SHOWN)

    def _attack(self, source: Square, target: Square) -> None:
        """Open an attack by touches. No piece is moved, so no bomb is lost by it."""
        board, last = self._referee.position.board, self._referee.position.last_move
        if last and last[0] == source and board.side_at(source) is None:
            goes_on = self._referee.can_amend(last[1], target)
            source = last[1]  # the piece was seen there on its way
        else:
            goes_on = self._referee.can_strike_on(source, target)
        if goes_on:
            self._proceedings.attempt(Amend(source, target))
            return
        violation = self._referee.find_violation(source, target)
        if violation and violation.fault is Fault.IMMOBILE:
            self._proceedings.forbid(violation, None)
            self._proceedings.tell(violation)
        else:
            self._proceedings.attempt(Attack(source, target))
