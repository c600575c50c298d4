"""Sessions with a full disk, a locked file or a damaged file."""

from collections.abc import Callable, Iterator

import pytest

from companion.ui.widgets.start_pictures import LEAST_ICON, TileIcon
from engine.board.geometry import Side
from engine.board.ranks import Rank
from tests.campaigns import RARE
from tests.companion.storage.disk_faults import LETTER, fill, forbidden, locked, make_room
from tests.companion.ui.driver import Driver, is_shown
from tests.companion.ui.playing import STANDING, after, begin, declare, play

Drive = Callable[..., Driver]


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.storage.journal_file.LOCKED_SECONDS", 0.0)


def is_covered(driver: Driver) -> bool:
    return "The game cannot be saved" in driver.texts()


def test_full_disk_is_retried(driver: Driver) -> None:
    begin(driver)
    fill(driver.journal)
    news = driver.app.presenter.news
    image = play(driver, STANDING, "e4 e5")
    assert is_covered(driver)
    assert "The disk is full" in driver.texts()
    assert "back to the last saved move" in driver.texts()
    play(driver, image, "a7 a6")
    assert driver.app.presenter.news == news, "nothing has been announced"
    driver.tap("retry_save")
    assert "Tried again 1 time." in driver.texts()
    make_room(driver.journal)
    driver.tap("retry_save")
    assert not is_covered(driver)
    assert driver.view == "turn"
    assert "Not saved" not in driver.texts()
    kept = driver.journal.unfinished()
    assert kept
    assert list(kept.beginning.actions) == driver.app.presenter.table.referee.actions
    assert driver.app.presenter.table.view.plies == 2


def test_locked_file_is_saved_later(driver: Driver) -> None:
    begin(driver)
    with locked(driver.journals.path):
        play(driver, STANDING, "e4 e5")
        assert "Another program is using" in driver.texts()
        driver.tap("retry_save")
        assert is_covered(driver)
    driver.tap("retry_save")
    assert not is_covered(driver)


def test_game_continues_unsaved(driver: Driver, drive: Drive) -> None:
    begin(driver)
    image = play(driver, STANDING, "e4 e5")
    fill(driver.journal)
    image = play(driver, image, "a7 a6")
    driver.press("play_on")
    assert not is_covered(driver)
    assert "Not saved" in driver.texts()
    image = play(driver, image, "e5 e6")
    assert not is_covered(driver)
    assert driver.app.presenter.table.view.plies == 3
    driver.tap("menu")
    assert "This game is not being saved." in driver.texts()
    driver.tap("red_resigns")
    driver.confirm()
    assert driver.view == "end"
    assert "This game is not being saved." in driver.texts()
    with pytest.raises(AssertionError):
        driver.find("look")
    driver = drive()
    driver.connect()
    driver.tap("resume")
    assert driver.app.presenter.table.view.plies == 1, "the game resumes at the last saved move"


def test_leaving_an_unsaved_game_is_confirmed(driver: Driver) -> None:
    begin(driver)
    fill(driver.journal)
    play(driver, STANDING, "e4 e5")
    for button in ("play_on", "menu", "leave"):
        driver.press(button)
    assert "This game is not being saved. " in driver.texts()
    driver.tap("no")
    driver.lose()
    assert "The game is saved." not in driver.texts()
    driver.tap("leave")
    driver.confirm()
    assert driver.view == "start"


def test_unsaved_events_are_invisible(drive: Drive) -> None:
    def pictures(driver: Driver, attacker: Rank, defender: Rank) -> Iterator[bytes]:
        begin(driver)
        image = play(driver, STANDING, "e4 e5", "e7 e6")
        driver.show(after(image, "e5 e6"))
        declare(driver, attacker)
        fill(driver.journal)
        declare(driver, defender)
        assert is_covered(driver)
        for _ in range(2):
            yield driver.pixels() + repr(driver.script.lit).encode()
            driver.show(after(image, "e5", "e6"), seconds=3)  # both pieces are lifted
        shown = driver.texts()
        assert not any(rank in shown for rank in ("wins the combat", "Marshal", "General"))
        driver.press("play_on")
        assert driver.view == "reveal"

    one = list(pictures(drive(), Rank.SPY, Rank.MARSHAL))
    other = list(pictures(drive(), Rank.CAPTAIN, Rank.GENERAL))
    assert one == other


