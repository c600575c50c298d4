"""Dialog that injects faults into the simulated board, to show how the companion reacts."""

from collections.abc import Callable

from kivy.properties import (
    AliasProperty,
    BooleanProperty,
    NumericProperty,
    ObjectProperty,
    StringProperty,
)

from companion.session.game_host import GameHost
from companion.session.tabletop import SensorFault
from companion.ui.base.modal import Modal
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import load_kv
from engine.board.geometry import Square, name, set_of
from firmware_bridge.image import Image
from firmware_bridge.simulated_board.port import clean, lossy


class SimulatedFaultsDialog(Modal):
    """Breaks and repairs sensors and the cable. Faults persist after the dialog is closed."""

    image = ObjectProperty(Image())
    """The pieces actually on the board."""
    chosen = ObjectProperty(None, allownone=True)
    """Square whose sensor can be broken, or None."""
    fault = ObjectProperty(None, allownone=True)
    """The fault of the sensor on `chosen`, or None."""
    faulty = NumericProperty(0)
    """Squares whose sensors are broken."""
    what = StringProperty()
    has_cable = BooleanProperty(False)
    loses_frames = BooleanProperty(False)
    unplugged = BooleanProperty(False)
    plug_text = AliasProperty(
        lambda self: _("Plug it in again") if self.unplugged else _("Pull the plug"),
        bind=["unplugged"],
    )

    def __init__(self, host: GameHost, close: Callable[[], None]) -> None:
        super().__init__()
        assert host.tabletop
        self._tabletop, self._port, self._close = host.tabletop, host.source.simulated_port, close
        self._show()

    def choose(self, square: Square) -> None:
        self.chosen = None if square == self.chosen else square
        self._show()

    def spoil(self, fault: SensorFault) -> None:
        """Break the chosen sensor, or repair it if it already has this fault."""
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
            _("Tap a square to simulate a sensor fault.")
            if self.chosen is None
            else _("The sensor of {square}:", square=name(self.chosen))
        )
        self.has_cable = self._port is not None
        if self._port:
            self.loses_frames = self._port.line is lossy
            self.unplugged = not self._port.is_plugged_in


load_kv(__file__)
