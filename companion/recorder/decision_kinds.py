"""What kinds of decisions a table makes, and which events tell of which."""

from enum import Enum
from typing import Final


class DecisionKind(Enum):
    """What a table has decided to do."""

    ACCEPTED = "accepted"
    """An action of the game was accepted."""
    REFUSED = "refused"
    """The referee has refused an action, or what the hands have done."""
    COMPLAINT = "complaint"
    """The board has to be put right."""
    QUESTION = "question"
    """The game waits for an answer."""
    OFFER = "offer"
    """Something may have been meant; it goes away by itself."""


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
"""By the name of the event; the others decide nothing."""
