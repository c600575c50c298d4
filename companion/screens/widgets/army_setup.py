"""Progress of the setup of one army."""

from kivy.properties import (
    AliasProperty,
    BooleanProperty,
    NumericProperty,
    ObjectProperty,
    StringProperty,
)
from kivy.uix.boxlayout import BoxLayout

from companion.screens.widgets import theme
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.texts import _


class ArmySetup(BoxLayout):
    """The piece count of an army, and the button with which its player declares it set up."""

    side = ObjectProperty(None, allownone=True)
    player = StringProperty()
    """Name of this army's player, empty if unknown."""
    count = NumericProperty(0)
    army = NumericProperty(40)
    is_ready = BooleanProperty(False)
    blocked = BooleanProperty(True)
    is_sealed = BooleanProperty(False)
    """Whether the referee has the commitments of this army."""
    lacks_seal = BooleanProperty(False)
    """Whether the commitments are still to be made."""
    plays_itself = BooleanProperty(False)
    """Whether the program plays this army, so that there is no button."""
    actions_height = NumericProperty(0)
    """Height of the row with the button; the progress line is above it."""

    __events__ = ("on_ready",)

    def on_ready(self) -> None:
        pass

    def _name(self) -> str:
        return self.player or (_.language.side(self.side) if self.side else "")

    def _ready_text(self) -> str:
        if self.is_ready:
            return _("{name} is ready", name=self.name)
        if self.lacks_seal and not self.blocked:
            return _("Ready when sealed")
        return _("Ready when complete") if self.blocked and not theme.LARGE else _("Ready")

    def _counted(self) -> str:
        if self.count > self.army:
            over = self.count - self.army
            return _.plural("{count} piece too many", "{count} pieces too many", over)
        if self.is_sealed and self.count == self.army:
            return _("Sealed")
        return _("{count} of {army}", count=self.count, army=self.army)

    counted = AliasProperty(_counted, bind=["count", "army", "is_sealed"])
    name = AliasProperty(_name, bind=["side", "player"])
    ready_text = AliasProperty(_ready_text, bind=["name", "is_ready", "blocked", "lacks_seal"])


load_kv(__file__)
