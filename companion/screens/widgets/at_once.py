"""Screen change without a transition."""

from kivy.uix.screenmanager import NoTransition, ScreenManager


class AtOnce(NoTransition):
    """Kivy's own NoTransition draws the old screen for one more frame, along with the new one."""

    def start(self, manager: ScreenManager) -> None:
        """Change the screen."""
        super().start(manager)
        self.stop()
