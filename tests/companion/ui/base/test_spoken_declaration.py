"""Spoken declarations: one player hears the ranks through an earphone."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from kivy.core.window import Window

from companion.core.inputs import CommandInput
from companion.devices.espeak import Earphone, Espeak
from companion.speech.announcement_texts import RuleWords
from companion.speech.i18n import Language, capitalized
from companion.ui.base.spoken_declaration import NEXT, THIS
from companion.ui.base.voice import WORDS_PER_MINUTE
from companion.ui.widgets.buttons import HOLD_SECONDS
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.game.actions import BreakSeals
from tests.campaigns import RARE
from tests.companion.ui import playing
from tests.companion.ui.driver import Driver
from tests.companion.ui.running_app import Script
from tests.companion.ui.sealing import begin_to_seal, draw_up, seal_on_phone
from tests.companion.ui.tour_of_phones import join, open_phones

Drive = Callable[..., Driver]
OUTPUTS = """\
00-00: bcm2835 Headphones : bcm2835 Headphones : playback 8
01-00: USB Audio : USB Audio : playback 1 : capture 1
"""


class Ear:
    """Earphone that records each clip and the device that plays it."""

    def __init__(self, folder: Path, outputs: str = OUTPUTS) -> None:
        listed, self._played = folder / "pcm", folder / "played"
        listed.write_text(outputs)
        player = folder / "player"
        player.write_text(f'#!/bin/sh\necho "$3 $4" >> {self._played}\n')
        player.chmod(0o755)
        self.earphone = Earphone(listed, str(player))

    def heard(self) -> list[tuple[str, str]]:
        """Return the played clips in order, each with its device."""
        if not self._played.exists():
            return []
        device_and_clip = map(str.split, self._played.read_text().splitlines())
        return [(device, clip) for device, clip in device_and_clip]


@pytest.fixture
def ear(tmp_path: Path) -> Ear:
    return Ear(tmp_path)


@pytest.fixture
def espeak() -> Iterator[Espeak]:
    with closing(Espeak()) as espeak:
        yield espeak


@pytest.fixture
def attacked(drive: Drive, ear: Ear, espeak: Espeak) -> Driver:
    """Game in which Red, whose language is Finnish, has to declare a rank through the earphone."""
    driver = drive(espeak=espeak, earphone=ear.earphone)
    driver.app.presenter.settings.set_private_language(Side.RED, Language("fi"))
    for button in ("settings", "accessibility", "earphone", "close", "close"):
        driver.tap(button)
    driver.wait_for_real(lambda: len(ear.heard()) == 1)  # the earphone plays a test clip
    playing.begin(driver)
    playing.play(driver, playing.STANDING, "e4 e5", "a7 a6", "e5 e6", "a6 a5")
    playing.attack_on_screen(driver, "e6", "e7")
    return driver


def hear_next(driver: Driver, ear: Ear) -> str:
    """Press the button for the next rank. Return the clip that is played."""
    before = len(ear.heard())
    Window.dispatch("on_key_down", NEXT, 0, None, [])
    driver.wait_for_real(lambda: len(ear.heard()) > before)
    device, clip = ear.heard()[-1]
    assert device == "plughw:1,0"
    return clip


def hold_this(driver: Driver, seconds: float = HOLD_SECONDS + 0.1) -> None:
    Window.dispatch("on_key_down", THIS, 0, None, [])
    driver.pass_time(seconds)
    Window.dispatch("on_key_up", THIS, 0)
    driver.frames(2)


def clip_of(espeak: Espeak, driver: Driver, rank: Rank, code: str) -> str:
    words = capitalized(Language(code).rank(rank))
    pace = WORDS_PER_MINUTE[driver.app.presenter.settings.speech_rate]
    return str(espeak.clip(words, code, pace).result())


def spoken(driver: Driver) -> list[str]:
    voice = driver.app.presenter.voice
    assert voice
    due = voice._due
    return [each.text for each in (due.current, due.latest, *due.waiting) if each]


def declare_by_ear(driver: Driver, ear: Ear, espeak: Espeak, rank: Rank, code: str) -> None:
    wanted = clip_of(espeak, driver, rank, code)
    for _ in range(len(Rank)):
        if hear_next(driver, ear) == wanted:
            break
        assert not [each for each in spoken(driver) if Language(code).rank(rank) in each]
    hold_this(driver)


@RARE
def test_declaration_by_audio_in_each_language(attacked: Driver, ear: Ear, espeak: Espeak) -> None:
    assert any("Red: take the earphone." in each for each in spoken(attacked))
    declare_by_ear(attacked, ear, espeak, Rank.MINER, "fi")
    assert attacked.app.presenter.table.conversation.declared == (Side.RED,)
    attacked.frames(2)
    declare_by_ear(attacked, ear, espeak, Rank.MARSHAL, "en")
    assert attacked.view == "reveal"


@RARE
def test_possible_ranks_are_read_once_per_round(attacked: Driver, ear: Ear) -> None:
    question = attacked.app.presenter.table.conversation.question
    assert question
    clips = [hear_next(attacked, ear) for _ in question.tiles]
    assert len(set(clips)) == len(question.tiles)
    assert hear_next(attacked, ear) == clips[0]


def test_audio_declaration_needs_a_long_press(attacked: Driver, ear: Ear) -> None:
    hold_this(attacked)
    assert not attacked.app.presenter.table.conversation.declared
    hear_next(attacked, ear)
    hold_this(attacked, HOLD_SECONDS / 2)
    assert not attacked.app.presenter.table.conversation.declared


def test_audio_declaration_by_panel_buttons(attacked: Driver, ear: Ear) -> None:
    by_ear = attacked.app._by_ear
    assert by_ear
    by_ear.press(Side.BLUE)
    attacked.frames(2)
    by_ear.hold(Side.BLUE)
    assert not attacked.app.presenter.table.conversation.declared, "no rank was read aloud"
    by_ear.press(Side.RED)
    attacked.wait_for_real(lambda: len(ear.heard()) == 2)
    by_ear.hold(Side.RED)
    assert not attacked.app.presenter.table.conversation.declared, "Red's turn to listen comes next"
    by_ear.hold(Side.BLUE)
    assert attacked.app.presenter.table.conversation.declared == (Side.RED,)


@pytest.mark.parametrize("outputs", ["", OUTPUTS.splitlines()[0]])
@RARE
def test_audio_declaration_needs_an_earphone_output(
    drive: Drive, tmp_path: Path, espeak: Espeak, outputs: str
) -> None:
    ear = Ear(tmp_path, outputs)
    driver = drive(espeak=espeak, earphone=ear.earphone)
    for button in ("settings", "accessibility"):
        driver.tap(button)
    assert "This needs a second sound output" in driver.texts()
    assert driver.find("earphone").disabled


def test_unplugged_earphone_stops_speech(attacked: Driver, ear: Ear, tmp_path: Path) -> None:
    (tmp_path / "pcm").write_text(OUTPUTS.splitlines()[0])
    attacked.frames(2)
    Window.dispatch("on_key_down", NEXT, 0, None, [])
    attacked.frames(10)
    assert len(ear.heard()) == 1


def test_missing_earphone_names_the_player(drive: Drive, ear: Ear, espeak: Espeak) -> None:
    driver = drive(espeak=espeak, earphone=ear.earphone)
    playing.begin(driver)
    playing.play(driver, playing.STANDING, "e4 e5", "a7 a6", "e5 e6", "a6 a5")
    playing.attack_on_screen(driver, "e6", "e7")
    driver.frames(2)
    assert any("Red: take the screen." in each for each in spoken(driver))
    Window.dispatch("on_key_down", NEXT, 0, None, [])
    driver.frames(4)
    assert not ear.heard()


@RARE
def test_player_with_a_phone_is_sent_to_it(drive: Drive, ear: Ear, espeak: Espeak) -> None:
    driver = drive(espeak=espeak, earphone=ear.earphone)
    open_phones(driver)
    driver.tap("let_in")
    red = join(driver, Side.RED)
    for button in ("close", "close"):
        driver.tap(button)
    playing.begin(driver)
    playing.play(driver, playing.STANDING, "e4 e5", "a7 a6", "e5 e6", "a6 a5")
    red.send({"token": red.token})
    driver.frames(2)
    playing.attack_on_screen(driver, "e6", "e7")
    driver.frames(2)
    assert any("Red: declare on your phone." in each for each in spoken(driver))


@pytest.fixture
def sealed(drive: Drive, ear: Ear, espeak: Espeak) -> Driver:
    """Game in which Red's general attacks. Red has sealed a setup on screen, Blue on a phone."""
    driver = drive(espeak=espeak, earphone=ear.earphone)
    for button in ("settings", "accessibility", "earphone", "close", "close"):
        driver.tap(button)
    driver.wait_for_real(lambda: len(ear.heard()) == 1)
    begin_to_seal(driver)
    sealed_with_a_bomb_in_front(driver)
    seal_on_phone(driver, Side.BLUE)
    for side in Side:
        driver.tap_inside(side.value, "ready")
    return driver


