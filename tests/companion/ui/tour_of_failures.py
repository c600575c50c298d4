"""Tours of the failures that the screen can show.

Messages contain the paths that a board's Pi uses, so that screenshots are the same on every
computer.
"""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from companion.devices.espeak import Espeak
from companion.storage.errors import StorageError, StorageErrorKind
from companion.storage.journal_provider import UNUSABLE, QuarantinedFile
from companion.ui.base.voice import NO_DEVICE, Voice
from engine.board.geometry import square
from firmware_bridge.link import LinkError, LinkErrorKind, OtherProtocol
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import STANDING, begin
from tests.companion.ui.running_app import SETTLE

GAMES: Final = Path("/opt/boomboard/games")
_DETAILS: Final = {LinkErrorKind.WRONG_FIRMWARE: OtherProtocol(9, 1)}


def tour_of_failures(driver: Driver) -> Iterator[str]:
    """Show failures of files, saves, boards and the voice. Then play on a faulty board."""
    yield from _tour_of_quarantined_files(driver)
    yield from _tour_of_save_errors(driver)
    yield from _tour_of_lost_boards(driver)
    yield from _tour_of_a_game_that_cannot_be_read(driver)
    yield from _tour_of_the_voice(driver)
    yield from _tour_of_a_board_that_ails(driver)


def _tour_of_quarantined_files(driver: Driver) -> Iterator[str]:
    driver.connect()
    for kind, word in UNUSABLE.items():
        aside = GAMES / f"games-{word}-2026-11-23.sqlite"
        driver.journals.quarantined = QuarantinedFile(kind, aside)
        _look(driver)
        yield f"failure-{word}"
    driver.journals.quarantined = None


def _tour_of_save_errors(driver: Driver) -> Iterator[str]:
    host = driver.app.host
    for kind in (
        *(StorageErrorKind.LOCKED, StorageErrorKind.FORBIDDEN, StorageErrorKind.READ_ONLY),
        *(StorageErrorKind.FULL, StorageErrorKind.UNOPENED),
        *(StorageErrorKind.FAILING, StorageErrorKind.OTHER),
    ):
        error = StorageError(GAMES / "games.sqlite", kind, "disk I/O error")
        host.problem = driver.journals.error = error
        _look(driver)
        yield f"failure-{kind.name.lower().replace('_', '-')}"
    driver.journals.error = None
    host.problem = StorageError(GAMES / "games.sqlite", StorageErrorKind.GAME, "")
    _look(driver)
    yield "failure-game-damaged"
    host.problem = None
    _look(driver)
    # A folder has the name of the settings file, so the settings cannot be saved.
    file = driver.journals.path.with_name("settings.json")
    file.unlink(missing_ok=True)
    file.mkdir()
    for button in ("settings", "reduced_motion", "close"):
        driver.tap(button)
    yield "failure-settings-unsaved"
    file.rmdir()
    for button in ("settings", "reduced_motion", "close"):
        driver.tap(button)


def _tour_of_lost_boards(driver: Driver) -> Iterator[str]:
    for kind in LinkErrorKind:
        if kind is not LinkErrorKind.NO_BOARD:  # shown on the start screen
            driver.lose(kind)
            driver.script.error = LinkError(kind, "/dev/ttyUSB0", _DETAILS.get(kind, ""))
            _look(driver)
            yield f"failure-board-{kind.value.replace(' ', '-')}"
    driver.connect()


def _tour_of_a_game_that_cannot_be_read(driver: Driver) -> Iterator[str]:
    begin(driver)
    for button in ("menu", "red_resigns"):
        driver.tap(button)
    driver.confirm()
    driver.tap("leave")
    driver.journal.file.connection.execute("UPDATE game SET begun = '2026-11-21 17:12:00'")
    driver.tap("games")
    yield "failure-game-unreadable"
    driver.tap("close")


def _tour_of_the_voice(driver: Driver) -> Iterator[str]:
    presenter = driver.app.presenter
    with closing(Espeak("no-such-program")) as none:
        voice = presenter.voice = Voice(presenter.settings, lambda: driver.now, none)
        _look(driver)
        driver.tap("settings")
        yield "failure-no-voice"
        driver.tap("close")
        voice.problem = NO_DEVICE
        _look(driver)
        driver.tap("settings")
        yield "failure-no-sound"
        driver.tap("close")
        begin(driver)
        driver.tap("menu")
        yield "failure-no-voice-menu"
        driver.tap("close")
    presenter.voice = None


def _tour_of_a_board_that_ails(driver: Driver) -> Iterator[str]:
    driver.complain(None)
    yield "failure-supply-low"
    driver.complain(square("e4"), square("f7"))
    yield "failure-several-sensors"
    driver.show(STANDING)


def _look(driver: Driver) -> None:
    """Show the new report on the screen, and wait until the layout has settled."""
    driver.app.face.refresh()
    driver.frames(SETTLE)
