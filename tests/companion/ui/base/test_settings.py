"""Settings survive power cuts."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.session.settings import Settings, SettingsFile, SpeechRate
from companion.speech.i18n import Language, RankSigns
from companion.speech.small_texts import time_allowed
from companion.ui.widgets.rank_tile import RankCard, RankTile
from engine.board.geometry import names
from engine.board.ranks import Rank
from engine.game.clocks import TIME_CONTROLS
from engine.rules.editions import EDITIONS, MovedBombPenalty
from tests.campaigns import slow_after_first
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import STANDING, after, begin, open_game

Start = Callable[[], Driver]


@pytest.fixture
def start(drive: Callable[..., Driver]) -> Start:
    """Function that starts the companion without arguments, as on a Raspberry Pi."""
    return lambda: drive(language=None)


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return tmp_path / "settings.json"


def settings(driver: Driver) -> Settings:
    return driver.app.presenter.settings


def choose(driver: Driver, choice: str) -> None:
    for button in ("settings", choice, "close"):
        driver.tap(button)


def test_default_settings(start: Start, kept: Path) -> None:
    driver = start()
    assert settings(driver) == Settings(language=settings(driver).language)
    assert "Two players" in driver.texts()
    assert not kept.exists(), "default settings are not saved"


def test_language_sound_and_calm(start: Start) -> None:
    driver = start()
    driver.tap("language")
    driver.tap_option("languages", "de")
    for choice in ("settings", "sound", "reduced_motion", "close"):
        driver.tap(choice)
    driver = start()
    assert "Zwei Spieler" in driver.texts()
    assert not settings(driver).sound
    assert settings(driver).reduced_motion


def test_volume_pace_contrast_and_letters(start: Start) -> None:
    driver = start()
    for button in ("settings", "accessibility"):
        driver.tap(button)
    for _ in range(3):
        driver.tap_inside("volume", "less")
    driver.tap_option("speech_rates", SpeechRate.SLOW)
    driver.tap("contrast")
    driver.tap("letters")
    assert "70 %" in driver.texts()
    chosen = settings(start())
    assert (chosen.volume, chosen.speech_rate) == (70, SpeechRate.SLOW)
    assert chosen.high_contrast
    assert chosen.large_letters


@pytest.mark.parametrize(
    ("chosen", "number"),
    slow_after_first(
        "variants", [(RankSigns.NAMES, ""), (RankSigns.EUROPEAN, "10"), (RankSigns.AMERICAN, "1")]
    ),
)
def test_signs_of_the_ranks(start: Start, chosen: RankSigns, number: str) -> None:
    driver = start()
    for button in ("settings", "accessibility"):
        driver.tap(button)
    driver.tap_option("signs", chosen)
    assert settings(start()).signs is chosen
    assert RankTile(rank=Rank.MARSHAL).number == number
    assert RankCard(rank=Rank.MARSHAL).number == number


def test_the_volume_has_two_ends(start: Start) -> None:
    driver = start()
    for button in ("settings", "accessibility"):
        driver.tap(button)
    for _ in range(12):
        driver.tap_inside("volume", "less")
    assert settings(driver).volume == 0
    driver.tap_inside("volume", "more")
    assert settings(driver).volume == 10


def test_move_hints_setting(start: Start) -> None:
    driver = start()
    begin(driver)
    driver.show(after(STANDING, "e4"))
    assert names(driver.face.ways) == "e5 e6 e7", "the piece may still be a scout"
    driver.show(STANDING)
    driver.tap("menu")
    choose(driver, "ways")
    driver.show(after(STANDING, "e4"))
    assert driver.face.lifted is not None
    assert not driver.face.ways
    assert not settings(start()).show_legal_moves


def test_game_settings(start: Start) -> None:
    open_game(start(), "isf", "bronstein", "silent")
    driver = start()
    assert settings(driver).edition.id == "isf"
    assert settings(driver).edition.silent_defence
    assert settings(driver).control is TIME_CONTROLS["bronstein"]
    assert "silent defence" in driver.texts()


def test_moved_bomb_setting(start: Start) -> None:
    driver = start()
    open_game(driver, "travel-2017", "none", "touch_move")
    driver.tap_option("moved_bomb", MovedBombPenalty.LOSES)
    edition = settings(start()).edition
    assert edition.touch_move
    assert edition.moved_bomb is MovedBombPenalty.LOSES


def test_settings_changed_during_a_game(start: Start) -> None:
    driver = start()
    begin(driver)
    for button in ("menu", "settings", "reduced_motion", "close", "close"):
        driver.tap(button)
    assert driver.view == "turn"
    assert settings(start()).reduced_motion


def test_command_line_overrides_settings(drive: Callable[..., Driver], start: Start) -> None:
    choose(start(), "reduced_motion")
    driver = drive(language="de", edition=EDITIONS["isf"], control=TIME_CONTROLS["total"])
    assert "Zwei Spieler" in driver.texts()
    assert settings(driver).edition.id == "isf"
    assert settings(driver).reduced_motion
    choose(driver, "sound")
    driver = start()
    assert "Two players" in driver.texts()
    assert settings(driver).edition.id != "isf"
    assert settings(driver).control is TIME_CONTROLS["none"]
    assert not settings(driver).sound, "the players' own setting is kept"


@pytest.mark.parametrize(
    "text",
    [
        "",
        '{"language": "de", "sou',
        "[]",
        "[" * 100_000,
        '{"language": "tlh"}',
        '{"sound": 1}',
        '{"volume": 101}',
        '{"pace": "breathless"}',
        '{"languages": ["fi", "tlh"]}',
        '{"edition": {"id": "chess"}}',
        '{"edition": "isf"}',
        '{"clock": "egg timer"}',
        '{"clock": "12,whole=0"}',
        '{"clock": {"id": "none"}}',
    ],
)
def test_damaged_settings_file_gives_defaults(kept: Path, text: str) -> None:
    kept.write_text(text)
    read = SettingsFile(kept).settings
    assert read.problem
    assert read == Settings(language=read.language, problem=read.problem)


def test_damaged_settings_file_is_reported(start: Start, kept: Path) -> None:
    kept.write_text("{")
    driver = start()
    assert "Cannot read the settings" in driver.texts()
    choose(driver, "sound")
    assert "Cannot read the settings" not in driver.texts()
    assert not settings(start()).sound


def test_unwritable_folder(start: Start, kept: Path) -> None:
    driver = start()
    kept.with_suffix(".new").mkdir()
    choose(driver, "sound")
    assert "Cannot save the settings" in driver.texts()
    assert not settings(driver).sound, "the setting applies until the program ends"
    kept.with_suffix(".new").rmdir()
    choose(driver, "reduced_motion")
    assert "Cannot save the settings" not in driver.texts()


def test_power_cut_keeps_the_old_file(start: Start, kept: Path) -> None:
    choose(start(), "reduced_motion")
    kept.with_suffix(".new").write_text('{"ca')
    driver = start()
    assert settings(driver).reduced_motion
    choose(driver, "sound")
    assert json.loads(kept.read_text()) == {"calm": True, "sound": False}


def test_first_start_uses_the_system_language(
    drive: Callable[..., Driver], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", "de_AT")
    driver = drive(language=None)
    assert "Zwei Spieler" in driver.texts()
    monkeypatch.setenv("LANGUAGE", "sv")
    choose(driver, "reduced_motion")
    driver = drive(language=None)
    assert "Två spelare" in driver.texts(), "no language has been chosen yet"


def test_edition_sets_its_clock(start: Start) -> None:
    driver = start()
    driver.tap("rules")
    driver.tap_option("editions", "isf")
    assert settings(driver).control == TIME_CONTROLS["bronstein"]
    driver.tap_option("editions", "original-1992")
    assert settings(driver).control == TIME_CONTROLS["none"]


def test_chosen_clock_is_kept(start: Start) -> None:
    driver = start()
    open_game(driver, "isf", "bronstein-50")
    for _cover in ("details", "rulebooks"):
        driver.tap("close")
    driver.tap("rules")
    driver.tap_option("editions", "isf")
    assert settings(driver).control == TIME_CONTROLS["bronstein-50"]
    driver.tap_option("editions", "original-1992")
    assert settings(driver).control == TIME_CONTROLS["bronstein-50"]


def test_small_army_gets_a_short_clock(start: Start) -> None:
    driver = start()
    driver.tap("rules")
    driver.tap_option("editions", "isf")
    driver.tap("more")
    for army, clock in [("duel", "short"), ("original", "bronstein"), ("barrage", "short")]:
        driver.tap_option("armies", army)
        assert settings(driver).control == TIME_CONTROLS[clock]
        assert time_allowed(TIME_CONTROLS[clock], Language("en")) in driver.texts()
    driver.tap("close")
    driver.tap_option("editions", "nordic-2015")
    assert settings(driver).control == TIME_CONTROLS["none"]


def test_chosen_clock_is_kept_with_another_army(start: Start) -> None:
    driver = start()
    open_game(driver, "isf", "total")
    driver.tap_option("armies", "duel")
    assert settings(driver).control == TIME_CONTROLS["total"]
