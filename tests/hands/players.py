"""Two players who answer the table, and agree with it about the position."""

from collections.abc import Callable
from typing import Final

from engine.board.geometry import Side
from engine.rules.editions import Edition
from tests.hands import accidents
from tests.hands.answers import answer
from tests.hands.board import GroundTruth
from tests.hands.clearing import put_right
from tests.hands.frame_pump import FramePump
from tests.hands.motions import Hand, HandTask, finishing
from tests.hands.move_choice import Planner
from tests.hands.profiles import Profile
from tests.hands.responses import AGREEMENTS, UNREST, Line, Table, TableReports
from tests.hands.scheduler import Act
from tests.hands.score import Scorer
from tests.hands.sensors import Watching, draw
from tests.hands.shared_state import SharedState

SOON_MS: Final = 3000
"""Time in milliseconds after the end of a turn within which the table has to rule or ask."""
LONGEST_MS: Final = 90_000
_MOST_UNDONE: Final = 6
_COLOURLESS: Final = str.maketrans("rb", "??")


class Players:
    """Two players with the same profile. They undo turns on which they and the table differ."""

    def __init__(
        self,
        profile: Profile,
        edition: Edition,
        table: Table,
        seed: str,
        game: int = 0,
        emit: Callable[[Line], None] | None = None,
        watching: Watching | None = None,
    ) -> None:
        """The same `seed` gives the same game, as long as the table gives the same replies.

        `game` is a number that identifies the game when a mistake is investigated. `emit` receives
        every line sent to the table. `watching` creates the board's observer; by default, the
        observer reads the simulated sensors.
        """
        self._seed = f"{seed} {profile.name} {game}"
        self.room = SharedState(profile, edition, self._seed, watching)
        self.truth = GroundTruth(edition, self.room.ranks)
        self.reports = TableReports(edition)
        self.judge = Scorer(self.room, self.truth, self.reports, game)
        self.host = FramePump(self.room, table, self.reports, self._heard)
        self.host.listen(emit)
        self._sleeves: list[accidents.Sleeve] = []
        self._is_lost = False
        self._planner = Planner(self.room, self.truth, self.judge)

    # -- the table's rulings

    def _heard(self) -> None:
        self.judge.heard()
        self.room.has_complained = self.judge.has_complained
        if self.judge.has_complained:
            for sleeve in self._sleeves:
                sleeve.has_complained = True

    def _wait_for_ruling(self, since: int | None = None) -> None:
        """Answer the table's questions until it rules or the time limit expires. The limit is
        counted from the end of the turn or from `since`."""
        over = max(task.over_at or 0 for _, task in self.judge.tasks)
        deadline = (over if since is None else since) + SOON_MS
        answers = 0
        while not self.judge.agrees:
            if self.room.disturbance:
                self.host.run(lambda: not self.room.disturbance, LONGEST_MS)
                deadline = max(deadline, self.host.now + SOON_MS)
            left = deadline - self.host.now
            if left <= 0:
                return
            asks = self._open_questions()
            if not asks or answers >= 4:
                self.host.run(lambda: self.judge.agrees or bool(self._open_questions()), left)
                if answers >= 4:
                    return
                continue
            self.host.run(lambda: self.judge.agrees, self.room.draw(self.room.profile.pace.react))
            self._answer()
            answers += 1
            self.host.run(lambda: self.judge.agrees, 200)
            deadline = max(deadline, self.host.now + SOON_MS)

    def _open_questions(self) -> bool:
        return any(ask.answers for ask in self.reports.asks if ask.what not in AGREEMENTS)

    def _answer(self) -> None:
        if not self.judge.agrees and any(ask.what == "rank" for ask in self.reports.asks):
            self.judge.asked_in_vain()
        for ask in self.reports.asks:
            if ask.what in ("rank", "insist"):
                self.reports.declared[ask.to] = self._rank(ask.to)
            answer(self.room, ask, self.truth.plies, self.reports.turns)

    def _rank(self, side: str) -> str:
        combat = self.truth.plies[-1].combat if self.truth.plies else None
        if combat is None:
            return ""
        rank = combat.attacker if Side(side) is combat.side else combat.defender
        return rank.name.lower() if rank is not None else ""

    # -- rest: everything on the board is correct

    def _come_to_rest(self) -> None:
        """Wait until everything on the board is correct and the table has no complaints."""
        for _ in range(3):
            if self.room.disturbance and not self.room.ghosts:
                self.host.run(lambda: not self.room.disturbance, LONGEST_MS)
            if self.judge.agrees and self.room.ghosts:
                self.judge.settle()
                return
            if self.host.run(self._is_content, SOON_MS):
                self.judge.settle()
                return
            if not self._open_questions():
                break
            self._answer()
        if self.judge.agrees and not self._is_content():
            self.judge.blame_unrest()
        elif self.judge.settle():
            return
        self._find_together()

    def _is_content(self) -> bool:
        reports = self.reports
        if not self.judge.agrees or reports.state in UNREST or self._open_questions():
            return False
        return self._shows_truth()

    def _shows_truth(self) -> bool:
        sees_colours = self.room.profile.sees_colours
        wanted = draw(self.truth.side_at, sees_colours=sees_colours)
        shown = self.reports.required_image
        if not sees_colours:
            wanted, shown = (each.translate(_COLOURLESS) for each in (wanted, shown))
        return wanted == shown

    def _await_idle(self) -> None:
        world, begun = self.room.world, self.room.begun
        self.host.run(lambda: not any(map(world.goes_on, begun)), LONGEST_MS)
        begun.clear()
        self._sleeves.clear()

    # -- resynchronisation

    def _find_together(self) -> None:
        """Resynchronise with the table by undoing the turns that differ. If this fails, abandon the
        game."""
        judge, room = self.judge, self.room
        judge.is_muted = room.is_calm = True
        self._await_idle()
        self.host.run(lambda: not room.looked_at and not room.ghosts, LONGEST_MS)
        keep = judge.common
        for _ in range(_MOST_UNDONE):
            if len(self.reports.turns) <= keep:
                break
            if self.reports.mirror.open_attack:
                room.give_command(None, "no-attack")
                self.host.wait(300)
                if len(self.reports.turns) <= keep:
                    break
            for side in Side:
                room.give_command(side, "take-back")
            self.host.wait(300)
        self.truth.take_back(keep)
        judge.tasks = []
        judge.compare()
        self._do(put_right(self._hand(Side.RED), self.truth.standing()))
        for _ in range(2):
            if self.host.run(self._is_content, SOON_MS):
                break
            self._answer()
        self._is_lost = not self._is_content()
        judge.is_muted = room.is_calm = False
        if self._is_lost:
            judge.blame_stuck()
        judge.begin()

    # -- helpers

    def _hand(self, side: Side) -> Hand:
        return Hand(side, self.room, HandTask(side))

    def _do(self, act: Act) -> None:
        task = HandTask(Side.RED)
        self.room.world.start(finishing(task, act))
        if not self.host.run(lambda: task.is_done, LONGEST_MS):
            raise RuntimeError("a hand did not finish its action in time")