def sealed_with_a_bomb_in_front(driver: Driver) -> None:
    """Seal the fort setup for Red, with the bomb moved from a2 to a4."""
    draw_up(driver, Side.RED)
    rows = driver.find("rows")
    driver.drag(*(driver.middle(rows.spot(square(each))) for each in ("a2", "a4")))
    driver.tap("seal")
    driver.tap("close")


def test_audio_reads_only_the_sealed_rank(sealed: Driver, ear: Ear, espeak: Espeak) -> None:
    playing.play(sealed, playing.STANDING, "e4 e5", "a7 a6", "e5 e6", "a6 a5")
    playing.attack_on_screen(sealed, "e6", "e7")
    for _ in range(2):
        assert hear_next(sealed, ear) == clip_of(espeak, sealed, Rank.GENERAL, "en")
    hold_this(sealed)
    assert sealed.app.presenter.table.conversation.declared == (Side.RED,)
    sealed.frames(2)
    assert any("Blue: declare on your phone." in each for each in spoken(sealed))
    before = ear.heard()
    Window.dispatch("on_key_down", NEXT, 0, None, [])
    sealed.frames(10)
    assert ear.heard() == before, "the opening of that seal is not stored here"
    sealed.app.presenter.submit(CommandInput(sealed.now, BreakSeals(Side.BLUE)))
    sealed.frames(2)
    declare_by_ear(sealed, ear, espeak, Rank.SPY, "en")
    assert sealed.view == "reveal", "a broken seal does not prevent the declaration"


