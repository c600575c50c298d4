"""The search for differences: a slice of it, and that it finds faults that are put in."""

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from types import ModuleType

import pytest

from engine import combat, infiltration, movement
from engine.knowledge.assignment import Assignment
from engine.knowledge.dossier import Dossier
from engine.legality.board import Board, Piece
from engine.legality.more_squares import MoreSquares, _Chaser
from engine.legality.two_squares import TwoSquares
from engine.play.referee import Referee
from engine.play.rulings import GameOver, Reason, Ruling, Violation
from engine.ranks import Rank, RankSet
from engine.rulebook.editions import EDITIONS
from engine.rulebook.faults import Fault
from engine.sides import Side
from engine.squares import Square
from tests.engine.games import PRECEDENCE
from tests.engine.plans import plan
from tests.engine.plies import Tally, play, play_batch

ENOUGH = 8000
"""The plies within which every fault is found."""
Patch = pytest.MonkeyPatch


def test_a_slice() -> None:
    """Thousands of plies of every edition and kind, to every end; `make plies` plays a million."""
    tally = play_batch(range(96))

    assert tally.difference is None, tally.difference
    assert tally.plies > 6000
    assert tally.editions == dict.fromkeys(EDITIONS, 16)
    assert set(tally.endings) == {
        "flag-captured",
        "no-movable-piece",
        "no-legal-move",
        "both-immobile",
        "moved-bomb",
        "unfinished",
    }
    assert set(tally.refused) == set(PRECEDENCE)
    assert set(tally.done) == {"withdrawn", "infiltrated"}


def test_a_game_follows_from_its_number() -> None:
    assert play(plan(17)) == play(plan(17)) != play(plan(18))


def test_a_tally_says_what_was_played() -> None:
    total = Tally()
    total += play(plan(1))
    total += play(plan(7))

    assert str(total).startswith(f"{total.plies} plies in 2 games; editions: original-1992 2; ")
    assert str(total).endswith("; differences: 0")


# -- faults: each is one line of the engine done wrong


def limit_one_more(patch: Patch) -> None:
    begin = TwoSquares.__init__
    patch.setattr(TwoSquares, "__init__", lambda self, limit: begin(self, limit + 1))


def limit_one_less(patch: Patch) -> None:
    begin = TwoSquares.__init__
    patch.setattr(TwoSquares, "__init__", lambda self, limit: begin(self, limit - 1))


def crossings_of_before_still_count(patch: Patch) -> None:
    record = TwoSquares.record

    def keep(self: TwoSquares, side: Side, piece: Piece, source: Square, target: Square) -> None:
        chain = self._chains[side]
        before = chain.crossed
        record(self, side, piece, source, target)
        chain.crossed = {**before, **chain.crossed}

    patch.setattr(TwoSquares, "record", keep)


def infiltration_does_not_interrupt_to_and_fro(patch: Patch) -> None:
    patch.setattr(TwoSquares, "interrupt", lambda self, side: None)


def _asking_another(patch: Patch, change: Callable[[_Chaser], _Chaser]) -> None:
    """Let the rule see another chase than the one that is running."""
    repeated = MoreSquares.repeated

    def other(self: MoreSquares, board: Board, side: Side, *way: int) -> int | None:
        before = self._chasers
        self._chasers = {**before, side: change(before[side])}
        found = repeated(self, board, side, *way)
        self._chasers = before
        return found

    patch.setattr(MoreSquares, "repeated", other)


def chase_window_one_longer(patch: Patch) -> None:
    _asking_another(patch, lambda chaser: replace(chaser, plies=chaser.plies + 1))


def chase_window_one_shorter(patch: Patch) -> None:
    _asking_another(patch, lambda chaser: replace(chaser, plies=chaser.plies - 1))


def evaders_are_never_forgotten(patch: Patch) -> None:
    patch.setattr(_Chaser, "give_up", lambda self: setattr(self, "plies", 0))


def own_move_may_not_be_taken_back(patch: Patch) -> None:
    _asking_another(patch, lambda chaser: replace(chaser, last=None))


def spy_loses_to_the_marshal(patch: Patch) -> None:
    patch.delitem(combat._EXCEPTIONS, (Rank.SPY, Rank.MARSHAL))


def miner_falls_on_bombs(patch: Patch) -> None:
    patch.delitem(combat._EXCEPTIONS, (Rank.MINER, Rank.BOMB))


def infiltrator_is_stronger_than_a_spy(patch: Patch) -> None:
    patch.setitem(combat._STRENGTH, Rank.INFILTRATOR, 2)


def aggressor_advantage_is_ignored(patch: Patch) -> None:
    resolve = combat.resolve
    patch.setattr(combat, "resolve", lambda a, b, aggressor_advantage: resolve(a, b))


def silent_defender_is_named(patch: Patch) -> None:
    def note(self: Referee, attacker: Rank, defender: Rank, result: combat.Result) -> Rank | None:
        assert self.attack
        piece = self.board.piece_at(self.attack.target)
        self.dossier.revealed(piece, defender, ply=self.plies + 1)
        return defender

    patch.setattr(Referee, "_note_defender", note)


def silent_victory_proves_nothing(patch: Patch) -> None:
    patch.setattr(Dossier, "won_unnamed", lambda *_, **__: None)


