"""One screen instead of another, at once."""

from kivy.uix.screenmanager import NoTransition, ScreenManager


class AtOnce(NoTransition):
    """Kivy's own way draws the old screen for one more frame, over or under the new one."""

    def start(self, manager: ScreenManager) -> None:
        """Change."""
        super().start(manager)
        self.stop()
