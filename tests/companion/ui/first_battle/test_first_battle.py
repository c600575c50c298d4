"""Play the first battle in every language."""

from collections.abc import Callable

import pytest
from kivy.uix.label import Label

from companion.speech.i18n import codes
from companion.ui.base.presenter import BOOM_SECONDS
from companion.ui.base.screen_selection import SECONDS, Effect
from companion.ui.drawing import theme
from companion.ui.first_battle.first_battle_dialog import LessonStage
from companion.ui.first_battle.lessons import STEPS
from companion.ui.widgets.buttons import HOLD_SECONDS
from companion.ui.widgets.text_scaling import SIZES
from engine.board.geometry import square
from engine.board.ranks import Rank
from tests.campaigns import slow_after_first
from tests.companion.ui import test_text_fit as text_fit
from tests.companion.ui.driver import Driver, is_shown
from tests.companion.ui.first_battle.playing import dialog, drag, where
from tests.companion.ui.playing import enlarge
from tests.companion.ui.running_app import LOOK

Drive = Callable[..., Driver]
MOST_SECONDS, MOST_TOUCHES = 120, 20
WORDS_PER_SECOND = 3.0
"""Reading speed of a slow reader. Adults read four words per second on average (Brysbaert 2019)."""
TOUCH_SECONDS = 2.5
"""Estimated time to find and drag a piece, in seconds."""


class Newcomer:
    """A person who reads every new sentence before the next touch."""

    def __init__(self, driver: Driver) -> None:
        self.driver, self._began = driver, driver.now
        self._read: set[str] = set()
        self.reading = 0.0
        """Time spent reading, in seconds."""
        self._touches = driver.touches

    @property
    def touches(self) -> int:
        return self.driver.touches - self._touches

    @property
    def seconds(self) -> float:
        waited = self.driver.now - self._began - self.touches * LOOK
        return waited + self.reading + self.touches * TOUCH_SECONDS

    def read(self) -> None:
        seen = (getattr(each, "text", "") for each in self.driver.uncovered() if is_shown(each))
        for text in seen:
            if isinstance(text, str) and text not in self._read:
                self._read.add(text)
                self.reading += len(text.split()) / WORDS_PER_SECOND

    def tap(self, name: str) -> None:
        self.read()
        self.driver.tap(name)

    def drag(self, source: str, target: str) -> None:
        self.read()
        drag(self.driver, source, target)

    def hold_curtain(self) -> None:
        self.read()
        self.driver.hold("hold", HOLD_SECONDS + 0.1)
        self.driver.pass_time(0.5)

    def declare(self, rank: Rank) -> None:
        self.read()
        self.driver.hold_tile("tiles", rank)


def win(newcomer: Newcomer, *, clumsy: bool = False) -> None:
    """Win the first battle. A clumsy newcomer also tries moves that are refused."""
    driver = newcomer.driver
    driver.tap("first_battle")
    if clumsy:
        newcomer.drag("a4", "a5")
    newcomer.drag("b4", "b5")
    newcomer.drag("e4", "e7")
    newcomer.drag("b5", "b6")
    newcomer.hold_curtain()
    newcomer.declare(Rank.CAPTAIN)
    newcomer.tap("next")
    newcomer.drag("b5", "b6")
    assert dialog(driver).stage is LessonStage.EXPLOSION
    driver.pass_time(BOOM_SECONDS + 0.1)
    if clumsy:
        newcomer.drag("c4", "b4")
    newcomer.drag("a6", "b6")
    newcomer.tap("next")
    if clumsy:
        newcomer.drag("b5", "b7")
    newcomer.drag("b5", "b6")
    newcomer.drag("b6", "b7")
    driver.pass_time(SECONDS[Effect.FLAG])
    newcomer.read()
    assert dialog(driver).done == len(STEPS)
    newcomer.tap("close")
    assert driver.on_top("first_battle")


@pytest.mark.parametrize("code", slow_after_first("languages", codes()))
def test_first_battle_is_won_in_time(drive: Drive, code: str) -> None:
    newcomer = Newcomer(drive(language=code))
    win(newcomer, clumsy=True)
    assert newcomer.touches <= MOST_TOUCHES
    assert newcomer.seconds <= MOST_SECONDS


@pytest.fixture
def battle(driver: Driver) -> Driver:
    driver.tap("first_battle")
    return driver


def test_wrong_attempts_are_explained(battle: Driver) -> None:
    shown = dict(battle.find("board").pieces)
    for source, target, reason in (
        ("a4", "a5", "Bombs and the flag never move."),
        ("c4", "d4", "Bombs and the flag never move."),
        ("b4", "d5", "Pieces move straight along a row or a column."),
        ("b4", "b6", "Only a scout can move further than one square."),
        ("e4", "c4", "One of your own pieces is there."),
        ("b6", "b5", "It is Red's turn."),
        ("b6", "c6", "It is Red's turn."),
    ):
        drag(battle, source, target)
        assert dialog(battle).answer == reason, (source, target)
        assert battle.find("board").pieces == shown
        assert dialog(battle).done == 0
    drag(battle, "b4", "b5")
    assert dialog(battle).answer == "Right!"


def test_move_of_another_piece_is_not_the_task(battle: Driver) -> None:
    drag(battle, "e4", "e6")
    assert (dialog(battle).done, dialog(battle).answer) == (0, "")
    drag(battle, "b4", "b5")
    assert (dialog(battle).done, dialog(battle).answer) == (1, "Right!")


