"""Navigation to the saved games."""

from collections.abc import Callable

from companion.screens.base.later import later
from companion.screens.base.stage import Stage
from companion.screens.doors.over import Over

with later("companion.screens.overlays"):
    from companion.screens.overlays import games_cover, incidents_cover, replay_cover, taking_along


class KeptGamesDoors:
    """Dialogs about saved games."""

    def __init__(self, stage: Stage, over: Over) -> None:
        self._stage, self._over = stage, over

    def open_games(self) -> None:
        host = self._stage.host

        def look(number: int) -> None:
            self._replay(number, self.open_games)

        def resume(number: int) -> None:
            self._over.close()
            host.resume(number)

        self._over.show(games_cover.GamesCover(host.archive, look, resume, self._over.close))

    def open_replay(self, number: int) -> None:
        """Open the replay of the game that has just ended."""
        self._replay(number, self._over.close)

    def _replay(self, number: int, close: Callable[[], None]) -> None:
        """Open the replay of a game; its dialogs lead back to it."""
        archive = self._stage.host.archive

        def look_again() -> None:
            self._over.show(replay)

        def read_incidents() -> None:
            self._over.show(incidents_cover.IncidentsCover(archive, number, take_along))

        def take_along() -> None:
            ways = {"read_incidents": read_incidents, "close": look_again}
            self._over.show(
                taking_along.TakingAlongCover(archive, number, self._stage.find_sticks, **ways)
            )

        replay = replay_cover.ReplayCover(archive, number, take_along, close)
        look_again()
