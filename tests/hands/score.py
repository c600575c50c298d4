"""Comparison of the table's reports with the real game."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Final

from tests.hands.board import GroundTruth, Ply, Turn
from tests.hands.motions import HandTask
from tests.hands.responses import AGREEMENTS, UNREST, Ask, TableReports
from tests.hands.shared_state import SharedState


@dataclass(frozen=True)
class ErrorKind:
    """Mistake by the table, with the data needed to investigate it."""

    kind: str
    """``wrong``, ``missed``, ``complaint``, ``unreported``, ``unknowable`` or ``broken``."""
    profile: str
    game: int
    ply: int
    """Number of the turn, starting at 1."""
    at: float
    """Game time in seconds at which the mistake was detected."""
    true: str
    seen: str
    """The table's interpretation."""
    did: tuple[str, ...] = ()
    """Kinds of behaviour that the hands showed during the turn."""
    is_silent: bool = False
    """Whether the mistake caused neither a message nor a question."""

    def __str__(self) -> str:
        silent = ", silently" if self.is_silent else ""
        how = f" [{', '.join(self.did)}]" if self.did else ""
        where = f"{self.profile} --game {self.game}, {self.at:.2f} s, ply {self.ply}"
        return f"{where}: {self.kind}{silent}: {self.seen or 'nothing'}; true: {self.true}{how}"


@dataclass
class Score:
    """Counts for one or more games."""

    games: int = 0
    plies: int = 0
    attacks: int = 0
    wrong: int = 0
    """Turns with a wrong ruling, and rulings on turns that were never made."""
    silent: int = 0
    """Wrong rulings that caused neither a message nor a question."""
    missed: int = 0
    """Turns on which the table neither ruled nor asked a question within 3 s after they were
    complete."""
    complaints: int = 0
    """Complaints that were made although everything was legal, or while a hand was still busy."""
    amended: int = 0
    """Turns on which a wrong ruling was later corrected. They do not count as wrong."""
    unreported: int = 0
    """Real errors on the board that were not reported within 3 s."""
    helped: int = 0
    """Complaints about real errors on the board."""
    questions: int = 0
    """Questions that stop the game."""
    offers: int = 0
    """Questions that need no answer."""
    unknowable: int = 0
    """Wrong interpretations that no sensor could have prevented."""
    unseen: int = 0
    """Attacks that no sensor detected and that the players therefore entered on the screen."""
    abandoned: int = 0
    """Games abandoned because the table's record differed from the real game."""
    broken: int = 0
    """Invalid replies from the table."""
    ruled_ms: list[int] = field(default_factory=list)
    """Time from the release of the last piece of a turn to the ruling, in milliseconds."""
    apart_ms: list[int] = field(default_factory=list)
    """The same time for special turns: those that were amended, questioned, impossible for the
    table to know, entered on the screen or disturbed by a real error."""
    shown_ms: list[int] = field(default_factory=list)
    """Time from the release of the last piece to the first visible reaction, in milliseconds."""
    done: Counter[str] = field(default_factory=Counter)
    """Number of occurrences of each kind of behaviour."""
    mistakes: list[ErrorKind] = field(default_factory=list)

    def add(self, other: "Score") -> None:
        for each in fields(self):
            own, more = getattr(self, each.name), getattr(other, each.name)
            setattr(self, each.name, own + more)

    def per_thousand(self, count: int) -> float:
        return 1000 * count / self.plies if self.plies else 0.0

    def as_json(self) -> dict[str, Any]:
        """Return the score as plain data, with statistics instead of individual latencies."""
        plain = {
            each.name: getattr(self, each.name)
            for each in fields(self)
            if each.type is int or each.type == "int"
        }
        for name in ("ruled_ms", "apart_ms", "shown_ms"):
            plain[name] = spread(getattr(self, name))
        return plain | {
            "done": dict(sorted(self.done.items())),
            "mistakes": [asdict(mistake) for mistake in self.mistakes],
        }


def spread(values: Iterable[int]) -> dict[str, int | None]:
    """Return the median, the 95th and 99th percentiles, and the count."""
    ordered = sorted(values)
    found: dict[str, int | None] = {
        name: quantile(ordered, part)
        for name, part in (("median", 0.5), ("p95", 0.95), ("p99", 0.99))
    }
    return found | {"count": len(ordered)}


def quantile(ordered: Sequence[int], part: float) -> int | None:
    """Return the quantile `part` (0 to 1) of a sorted sequence, or None if the sequence is
    empty."""
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else None


_SAME_MS: Final = 3000
"""Complaints or identical questions within this many milliseconds count as one. All complaints
until the table is satisfied again also count as one."""
_GRACE_MS: Final = 1500
"""For this many milliseconds after an error on the board has been corrected, a complaint is still
justified."""