def test_save_error_closes_the_curtain(driver: Driver) -> None:
    begin(driver)
    driver.tap("menu")
    fill(driver.journal)
    play(driver, STANDING, "e4 e5")
    assert is_covered(driver)
    driver.tap_at(400, 40)
    driver.press("play_on")
    assert driver.view == "turn"
    assert "resigns" not in driver.texts(), "the menu is closed"


def test_damaged_file_is_quarantined_at_start(
    driver: Driver,
) -> None:
    come_back_to(driver, LETTER)
    texts = driver.texts()
    assert "The saved games were damaged. They are now in" in texts
    assert "New games are saved." in texts
    assert "Not saved" not in texts
    [aside] = driver.journals.path.parent.glob("games-damaged-*.sqlite")
    assert str(aside) in texts
    assert aside.read_bytes() == LETTER, "the quarantined file is unchanged"
    begin(driver)
    play(driver, STANDING, "e4 e5")
    assert "Not saved" not in driver.texts()
    assert len(driver.journal.games()) == 1


def test_folder_that_must_not_be_written_to(driver: Driver) -> None:
    driver.journals.close()  # otherwise SQLite's log stays in the folder and remains writable
    with forbidden(driver.journals.path.parent):
        come_back_to(driver, None)
        texts = driver.texts()
        assert "Cannot write to" in texts
        assert "--data" in texts
        assert "Not saved" in texts
        driver.tap("look_again")
        assert "Cannot write to" in driver.texts()
        begin(driver)
        play(driver, STANDING, "e4 e5")
        assert "Not saved" in driver.texts()
        assert driver.app.presenter.table.view.plies == 1


@pytest.mark.parametrize("code", ["es", "fi"])
def test_no_icon_is_a_speck(drive: Drive, code: str) -> None:
    """The name of the tile has two lines here, and “Not saved” is a third one."""
    driver = drive(language=code)
    driver.journals.close()
    with forbidden(driver.journals.path.parent):
        come_back_to(driver, None)
    icons = [each for each in driver.uncovered() if isinstance(each, TileIcon) and each.icon]
    drawn = {each.icon: each.height for each in icons if is_shown(each) and each.canvas.length()}
    assert {"alone", "battle", "check"} <= drawn.keys() <= {"two", "alone", "battle", "check"}
    assert min(drawn.values()) >= LEAST_ICON


@RARE
def test_damaged_unfinished_game_is_reported(
    driver: Driver,
) -> None:
    begin(driver)
    play(driver, STANDING, "e4 e5")
    driver.journal.file.connection.execute("UPDATE action SET at = at + 1 WHERE number = 2")
    driver.press("menu")
    driver.press("leave")
    assert "The interrupted game is damaged. Start a new one." in driver.texts()
    with pytest.raises(AssertionError):
        driver.find("look_again")
    begin(driver)
    play(driver, STANDING, "e4 e5")
    assert "Not saved" not in driver.texts()


def come_back_to(driver: Driver, data: bytes | None) -> None:
    """Replace the games file between two games, and return to the start screen."""
    driver.journals.close()
    if data is not None:
        driver.journals.path.write_bytes(data)
    driver.connect()
    driver.app.host.look_again()
    driver.frames(3)


def test_unsaved_game_is_lost_in_a_power_cut(driver: Driver) -> None:
    fill(driver.journal)
    driver.connect()
    driver.tap("begin")
    driver.show(STANDING)
    for side in Side:
        driver.tap_inside(side.value, "ready")
    assert is_covered(driver)
    assert "a power cut loses the game" in driver.texts()
    make_room(driver.journal)
    driver.tap("retry_save")
    assert driver.view == "turn"