@RARE
def test_audio_explains_an_impossible_sealed_rank(sealed: Driver, ear: Ear, espeak: Espeak) -> None:
    """Blue attacks a bomb that Red has moved."""
    image = playing.play(sealed, playing.STANDING, "a4 a5", "b7 b6", "e4 e5")
    image = playing.play(sealed, image, "b6 b5", "e5 e6")
    sealed.show(playing.after(image, "b5 a5"))
    sealed.app.presenter.submit(CommandInput(sealed.now, BreakSeals(Side.BLUE)))
    sealed.frames(2)
    playing.declare(sealed, Rank.SCOUT)
    sealed.frames(2)
    assert hear_next(sealed, ear) == clip_of(espeak, sealed, Rank.BOMB, "en")
    hold_this(sealed)
    found = sealed.app.presenter.table.conversation.contradiction
    assert found
    why = RuleWords(Language("en")).proof(found)
    pace = WORDS_PER_MINUTE[sealed.app.presenter.settings.speech_rate]
    assert hear_next(sealed, ear) == str(espeak.clip(why, "en", pace).result())
    assert hear_next(sealed, ear) == clip_of(espeak, sealed, Rank.BOMB, "en")


@RARE
def test_audio_reads_only_the_printed_rank(drive: Drive, ear: Ear, espeak: Espeak) -> None:
    driver = drive(espeak=espeak, earphone=ear.earphone, source=Script.with_simulated_board())
    for button in ("settings", "accessibility", "earphone", "close", "close"):
        driver.tap(button)
    driver.wait_for_real(lambda: len(ear.heard()) == 1)
    playing.begin_simulated(driver)
    for source, target in (("e4", "e5"), ("a7", "a6"), ("e5", "e6"), ("a6", "a5"), ("e6", "e7")):
        driver.carry(source, target)
        driver.show_virtual()
    printed = driver.app.host.printed_on(square("e4"))
    assert printed is not None
    expected = clip_of(espeak, driver, printed, "en")
    assert [hear_next(driver, ear) for _ in range(2)] == [expected] * 2
