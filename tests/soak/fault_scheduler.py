"""Random hardware and system faults during a session."""

import heapq
from collections.abc import Callable
from itertools import count
from random import Random
from typing import Final, TypeAlias

from companion.simulator.simulation import RESTARTS
from engine.board.geometry import LAKES, SQUARES
from firmware_bridge.simulated_board.board import SUPPLY_MV, WEAK_SUPPLY_MV
from tests.soak.board_source import CableFault
from tests.soak.faulty_disk import DiskFault
from tests.soak.rig import FRAME_MS, SimulatedRig

Happening: TypeAlias = Callable[[], None]

QUIET_MS: Final = (4_000, 120_000)
"""Shortest and longest time in milliseconds between two faults."""
_FLICKERS: Final = 0.5
"""Probability that a faulty sensor flickers. Otherwise, the sensor is shorted."""
_NEVER: Final = 10**12
_PLACES: Final = 16
"""Maximum number of disk operations before the power is cut during a save."""
_SLOW_MS: Final = (300, 1_000, 2_500, 6_000)
"""Possible durations of a save on a slow disk, in milliseconds."""


class FaultScheduler:
    def __init__(
        self, rig: SimulatedRig, dice: Random, look_on: Happening, switch: Happening
    ) -> None:
        """`look_on` makes another process open the games. `switch` changes the language."""
        self._rig, self._dice = rig, dice
        self._order = count()
        self._coming: list[tuple[int, int, Happening]] = []
        self.active = 0
        self.latest_ms = 0
        """Time in milliseconds at which a fault last started or ended."""
        self._kinds: list[Happening] = [
            *(rig.pull_plug, self._fuse, self._fuse),
            *(self._unplug_board, self._restart_board, self._be_late),
            *(self._spoil_cable, self._spoil_disk, self._spoil_disk, self._slow_disk),
            *(self._spoil_sensor, self._weaken, look_on, switch),
        ]
        rig.on_tick = self._inject
        self._plan_next()

    def _inject(self, now: int) -> None:
        while self._coming and self._coming[0][0] <= now:
            _, _, happening = heapq.heappop(self._coming)
            self.latest_ms = now
            happening()
        self._rig.due_ms = self._coming[0][0] if self._coming else _NEVER

    def _later(self, after_ms: int, happening: Happening) -> None:
        at = self._rig.ms + after_ms // FRAME_MS * FRAME_MS
        heapq.heappush(self._coming, (at, next(self._order), happening))
        self._rig.due_ms = self._coming[0][0]

    def _plan_next(self) -> None:
        self._later(self._dice.randint(*QUIET_MS), self._draw)

    def _draw(self) -> None:
        self._plan_next()
        self._dice.choice(self._kinds)()

    def _for_a_while(self, shortest: int, longest: int, end: Happening) -> None:
        self.active += 1

        def be_over() -> None:
            self.active -= 1
            end()

        self._later(self._dice.randint(shortest, longest), be_over)

    # -- fault types

    def _fuse(self) -> None:
        self._rig.disk.pull_plug_after(self._dice.randint(1, _PLACES))

    def _unplug_board(self) -> None:
        source = self._rig.source
        if source.is_plugged_in:
            source.unplug()
            self._for_a_while(40, 20_000, source.plug_in)

    def _restart_board(self) -> None:
        self._rig.source.restart(self._dice.choice([*RESTARTS.values()]))

    def _be_late(self) -> None:
        self._rig.late_ms = self._rig.ms + self._dice.randint(60, 3_000)

    def _spoil_cable(self) -> None:
        cable = self._rig.cable
        if cable.fault is None:
            cable.fault = self._dice.choice([*CableFault])

            def repair() -> None:
                cable.fault = None

            self._for_a_while(500, 12_000, repair)

    def _spoil_disk(self) -> None:
        disk = self._rig.disk
        if disk.fault is None:
            disk.fault = self._dice.choice([*DiskFault])

            def repair() -> None:
                disk.fault = None

            self._for_a_while(500, 60_000, repair)

    def _slow_disk(self) -> None:
        disk = self._rig.disk
        if not disk.slow_ms:
            disk.slow_ms = self._dice.choice(_SLOW_MS)

            def repair() -> None:
                disk.slow_ms = 0

            self._for_a_while(5_000, 60_000, repair)

    def _spoil_sensor(self) -> None:
        board, dice = self._rig.board, self._dice
        square = dice.choice([each for each in SQUARES if not LAKES >> each & 1])
        if dice.random() < _FLICKERS:
            board.flicker(square)
        else:
            board.set_stuck(square, 0)
        self._rig.complaints += 1

        def repair() -> None:
            self._rig.complaints -= 1
            board.repair(square)

        self._for_a_while(2_000, 20_000, repair)

    def _weaken(self) -> None:
        board = self._rig.board
        board.supply_mv = WEAK_SUPPLY_MV
        self._rig.complaints += 1

        def repair() -> None:
            self._rig.complaints -= 1
            board.supply_mv = SUPPLY_MV

        self._for_a_while(1_000, 10_000, repair)
