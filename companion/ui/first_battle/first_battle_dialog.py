"""The dialog for the first battle, a lesson for beginners.

The dialog shows a small board, one sentence, and the result of each attempt.
"""

import random
from collections.abc import Callable
from enum import Enum
from typing import Final

from kivy.properties import (
    AliasProperty,
    BooleanProperty,
    NumericProperty,
    ObjectProperty,
    StringProperty,
)
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.ui.base.modal import Modal
from companion.ui.base.presenter import BOOM_SECONDS, FUSE_SECONDS, GamePresenter
from companion.ui.base.screen_selection import SECONDS, Effect
from companion.ui.drawing import theme
from companion.ui.drawing.cloth import LEAVE_SECONDS, Drapes
from companion.ui.drawing.translator import _
from companion.ui.drawing.vector_pen import Pen
from companion.ui.effects.boom import Boom
from companion.ui.effects.flag_and_seal import RisingFlag
from companion.ui.first_battle.lessons import STEPS, Attempt, FirstBattle
from companion.ui.first_battle.small_board import SmallBoard  # noqa: F401 (used in the kv file)
from companion.ui.screens.reveal_screen import verdict
from companion.ui.widgets.buttons import load_kv
from companion.ui.widgets.private_pane import Behind
from engine.board.geometry import Side, Square
from engine.board.ranks import Rank
from engine.game.rulings import Combat, Moved
from engine.rules.movement import CombatResult
from engine.rules.rules import Violation

_TILES: Final = (
    *(Rank.SCOUT, Rank.MINER, Rank.SERGEANT),
    *(Rank.CAPTAIN, Rank.COLONEL, Rank.MARSHAL),
)
"""The ranks offered behind the curtain: fewer than in a game, because a beginner reads all of them.
"""


class LessonStage(Enum):
    """The stages of a step."""

    ATTEMPT = "attempt"
    CURTAIN = "curtain"
    TILES = "tiles"
    EXPLOSION = "explosion"
    RESULT = "result"


class StepDots(Widget):
    """A dot for each step. The dots of completed steps are filled."""

    count = NumericProperty(0)
    done = NumericProperty(0)

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.bind(pos=self._draw, size=self._draw, count=self._draw, done=self._draw)

    def _draw(self, *_args: object) -> None:
        self.canvas.clear()
        pen = Pen(self.canvas, self.x, self.y, 100)
        pen.colour(theme.TEXT)
        for number in range(int(self.count)):
            x, y = 9 + 24 * number, self.height / 2
            if number < self.done:
                pen.disc(x, y, 7)
            else:
                pen.ring(x, y, 6, 2)


class RankLesson(Behind, BoxLayout):
    """The rank tiles behind the curtain. Only the attacking piece's rank is accepted."""

    answer = StringProperty()
    """Reason why the chosen rank is refused, or an empty string."""

    def __init__(self, rank: Rank, declare: Callable[[], None]) -> None:
        super().__init__(left=0.0)
        self._rank, self._declare = rank, declare
        ranks = [*_TILES]
        random.SystemRandom().shuffle(ranks)
        self.ids.tiles.fill_to_hold(ranks, self._choose)

    def tick(self, now: float) -> None:
        self.ids.tiles.tick(now)

    def _choose(self, rank: Rank) -> None:
        if rank is self._rank:
            self._declare()
        else:
            self.answer = _(
                "That is another piece. Yours is the {rank}.", rank=_.language.rank(self._rank)
            )


