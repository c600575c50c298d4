"""The voice speaks every announcement shown on the screens, and nothing else."""

from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

from companion.devices.espeak import Espeak
from companion.session.settings import SpeechRate
from companion.ui.base.voice import NO_VOICE, Voice
from engine.board.geometry import square
from engine.board.ranks import Rank
from tests.campaigns import RARE
from tests.companion.ui import playing
from tests.companion.ui.driver import Driver

Drive = Callable[..., Driver]


@pytest.fixture
def espeak() -> Iterator[Espeak]:
    with closing(Espeak()) as espeak:
        yield espeak


@pytest.fixture
def spoken(drive: Drive, espeak: Espeak) -> Driver:
    """Game whose opening announcement has been spoken."""
    driver = drive(espeak=espeak)
    playing.begin(driver)
    wait_until_spoken(driver, "Red to move.")
    return driver


def voice_of(driver: Driver) -> Voice:
    voice = driver.app.presenter.voice
    assert voice
    return voice


def wait_until_spoken(driver: Driver, words: str) -> None:
    """Wait until a sentence that contains `words` is spoken."""
    for _ in range(20):
        driver.wait_for_real(lambda: voice_of(driver).spoken_text)
        if words in voice_of(driver).spoken_text:
            return
        driver.pass_time(20)
    raise AssertionError(f"{words!r} was never spoken")


@RARE
def test_move_is_spoken(spoken: Driver) -> None:
    playing.play(spoken, playing.STANDING, "e4 e5")
    wait_until_spoken(spoken, "Red: e4 to e5.")
    spoken.pass_time(20)
    wait_until_spoken(spoken, "Blue to move.")


def test_rank_is_spoken_only_after_the_reveal(spoken: Driver) -> None:
    playing.play(spoken, playing.STANDING, "e4 e5", "a7 a6", "e5 e6", "a6 a5")
    playing.attack_on_screen(spoken, "e6", "e7")
    wait_until_spoken(spoken, "e6 attacks e7.")
    playing.declare(spoken, Rank.MINER)
    wait_until_spoken(spoken, "has declared")
    spoken.pass_time(20)
    assert "iner" not in voice_of(spoken).spoken_text
    playing.declare(spoken, Rank.MARSHAL)
    wait_until_spoken(spoken, "miner")


def test_speech_is_repeated(spoken: Driver) -> None:
    playing.play(spoken, playing.STANDING, "e4 e5")
    wait_until_spoken(spoken, "Red: e4 to e5.")
    wait_until_spoken(spoken, "Blue to move.")
    spoken.pass_time(20)
    assert not voice_of(spoken).spoken_text
    spoken.tap("menu")
    spoken.tap("repeat_announcement")
    wait_until_spoken(spoken, "Blue to move.")


def test_speech_can_be_switched_off(spoken: Driver) -> None:
    spoken.app.presenter.leave()
    spoken.frames(2)
    spoken.tap("settings")
    spoken.tap("voice")
    assert not spoken.app.presenter.settings.voice
    assert spoken.app.presenter.settings.sound
    assert not voice_of(spoken).spoken_text


def seconds_of_a_move(spoken: Driver, pace: SpeechRate, *moves: str) -> float:
    """Return the time taken to speak a move at the given pace, in seconds."""
    spoken.app.presenter.settings.speech_rate = pace
    playing.play(spoken, playing.STANDING, *moves)
    words = f"Red: {moves[-1].replace(' ', ' to ')}."
    wait_until_spoken(spoken, words)
    began = spoken.now
    spoken.wait(lambda: voice_of(spoken).spoken_text != words, frames=400)
    return spoken.now - began


def test_speech_rate(drive: Drive) -> None:
    lengths = []
    for pace in SpeechRate:
        driver = drive(espeak=Espeak())
        playing.begin(driver)
        wait_until_spoken(driver, "Red to move.")
        lengths.append(seconds_of_a_move(driver, pace, "e4 e5"))
    slow, normal, fast = lengths
    assert slow > normal > fast


def test_sound_off_silences_speech(spoken: Driver) -> None:
    spoken.app.presenter.settings.sound = False
    spoken.frames(1)
    assert not voice_of(spoken).spoken_text
    playing.play(spoken, playing.STANDING, "e4 e5")
    assert not voice_of(spoken).spoken_text
    voice_of(spoken).repeat_announcement()
    assert not voice_of(spoken).spoken_text


def test_missing_voice_is_shown_on_the_screen(drive: Drive) -> None:
    with closing(Espeak("no-such-program")) as none:
        driver = drive(espeak=none)
        driver.frames(2)
        assert NO_VOICE in driver.texts()
        playing.begin(driver)
        playing.play(driver, playing.STANDING, "e4 e5")
        assert driver.app.presenter.table.referee.position.board.side_at(square("e5"))
        driver.tap("menu")
        assert "Sound: on, no voice" in driver.texts()
        assert driver.find("repeat_announcement").disabled


def hear_out(spoken: Driver) -> str:
    """Listen until nothing more is spoken. Return all sentences that were spoken."""
    heard = []
    spoken.frames(3)
    while voice_of(spoken).spoken_text or voice_of(spoken)._due.waiting:
        spoken.wait_for_real(lambda: voice_of(spoken).spoken_text)
        heard.append(voice_of(spoken).spoken_text)
        spoken.pass_time(20)
    return " ".join(heard)


def test_spoken_game(spoken: Driver) -> None:
    """The voice says who is to move, reads questions, and names the squares to be corrected."""
    hear_out(spoken)
    image = playing.play(spoken, playing.STANDING, "e4 e5")
    assert "Blue to move." in hear_out(spoken)
    spoken.show(playing.after(image, "e5 g5", "a1 f5"))
    sentences = hear_out(spoken)
    for step in (
        "Remove the piece from g5.",
        "Put the red piece on a1.",
        "Put the red piece on e5.",
    ):
        assert step in sentences
    spoken.show(image)
    assert "in place again" in hear_out(spoken)
    for button in ("menu", "blue_draw", "yes"):
        spoken.tap(button)
    assert "Blue offers a draw." in hear_out(spoken)
    image = playing.play(spoken, image, "a7 a6", "e5 e6", "a6 a5")
    playing.attack_on_screen(spoken, "e6", "e7")
    hear_out(spoken)
    playing.declare(spoken, Rank.MINER)
    assert "Red has declared." in hear_out(spoken)
    playing.declare(spoken, Rank.MARSHAL)
    assert "Remove the piece from e6." in hear_out(spoken)


def test_question_about_explanations_is_spoken(spoken: Driver) -> None:
    hear_out(spoken)
    image = playing.play(spoken, playing.STANDING, "e4 e5", "a7 a6")
    hear_out(spoken)
    playing.take_crossed(spoken, image, "e5", "f4", "f5")
    assert spoken.view == "choose-move"
    sentences = hear_out(spoken)
    assert "e5 to f5" in sentences
    assert "f4 to f5" in sentences
