"""Red's language is Finnish, Blue's is Italian, and the table's is German."""

from collections.abc import Callable, Iterator

import pytest

from companion.core.inputs import OfferDraw
from companion.speech.announcer import Announcer
from companion.speech.i18n import Language
from engine.board.geometry import Side
from engine.board.ranks import Rank
from engine.rules.editions import EDITIONS
from tests.campaigns import RARE
from tests.companion.ui import playing
from tests.companion.ui.driver import Driver, is_shown, walk

Drive = Callable[..., Driver]
GERMAN, FINNISH, ITALIAN = (Language(code) for code in ("de", "fi", "it"))


@pytest.fixture
def driver(drive: Drive) -> Driver:
    return at_table(drive(language="de"))


def at_table(driver: Driver) -> Driver:
    driver.app.presenter.settings.set_private_language(Side.RED, FINNISH)
    driver.app.presenter.settings.set_private_language(Side.BLUE, ITALIAN)
    return driver


def meet(driver: Driver) -> None:
    playing.play(driver, playing.STANDING, "e4 e5", "a7 a6", "e5 e6", "a6 a5")
    playing.attack_on_screen(driver, "e6", "e7")


def foreign(driver: Driver, language: Language) -> Iterator[str]:
    """Yield text in the topmost layer that is not in the given language."""
    top, *_ = driver.app.face.children
    for widget in walk(top):
        text = getattr(widget, "text", None)
        if isinstance(text, str) and text and is_shown(widget):
            for other in (GERMAN, FINNISH, ITALIAN):
                words = {other.text(each) for each in COMMON}
                if other is not language and text in words - {language.text(e) for e in COMMON}:
                    yield f"{text!r} is {other.code}"


COMMON = (
    *("Menu", "Take the screen.", "Hold to open", "This is not an attack", "Close the curtain"),
    *("Hold a card to declare it.", "My rank is not shown", "That is impossible", "Choose again"),
    *("Yes", "No", "Right", "Wrong", "Your turn", "Can you move?", "Continue", "Back", "Language"),
    *("Not allowed", "Correct the board", "Then nobody wins.", "Home", "Pause"),
)
"""Every game screen shows at least one of these texts."""


def assert_in(driver: Driver, language: Language, *texts: str) -> None:
    for each in texts:
        assert language.text(each) in driver.texts()
    assert not list(foreign(driver, language))


@RARE
def test_languages_of_turn_and_declaration(driver: Driver) -> None:
    playing.begin(driver)
    assert_in(driver, GERMAN, "Your turn", "Menu")
    meet(driver)
    assert_in(driver, FINNISH, "Hold to open", "Menu", "This is not an attack")
    assert FINNISH.side(Side.RED) in driver.texts()
    playing.open_curtain(driver)
    assert_in(driver, FINNISH, "Hold a card to declare it.", "Close the curtain")
    assert FINNISH.rank(Rank.MARSHAL) in driver.texts().casefold()
    driver.tap("missing")
    driver.tap_tile("others", Rank.BOMB)
    assert_in(driver, FINNISH, "That is impossible", "Choose again")
    driver.tap("again")
    driver.hold_tile("tiles", Rank.SCOUT)
    assert_in(driver, ITALIAN, "Hold to open", "Menu")
    playing.declare(driver, Rank.MINER)
    playing.turn_cards(driver)
    assert_in(driver, GERMAN, "Menu")
    assert GERMAN.side(Side.BLUE) in driver.texts()


@RARE
def test_language_of_the_menu(driver: Driver) -> None:
    playing.begin(driver)
    meet(driver)
    driver.tap("menu")
    driver.tap("settings")
    assert GERMAN.text("Quiet explosions") in driver.texts()
    driver.tap("close")
    driver.tap("red_resigns")
    assert FINNISH.text("Does {side} resign?", side=FINNISH.side(Side.RED)) in driver.texts()
    driver.tap("no")
    assert_in(driver, FINNISH, "Hold to open")
    driver.tap("menu")
    driver.tap("pause")
    assert_in(driver, GERMAN)
    driver.tap("go_on")
    driver.show(playing.STANDING)
    assert_in(driver, FINNISH, "Hold to open")
    driver.lose()
    assert_in(driver, GERMAN, "Home")


