"""What all screens share: the host, the settings, and what passes by itself.

The table says what stands; what only happens, such as a bang, is remembered here for a moment. A
restart loses nothing but such moments.
"""

from collections.abc import Callable
from typing import Final

from companion.screens.base.board_host import BoardHost
from companion.screens.base.due_screen import View, choose
from companion.screens.base.settings import Settings
from companion.screens.widgets.texts import _
from companion.table import Table
from companion.table.events import (
    AttackAsked,
    BoardDiffers,
    ColoursDrawn,
    CourseAsked,
    Event,
    LossThreatens,
    Restored,
    SetDown,
    TurnBegan,
    WhoAttacks,
)
from companion.table.inputs import CourseChosen, Input, RevealRead
from companion.table.question import Answer
from engine.play.actions import WrongRank
from engine.play.rulings import (
    ArmiesPlaced,
    AttackOpened,
    AttackWithdrawn,
    CanYouMove,
    Combat,
    Corrected,
    CorrectionRefused,
    Disputed,
    DisputeSettled,
    GameOver,
    Infiltrated,
    InfiltrationOpened,
    Moved,
    ShowAMove,
    TakenBack,
    Touched,
)
from engine.rulebook.violation import Violation
from engine.squares import Square, name, set_of, squares_in

GUESS_SECONDS: Final = 8.0
"""For how long it can be read what has come of an infiltrator's guess."""
BOOM_SECONDS: Final = 1.8
NAMED: Final = 4
"""How many squares are named."""


class Stage:
    """The screens' view of one evening."""

    def __init__(self, host: BoardHost, settings: Settings, clock: Callable[[], float]) -> None:
        self.host = host
        self.settings = settings
        self.now = clock
        self.news = ""
        """What happened last, in words that may stay on the screen: never a rank (rules.md §10)."""
        self.sounds: list[str] = []
        """The sounds that are due."""
        self._touched = ""
        """What is said of the piece that has to move in this turn, if one has been touched."""
        self._set_down: SetDown | None = None
        self._guess: Infiltrated | None = None
        self._guess_until = 0.0
        self._boom_until: float | None = None
        host.listen(self._hear)

    @property
    def table(self) -> Table:
        """The table of the game; only for screens that are shown during one."""
        table = self.host.table
        assert table
        return table

    @property
    def view(self) -> View:
        """The screen that is due."""
        return choose(self.host.table, self.fresh)

    @property
    def fresh(self) -> Combat | Infiltrated | None:
        """The combat or infiltration that the players are still reading."""
        if self._guess and self.now() >= self._guess_until and not self._is_falling:
            self._guess = None
        table = self.host.table
        return self._guess or (table.unread if table else None)

    @property
    def revealed(self) -> Combat | Infiltrated | None:
        """The combat or infiltration whose ranks may be seen at the moment."""
        return self.fresh or self.table.state.reveal

    @property
    def _is_falling(self) -> bool:
        """Whether the infiltrated piece still has to be taken from the board."""
        table = self.host.table
        return bool(table and table.state.waits_for_board)

    @property
    def booming(self) -> float | None:
        """For how many more seconds a bomb is going off, None if none is."""
        if self._boom_until is not None and self.now() >= self._boom_until:
            self._boom_until = None
        return None if self._boom_until is None else self._boom_until - self.now()

    @property
    def set_down(self) -> Square | None:
        """Where a piece stands that was seen there and not ruled yet, None if none does."""
        seen, told = self.table.seen, self._set_down
        if seen is None or told is None:
            return None
        stands = seen.occupied >> told.target & 1 and not seen.occupied >> told.source & 1
        return told.target if stands else None

    @property
    def lost(self) -> bool:
        """Whether a game waits for its board."""
        return self.view not in (View.START, View.END) and self.host.found is None

    def give(self, given: Input) -> None:
        """Put what a player did on the screen to the table. To go on means to have read."""
        self._guess = None
        self.host.give(given)

    def answer(self, answer: Answer) -> None:
        """Say that this is what happened, or was meant. Too late if it is not asked any more."""
        answers = self.table.state.asked.answers
        if answer in answers:
            self.give(CourseChosen(self.now(), answers.index(answer)))

    def end_boom(self) -> None:
        """Somebody has touched the bang away."""
        self._boom_until = None

    def end_reading(self) -> None:
        """Everybody has read the ranks."""
        self.give(RevealRead(self.now()))

    def leave(self) -> None:
        """Go back to the start; the game is kept."""
        self.news, self._touched, self._guess, self._boom_until = "", "", None, None
        self._set_down = None
        self.host.leave()

    def _hear(self, event: Event) -> None:
        self._set_down = event if isinstance(event, SetDown) else None
        match event:
            case Combat():
                self.news, self._guess = "", None
                if event.boom:
                    self._boom_until = self.now() + BOOM_SECONDS
                self.sounds.append("boom" if event.boom else "move")
            case Infiltrated():
                self.news = ""
                self._guess, self._guess_until = event, self.now() + GUESS_SECONDS
                self.sounds.append("move" if event.right else "wrong")
            case TakenBack():
                self.news = _.announcer.sentence(event)
                self._guess, self._boom_until = None, None
                self.sounds.append("move")
            case Corrected():
                self.news = _set_right(event)
                self.sounds.append("move")
            case CorrectionRefused():
                self.news = _("That cannot be true: the rank stays as it was.")
                self.sounds.append("wrong")
            case GameOver():
                self.sounds.append("win")
            case CanYouMove() | ShowAMove():
                self.news, self._guess = "", None
                self.sounds.append("attack")
            case ColoursDrawn():
                self.sounds.append("lots")
            case (
                AttackOpened() | InfiltrationOpened() | AttackAsked() | WhoAttacks() | CourseAsked()
            ):
                self._guess = None
                self.sounds.append("attack")
            case Violation() | BoardDiffers() | LossThreatens() | Disputed():
                self._guess = None  # now this has to be read
                self.sounds.append("wrong")
            case Touched():
                self._touched = self.news = _.announcer.sentence(event)
            case TurnBegan():
                self._touched = ""
            case Restored() if self._touched:
                self.news = self._touched
                self.sounds.append("move")
            case Moved() | ArmiesPlaced() | AttackWithdrawn() | Restored() | DisputeSettled():
                self.news = _.announcer.sentence(event)
                self.sounds.append("move")


def _set_right(told: Corrected) -> str:
    """Say what an arbiter has set right, without a rank."""
    if not isinstance(told.mistake, WrongRank):
        return _.announcer.sentence(told)
    where = name(told.squares[0])
    said = _("The rank of the piece on {square} is set right.", square=where)
    others = [name(square) for square in squares_in(told.changed & ~set_of(told.squares))]
    if not others:
        return said
    named = ", ".join(others[:NAMED]) + (" …" if others[NAMED:] else "")
    also = _(
        "Something else is known now of the pieces on these squares: {squares}.", squares=named
    )
    return f"{said} {also}"
