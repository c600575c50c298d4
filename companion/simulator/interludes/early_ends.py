"""Premature ends of the game that both sides take back."""

from typing import Final

from companion.simulator.interludes.occasion import Answer, Occasion
from companion.simulator.simulated_games import AGREE_DRAW
from companion.table.sayings import Saying
from engine.board.geometry import Side
from engine.game.actions import Action, AnswerCannotMove, CannotMove, Forfeit, Resign
from engine.game.game_state import Phase

HAS_A_TURN: Final = 0.5
"""Probability that the opponent claims to have a legal turn."""


def resign_too_early(occasion: Occasion) -> Answer:
    """Resign, then play on."""
    return _end(occasion, Resign(occasion.dice.choice([*Side])))


def agree_draw_too_early(occasion: Occasion) -> Answer:
    """Agree to a draw, then play on."""
    return _end(occasion, *AGREE_DRAW)


def forfeit_too_early(occasion: Occasion) -> Answer:
    """Play on after the arbiter has decided the game."""
    return _end(occasion, Forfeit(occasion.dice.choice([*Side, None])))


def say_cannot_move_too_early(occasion: Occasion) -> Answer:
    """Claim to have no legal turn, then find one; the opponent may have been asked in between."""
    people = occasion.people
    people.say(CannotMove())
    if people.referee.phase is Phase.STANDSTILL:
        able = occasion.dice.random() < HAS_A_TURN
        people.say(AnswerCannotMove(able))
        if able and not people.show_a_move():
            return Answer.MISSED
    return _take_end_back(occasion)


def _end(occasion: Occasion, *words: Action | Saying) -> Answer:
    for word in words:
        occasion.people.say(word)
    return _take_end_back(occasion)


def _take_end_back(occasion: Occasion) -> Answer:
    return occasion.take_all_back() if occasion.people.referee.outcome else Answer.MISSED