def test_tap_instead_of_drag(battle: Driver) -> None:
    for each in ("a4", "b4", "b5"):  # the first tap chooses another piece
        battle.tap_at(*where(battle, each))
    assert dialog(battle).done == 1
    assert square("b5") in battle.find("board").pieces


def test_dropped_piece_returns(battle: Driver) -> None:
    shown = dict(battle.find("board").pieces)
    finger = battle.touch_at(*where(battle, "b4"))
    battle.slide(finger, 700, 300)
    battle.release(finger)
    assert battle.find("board").pieces == shown
    assert dialog(battle).answer == ""


def test_wrong_tile_is_refused(battle: Driver) -> None:
    reach_curtain(battle)
    battle.hold("hold", HOLD_SECONDS + 0.1)
    battle.hold_tile("tiles", Rank.MARSHAL)
    assert "That is another piece. Yours is the captain." in battle.texts()
    battle.hold_tile("tiles", Rank.CAPTAIN)
    assert "Red wins the combat" in battle.texts()


def test_losing_focus_hides_the_tiles(battle: Driver) -> None:
    reach_curtain(battle)
    battle.hold("hold", HOLD_SECONDS + 0.1)
    battle.app.face.hide_ranks()
    battle.frames(4)
    assert battle.on_top("tiles") is None
    battle.hold("hold", HOLD_SECONDS + 0.1)
    assert battle.on_top("tiles")


def test_lost_attack_is_repeated(battle: Driver) -> None:
    drag(battle, "b4", "b5")
    drag(battle, "e4", "e7")
    drag(battle, "e7", "b7")
    shown = dict(battle.find("board").pieces)
    drag(battle, "b7", "b6")
    assert "Blue wins the combat" in battle.texts()
    drag(battle, "b5", "b6")
    assert dialog(battle).stage is LessonStage.RESULT
    battle.tap("next")
    assert battle.find("board").pieces != shown
    assert square("e7") in battle.find("board").pieces
    drag(battle, "b5", "b6")
    assert dialog(battle).stage is LessonStage.CURTAIN


def test_combat_won_by_another_piece_repeats_the_task(battle: Driver) -> None:
    """A person who wins has to read why the step is repeated."""
    drag(battle, "b4", "b5")
    drag(battle, "b5", "b6")
    for text in ("your task is a different one", "Only the scout runs", "Try again"):
        assert text in battle.texts()
    battle.tap("next")
    drag(battle, "e4", "e7")
    drag(battle, "e7", "b7")
    drag(battle, "b7", "b6")
    assert "your task is" not in battle.texts(), "a lost combat needs no explanation"


def explanation_faults(driver: Driver) -> set[str]:
    assert dialog(driver).next_text
    found = set(text_fit.faults(driver, {*text_fit.TYPE_SCALE, *SIZES}))
    labels = (each for each in text_fit.seen(driver) if isinstance(each, Label))
    return found | {f"{each.text} leaves its box" for each in labels if text_fit.spills(each)}


@pytest.mark.parametrize("code", slow_after_first("languages", codes()))
@pytest.mark.parametrize("is_upright", [False, True])
@pytest.mark.parametrize("is_large", [False, True])
def test_explained_combat_fits(
    drive: Drive, code: str, *, is_upright: bool, is_large: bool
) -> None:
    driver = drive(language=code)
    if is_upright:
        driver.resize(*theme.PORTRAIT)
    if is_large:
        enlarge(driver)
    driver.tap("first_battle")
    for way in ("b4 b5", "b5 b6"):
        drag(driver, *way.split())
    assert not explanation_faults(driver)
    driver.tap("next")
    for way in ("e4 e7", "b5 b6"):
        drag(driver, *way.split())
    driver.hold("hold", HOLD_SECONDS + 0.1)
    driver.hold_tile("tiles", Rank.CAPTAIN)
    driver.tap("next")
    drag(driver, "a6", "b6")
    assert not explanation_faults(driver)


def test_explosion_can_be_skipped(battle: Driver) -> None:
    reach_curtain(battle)
    battle.hold("hold", HOLD_SECONDS + 0.1)
    battle.hold_tile("tiles", Rank.CAPTAIN)
    battle.tap("next")
    drag(battle, "b5", "b6")
    battle.tap_at(400, 240)
    assert dialog(battle).stage is LessonStage.ATTEMPT
    assert dialog(battle).done == 4


def reach_curtain(driver: Driver) -> None:
    for way in ("b4 b5", "e4 e7", "b5 b6"):
        drag(driver, *way.split())
    assert dialog(driver).stage is LessonStage.CURTAIN


def test_first_battle_can_be_left_and_restarted(driver: Driver) -> None:
    ways = ("b4 b5", "e4 e7", "b5 b6")
    for count in range(len(ways) + 1):
        driver.tap("first_battle")
        for way in ways[:count]:
            drag(driver, *way.split())
        driver.tap("close")
        assert driver.app.face.modals.modal is None
    driver.tap("first_battle")
    assert dialog(driver).done == 0
    driver.tap("close")
    newcomer = Newcomer(driver)
    win(newcomer)
    driver.tap("first_battle")
    assert dialog(driver).done == 0


def test_first_battle_has_sounds(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    monkeypatch.setattr(driver.app._sounds, "play", heard.append)
    win(Newcomer(driver), clumsy=True)
    assert [heard.count(each) for each in ("wrong", "attack", "boom", "win")] == [2, 1, 1, 1]
