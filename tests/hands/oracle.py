"""Simulated tables that know the real moves. One makes no errors. Each of the others makes one kind
of error on purpose."""

from engine import EDITIONS, Move
from engine.board.geometry import BESIDE, squares_in
from engine.game.actions import Amend
from engine.game.game_state import Phase
from tests.hands.baselines import Policy
from tests.hands.board import Ply
from tests.hands.match import Match
from tests.hands.profiles import Profile
from tests.hands.responses import Line
from tests.hands.score import Score

EDITION = EDITIONS["original-1992"]


class Oracle(Policy):
    """Rules on every turn in the next frame, and reports nothing but real errors."""

    def __init__(self) -> None:
        super().__init__(EDITION, 0)
        self.match: Match
        self.events: list[Line] = []
        self.more_asks: list[Line] = []

    def take(self, line: Line) -> Line:
        self.events, self.more_asks = [], []
        if "board" in line and self.match.room.disturbance:
            self.events.append({"to": "all", "event": "board-differs"})
        answer = super().take(line)
        answer["events"] = self.events
        answer["asks"] = answer["asks"] + self.more_asks
        return answer

    def _look(self, at: float) -> None:
        if self._image == self._wanted or self._is_cleared():
            self._is_clearing = False
        if self._referee.phase is not Phase.PLAY:
            return
        for ply, task in self.match.judge.tasks:
            is_next = self._referee.plies == ply.number
            if is_next and task.over_at is not None and task.over_at <= at * 1000:
                self.rule(ply)
                return

    def _is_cleared(self) -> bool:
        """Whether every piece is on its square, or is in a hand that will put it back."""
        room = self.match.room
        standing = self.match.truth.standing().items()
        pieces = {where: room.pieces[whom] for where, whom in standing}
        return all(
            room.board.at(where) is piece or piece in room.in_other_hands
            for where, piece in pieces.items()
        )

    def rule(self, ply: Ply) -> None:
        self._apply(ply.turn.action)


class Mistaken(Oracle):
    """Misinterprets every n-th move as a move to a different square."""

    def __init__(self, every: int) -> None:
        super().__init__()
        self.every, self.moves, self.mistakes = every, 0, 0

    def rule(self, ply: Ply) -> None:
        other = None if ply.turn.attacks else self._elsewhere(ply)
        self.moves += 1
        if self.moves % self.every == 0 and other is not None:
            self.mistakes += 1
            self._apply(other)
        else:
            super().rule(ply)

    def _elsewhere(self, ply: Ply) -> Move | None:
        turn = ply.turn
        for target in squares_in(BESIDE[turn.source]):
            free = target != turn.target and self._side_at(target) is None
            if free and self._referee.find_violation(turn.source, target) is None:
                return Move(turn.source, target)
        return None


class Correcting(Mistaken):
    """Misinterprets every n-th move, and corrects the ruling 100 ms later."""

    def _look(self, at: float) -> None:
        super()._look(at)
        latest = self._referee.in_force[-1] if self._referee.in_force else None
        if not self.match.judge.tasks or not isinstance(latest, Move):
            return
        ply, task = self.match.judge.tasks[-1]
        late = task.over_at is not None and at * 1000 >= task.over_at + 100
        is_wrong = self._referee.plies == ply.number + 1 and latest.target != ply.turn.target
        if late and is_wrong:
            self._apply(Amend(latest.target, ply.turn.target))


class Sleeping(Oracle):
    """Misses every n-th turn."""

    def __init__(self, every: int) -> None:
        super().__init__()
        self.every, self.slept = every, set[int]()

    def rule(self, ply: Ply) -> None:
        if ply.number % self.every or ply.number in self.slept:
            super().rule(ply)
        elif self.match.host.now > (self.match.judge.tasks[-1][1].over_at or 0) + 3500:
            self.slept.add(ply.number)


class Grumbling(Oracle):
    """Complains after every n-th turn, although the turn was correct."""

    def __init__(self, every: int) -> None:
        super().__init__()
        self.every = every

    def rule(self, ply: Ply) -> None:
        super().rule(ply)
        if ply.number % self.every == 0:
            self.events.append({"to": "all", "event": "violation", "fault": "too-far"})


class Imagining(Oracle):
    """Wrongly reports attacks that were never made, at most `most` of them."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most, self.opened = most, 0

    def rule(self, ply: Ply) -> None:
        super().rule(ply)
        legal = self._referee.legal_moves()
        attacks = [each for each in legal if not isinstance(each, Move)]
        if attacks and self.opened < self.most and not ply.turn.attacks:
            self.opened += 1
            self._apply(attacks[0])


class Confusing(Oracle):
    """Reports one wrong attack, which the players have to correct."""

    def __init__(self) -> None:
        super().__init__()
        self.confused: int | None = None
        """Index of the ply at which the wrong attack was reported."""

    def rule(self, ply: Ply) -> None:
        legal = self._referee.legal_moves()
        others = [e for e in legal if not isinstance(e, Move) and e != ply.turn.action]
        if ply.turn.attacks and others and self.confused is None:
            self.confused = ply.number
            self._apply(others[0])
        elif ply.number != self.confused:
            super().rule(ply)


class Forgetting(Oracle):
    """Withdraws the first open attack."""

    def __init__(self) -> None:
        super().__init__()
        self.forgot = False

    def take(self, line: Line) -> Line:
        answer = super().take(line)
        if self._referee.open_attack and not self.forgot and not self.match.judge.tasks:
            self.forgot = True
            self._hear({"what": "no-attack"})
            return self._answer(float(line["at"]))
        return answer


class Stuck(Oracle):
    """After a few plies, reports in every answer that the board is disturbed."""

    def take(self, line: Line) -> Line:
        answer = super().take(line)
        return answer | {"state": "disturbed"} if answer["plies"] >= 8 else answer


class AskingOracle(Oracle):
    """Asks a question about every move, and rules according to the answer."""

    def __init__(self, *, interrupts: bool) -> None:
        super().__init__()
        self.interrupts = interrupts
        self.asked: list[list[str]] = []
        self.answers: list[int] = []

    def rule(self, ply: Ply) -> None:
        if ply.turn.attacks or len(self.answers) > ply.number:
            super().rule(ply)
            return
        turns = [str(ply.turn), f"{ply.turn} a1-a2"]
        self.more_asks.append(
            {
                "to": "all",
                "what": "course",
                "source": turns[0][:2],
                "answers": turns[::-1],
                "interrupts": self.interrupts,
            }
        )

    def _hear(self, answer: Line) -> None:
        if answer["what"] == "choose":
            self.answers += [answer["answer"]] * (self._referee.plies + 1 - len(self.answers))
        super()._hear(answer)


def play(table: Oracle, profile: Profile, plies: int, game: int = 0) -> tuple[Match, Score]:
    match = Match(profile, EDITION, table, "test", game)
    table.match = match
    return match, match.play(plies)
