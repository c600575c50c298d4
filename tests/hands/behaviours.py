"""Kinds of player behaviour beyond plain moves.

A profile sets their frequencies and durations. A campaign counts how often each kind occurs, to
prove that all of them do.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from tests.hands.scheduler import AT_ONCE, Duration


class Behaviour(Enum):
    """Kind of player behaviour. The value is its name in a campaign's output."""

    # -- making a move
    HOLD = "hold"
    """Keeps the lifted piece in hand for a while."""
    RECONSIDER = "reconsider"
    """Sets the piece down and then moves it elsewhere, before the other side acts."""
    GIVE_UP = "give-up"
    """Sets the piece down elsewhere, puts it back and plays another piece."""
    TOUCH = "touch"
    """Lifts another piece first and puts it back."""
    SLIDE = "slide"
    """Slides the piece instead of lifting it."""
    PUSH = "push"
    """Pushes the piece with a finger. The piece tilts, so its field changes early or late."""
    HOVER = "hover"
    """Carries the piece low over other squares, with pauses."""
    RUN_PAUSE = "run-pause"
    """Sets a scout down during a long move."""
    TWO_UP = "two-up"
    """Lifts a second piece at the same time, and puts it back."""
    FAST_ANSWER = "fast-answer"
    """Touches a piece within 400 ms after the opponent has released one."""
    BLITZ = "blitz"
    """Touches a piece before the opponent has released one."""
    TWO_PLIES = "two-plies"
    """Takes the next turn immediately after the opponent's reply, with the same piece if
    possible."""
    THINK_IN_HAND = "think-in-hand"
    """Thinks for 1 to 20 s with the piece in hand."""
    OTHER_HAND_LOOKS = "other-hand-looks"
    """Looks at another piece with the other hand during the move."""
    HELD_ALONG = "held-along"
    """Holds another piece in the other hand during the move."""
    GLIMPSE = "glimpse"
    """Passes low over other squares, each of which detects the piece for 20 to 150 ms."""
    TREMBLE = "tremble"
    """Holds the piece over a square, which makes the square's sensor flicker."""
    WRONG_STOP = "wrong-stop"
    """Sets the piece down on an illegal square, and then on a legal square within two seconds."""
    EARLY_LIFT = "early-lift"
    """Lifts the piece for the reply too early, and holds it until the opponent has released the
    last piece."""

    # -- attacking: the ten styles
    SET_DOWN = "attack-set-down"
    OTHER_HAND = "attack-other-hand"
    """Removes the target with the other hand, and sets the attacker down in its place."""
    BOTH_UP = "attack-both-up"
    BOTH_UP_DEFENDER = "attack-both-up-defender-first"
    TAP = "attack-tap"
    """Touches the target with the attacker and returns to the source square."""
    LEAN = "attack-lean"
    """Sets the attacker down on the edge of the target's square."""
    SHOVE = "attack-shove"
    """Pushes the target away with the attacker."""
    DEFENDER_LIFTS = "attack-defender-lifts"
    """The defending player sees the attack coming and lifts the target first."""
    ON_SCREEN = "attack-on-screen"
    """Enters the attack on the touchscreen."""
    OWNER_FIRST = "attack-owner-first"
    """The owner of the target lifts it before the attacker is touched."""
    STRIKE_ON = "strike-on"
    """Sets a scout down in front of its target, then touches the target with it."""
    RECONSIDER_ATTACK = "attack-after-stand"
    """Sets the attacker down on an empty square for a moment, and attacks from that square. A
    direct attack was also possible. Like `STRIKE_ON`, this may occur on any straight path."""
    OWNER_LIFTS_AT_STOP = "owner-lifts-at-stop"
    """The attacker stops in front of the target. The owner lifts the target. Then the attacker is
    lifted again."""
    FALL = "fall"
    """A captured piece falls on a free square next to the source or target of an attack."""

    # -- cleaning up after combat
    WINNER_FIRST = "clear-winner-first"
    """The winner is put on its square before the loser is removed."""
    LATE_LOSER = "clear-late-loser"
    """The loser is left on another square before it is removed."""
    RETAKE = "clear-retake"
    """The winner is lifted again after the cleanup, and put back."""
    BOTH_BACK = "clear-both-back"
    """Both pieces are first put back on the squares where they stood before the attack, and only
    then moved to where they belong."""
    OTHER_PLACES = "clear-other-places"
    """After combat, the defender and not the attacker puts the pieces where they belong."""
    TIE_LAID = "clear-tie-laid"
    """After a tie, both pieces lie on free squares for a moment before they are removed."""
    EDGE_STEADY = "edge-steady"
    """A captured piece lies beside the board, where an edge square detects it steadily."""
    EDGE_FLICKER = "edge-flicker"
    """A captured piece lies beside the board and makes an edge square flicker."""

    # -- at any time
    LOOK = "look"
    """Lifts one of the player's own pieces, looks at its rank and puts it back."""
    LOOK_SEVERAL = "look-several"
    """Looks at two or three of the player's own pieces at once."""
    TILT = "tilt"
    """Tilts the piece while lifting it or setting it down, so that its square flickers."""
    BUMP = "bump"
    """At least nine pieces are knocked over, and then put back in random order."""
    BUMP_AFTER_MOVE = "bump-after-move"
    """One piece is pushed as if it made a move. Then many pieces are knocked over."""

    # -- during a turn
    ADJUST_OWN = "adjust-own"
    """The side to move straightens one of its own pieces."""
    ADJUST_OTHER = "adjust-other"
    """The waiting side straightens one of its own pieces."""
    SLEEVE_HALF = "sleeve-half"
    """A sleeve pushes a piece half out of its square."""
    SLEEVE_NEXT = "sleeve-next"
    """A sleeve pushes a piece to an adjacent square."""
    SLEEVE_TIP = "sleeve-tip"
    """A sleeve tips a piece over."""
    WRONG_PIECE = "wrong-piece"
    """Moves a piece belonging to the other side by mistake."""
    OUT_OF_TURN = "out-of-turn"
    """Moves during the opponent's turn."""
    ILLEGAL = "illegal-move"
    """Makes a move that is illegal for every piece."""

    # -- the board itself
    FLICKER = "flicker"
    """A sensor briefly loses its piece, or detects one on an empty square."""
    LOST_FRAME = "lost-frame"
    LOST_BURST = "lost-burst"
    """All frames are lost for up to half a second."""
    DROPOUT = "dropout"
    """A piece is set down off centre and is not detected until it is nudged."""
    FAULTY = "faulty-sensor"
    """One sensor flickers throughout the game."""


STYLES = (
    Behaviour.SET_DOWN,
    Behaviour.OTHER_HAND,
    Behaviour.BOTH_UP,
    Behaviour.BOTH_UP_DEFENDER,
    Behaviour.TAP,
    Behaviour.LEAN,
    Behaviour.SHOVE,
    Behaviour.DEFENDER_LIFTS,
    Behaviour.ON_SCREEN,
    Behaviour.OWNER_FIRST,
)
"""The ten attack styles. A profile gives each style a weight: how often it is chosen, relative to
the others."""


@dataclass(frozen=True)
class Habit:
    chance: float
    """Probability per ply, move or combat. For `LOOK`, the rate per player per second."""
    lasts: Duration = AT_ONCE


Habits: TypeAlias = Mapping[Behaviour, Habit]
