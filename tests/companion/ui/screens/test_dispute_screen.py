"""A player insists on a rank that has been refuted. The rank stays hidden during the dispute."""

from collections.abc import Callable

import pytest

from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.game.game_state import Phase
from engine.game.rulings import Reason
from engine.rules.editions import EDITIONS
from tests.campaigns import RARE, slow_after_first
from tests.companion.ui import playing
from tests.companion.ui.driver import Driver

Drive = Callable[..., Driver]


def attacked(driver: Driver) -> Driver:
    """Red's captain attacks a piece on e6 that has already moved. Blue is asked for the piece's
    rank."""
    playing.begin(driver)
    image = playing.play(driver, playing.STANDING, "e4 e5", "e7 e6")
    driver.show(playing.after(image, "e5 e6"))
    playing.declare(driver, Rank.CAPTAIN)
    return driver


@pytest.fixture
def disputed(drive: Drive) -> Driver:
    """Game in which Blue insists that its piece on e6 is a bomb."""
    driver = attacked(drive())
    playing.insist(driver, Rank.BOMB)
    return driver


@pytest.mark.parametrize(
    ("language", "asked", "consequence", "expected"),
    slow_after_first(
        "languages",
        [
            (
                "en",
                "Hold to insist: Bomb",
                (
                    "If you insist, both players learn that there is a dispute, but "
                    "not about which rank."
                ),
                "Blue stands by a declaration for e6 that cannot be true.",
            ),
            (
                "de",
                "Halten, um dabei zu bleiben: Bombe",
                "erfahrt ihr beide, dass es Streit gibt",
                "Blau bleibt bei einer Ansage für e6, die nicht stimmen kann.",
            ),
        ],
    ),
)
def test_insisting_is_explained(
    drive: Drive, language: str, asked: str, consequence: str, expected: str
) -> None:
    driver = attacked(drive(language=language))
    driver.hold("hold", 0.7)
    driver.tap("missing")
    driver.tap_tile("others", Rank.BOMB)
    assert asked in driver.texts()
    assert consequence in driver.texts()
    driver.tap("insist")
    assert driver.view == "declaration"
    driver.hold("insist", 0.7)
    assert driver.view == "dispute"
    assert expected in driver.texts()


def test_cancelled_insisting(drive: Drive) -> None:
    driver = attacked(drive())
    driver.hold("hold", 0.7)
    driver.tap("missing")
    driver.tap_tile("others", Rank.BOMB)
    driver.tap("again")
    driver.hold_tile("tiles", Rank.MINER)
    assert driver.view == "reveal"
    playing.turn_cards(driver)
    assert "Red wins the combat" in driver.texts()


def test_dispute_screen_shows_no_rank(disputed: Driver) -> None:
    for rank in Rank:
        assert rank.name.lower() not in disputed.texts().lower()


def test_accepted_declaration_decides_the_combat(disputed: Driver) -> None:
    disputed.tap("counts")
    assert "Does the declaration count?" in disputed.texts()
    disputed.tap("no")
    assert disputed.view == "dispute"
    disputed.tap("counts")
    disputed.confirm()
    assert disputed.view == "reveal"
    disputed.pass_time(2)
    playing.turn_cards(disputed)
    assert "Boom!" in disputed.texts()


@RARE
def test_refused_declaration_is_repeated(disputed: Driver) -> None:
    disputed.tap("declare_again")
    disputed.confirm()
    assert disputed.view == "declaration"
    assert "Blue\nTake the screen." in disputed.texts()
    playing.declare(disputed, Rank.SCOUT)
    playing.turn_cards(disputed)
    assert "Red wins the combat" in disputed.texts()


@RARE
def test_arbiter_ends_the_game_in_a_dispute(disputed: Driver) -> None:
    disputed.tap("menu")
    disputed.tap("arbiter")
    disputed.tap("blue_forfeits")
    assert "Arbiter: Blue loses?" in disputed.texts()
    disputed.confirm()
    assert disputed.view == "end"
    assert "Red wins: the arbiter has decided." in disputed.texts()


def test_board_restored_during_a_dispute(disputed: Driver) -> None:
    disputed.show(playing.after(disputed.seen, "a1 a5"), seconds=3.5)
    assert disputed.view == "dispute"
    assert "Put the red piece on a1." in disputed.texts()
    assert disputed.face.put == 1 << square("a1")


@RARE
def test_attacking_bomb_cannot_be_accepted(drive: Drive) -> None:
    driver = drive()
    playing.begin(driver)
    playing.play(driver, playing.STANDING, "e4 e5", "e7 e6")
    playing.attack_on_screen(driver, "e5", "e6")
    playing.insist(driver, Rank.BOMB)
    driver.tap("counts")
    driver.confirm()
    assert driver.view == "declaration", "the rank does not count; no reason is shown"
    playing.declare(driver, Rank.MINER)
    assert driver.app.presenter.table.conversation.question


@RARE
def test_moved_bomb_penalty_is_announced(drive: Drive) -> None:
    driver = attacked(drive(edition=EDITIONS["gravopedia-2006"]))
    driver.hold("hold", 0.7)
    driver.tap("missing")
    driver.tap_tile("others", Rank.BOMB)
    assert "Under these rules, a player who moves a bomb or the flag loses." in driver.texts()
    driver.hold("insist", 0.7)
    outcome = driver.app.presenter.table.view.outcome
    assert outcome
    assert (outcome.reason, outcome.winner) == (Reason.MOVED_BOMB, Side.RED)
    assert "Red wins: the other side has moved a bomb or the flag." in driver.texts()


@RARE
def test_dispute_survives_a_restart(disputed: Driver, drive: Drive) -> None:
    seen = disputed.seen
    driver = drive()
    driver.connect()
    driver.tap("resume")
    driver.show(seen)
    assert driver.view == "dispute"
    assert driver.app.presenter.table.view.phase is Phase.DISPUTE
