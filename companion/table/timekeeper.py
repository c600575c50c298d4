"""Who lets the clock of a game run and stand, and calls the time when it has run out."""

from engine.play.actions import RunOut
from engine.play.clocks import Clock, Limit
from engine.play.moment import Phase
from engine.play.referee import Referee
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

    def run(self, at: float, referee: Referee, is_time_out: bool, out_of_turn: Side | None) -> None:
        """Let the clock run or stand as the game asks for; in a time-out nobody's time runs.

        `out_of_turn` is the side that has to take back a move it had no turn for, if one has.
        """
        match referee.phase:
            case Phase.SETUP:
                self._clock.set_up(at)
            case Phase.OVER:
                self._clock.stop(at)
            case _:
                if out_of_turn:
                    self._clock.charge(out_of_turn, at)
                else:
                    self._clock.turn(referee.to_move, at)
                if is_time_out:
                    self._clock.pause(at)