class Scorer:
    """Counts right and wrong rulings in one game."""

    def __init__(
        self, room: SharedState, truth: GroundTruth, reports: TableReports, game: int
    ) -> None:
        self.score = Score(games=1, done=room.done)
        self.is_muted = False
        """Whether counting is suspended because the players and the table are resynchronising."""
        self.has_complained = False
        """Whether the table has complained in this turn, with or without reason."""
        self.is_asked = False
        """Whether the table has asked a question in this turn."""
        self.is_counted = False
        """Whether the latest action has already been counted as wrong or missed."""
        self.agrees = True
        """Whether the table's turns are the same as the real turns."""
        self.tasks: list[tuple[Ply, HandTask]] = []
        """Current or latest turns, each with its task."""
        self._room, self._truth, self._reports, self._game = room, truth, reports, game
        self._complaints: list[str] = []
        self._complained_at = -_SAME_MS
        self._is_complaining = False
        """Whether the table has remained dissatisfied since its latest complaint."""
        self._asked_at: dict[Ask, int] = {}
        self._is_attack_asked = False
        """Whether a question about an attack has already been counted in this turn."""
        self._turns: list[Turn] = reports.turns

    # -- during the turn

    def begin(self) -> None:
        self.has_complained = self.is_asked = self.is_counted = self._is_attack_asked = False
        self._complaints = []
        self._room.recent.clear()
        self._room.pushed.clear()

    def heard(self) -> None:
        reports, now = self._reports, self._room.world.now
        if reports.turns is not self._turns:
            self._turns = reports.turns
            self.compare()
        if not reports.has_changed:
            return
        complaints = reports.complaints
        for text in complaints:
            self._report_complaint(text, now)
        if not complaints and reports.state not in UNREST:
            self._is_complaining = False
        for ask in reports.new_asks:
            self._ask(ask, now)
        for ply, task in self.tasks:
            if ply.shown_at is None and task.over_at is not None and task.over_at <= now:
                ply.shown_at = now

    def compare(self) -> None:
        heard = self._reports.turns
        self.agrees = heard == self._truth.turns
        room = self._room
        for ply, task in self.tasks:
            if len(heard) <= ply.number:
                ply.ruled_at = None
            elif heard[ply.number] != ply.turn:
                ply.ruled_at, ply.is_amended = None, True
            elif ply.ruled_at is None:
                ply.ruled_at = room.world.now
                ply.is_disturbed |= bool(room.disturbance) or room.disturbance_until > (
                    task.over_at or 0
                )

    def _report_complaint(self, text: str, now: int) -> None:
        self.has_complained = True
        if self.is_muted:
            return
        if self._room.disturbance or now - self._room.disturbance_until < _GRACE_MS:
            self.score.helped += 1
        elif now - self._complained_at >= _SAME_MS and not self._is_complaining:
            self._complaints.append(f"{now / 1000:.2f} s: {text}")
        self._complained_at, self._is_complaining = now, True

    def _ask(self, ask: Ask, now: int) -> None:
        if ask.is_of_course or ask.what in AGREEMENTS:
            return
        self.is_asked = True
        for ply, _ in self.tasks:
            ply.is_asked = ply.is_asked or ply.ruled_at is None
        again = now - self._asked_at.get(ask, -_SAME_MS) < _SAME_MS
        self._asked_at[ask] = now
        if self.is_muted or again:
            return
        if not ask.interrupts:
            self.score.offers += 1
        elif ask.what in ("attack", "who-attacks"):
            self._count_attack_question()
        else:
            self.score.questions += 1

    def _count_attack_question(self) -> None:
        self.score.questions += not self._is_attack_asked
        self._is_attack_asked = True

    def asked_in_vain(self) -> None:
        """Count a question about an attack that was not made.

        If the table has assumed an attack other than the real one, its ruling counts as wrong.
        """
        self.is_asked = True
        if self.is_muted:
            return
        latest = self._truth.plies[-1] if self._truth.plies else None
        is_over = bool(self.tasks) and all(task.is_done for _, task in self.tasks)
        made = latest and latest.turn.attacks and is_over and self.common == latest.number
        opened = self._reports.turns[self.common :]
        if made and opened and latest and not latest.unknowable and not self.is_counted:
            self.is_counted = True
            self.score.wrong += 1
            self._note("wrong", latest.number, str(latest.turn), " ".join(map(str, opened)))
        else:
            self._count_attack_question()

    # -- after the turn

    @property
    def common(self) -> int:
        """Number of turns at the start of the game on which the table and the players agree."""
        count = 0
        for heard, done in zip(self._reports.turns, self._truth.turns, strict=False):
            if heard != done:
                break
            count += 1
        return count

    def settle(self) -> bool:
        """Score the finished turns. Return False if a ruling is wrong or missing."""
        for ply, task in self.tasks:
            ply.over_at = task.over_at
            self._time(ply)
        if self.agrees:
            self._count_complaints()
        else:
            self._blame()
        self.tasks = []
        return self.agrees

    def _time(self, ply: Ply) -> None:
        self.score.plies += 1
        self.score.attacks += ply.turn.attacks
        if ply.over_at is None:
            return
        if ply.shown_at is not None:
            self.score.shown_ms.append(ply.shown_at - ply.over_at)
        if ply.ruled_at is not None:
            self.score.amended += ply.is_amended
            apart = ply.is_amended or ply.is_asked or ply.unknowable or ply.is_disturbed
            kept = self.score.apart_ms if apart else self.score.ruled_ms
            kept.append(max(0, ply.ruled_at - ply.over_at))

    def _count_complaints(self) -> None:
        for text in self._complaints:
            self.score.complaints += 1
            self._note("complaint", len(self._truth.plies), "all is as it should be", text)
        self._complaints = []

    def _blame(self) -> None:
        """Record the differences between the turns that the table reported and the turns that were
        really taken."""
        first = self.common
        heard, plies = self._reports.turns[first:], self._truth.plies[first:]
        true = " ".join(str(ply.turn) for ply in plies) or "no turn"
        seen = " ".join(map(str, heard))
        unknowable = next((ply.unknowable for ply in plies if ply.unknowable), None)
        if heard and (heard[0].source, heard[0].target) in self._own_pushes():
            unknowable = "what a sleeve does looks like a turn"
        if unknowable:
            self.score.unknowable += 1
            self._note("unknowable", first, f"{true} ({unknowable})", seen)
        elif heard and not self.is_counted:
            self.is_counted = True
            self.score.wrong += 1
            silent = not (self.has_complained or self.is_asked)
            self.score.silent += silent
            self._note("wrong", first, true, seen, silent=silent)
        elif not heard:
            self._count_complaints()
            if not self.is_counted:
                self.is_counted = True
                self.score.missed += len(plies)
                self._note("missed", first, true, f"state {self._reports.state}")
        self._complaints = []

    def _own_pushes(self) -> set[tuple[int, int]]:
        """Return accidental pushes by a sleeve, which may look like turns: the source and target of
        each pushed piece of a side that may have moved. The result is empty unless there was
        exactly one incident with a sleeve."""
        room = self._room
        harm = [each for each in room.recent if each.startswith("sleeve")]
        if len(harm) != 1:
            return set()
        movers = {ply.side for ply, _ in self.tasks} | {self._truth.referee.to_move}
        return {(source, target) for side, source, target in room.pushed if side in movers}

    def miss(self, ply: Ply) -> None:
        """Count a turn that sensors detected, but on which the table neither ruled nor asked a
        question in time."""
        self.score.missed += 1
        ply.is_asked = self.is_counted = True
        self._note("missed", ply.number, str(ply.turn), f"state {self._reports.state}")

    def blame_slip(self, true: str) -> None:
        """Record how the table interpreted a movement that was not a turn."""
        if not self.agrees:
            self.is_counted = True
            self.score.wrong += 1
            silent = not (self.has_complained or self.is_asked)
            self.score.silent += silent
            seen = " ".join(map(str, self._reports.turns[self.common :]))
            self._note("wrong", self.common, true, seen, silent=silent)
        elif not self.has_complained and not self.is_asked:
            self.score.unreported += 1
            self._note("unreported", self.common, true, f"state {self._reports.state}")
        self._complaints = []

    def blame_unrest(self) -> None:
        """Count a complaint if the table reports a problem although everything is correct."""
        if not self._complaints:
            missing = f"state {self._reports.state}, must show {self._reports.required_image}"
            self._complaints.append(missing)
        self._count_complaints()

    def blame_stuck(self) -> None:
        """Count a game that cannot continue, unless its cause has already been counted."""
        if self.is_counted:
            return
        self.score.missed += 1
        state = f"state {self._reports.state}, must show {self._reports.required_image}"
        self._note("missed", len(self._truth.plies), "the game is stuck", state)

    def blame_nonsense(self, what: str) -> None:
        self.score.broken += 1
        self._note("broken", self.common, "", what)

    def _note(self, kind: str, ply: int, true: str, seen: str, *, silent: bool = False) -> None:
        room = self._room
        mistake = ErrorKind(
            kind,
            room.profile.name,
            self._game,
            ply + 1,
            room.world.now / 1000,
            true,
            seen,
            tuple(room.recent),
            silent,
        )
        self.score.mistakes.append(mistake)
