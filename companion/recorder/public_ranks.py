"""Declared ranks of a game that a combat has revealed to all since."""

from collections.abc import Sequence
from typing import Any

from companion.table.process.step_writer import write_accepted
from engine.board.geometry import Side
from engine.board.ranks import Rank
from engine.game.actions import Action, Declare, Insist
from engine.game.referee import Referee
from engine.game.rulings import Combat
from engine.records.serialization import write_rank
from engine.rules.editions import Edition


def tell_publicly(edition: Edition, actions: Sequence[Action]) -> list[dict[str, Any]]:
    """Encode the public part of accepted actions, with the ranks that combats have revealed.

    A rank that was declared, and then undone or never revealed, stays secret.
    """
    referee = Referee.waiting(edition)
    told = [write_accepted(action) for action in actions]
    declared: dict[Side, int] = {}
    for number, action in enumerate(actions):
        if isinstance(action, Declare | Insist):
            declared[action.rank.owner] = number
        for ruling in referee.apply(action):
            if isinstance(ruling, Combat):
                for side, rank in shown_by(ruling).items():
                    if side in declared:
                        told[declared[side]] = _with_rank(told[declared[side]], rank)
        if not referee.open_attack:
            declared = {}
    return told


def shown_by(combat: Combat) -> dict[Side, Rank]:
    """Return the ranks that a combat reveals, without one that stays undeclared."""
    ranks = {combat.side: combat.attacker, combat.side.other: combat.defender}
    return {side: rank for side, rank in ranks.items() if rank is not None}


def _with_rank(plain: dict[str, Any], rank: Rank) -> dict[str, Any]:
    return {key: value for key, value in plain.items() if key != "sealed"} | {
        "rank": write_rank(rank)
    }