def test_language_of_an_offer(driver: Driver) -> None:
    playing.begin(driver)
    for button in ("menu", "red_draw"):
        driver.tap(button)
    assert FINNISH.text("The offer is open until the next move.") in driver.texts()
    driver.tap("yes")
    offered = Announcer(ITALIAN).sentence(OfferDraw(Side.RED))
    assert offered in driver.texts()
    assert GERMAN.text("Your turn") in driver.texts()
    driver.tap("accept")
    assert_in(driver, ITALIAN, "Then nobody wins.")


@RARE
def test_language_of_a_guess(drive: Drive) -> None:
    driver = at_table(drive(language="de", edition=EDITIONS["nordic-2015"]))
    playing.begin(driver)
    playing.play(driver, playing.STANDING, *playing.INTO_ENEMY_ROWS)
    playing.infiltrate(driver, "f7", "f8", Rank.SCOUT)
    assert_in(driver, ITALIAN, "Right", "Wrong", "Menu")
    driver.tap("right")
    assert_in(driver, ITALIAN, "Hold to confirm", "No")


def test_language_of_a_claim(drive: Drive) -> None:
    driver = at_table(drive(language="de", edition=EDITIONS["isf"]))
    playing.begin(driver)
    for button in ("menu", "cannot_move"):
        driver.tap(button)
    assert_in(driver, FINNISH, "Hold to confirm")
    driver.confirm()
    assert_in(driver, ITALIAN, "Can you move?")


def test_language_of_recovery(driver: Driver) -> None:
    playing.begin(driver)
    driver.show(playing.after(playing.STANDING, "e4 f5"))
    assert_in(driver, GERMAN, "Not allowed", "Menu")


def choose(driver: Driver, side: Side | None, code: str) -> None:
    driver.tap_option("listeners", side)
    driver.tap_option("languages", code)
    driver.frames(2)


@RARE
def test_language_can_be_switched_in_every_state(driver: Driver) -> None:
    """Two taps switch the language of the whole screen."""
    driver.connect()
    driver.tap("begin")
    driver.show(playing.STANDING)
    driver.tap("language")
    choose(driver, None, "fr")
    assert driver.view == "setup"
    assert Language("fr").text("Back") in driver.texts()
    for side in ("red", "blue"):
        driver.tap_inside(side, "ready")
    driver.wait(lambda: driver.view == "turn")
    meet(driver)
    for button in ("menu", "language"):
        driver.tap(button)
    choose(driver, Side.RED, "sv")
    driver.tap("close")
    assert Language("sv").text("Hold to open") in driver.texts()
    for button in ("menu", "language"):
        driver.tap(button)
    choose(driver, Side.RED, "")
    driver.tap("close")
    assert Language("fr").text("Hold to open") in driver.texts()
    for button in ("menu", "red_resigns"):
        driver.tap(button)
    driver.confirm()
    assert driver.view == "end"
    driver.tap("language")
    choose(driver, None, "es")
    assert Language("es").text("Watch replay") in driver.texts()


@RARE
def test_language_belongs_to_the_name(drive: Drive) -> None:
    driver = drive(language=None)
    driver.tap("players")
    driver.tap_inside("red", "name")
    driver.tap_answer("letters", "A")
    driver.tap("close")
    driver.tap_inside("red", "language")
    driver.tap_option("languages", "fi")
    assert driver.find("red").speaks == "FI"
    driver.tap_inside("red", "name")
    driver.tap("erase")
    driver.tap_answer("letters", "B")
    driver.tap("close")
    driver.tap_inside("red", "language")
    driver.tap_option("languages", "")
    driver = drive(language=None)
    driver.tap("players")
    assert driver.find("red").speaks == "EN"
    driver.tap_inside("red", "name")
    driver.tap_answer("known", "A")
    assert driver.find("red").speaks == "FI"
    driver.tap("exchange")
    assert (driver.find("red").speaks, driver.find("blue").speaks) == ("EN", "FI")
    assert driver.app.presenter.settings.language_for(Side.BLUE).code == "fi"
