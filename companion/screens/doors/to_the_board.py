"""Navigation to the board's sensors, its firmware and its calibration."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.screens.base.later import later
from companion.screens.base.stage import Stage
from companion.screens.doors.over import Over

if TYPE_CHECKING:  # boards are seldom flashed
    from companion.maintenance.outdated import Offer

with later("companion.screens.maintenance"):
    from companion.screens.maintenance import (
        built_of_cover,
        calibration_cover,
        faults_cover,
        flash_cover,
        sensor_check,
    )


class BoardDoors:
    """Dialogs for the builder of a board."""

    def __init__(self, stage: Stage, over: Over) -> None:
        self._stage, self._over = stage, over

    def open_sensors(self) -> None:
        faults = self.faults_from(self.open_sensors)
        self._over.show(
            sensor_check.SensorCheck(
                self._stage, self._over.close, self._open_built_of, self._open_flashing, faults
            )
        )

    def faults_from(self, back: Callable[[], None]) -> Callable[[], None] | None:
        """Return an action that opens the faults of the board, or None if it is a real one."""
        host = self._stage.host
        if host.tabletop is None:
            return None
        return lambda: self._over.show(faults_cover.FaultsCover(host, back))

    def _open_flashing(self, offer: "Offer") -> None:
        self._over.show(flash_cover.FlashCover(self._stage, offer, self.open_sensors))

    def _open_built_of(self) -> None:
        """Open the build settings before a calibration; a simulated board has none."""
        if self._stage.host.tabletop:
            self._open_calibration()
            return
        self._over.show(
            built_of_cover.BuiltOfCover(self._stage, self.open_sensors, self._open_calibration)
        )

    def _open_calibration(self) -> None:
        self._over.show(calibration_cover.CalibrationCover(self._stage, self.open_sensors))
