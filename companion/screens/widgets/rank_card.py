"""A rank that everybody may see: sign, number and name, crossed out if it falls.

Of a piece that stays unnamed it shows the back.
"""

from kivy.properties import AliasProperty, BooleanProperty, ObjectProperty
from kivy.uix.boxlayout import BoxLayout

from companion.screens.widgets.common import load_kv
from companion.screens.widgets.rank_symbol import number
from companion.screens.widgets.texts import _, capitalized


class RankCard(BoxLayout):
    """One side of a reveal."""

    side = ObjectProperty(None, allownone=True)
    rank = ObjectProperty(None, allownone=True)
    falls = BooleanProperty(False)

    def _name(self) -> str:
        if self.rank is None:
            return _("stays unnamed") if self.side else ""
        return capitalized(_.language.rank(self.rank))

    def _number(self) -> str:
        return number(self.rank)

    name = AliasProperty(_name, bind=["rank", "side"])
    number = AliasProperty(_number, bind=["rank"])


load_kv(__file__)
