"""Dialog for a firmware update, which the user starts by holding a button."""

import logging
from collections.abc import Callable
from threading import Thread
from typing import Final

from kivy.properties import BooleanProperty, NumericProperty, StringProperty

from companion.diagnostics import firmware_update
from companion.speech.i18n import N_
from companion.ui.base.modal import Modal
from companion.ui.base.presenter import GamePresenter
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import load_kv

log = logging.getLogger(__name__)

BROKE_DOWN: Final = N_("The firmware could not be installed. Try again.")


class _Run:
    """One update attempt in its own thread. The screen polls its progress."""

    def __init__(self, port: str) -> None:
        self.is_over = False
        self.error: firmware_update.FlashError | None = None
        self._port, self._output = port, ""
        Thread(target=self._flash, name="flashing", daemon=True).start()

    @property
    def share(self) -> float:
        """Progress of the update, from 0 to 1."""
        return firmware_update.share_done(self._output)

    def _flash(self) -> None:
        try:
            firmware_update.flash(
                firmware_update.find_avrdude(),
                self._port,
                firmware_update.shipped(),
                self._on_progress,
            )
        except firmware_update.FlashError as error:
            self.error = error
        except OSError as error:
            self.error = firmware_update.FlashError(BROKE_DOWN, detail=str(error))
        self.is_over = True

    def _on_progress(self, output: str) -> None:
        self._output += output


class FlashingDialog(Modal):
    """Shows the old and new firmware versions, and starts the update once the button has been held.

    The dialog stays open until the update ends.
    """

    task = StringProperty()
    there = StringProperty()
    """The firmware version on the board, and the one to be installed."""
    care = StringProperty()
    """Precautions for the update, and the data that it preserves."""
    game = StringProperty()
    """A note on the saved game, which the update does not affect."""
    error = StringProperty()
    """Cause of a failure, and how to fix it."""
    hold = StringProperty()
    """Label of the button that must be held down, or an empty string if the button is hidden."""
    at_work = BooleanProperty(False)
    is_short = BooleanProperty(False)
    """Whether the text is short enough for a larger font."""
    share = NumericProperty(0)

    def __init__(
        self,
        presenter: GamePresenter,
        offer: firmware_update.UpdateOffer,
        close: Callable[[], None],
    ) -> None:
        """Offer to install the bundled firmware."""
        super().__init__()
        self._source, self._offer, self._close = presenter.host.source, offer, close
        self._keeps_a_game = presenter.host.kept is not None
        self._run: _Run | None = None
        self._is_done = False
        self._show()

    def tick(self, now: float) -> None:
        self.ids.begin.tick(now)
        run = self._run
        if run and run.is_over:
            self._end(run)
        if run:
            self._show()

    def begin(self) -> None:
        """Release the board's port and start the update."""
        self._source.release_port()
        self._run, self.error = _Run(self._offer.port), ""
        self._show()

    def close(self) -> None:
        self._close()

    def _end(self, run: _Run) -> None:
        self._run, self._is_done = None, run.error is None
        self.error = run.error.text(_.language) if run.error else ""
        if run.error and run.error.detail:
            log.error("firmware update failed: %s", run.error.detail)
        self._source.reopen()

    def _show(self) -> None:
        self.at_work, self.share = self._run is not None, self._run.share if self._run else 0
        is_asked = not (self.at_work or self._is_done or self.error)
        self.is_short = self.at_work or self._is_done
        self.task = self._task()
        self.there = self._versions_text() if is_asked else ""
        self.care = (
            _(
                "It takes less than a minute. Calibration and settings stay on the board. If it is "
                "interrupted, the board does not work until you try again."
            )
            if is_asked
            else ""
        )
        self.game = (
            _("The unfinished game is saved and continues afterwards.")
            if is_asked and self._keeps_a_game
            else ""
        )
        self.hold = self._hold_text()

    def _task(self) -> str:
        if self.at_work:
            return _("Installing the firmware. Do not unplug the cable.")
        if self._is_done:
            return _("The firmware is installed and verified.")
        if self.error:
            return ""
        return _("The firmware that comes with Boomboard is installed on the board.")

    def _versions_text(self) -> str:
        there, coming = self._offer.there, self._offer.coming
        if there:
            versions = {"there": there.number, "coming": coming.number}
            return _("Firmware on the board: {there}; new: {coming}.", **versions)
        return _(
            "The device on {port} does not identify itself: it is a new board, or it runs another "
            "program, which will be overwritten. Make sure that it is the board and not another "
            "device.",
            port=self._offer.port,
        )

    def _hold_text(self) -> str:
        if self.at_work or self._is_done:
            return ""
        return _("Hold: try again") if self.error else _("Hold: install the firmware")


load_kv(__file__)
