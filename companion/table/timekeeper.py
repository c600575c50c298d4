"""Control of the game clock: starts and stops it, and detects that time has run out."""

from companion.table.sayings import GiveTime
from companion.table.state import Over, SettingUp, State, WrongMove
from engine.board.geometry import Side
from engine.game.actions import RunOut
from engine.game.clocks import LONGEST, Clock, Limit
from engine.game.rulings import GameOver, Reason


class Timekeeper:
    """Controls a clock. It never reads the time: every call is given the time, as the clock is."""

    def __init__(self, clock: Clock) -> None:
        """Control a clock, which other code may read."""
        self._clock = clock
        self._setup_called = False

    def calls_setup(self, at: float) -> bool:
        """Whether the time to set up has run out; True only once."""
        if self._setup_called or self._clock.expired(at) is not Limit.SETUP:
            return False
        self._setup_called = True
        return True

    def run_out(self, at: float) -> RunOut | None:
        """Return which time to play has run out, if any."""
        expired = self._clock.expired(at)
        if expired in (None, Limit.SETUP):
            return None
        return RunOut(None if expired is Limit.WHOLE else Side(expired.value))

    def can_give(self, given: GiveTime, at: float, outcome: GameOver | None) -> bool:
        """Whether an arbiter may give this time, or take it away.

        A clock is not emptied by that. When the game is over, only the side whose time has run out
        can be given some.
        """
        left = self._clock.left(given.side, at)
        if left is None or not given.seconds or not 0 < left + given.seconds <= LONGEST:
            return False
        if outcome is None:
            return True
        is_by_time = outcome.reason is Reason.TIME
        return is_by_time and self._clock.expired(at) is Limit.of(given.side)

    def give(self, given: GiveTime, at: float) -> None:
        """Adjust the clock of a side."""
        self._clock.give(given.side, given.seconds, at)

    def run(self, at: float, state: State, to_move: Side, *, stands: bool) -> None:
        """Start or stop the clock as the state of the game requires.

        It stops for both sides while the game `stands`: in a pause, or without a board.
        """
        match state:
            case SettingUp():
                self._clock.set_up(at)
                return
            case Over():
                self._clock.stop(at)
                return
            case WrongMove(out_of_turn=Side() as owner):
                self._clock.charge(owner, at)
            case _:
                self._clock.turn(to_move, at)
        if stands or not state.time_runs:
            self._clock.pause(at)
