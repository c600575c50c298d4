"""What can be wrong with the simulated board, on buttons, to see how the companion takes it."""

from collections.abc import Callable

from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty

from companion.screens.base.board_host import BoardHost
from companion.screens.base.cover import Cover
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.texts import _
from companion.simulator.tabletop import SensorFault
from engine.squares import Square, name, set_of
from firmware_bridge.image import Image
from firmware_bridge.virtual.lines import clean, lossy


class FaultsCover(Cover):
    """Spoils and mends sensors and the cable; what is spoilt stays so when it is closed."""

    image = ObjectProperty(Image())
    """What really stands on the board."""
    chosen = ObjectProperty(None, allownone=True)
    """The square whose sensor can be spoilt."""
    fault = ObjectProperty(None, allownone=True)
    """What is wrong with it."""
    faulty = NumericProperty(0)
    """The squares whose sensors are spoilt."""
    what = StringProperty()
    has_cable = BooleanProperty(False)
    loses_frames = BooleanProperty(False)
    unplugged = BooleanProperty(False)

    def __init__(self, host: BoardHost, close: Callable[[], None]) -> None:
        super().__init__()
        assert host.tabletop
        self._tabletop, self._port, self._close = host.tabletop, host.source.virtual_port, close
        self._show()

    def choose(self, square: Square) -> None:
        self.chosen = None if square == self.chosen else square
        self._show()

    def spoil(self, fault: SensorFault) -> None:
        """Let this be wrong with the chosen sensor, or mend it if that is wrong already."""
        self._tabletop.spoil(self.chosen, None if fault is self.fault else fault)
        self._show()

    def toggle_line(self) -> None:
        assert self._port
        self._port.line = clean if self.loses_frames else lossy
        self._show()

    def toggle_plug(self) -> None:
        assert self._port
        if self.unplugged:
            self._port.replug()
        else:
            self._port.unplug()
        self._show()

    def close(self) -> None:
        self._close()

    def _show(self) -> None:
        tabletop = self._tabletop
        self.image, self.faulty = tabletop.standing, set_of(tabletop.faults)
        self.fault = tabletop.faults.get(self.chosen)
        self.what = (
            _("Touch a square to spoil its sensor.")
            if self.chosen is None
            else _("The sensor of {square}:", square=name(self.chosen))
        )
        self.has_cable = self._port is not None
        if self._port:
            self.loses_frames = self._port.line is lossy
            self.unplugged = not self._port.is_plugged_in


load_kv(__file__)
