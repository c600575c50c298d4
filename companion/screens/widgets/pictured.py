"""One of several options, with a picture, a name and a sentence."""

from kivy.properties import ObjectProperty, StringProperty

from companion.screens.widgets.common import OptionCard, load_kv
from companion.screens.widgets.part_picture import PartPicture  # noqa: F401 (the layout has one)


class Pictured(OptionCard):
    """A clickable card; grows with the text size."""

    value = ObjectProperty(None, allownone=True)
    """Value that it selects."""
    part = StringProperty()
    """Name of its picture."""
    text = StringProperty()
    about = StringProperty()


load_kv(__file__)
