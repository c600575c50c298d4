"""How far one army has been set up."""

from kivy.properties import AliasProperty, BooleanProperty, NumericProperty, ObjectProperty
from kivy.uix.boxlayout import BoxLayout

from companion.screens.widgets.common import load_kv
from companion.screens.widgets.texts import _


class ArmySetup(BoxLayout):
    """The count of an army and the button with which its player says that it stands."""

    side = ObjectProperty(None, allownone=True)
    count = NumericProperty(0)
    army = NumericProperty(40)
    is_ready = BooleanProperty(False)
    blocked = BooleanProperty(True)

    __events__ = ("on_ready",)

    def on_ready(self) -> None:
        pass

    def _name(self) -> str:
        return _.language.side(self.side) if self.side else ""

    def _ready_text(self) -> str:
        if self.is_ready:
            return _("{side} is ready", side=self.name)
        return _("Ready") if not self.blocked else _("Ready when complete")

    name = AliasProperty(_name, bind=["side"])
    ready_text = AliasProperty(_ready_text, bind=["side", "is_ready", "blocked"])


load_kv(__file__)
