"""The way back: what was done, which rule it breaks, and what to put where.

The screen goes by itself when the board is right again.
"""

from kivy.properties import ListProperty, ObjectProperty, StringProperty

from companion.screens.face import GameFace
from companion.screens.widgets.common import load_kv
from companion.screens.words import _

LINES = 5
"""How many pieces are named; a knocked board shows the rest in the picture."""


class WayBackScreen(GameFace):
    """A violation, or a board that is not as it should be."""

    what = StringProperty()
    why = StringProperty()
    guide = ListProperty()
    open_menu = ObjectProperty(None)

    def refresh(self) -> None:
        self.show_game()
        violation = self.stage.table.violation
        self.what = _("Not allowed") if violation else _("Put it right")
        self.why = (
            _.announcer.sentence(violation) if violation else _("The board is not as it should be.")
        )
        self.marked = violation.squares if violation else 0
        self.guide = self.show_difference(LINES)


load_kv(__file__)
