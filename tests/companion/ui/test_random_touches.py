"""Random touches and drags in games against the computer."""

from collections.abc import Callable
from random import Random
from typing import Any

from companion.opponent.levels import Level
from companion.ui.widgets.buttons import Holding
from engine.board.geometry import SQUARES, Side, name
from engine.board.ranks import IMMOBILE
from engine.game.game_state import Phase
from engine.rules.editions import EDITIONS
from tests.campaigns import Campaign
from tests.companion.ui.driver import Driver, is_shown
from tests.companion.ui.solo_hands import Hands, sit_down

Drive = Callable[..., Driver]
GAMES = Campaign("random-touches", 1, 60)
TOUCHES = 60
ARMIES = [
    EDITIONS["isf"].with_army("duel"),
    EDITIONS["isf"].with_army("barrage"),
    EDITIONS["original-1992"],
    EDITIONS["nordic-2015"],
]
LEAVING = ("leave", "pause", "red_resigns", "faults")
"""Buttons that are avoided, because they would end or disrupt most games."""


class RandomHand:
    def __init__(self, driver: Driver, dice: Random) -> None:
        self.driver, self.dice = driver, dice

    def act(self) -> None:
        kinds = (self.drag_a_piece, self.press_something, self.drag, self.hold, self.two_fingers)
        self.dice.choices(kinds, weights=(9, 5, 2, 1, 1))[0]()

    def drag_a_piece(self) -> None:
        if self.driver.app.face.simulated_board is None:
            return
        board, dice = self.driver.tabletop.board, self.dice
        standing = [square for square in SQUARES if board.at(square)]
        if standing:
            self.driver.carry(name(dice.choice(standing)), name(dice.choice(SQUARES)))

    def press_something(self) -> None:
        uncovered = self.driver.uncovered()
        avoided = [each.ids[key] for each in uncovered for key in LEAVING if key in each.ids]
        buttons = [
            each
            for each in uncovered
            if (hasattr(each, "on_release") or isinstance(each, Holding))
            and is_shown(each)
            and not any(button.__self__ is each for button in avoided)
        ]
        if buttons:
            self.driver.hold_at(self.dice.choice(buttons), self.dice.choice((0.0, 1.3)))

    def drag(self) -> None:
        self.driver.drag(self.point(), self.point())

    def hold(self) -> None:
        finger = self.driver.touch_at(*self.point())
        self.driver.pass_time(1.3)
        self.driver.release(finger)

    def two_fingers(self) -> None:
        one, other = self.driver.touch_at(*self.point()), self.driver.touch_again_at(*self.point())
        for finger in (one, other):
            self.driver.slide(finger, *self.point())
        for finger in (one, other):
            self.driver.release(finger)

    def point(self) -> tuple[float, float]:
        root: Any = self.driver.app.root
        return self.dice.uniform(0, root.width - 1), self.dice.uniform(0, root.height - 1)


def check(driver: Driver) -> None:
    """Check that the computer's ranks are hidden, and that Red's bombs and flag have not moved."""
    host = driver.app.host
    if host.table is None or host.table.view.phase in (Phase.SETUP, Phase.OVER):
        return
    assert not driver.tabletop.shows(Side.BLUE)
    deduction = host.table.referee.position.player(Side.RED).deduction
    for piece, rank in host.printed(Side.RED).items():
        assert deduction.possible(piece) >> rank & 1, (name(piece), rank)
        assert not (IMMOBILE >> rank & 1 and piece in deduction.moved), (name(piece), rank)


@GAMES
def test_random_touches(drive: Drive) -> None:
    """The game stays legal, and a single touch restores the board."""
    for number in range(GAMES.size):
        dice = Random(number)
        hands = sit_down(drive, dice.choice(ARMIES), number, level=dice.choice([*Level]))
        driver, hand = hands.driver, RandomHand(hands.driver, dice)
        for _ in range(TOUCHES):
            hand.act()
            hands.driver.script.waiting.append(driver.virtual_seen())
            driver.pass_time(dice.choice((0.1, 0.4, 2.0)))
            check(driver)
        restore(hands)


def restore(hands: Hands) -> None:
    """Close all dialogs, and restore the board."""
    driver = hands.driver
    for _ in range(20):
        driver.script.waiting.append(driver.virtual_seen())
        driver.pass_time(0.6)
        for button in ("close", "no", "put_back"):
            if driver.on_top(button):
                driver.tap(button)
                break
    assert driver.view != "recovery", driver.texts()
