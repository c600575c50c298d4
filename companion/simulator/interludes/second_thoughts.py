"""Turns that are taken back, or that end differently from how they began."""

from collections.abc import Callable, Iterator
from typing import TypeAlias

from companion.simulator.interludes.occasion import Answer, Occasion
from companion.simulator.people import Style
from companion.table.inputs import NoAttack
from engine.board.geometry import Square
from engine.board.ranks import Rank
from engine.game.actions import Attack, Move
from engine.game.referee import Referee

CanGoOn: TypeAlias = Callable[[Referee, Square, Square], bool]


def take_turn_back(occasion: Occasion) -> Answer:
    """Complete the turn; then both players agree to undo it."""
    if not occasion.people.carry_out(occasion.turn, occasion.dice):
        return Answer.MISSED
    return occasion.take_all_back()


def withdraw_attack(occasion: Occasion) -> Answer:
    """Begin an attack, then withdraw it."""
    people, turn = occasion.people, occasion.turn
    if not isinstance(turn, Attack):
        return Answer.UNFIT
    if people.referee.is_decided(turn.source, turn.target):
        return Answer.UNFIT  # no declaration follows, so there is no time to withdraw it
    people.heard.clear()
    people.make(turn, occasion.dice, (*Style,))
    if not people.wait_for(people.is_turn_noticed):
        return Answer.MISSED
    people.touch(NoAttack)
    return occasion.find_same() if people.put_back() else Answer.MISSED


def move_on(occasion: Occasion) -> Answer:
    """Set a scout down on its way, or a little too far, before it goes to its target square."""
    turn = occasion.turn
    if not isinstance(turn, Move):
        return Answer.UNFIT
    return _stop_on_the_way(occasion, turn, Referee.can_slide_on)


def strike_on(occasion: Occasion) -> Answer:
    """Set a scout down in front of its target before it taps it."""
    turn = occasion.turn
    if not isinstance(turn, Attack):
        return Answer.UNFIT
    return _stop_on_the_way(occasion, turn, Referee.can_strike_on)


def _stop_on_the_way(occasion: Occasion, turn: Move | Attack, can_go_on: CanGoOn) -> Answer:
    """Set a scout down on the way, then continue to the target of its turn."""
    people = occasion.people
    stops = sorted(_stops(people.referee, turn, can_go_on))
    if people.rank_at(turn.source) is not Rank.SCOUT or not stops:
        return Answer.UNFIT
    if people.referee.edition.touch_move:  # its move ends where it is released
        return Answer.UNFIT
    stop = occasion.dice.choice(stops)
    people.heard.clear()
    people.at.hands.move(turn.source, stop)
    if not people.wait_for(lambda: bool(people.heard)):
        return Answer.MISSED
    people.heard.clear()
    people.make(type(turn)(stop, turn.target), occasion.dice)
    return Answer.BEGUN


def _stops(referee: Referee, turn: Move | Attack, can_go_on: CanGoOn) -> Iterator[Square]:
    for move in referee.legal_moves():
        if isinstance(move, Move) and move.source == turn.source:
            trial = referee.copy()
            trial.apply(move)
            if can_go_on(trial, move.target, turn.target):
                yield move.target
