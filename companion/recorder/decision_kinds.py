"""Kinds of a table's decisions, and the events that belong to each."""

from enum import Enum
from typing import Final


class DecisionKind(Enum):
    """Kind of a table's decision."""

    ACCEPTED = "accepted"
    """A game action was accepted."""
    REFUSED = "refused"
    """The referee has rejected an action, or a move made on the board."""
    COMPLAINT = "complaint"
    """The players have to correct the board."""
    QUESTION = "question"
    """The game waits for an answer."""
    OFFER = "offer"
    """A suggestion of an action that may have been intended; it expires by itself."""


OF_EVENTS: Final = {
    "violation": DecisionKind.REFUSED,
    "contradiction": DecisionKind.REFUSED,
    "correction-refused": DecisionKind.REFUSED,
    "board-refused": DecisionKind.REFUSED,
    "board-differs": DecisionKind.COMPLAINT,
    "loss-threatens": DecisionKind.COMPLAINT,
    "clear-up": DecisionKind.COMPLAINT,
    "attack-asked": DecisionKind.QUESTION,
    "who-attacks": DecisionKind.QUESTION,
    "course-asked": DecisionKind.QUESTION,
    "rank-asked": DecisionKind.QUESTION,
    "can-you-move": DecisionKind.QUESTION,
    "attack-offered": DecisionKind.OFFER,
    "board-offered": DecisionKind.OFFER,
    "offer-draw": DecisionKind.OFFER,
    "offer-take-back": DecisionKind.OFFER,
}
"""By event name; all other events are no decisions."""