class FirstBattleDialog(Modal):
    """The guided first battle, which the player can leave at any time."""

    stage = ObjectProperty(LessonStage.ATTEMPT)
    text = StringProperty()
    answer = StringProperty()
    """Reason why an attempt is not allowed, or the result of the previous attempt."""
    done = NumericProperty(0)
    """Number of completed steps."""
    attacker = ObjectProperty(None, allownone=True)
    """Rank of Red's piece in the combat being shown, or None."""
    defender = ObjectProperty(None, allownone=True)
    attacker_falls = BooleanProperty(False)
    defender_falls = BooleanProperty(False)
    next_text = StringProperty()
    """Label of the Continue button, or an empty string if it is hidden."""
    count = len(STEPS)
    shows_curtain = AliasProperty(lambda self: self.stage is LessonStage.CURTAIN, bind=["stage"])

    def __init__(self, presenter: GamePresenter, close: Callable[[], None]) -> None:
        super().__init__()
        self._presenter, self._close = presenter, close
        self._battle = FirstBattle()
        self._ruling: Attempt | None = None
        """Ruling on the last legal attempt, or None."""
        self._tiles: RankLesson | None = None
        self._drapes: Drapes | None = None
        self._boom: Boom | None = None
        self._flag: RisingFlag | None = None
        self._fuse: float | None = None
        """Delay from the start of the explosion to its sound, in seconds; None once the sound has
        been played."""
        self._began = 0.0
        """Time at which the current effect began."""
        self._show_step()

    def close(self) -> None:
        self._close()

    # Attempts

    def attempt(self, source: Square, target: Square) -> None:
        """Attempt a move or an attack, if the player may make one."""
        if self.stage is not LessonStage.ATTEMPT:
            return
        ruling = self._battle.attempt(source, target)
        if isinstance(ruling, Violation):
            self.answer = _.announcer.rules.fault(ruling)
            self._presenter.sounds.append("wrong")
            return
        self._ruling, self.answer = ruling, ""
        if isinstance(ruling, Moved):
            self._presenter.sounds.append("move")
            self._end_attempt()
        elif self._battle.step.has_curtain and self._is_done:
            self._presenter.sounds.append("attack")
            self.text = _("Declare your rank in secret: hold the button to open your curtain.")
            self._turn_to(LessonStage.CURTAIN)
        elif ruling.boom:
            self._show_pieces()
            self._explode(ruling.target)
        else:
            self._presenter.sounds.append("move")
            self._end_attempt()

    @property
    def _is_done(self) -> bool:
        """Whether the last attempt has reached the goal of the step."""
        step, ruling = self._battle.step, self._ruling
        if isinstance(ruling, Moved) and self._battle.pieces[ruling.target].rank is not step.rank:
            return False
        return ruling is not None and step.is_done_by(ruling)

    def _end_attempt(self) -> None:
        """Show the result of the attempt, or continue at once if the step does not show it."""
        is_done, waits = self._is_done, self._battle.step.waits
        if isinstance(self._ruling, Combat):
            self.answer = verdict(self._ruling)
            if waits or not is_done:
                self._show_result(self._ruling)
                return
        elif is_done:
            self.answer = _("Right!")
        if is_done:
            self._battle.go_on()
        self._show_step()

    def _show_result(self, combat: Combat) -> None:
        self._show_pieces()
        self.attacker, self.defender = combat.attacker, combat.defender
        self.attacker_falls = combat.result is not CombatResult.ATTACKER_WINS
        self.defender_falls = combat.result is not CombatResult.DEFENDER_WINS
        self.text = ""
        if not self._is_done:
            self.next_text = _("Try again")
            if combat.winner is Side.RED:
                reason = _("You won the combat, but your task is a different one:")
                self.answer = f"{reason}\n{self._task}"
                if theme.UPRIGHT:  # there is no room for both the text and the cards
                    self.attacker = self.defender = None
        elif self._battle.number < len(STEPS) - 1:
            self.done = self._battle.number + 1
            self.next_text = _("Continue")
        else:
            self._win()
        self._turn_to(LessonStage.RESULT)

    def _win(self) -> None:
        self._battle.go_on()
        self.done = len(STEPS)
        self.text, self.next_text = _("You have won your first battle!"), _("Once more")
        self._presenter.sounds.append("win")
        self._flag, self._began = RisingFlag(Side.RED), self._presenter.now()
        self.add_widget(self._flag)

    def go_on(self) -> None:
        """Continue after a result: take the next step, repeat this one, or start over."""
        if self._battle.is_won:
            self._battle = FirstBattle()
        elif self._is_done:
            self._battle.go_on()
        else:
            self._battle.begin_again()
        self.answer = ""
        self._remove_flag()
        self._show_step()

    # Curtain

    def open_curtain(self) -> None:
        self._tiles = RankLesson(self._battle.step.rank, self._declare)
        self.add_widget(self._tiles, index=1 if self._drapes else 0)
        self._began = self._presenter.now()
        self._turn_to(LessonStage.TILES)

    def hide_ranks(self) -> None:
        self._close_tiles()
        if self.stage is LessonStage.TILES:
            self._turn_to(LessonStage.CURTAIN)

    def _declare(self) -> None:
        self._close_tiles()
        self._presenter.sounds.append("move")
        self._end_attempt()

    def _close_tiles(self) -> None:
        if self._tiles:
            self.remove_widget(self._tiles)
            self._tiles = None

    # Animations

    def tick(self, now: float) -> None:
        self.ids.hold.tick(now)
        if self._tiles:
            self._tiles.tick(now)
        age = now - self._began
        self._tick_drapes(age)
        if self._boom:
            self._boom.size, self._boom.pos = self.size, self.pos
            if age < BOOM_SECONDS:
                self._boom.show(BOOM_SECONDS - age)
            if self._fuse is not None and age >= self._fuse:
                self._fuse = None
                self._presenter.sounds.append("boom")
            if age >= BOOM_SECONDS:
                self._end_explosion()
        if self._flag:
            self._flag.size, self._flag.pos = self.size, self.pos
            if age < SECONDS[Effect.FLAG]:
                self._flag.show(age)
            else:
                self._remove_flag()

    def _tick_drapes(self, age: float) -> None:
        fill = self.ids.hold.fill
        if fill and not self._drapes:
            self._drapes = Drapes(Side.RED, size=self.size, pos=self.pos)
            self.add_widget(self._drapes)
        if self._drapes is None:
            return
        if fill:
            self._drapes.hold(fill)
        elif not self._tiles or age >= LEAVE_SECONDS:
            self.remove_widget(self._drapes)
            self._drapes = None
        else:
            self._drapes.leave(age)

    def _explode(self, target: Square) -> None:
        reduced_motion, board = self._presenter.settings.reduced_motion, self.ids.board
        x, y = self.to_widget(*board.to_window(*board.centre(target)))
        self._boom = Boom(
            reduced_motion=reduced_motion, skip=self._end_explosion, heart=lambda: (x, y)
        )
        self._began, self._fuse = self._presenter.now(), 0.0 if reduced_motion else FUSE_SECONDS
        self.add_widget(self._boom)
        self._turn_to(LessonStage.EXPLOSION)

    def _end_explosion(self) -> None:
        if self._boom:
            self.remove_widget(self._boom)
            self._boom = None
            self._end_attempt()

    def _remove_flag(self) -> None:
        if self._flag:
            self.remove_widget(self._flag)
            self._flag = None

    # Texts and pieces

    @property
    def _task(self) -> str:
        step = self._battle.step
        other = "" if step.target_rank is None else _.language.sign(step.target_rank)
        return _(step.text, sign=_.language.sign(step.rank), other=other)

    def _show_step(self) -> None:
        self.text = self._task
        self.done, self.next_text = self._battle.number, ""
        self.attacker = self.defender = None
        self._show_pieces()
        self._turn_to(LessonStage.ATTEMPT)

    def _show_pieces(self) -> None:
        board, battle = self.ids.board, self._battle
        board.pieces = dict(battle.pieces)
        board.hinted = board.goal = None
        if not battle.is_won:
            target = battle.step.target_rank
            board.hinted = battle.find(Side.RED, battle.step.rank)
            board.goal = None if target is None else battle.find(Side.BLUE, target)

    def _turn_to(self, stage: LessonStage) -> None:
        """Change the stage. Ignore touches for a moment, because buttons may have appeared."""
        if stage is LessonStage.ATTEMPT and self.stage is LessonStage.ATTEMPT:
            return
        self.stage = stage
        self._presenter.renew()


load_kv(__file__)
