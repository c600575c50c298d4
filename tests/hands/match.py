"""One game between two people at a table, from setup to the end."""

from random import Random
from typing import Final

from engine.board.geometry import BESIDE, Side, SquareSet, squares_in
from engine.game.game_state import Phase
from tests.hands import accidents
from tests.hands.attacks import announce
from tests.hands.behaviours import Behaviour
from tests.hands.board import Ply, Turn
from tests.hands.clearing import Looker, clear, put_right
from tests.hands.players import LONGEST_MS, SOON_MS, Players
from tests.hands.responses import BrokenTableError
from tests.hands.scheduler import Act, Duration
from tests.hands.score import Score

PLIES_A_GAME: Final = 150
"""Number of plies after which the game ends."""
_READS: Final = Duration(500, 1200, 3000)
"""Time in milliseconds that players need to read the screen and answer."""


class Match(Players):
    """Game between two players with the same profile at one table."""

    _exchanges = 0

    def play(self, plies: int = PLIES_A_GAME) -> Score:
        """Play until the game is over or `plies` plies have been played."""
        try:
            self._set_up()
            while not self._is_lost and not self.truth.referee.outcome:
                if self.judge.score.plies >= plies or not self._exchange():
                    break
        except BrokenTableError as nonsense:
            self.judge.blame_nonsense(str(nonsense))
        self.judge.score.abandoned += self._is_lost
        return self.judge.score

    # -- before the game

    def _set_up(self) -> None:
        room = self.room
        standing = self.truth.standing()
        room.board.stand((square, room.pieces[whom]) for square, whom in standing.items())
        self.host.send({"found": {"colours": room.profile.sees_colours}})
        self.host.wait(1000)
        for side in Side:
            room.give_command(side, "ready")
            self.host.wait(300)
        if not self.host.run(lambda: self.reports.mirror.phase is Phase.PLAY, SOON_MS):
            raise BrokenTableError("the game has not begun although both armies are ready")
        self.judge.begin()
        room.is_calm = False
        if Behaviour.LOOK in room.profile.habits:
            for side in Side:
                dice = Random(f"{self._seed} looks {side.value}")
                room.world.start(Looker(room, self.truth, side, dice).act())
        if habit := room.habit(Behaviour.FAULTY):
            room.world.start(accidents.flicker_for_ever(room, habit))

    # -- a turn, or several in quick succession

    def _exchange(self) -> bool:
        """Take the turn of one side, and any quick turns that follow it.

        Return False if no turn is possible.
        """
        self._exchanges += 1
        self.room.reseed(self._exchanges)
        self.judge.begin()
        self._slip()
        if self._is_lost:
            return True
        self._bump_after_move()
        if self._is_lost:
            return True
        acts = self._planner.plan()
        if not acts and self.room.held_squares and self.truth.legal():
            self.host.wait(500)
            return True
        if not acts:
            return False
        self._begin_incidental_acts()
        for act in acts:
            self.room.world.start(act)
        tasks = [task for _, task in self.judge.tasks]
        if not self.host.run(lambda: all(task.is_done for task in tasks), LONGEST_MS):
            raise RuntimeError("a hand did not finish its action in time")
        self._note_inversions()
        self._log_turns()
        self._wait_for_ruling()
        self._open_unseen()
        self._move_again()
        if self.judge.settle():
            self._finish()
        else:
            self._find_together()
        self.room.busy.clear()
        if not self._is_lost:
            self._think()
        return True

    def _note_inversions(self) -> None:
        """Mark the turns if the table could not have understood them: a reply was completed before
        the turn that it answers, or a piece was lifted before any frame had shown it."""
        over = -1
        for ply, task in self.judge.tasks:
            assert task.over_at is not None
            if task.over_at <= over or task.has_taken_unfelt:
                why = "released in inverted order"
                if task.has_taken_unfelt:
                    why = "taken before it was felt where it stood"
                for each, _ in self.judge.tasks:
                    each.unknowable = each.unknowable or why
            over = max(over, task.over_at)
            ply.did = list(self.room.recent)

    def _log_turns(self) -> None:
        if self.room.is_logged:
            for ply, task in self.judge.tasks:
                at = (task.over_at or self.host.now) / 1000
                self.room.log.append({"at": at, "ply": ply.number + 1, "turn": str(ply.turn)})

    # -- a turn that the table has not ruled on

    def _open_unseen(self) -> None:
        """If the table has not detected an attack, enter it on the screen."""
        ply, _ = self.judge.tasks[-1]
        judge, before = self.judge, self._planner.before
        if judge.agrees or not ply.turn.attacks or judge.common != ply.number:
            return
        heard = self.reports.turns[ply.number :]
        if heard and not (ply.unknowable and heard[0].source == ply.turn.source):
            return
        if ply.unknowable:
            judge.score.unseen += 1
            ply.unknowable = None
            ply.is_asked = True
        else:
            if not judge.has_complained and not judge.is_asked:
                judge.miss(ply)
            if judge.has_complained:
                self._do(put_right(self._hand(ply.side), before))
        attacker = self.room.pieces[before[ply.turn.source]]
        stands = self.room.board.square_of(attacker)
        announce(self.room, self._hand(ply.side), ply.turn, stands if heard else None)
        if not self.host.run(lambda: judge.agrees, 1000) and not heard:
            self._do(put_right(self._hand(ply.side), before))
            self.host.wait(1000)
            announce(self.room, self._hand(ply.side), ply.turn)
            self.host.run(lambda: judge.agrees, 1000)

    def _move_again(self) -> None:
        """If the table has not ruled on a move, put the piece back and move it again."""
        judge, turn = self.judge, self.truth.plies[-1].turn
        if judge.agrees or len(self.reports.turns) != judge.common or turn.attacks:
            return
        ply, before = self.truth.plies[-1], self._planner.before
        if judge.common != ply.number or ply.unknowable:
            return
        if not judge.has_complained and not judge.is_asked:
            judge.miss(ply)
        ply.is_asked = True
        self._do(put_right(self._hand(ply.side), before))
        self.host.wait(1500)
        if self._open_questions() and not judge.agrees:
            self._answer()
            self.host.wait(500)
        if self._is_content() or self.room.board.at(turn.source) is None:
            self._do(put_right(self._hand(ply.side), self.truth.standing()))
            return
        hand = self._hand(ply.side)

        def act() -> Act:
            piece = yield from hand.lift(turn.source)
            yield from hand.put(piece, turn.target)

        self._do(act())
        self._wait_for_ruling(self.host.now)

    # -- after the turn

    def _finish(self) -> None:
        """Declare ranks and clean up after combat. Afterwards, the table must not report any
        differences."""
        ply = self.truth.plies[-1]
        if ply.turn.attacks:
            self._declare()
            self.host.wait(self.room.draw(_READS))
            self.room.give_command(None, "read")
            hand, other = self._hand(ply.side), self._hand(ply.side.other)
            self._do(clear(hand, other, ply.turn, self.truth.standing(), self._planner.before))
            self._do(put_right(hand, self.truth.standing()))
            self._lay_aside()
        self._await_idle()
        self._come_to_rest()

    def _drop_beside(self, ply: Ply) -> None:
        """Sometimes drop a captured piece next to the two squares of the attack."""
        room = self.room
        if ply.turn.attacks and room.habit(Behaviour.FALL):
            attacker = room.pieces[self._planner.before[ply.turn.source]]
            is_up = room.board.square_of(attacker) is None
            near = accidents.beside(ply.turn, self.truth.free)
            act = accidents.fall(room, near, ply.side if is_up else None)
            room.begin(act, room.dice.randint(0, 1000))

    def _lay_aside(self) -> None:
        """Record which pieces have left the game. Sometimes, lay one of them too close to the
        board."""
        room, standing = self.room, set(self.truth.standing().values())
        taken = {piece for whom, piece in room.pieces.items() if whom not in standing}
        fresh = sorted(taken - room.captured, key=lambda piece: piece.origin)
        room.captured = taken
        for behaviour in (Behaviour.EDGE_STEADY, Behaviour.EDGE_FLICKER):
            if fresh and room.habit(behaviour):
                side = room.dice.choice(fresh).side
                room.world.start(accidents.edge_ghost(room, self.truth, behaviour, side), 200)

    def _reopen(self) -> None:
        """Re-enter an attack that the table has withdrawn, for example after a bump."""
        ply = self.truth.plies[-1]
        self.host.run(lambda: not self.room.disturbance, LONGEST_MS)
        if not self.host.run(lambda: self.judge.agrees, SOON_MS):
            announce(self.room, self._hand(ply.side), ply.turn)
            self.host.run(lambda: self.judge.agrees, 1000)

    def _declare(self) -> None:
        for _ in range(8):
            if not self.judge.agrees and self.judge.common == len(self.reports.turns):
                self._reopen()
            if self.reports.mirror.open_attack is None:
                return
            self.host.run(self._open_questions, SOON_MS)
            self._drop_beside(self.truth.plies[-1])
            self.host.wait(self.room.draw(_READS))
            self._answer()
            self.host.run(lambda: self.reports.mirror.open_attack is None, 400)

    def _think(self) -> None:
        self.judge.begin()
        until = self.host.now + self.room.draw(self.room.profile.pace.think)
        for _ in range(8):
            if not self.host.run(self._open_questions, until - self.host.now):
                break
            # Most questions disappear as soon as the players continue.
            self.host.wait(self.room.draw(self.room.profile.pace.react))
            if self._open_questions():
                self._answer()
                self.host.wait(300)
        self._come_to_rest()

    # -- mistakes and accidents

    def _slip(self) -> None:
        """Sometimes make a mistake before the turn, and correct it when the table reports it."""
        for behaviour in accidents.SLIPS:
            habit = self.room.habit(behaviour)
            slip = accidents.find_slip(self.room, self.truth, behaviour) if habit else None
            if slip:
                self._make(slip)
                return

    def _make(self, slip: accidents.Slip) -> None:
        room, judge = self.room, self.judge
        if self.truth.plies:
            # In the first two seconds after a turn, the movement could count as part of that turn.
            self.host.wait(2200)
        room.did(slip.behaviour)
        room.begin_disturbance(slip.behaviour.value)
        hand = self._hand(slip.by)
        complained_before = judge.has_complained
        judge.has_complained = False

        def act() -> Act:
            piece = yield from hand.lift(slip.source)
            yield from hand.put(piece, slip.target)

        self._do(act())
        self.host.run(lambda: judge.has_complained or self._open_questions(), SOON_MS)
        if self._open_questions():
            self.host.wait(room.draw(room.profile.pace.react))
            self._answer()
            self.host.wait(200)
        judge.blame_slip(f"{slip.behaviour.value} {Turn(slip.source, slip.target, attacks=False)}")
        judge.has_complained = judge.has_complained or complained_before
        self.host.wait(room.draw(room.profile.pace.react))
        if judge.agrees:
            self._do(put_right(hand, self.truth.standing()))
            room.end_disturbance(slip.behaviour.value)
            self._come_to_rest()
        else:
            room.end_disturbance(slip.behaviour.value)
            self._find_together()
        judge.begin()

    def _bump_after_move(self) -> None:
        """Sometimes push one piece as if to make a move, and then bump the board. Afterwards, put
        everything back."""
        room, judge = self.room, self.judge
        moves = [turn for turn in self.truth.legal() if not turn.attacks]
        moves = [turn for turn in moves if turn.target in squares_in(BESIDE[turn.source])]
        if not moves or room.held_squares or not room.habit(Behaviour.BUMP_AFTER_MOVE):
            return
        self._do(accidents.Bump(room, self.truth, room.dice.choice(moves)).act())
        for _ in range(4):
            if self.host.run(self._is_content, SOON_MS) or not self._open_questions():
                break
            self._answer()
        if not judge.agrees:
            judge.blame_slip("a bump, and everything was put back")
            self._find_together()
        elif not self._is_content():
            self._come_to_rest()
        judge.begin()

    def _begin_incidental_acts(self) -> None:
        """Start incidents at random times within the next few seconds.

        For example, a player straightens a piece, or a sleeve pushes one.
        """
        room, truth = self.room, self.truth
        mover = truth.plies[-1].side
        board = truth.referee.position.board
        near = _around(room.busy) & board.occupied
        for behaviour, side in (
            (Behaviour.ADJUST_OWN, mover),
            (Behaviour.ADJUST_OTHER, mover.other),
        ):
            if room.habit(behaviour):
                self._begin(accidents.adjust(room, side, behaviour, board.of(side)))
        for behaviour in (Behaviour.SLEEVE_HALF, Behaviour.SLEEVE_NEXT, Behaviour.SLEEVE_TIP):
            if room.habit(behaviour):
                sleeve = accidents.Sleeve(room, mover)
                self._sleeves.append(sleeve)
                pieces = near or board.occupied
                self._begin(sleeve.sweep(behaviour, pieces, truth.free & ~_set(room.busy)))
        if room.habit(Behaviour.BUMP):
            self._begin(accidents.Bump(room, truth).act())
        if habit := room.habit(Behaviour.FLICKER):
            self._begin(accidents.flicker_somewhere(room, habit))
        for behaviour in (Behaviour.LOST_FRAME, Behaviour.LOST_BURST):
            if habit := room.habit(behaviour):
                self._begin(accidents.lose_frames(room, behaviour, habit))

    def _begin(self, act: Act) -> None:
        self.room.begin(act, self.room.dice.randint(0, 1500))


def _set(squares: set[int]) -> SquareSet:
    return sum(1 << square for square in squares)


def _around(squares: set[int]) -> SquareSet:
    found = 0
    for square in squares:
        found |= BESIDE[square]
    return found & ~_set(squares)