def forgive(patch: Patch, rule: ModuleType, forgiven: Fault) -> None:
    """Let a rule find everything but one fault."""
    find = rule.find_fault

    def other(
        board: Board,
        side: Side,
        source: Square,
        target: Square,
        possible: Callable[[Piece], RankSet],
    ) -> Fault | None:
        fault: Fault | None = find(board, side, source, target, possible)
        return None if fault is forgiven else fault

    patch.setattr(rule, "find_fault", other)


def scouts_jump(patch: Patch) -> None:
    forgive(patch, movement, Fault.PIECE_IN_THE_WAY)


def run_proves_no_scout(patch: Patch) -> None:
    moved = Dossier.moved
    patch.setattr(Dossier, "moved", lambda self, x, ran, ply: moved(self, x, ran=False, ply=ply))


def move_proves_nothing(patch: Patch) -> None:
    patch.setattr(Dossier, "moved", lambda self, piece, ran, ply: None)


def army_is_not_counted(patch: Patch) -> None:
    patch.setattr(Assignment, "possible", lambda self: {ranks: ranks for ranks in self._dealt})


def wrong_guess_is_not_excluded(patch: Patch) -> None:
    patch.setattr(Dossier, "guessed_wrong", lambda self, piece, rank, ply: None)


def infiltrator_reaches_three_squares(patch: Patch) -> None:
    patch.setattr(infiltration, "_REACH", 3)


def infiltrator_needs_no_enemy_rows(patch: Patch) -> None:
    forgive(patch, infiltration, Fault.NOT_IN_ENEMY_ROWS)


def shut_in_is_not_noticed(patch: Patch) -> None:
    patch.setattr(Referee, "_end_if_stuck", lambda self: ())


def last_movable_piece_is_not_counted(patch: Patch) -> None:
    patch.setattr(Referee, "_has_movable_piece", lambda self, side: True)


def wrong_side_wins(patch: Patch) -> None:
    end = Referee._end

    def other(self: Referee, winner: Side | None, reason: Reason) -> tuple[Ruling, ...]:
        return end(self, winner and winner.other, reason)

    patch.setattr(Referee, "_end", other)


def flag_does_not_end_the_game(patch: Patch) -> None:
    after = Referee._end_after_loss

    def other(self: Referee, fallen: Rank) -> tuple[Ruling, ...]:
        return after(self, fallen=Rank.BOMB if fallen is Rank.FLAG else fallen)

    patch.setattr(Referee, "_end_after_loss", other)


def both_immobile_is_a_loss(patch: Patch) -> None:
    def end(self: Referee) -> tuple[Ruling, ...]:
        return self._end(self.to_move.other, Reason.NO_LEGAL_MOVE)

    patch.setattr(Referee, "_end_without_move", end)


def moved_bomb_is_only_refused(patch: Patch) -> None:
    def refuse(self: Referee, violation: Violation) -> tuple[Violation | GameOver, ...]:
        return (violation,)

    patch.setattr(Referee, "_refuse", refuse)


FAULTS: dict[Callable[[Patch], None], str] = {
    limit_one_more: "chase",
    limit_one_less: "chase",
    crossings_of_before_still_count: "chase",
    infiltration_does_not_interrupt_to_and_fro: "few nordic-2015",
    chase_window_one_longer: "chase isf",
    chase_window_one_shorter: "chase",
    evaders_are_never_forgotten: "chase isf",
    own_move_may_not_be_taken_back: "chase",
    spy_loses_to_the_marshal: "whole",
    miner_falls_on_bombs: "few",
    infiltrator_is_stronger_than_a_spy: "few nordic-2015",
    aggressor_advantage_is_ignored: "few",
    silent_defender_is_named: "few",
    silent_victory_proves_nothing: "few",
    scouts_jump: "whole",
    run_proves_no_scout: "whole",
    move_proves_nothing: "few",
    army_is_not_counted: "few",
    wrong_guess_is_not_excluded: "few nordic-2015",
    infiltrator_reaches_three_squares: "few nordic-2015",
    infiltrator_needs_no_enemy_rows: "few nordic-2015",
    shut_in_is_not_noticed: "walled",
    last_movable_piece_is_not_counted: "few",
    wrong_side_wins: "few",
    flag_does_not_end_the_game: "few",
    both_immobile_is_a_loss: "walled isf",
    moved_bomb_is_only_refused: "walled travel-2017",
}
"""Every fault with the kind of games, and the edition if need be, in which it comes up soonest."""
RARE: dict[Callable[[Patch], None], int] = {
    chase_window_one_longer: 3113,
    evaders_are_never_forgotten: 1601,
}
"""Faults that a longer search finds, with the number of the first game in which it does."""


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_fault_is_found(fault: Callable[[Patch], None], monkeypatch: Patch) -> None:
    fault(monkeypatch)
    kind, *edition = FAULTS[fault].split()
    plies = 0
    for one in map(plan, count(RARE.get(fault, 0))):
        if one.kind == kind and one.edition.id in (edition or EDITIONS):
            tally = play(one)
            plies += tally.plies
            if tally.difference:
                assert str(one) in tally.difference
                return
            assert plies < ENOUGH, "the fault was not found"
