"""Who lets the clock of a game run and stand, and calls the time when it has run out."""

from companion.table.state import Over, SettingUp, State, WrongMove
from engine.play.actions import RunOut
from engine.play.clocks import Clock, Limit
from engine.sides import Side


class Timekeeper:
    """Sits at a clock. It reads none: every call is told the moment, as the clock is."""

    def __init__(self, clock: Clock) -> None:
        """Sit down at a clock, which others may look at."""
        self._clock = clock
        self._setup_called = False

    def calls_setup(self, at: float) -> bool:
        """Whether the time to set up has run out; that is said once."""
        if self._setup_called or self._clock.expired(at) is not Limit.SETUP:
            return False
        self._setup_called = True
        return True

    def run_out(self, at: float) -> RunOut | None:
        """Say what has run out of the time to play, if anything."""
        expired = self._clock.expired(at)
        if expired in (None, Limit.SETUP):
            return None
        return RunOut(None if expired is Limit.WHOLE else Side(expired.value))

    def run(self, at: float, state: State, to_move: Side, *, is_connected: bool) -> None:
        """Let the clock run or stand as the state of the game asks for.

        Nobody's time runs while the board cannot be read.
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
        if not (state.time_runs and is_connected):
            self._clock.pause(at)
