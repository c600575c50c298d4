"""What people do at a board besides the plain thing, one name for each.

A profile says how often and how long; the campaign counts each one, so that it is seen to occur.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from companion.simulator.hands.spans import AT_ONCE, Span


class Behaviour(Enum):
    """Something that people do. The value is its name in a campaign's output."""

    # -- making a move
    HOLD = "hold"
    """Thinks with the piece in the hand."""
    RECONSIDER = "reconsider"
    """Sets it down, thinks better and sets it elsewhere, before the other side does anything."""
    GIVE_UP = "give-up"
    """Sets it down elsewhere, thinks better, puts it back and plays another piece."""
    TOUCH = "touch"
    """Lifts another piece first and puts it back."""
    SLIDE = "slide"
    """Slides the piece instead of lifting it."""
    PUSH = "push"
    """Pushes the piece with a finger: its foot lags behind, the field is there early or late."""
    HOVER = "hover"
    """Carries it low over other squares, with pauses."""
    RUN_PAUSE = "run-pause"
    """A scout on a long way is set down in between."""
    TWO_UP = "two-up"
    """Takes a second piece up with the first, and sets it back."""
    FAST_ANSWER = "fast-answer"
    """Touches a piece within 400 ms of the other's release."""
    BLITZ = "blitz"
    """Touches a piece before the other has let go."""
    TWO_PLIES = "two-plies"
    """Moves again at once when the other has answered: the same piece if it can."""
    THINK_IN_HAND = "think-in-hand"
    """Thinks for 1 to 20 s with the piece in the hand."""
    OTHER_HAND_LOOKS = "other-hand-looks"
    """Looks at another own piece with the other hand while the moving piece is in the air."""
    HELD_ALONG = "held-along"
    """Keeps another own piece in the other hand during the move and puts it back afterwards."""
    GLIMPSE = "glimpse"
    """Passes low over other squares on the way: each is felt for 20 to 150 ms."""
    TREMBLE = "tremble"
    """Holds the piece over a square: the sensor below flickers weakly."""
    WRONG_STOP = "wrong-stop"
    """Sets the piece where it may not go, and within two seconds where it may."""
    EARLY_LIFT = "early-lift"
    """Lifts the answering piece while the mover's piece is in the air, and holds it until then."""

    # -- attacking: the ten styles
    SET_DOWN = "attack-set-down"
    """Sets the attacker down upon its target."""
    OTHER_HAND = "attack-other-hand"
    """Takes the target away with the other hand, and sets the attacker in its place."""
    BOTH_UP = "attack-both-up"
    """Lifts both, the attacker first."""
    BOTH_UP_DEFENDER = "attack-both-up-defender-first"
    """Lifts both, the defender first."""
    TAP = "attack-tap"
    """Touches the target and goes back to where it came from."""
    LEAN = "attack-lean"
    """Sets the attacker down on the edge of the target's square."""
    SHOVE = "attack-shove"
    """Pushes the target away with the attacker."""
    DEFENDER_LIFTS = "attack-defender-lifts"
    """The defender sees it coming and lifts its piece first."""
    ON_SCREEN = "attack-on-screen"
    """Opens the attack by touching the screen."""
    OWNER_FIRST = "attack-owner-first"
    """The owner of the target lifts it before the attacker is touched."""
    STRIKE_ON = "strike-on"
    """A scout is set down in front of its target, and then touches it."""
    RECONSIDER_ATTACK = "attack-after-stand"
    """A piece stands on an empty square for a moment, then attacks from there what it could have
    attacked at once; as `STRIKE_ON`, of any way that is straight."""
    OWNER_LIFTS_AT_STOP = "owner-lifts-at-stop"
    """A piece stops before its target; the owner of the target lifts it, then the attacker is
    lifted."""
    FALL = "fall"
    """A captured piece falls on a free square beside an attack."""

    # -- clearing up after a combat
    WINNER_FIRST = "clear-winner-first"
    """The winner is put in its place before the loser is away."""
    LATE_LOSER = "clear-late-loser"
    """The loser stands about on another square before it is laid aside."""
    RETAKE = "clear-retake"
    """The winner is taken up again after clearing, and set back."""
    BOTH_BACK = "clear-both-back"
    """Both are put back where they came from, and then it is put right."""
    OTHER_PLACES = "clear-other-places"
    """The other player puts the winner in its place."""
    TIE_LAID = "clear-tie-laid"
    """Both losers of a tie lie on free squares for a moment, and are removed in any order."""
    EDGE_STEADY = "edge-steady"
    """A captured piece is laid beside the board, and an edge square shows it."""
    EDGE_FLICKER = "edge-flicker"
    """The same, and the edge square only flickers."""

    # -- at any time
    LOOK = "look"
    """Lifts a piece of one's own, sees its rank and puts it back."""
    LOOK_SEVERAL = "look-several"
    """Looks at two or three pieces at once."""
    TILT = "tilt"
    """Tilts the piece before lifting it, or while setting it back: its square flickers."""
    BUMP = "bump"
    """Nine or more pieces are knocked at once; all are put back in random order."""
    BUMP_AFTER_MOVE = "bump-after-move"
    """The same, beginning with one piece that is pushed as if it were moved."""

    # -- meanwhile
    ADJUST_OWN = "adjust-own"
    """The side to move straightens a piece of its own."""
    ADJUST_OTHER = "adjust-other"
    """The side that waits straightens a piece of its own."""
    SLEEVE_HALF = "sleeve-half"
    """A sleeve pushes a piece half out of its square."""
    SLEEVE_NEXT = "sleeve-next"
    """A sleeve pushes a piece to the next square."""
    SLEEVE_TIP = "sleeve-tip"
    """A sleeve tips a piece over."""
    WRONG_PIECE = "wrong-piece"
    """Moves a piece of the other side by mistake."""
    OUT_OF_TURN = "out-of-turn"
    """Moves though the other side is to move."""
    ILLEGAL = "illegal-move"
    """Makes a move that no piece can make."""

    # -- the board itself
    FLICKER = "flicker"
    """A sensor drops out or shows something for a moment."""
    LOST_FRAME = "lost-frame"
    """A single frame is lost."""
    LOST_BURST = "lost-burst"
    """The line is silent for up to half a second."""
    DROPOUT = "dropout"
    """A piece is set down off the middle and not seen until it is nudged."""
    FAULTY = "faulty-sensor"
    """One sensor flickers all through the game."""


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
"""The ten styles of attack; the numbers of a profile for these are weights."""


@dataclass(frozen=True)
class Habit:
    """How often something is done, and how long it lasts."""

    chance: float
    """Of every ply, move or combat, whichever it belongs to; looks: of every second and player."""
    lasts: Span = AT_ONCE


Habits: TypeAlias = Mapping[Behaviour, Habit]
