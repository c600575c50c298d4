"""Curtain, seal, card and flag animations do not block the game."""

import pytest

from companion.ui.base.base_screen import TRAIL_SECONDS
from companion.ui.base.presenter import NEW_SECONDS
from companion.ui.base.screen_selection import SECONDS, Effect
from companion.ui.drawing.cloth import FALL_SECONDS, LEAVE_SECONDS, Drapes
from companion.ui.screens.reveal_screen import COMES, FALLS, TURNS
from companion.ui.widgets.buttons import HOLD_SECONDS
from engine.board.geometry import Side
from engine.board.ranks import Rank
from tests.campaigns import Campaign
from tests.companion.ui import playing
from tests.companion.ui.driver import Driver, walk

SLOW_LOOKS = Campaign("looks", part=0, whole=1)
"""Marks tests that check that animations never block a game."""


@pytest.fixture
def asked(driver: Driver) -> Driver:
    """Red's e4, a scout, attacks e7, and Blue is asked for the rank of e7."""
    playing.begin(driver)
    playing.attack_on_screen(driver, "e4", "e7")
    return driver


def drapes(driver: Driver) -> list[Drapes]:
    return [widget for widget in walk(driver.face) if isinstance(widget, Drapes)]


def test_curtain_animation_follows_the_finger(asked: Driver) -> None:
    finger = asked.touch_at(*asked.middle(asked.find("hold")))
    asked.pass_time(0.1)
    asked.pass_time(0.2)
    (halves,) = drapes(asked)
    met = halves.cover
    asked.pass_time(0.2)
    assert halves.cover < met, "the halves part again"
    assert not asked.face.is_open
    asked.release(finger)
    asked.pass_time(0.05)
    assert not drapes(asked)


@SLOW_LOOKS
def test_open_curtain_is_drawn_aside(asked: Driver) -> None:
    playing.open_curtain(asked)
    assert asked.face.is_open
    asked.pass_time(1)
    assert not drapes(asked)


@SLOW_LOOKS
def test_closing_curtain_animation(asked: Driver) -> None:
    for is_touched in (False, True):
        playing.open_curtain(asked)
        asked.pass_time(1)
        asked.tap("close")
        closed = asked.face._closed_at
        drops = []
        for age in (0.1, 0.2):
            asked.now = closed + age
            asked.frames(1)
            (halves,) = drapes(asked)
            drops.append(halves.drop)
        assert 0 < drops[0] < drops[1] < 1
        asked.now = closed + (NEW_SECONDS if is_touched else FALL_SECONDS + LEAVE_SECONDS) + 0.01
        if is_touched:
            asked.touch_again_at(5, 5)
        asked.frames(1)
        assert not drapes(asked)


def test_wax_seal_animation(driver: Driver) -> None:
    playing.begin(driver)
    playing.play(driver, playing.STANDING, "e4 e5", "e7 e6")
    playing.attack_on_screen(driver, "e5", "e6")
    assert driver.app.presenter.effects is None
    playing.open_curtain(driver)
    finger = driver.touch_tile("tiles", Rank.CAPTAIN)
    driver.pass_time(HOLD_SECONDS + 0.1)
    effects = driver.app.presenter.effects
    assert effects
    assert (effects.show, effects.side) == (Effect.SEAL, Side.RED)
    driver.release(finger)
    driver.touch_again_at(5, 5)
    assert driver.app.presenter.effects is None
    playing.declare(driver, Rank.MINER)
    assert driver.view == "reveal"
    assert driver.app.presenter.effects is None, "the ranks are now visible"


@SLOW_LOOKS
def test_card_animation(asked: Driver) -> None:
    playing.declare(asked, Rank.MINER)
    asked.face._began = asked.now
    asked.frames(1)
    attacker, defender = asked.find("attacker"), asked.find("defender")
    assert attacker.away_y < -400
    assert attacker.turned == defender.turned == 0
    asked.now += COMES + 0.01
    asked.frames(1)
    assert attacker.away_y == 0
    asked.now += TURNS + FALLS
    asked.frames(1)
    assert attacker.turned == defender.turned == 1
    assert (attacker.tilt, defender.tilt) != (0, 0)


def test_touch_ends_the_card_animation(asked: Driver) -> None:
    playing.declare(asked, Rank.MINER)
    asked.face._began = asked.now + 10
    asked.tap("menu")
    assert "Menu" in asked.texts()
    assert asked.find("attacker").turned == 1


@SLOW_LOOKS
def test_victory_flag_animation(asked: Driver) -> None:
    for button in ("menu", "red_resigns"):
        asked.tap(button)
    asked.confirm()
    assert asked.view == "end"
    effects = asked.app.presenter.effects
    assert effects
    assert (effects.show, effects.side) == (Effect.FLAG, Side.BLUE)
    asked.pass_time(SECONDS[Effect.FLAG])
    assert asked.app.presenter.effects is None
    assert "1 move or attack" not in asked.texts(), "the unfinished attack does not count"
    assert "Pieces lost: Red 0, Blue 0" in asked.texts()


@SLOW_LOOKS
def test_verdict_follows_the_cards(asked: Driver) -> None:
    playing.declare(asked, Rank.MINER)
    asked.face._began = asked.now
    asked.frames(1)
    assert "Blue wins the combat" not in asked.texts()
    board, attacker = asked.find("board"), asked.find("attacker")
    assert attacker.falls
    assert not board.take, "crosses do not reveal the result either"
    lengths = []
    for seconds in (COMES + TURNS, FALLS / 2, FALLS / 2):
        asked.now += seconds + 0.001
        asked.frames(1)
        lengths.append(len(attacker.crack))
    assert "Blue wins the combat" in asked.texts()
    assert board.take
    assert lengths == sorted(set(lengths)), "each path is longer than the previous one"


def test_crack_leaves_the_name_readable(asked: Driver) -> None:
    playing.declare(asked, Rank.MINER)
    playing.turn_cards(asked)
    card = asked.find("attacker")
    card.cracked = 1
    assert min(card.crack[1::2]) >= card.ids.words.top


def test_touch_shows_the_verdict(asked: Driver) -> None:
    playing.declare(asked, Rank.MINER)
    asked.face._began = asked.now + 10
    asked.frames(1)
    assert "Blue wins the combat" not in asked.texts()
    asked.tap_at(5, 5)
    assert "Blue wins the combat" in asked.texts()


@SLOW_LOOKS
def test_trail_fades_without_a_redraw(driver: Driver) -> None:
    playing.begin(driver)
    playing.play(driver, playing.STANDING, "e4 e5")
    driver.frames(2)
    board, moved = driver.find("board"), driver.face._moved_at
    drawn = list(board.canvas.children)
    strengths = []
    for age in (1, 2, TRAIL_SECONDS, TRAIL_SECONDS + 1):
        driver.now = moved + age
        driver.frames(1)
        strengths.append(board._wake.opacity)
    assert 1 > strengths[0] > strengths[1] > strengths[2] == strengths[3] == 0
    assert list(board.canvas.children) == drawn
    assert board.last_move, "the two squares stay filled"
