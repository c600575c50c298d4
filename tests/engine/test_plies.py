"""Tests that compare the second referee with the engine, both as it is and with injected faults."""

from collections.abc import Callable
from itertools import count
from types import ModuleType
from typing import Any

import pytest

from engine.board.geometry import NEIGHBOURS, Side
from engine.board.ranks import Rank
from engine.deduction.possible_ranks import PlayerState, RankDeduction
from engine.deduction.rank_assignment import Assignment
from engine.game import apply_action, legal_turns, position, position_updates
from engine.game.actions import Relocation
from engine.game.game_state import GameState, Judgement
from engine.game.position import Position
from engine.game.rulings import GameOver, Reason
from engine.rules import movement
from engine.rules.editions import EDITIONS, Edition, TwoSquaresForm
from engine.rules.movement import CombatResult
from engine.rules.repetition import TRACES, Chase, Run, exhausted_trace, plies_since_repeat
from engine.rules.rules import Violation, ViolationKind
from tests.campaigns import Campaign
from tests.engine.differential import Tally, play, play_batch
from tests.engine.random_plan import plan
from tests.engine.three_referees import PRECEDENCE

PLIES = Campaign("plies", part=12, whole=192)
"""Number of games, each with about a hundred plies."""
FIRST = 612
"""Number of the first game. The dozen games that start here cover every event. At the end of game
620, all verdicts are compared and the game is replayed."""
ENOUGH = 1000
"""A fault must be detected within this many plies, counted from its game in `FAULTS`."""
Patch = pytest.MonkeyPatch


@PLIES
def test_a_slice() -> None:
    """Play about a thousand plies in all editions and kinds of games. `make plies` plays a
    million."""
    tally = play_batch(range(FIRST, FIRST + PLIES.size))

    assert tally.difference is None, tally.difference
    assert tally.plies > 80 * PLIES.size
    assert tally.games == tally.editions.total() == PLIES.size
    assert tally.editions.keys() == EDITIONS.keys()
    assert max(tally.editions.values()) - min(tally.editions.values()) <= 1
    assert {"flag-captured", "no-movable-piece", "no-legal-move"} < set(tally.endings)
    assert set(tally.refused) == set(PRECEDENCE)
    assert set(tally.done) == {"withdrawn", "infiltrated", "accepted", "asked"}


def test_game_number_is_a_seed() -> None:
    assert play(plan(7)) == play(plan(7)) != play(plan(22))


def test_tally_counts_the_plies() -> None:
    total = Tally()
    total += play(plan(13))
    total += play(plan(7))

    assert str(total).startswith(f"{total.plies} plies in 2 games; editions: original-1992 2; ")
    assert str(total).endswith("; differences: 0")


# -- faults, each in a single line of engine code


def after_each(patch: Patch, made: str, spoil: Callable[[Position, Position], None]) -> None:
    make = getattr(position_updates, made)

    def other(before: Position, *way: Any, **how: Any) -> Position:
        after: Position = make(before, *way, **how)
        spoil(before, after)
        return after

    patch.setattr(position_updates, made, other)


def learning(patch: Patch, lesson: str, learn: Callable[..., RankDeduction]) -> None:
    patch.setattr(RankDeduction, lesson, learn)


def nothing_learnt(self: RankDeduction, *_: object, **__: object) -> RankDeduction:
    return self


def fighting(patch: Patch, attacker: Rank, defender: Rank, result: CombatResult) -> None:
    """Change the result of combat between two ranks."""
    resolve = movement.resolve

    def other(one: Rank, two: Rank, *, aggressor_advantage: bool = False) -> CombatResult:
        if (one, two) == (attacker, defender):
            return result
        return resolve(one, two, aggressor_advantage=aggressor_advantage)

    patch.setattr(movement, "resolve", other)


def forgive(patch: Patch, where: ModuleType, rule: str, forgiven: ViolationKind) -> None:
    """Make a rule miss one kind of violation."""
    find = getattr(where, rule)

    def other(*asked: Any) -> ViolationKind | None:
        fault: ViolationKind | None = find(*asked)
        return None if fault is forgiven else fault

    patch.setattr(where, rule, other)


def counting(patch: Patch, change: Callable[[Run, int], tuple[Run, int]]) -> None:
    """Replace the run of moves and the limit that the two-squares rule uses."""
    patch.setattr(
        position,
        "exhausted_trace",
        lambda run, limit, *way: exhausted_trace(*change(run, limit), *way),
    )


def limit_one_more(patch: Patch) -> None:
    counting(patch, lambda run, limit: (run, limit + 1))


def limit_one_less(patch: Patch) -> None:
    counting(patch, lambda run, limit: (run, limit - 1))


def moves_of_other_pieces_do_not_interrupt(patch: Patch) -> None:
    def keep(before: Position, after: Position) -> None:
        assert after.enemy_run
        after.enemy_run = (*after.enemy_run[:4], before.own_run)

    def of_the_piece(run: Run | None, piece: int) -> Run | None:
        while run and run[0] != piece:
            run = run[4]
        return run and (*run[:4], of_the_piece(run[4], piece))

    after_each(patch, "move", keep)
    counting(patch, lambda run, limit: (of_the_piece(run, run[0]) or run, limit))


def the_forms_are_exchanged(patch: Patch) -> None:
    one, other = TwoSquaresForm
    traces = {one: TRACES[other], other: TRACES[one]}
    patch.setattr(position, "TRACES", traces)


def attack_is_no_move(patch: Patch) -> None:
    after_each(patch, "after_combat", lambda before, after: setattr(after, "enemy_run", None))


def infiltration_does_not_interrupt_to_and_fro(patch: Patch) -> None:
    def go_on(before: Position, after: Position) -> None:
        after.enemy_run = before.own_run

    after_each(patch, "infiltrate", go_on)


def asking_another(patch: Patch, change: Callable[[Chase], Chase]) -> None:
    """Replace the chase that the more-squares rule uses."""
    patch.setattr(
        position,
        "plies_since_repeat",
        lambda pieces, chase, *way: plies_since_repeat(pieces, change(chase), *way),
    )


def chase_window_one_longer(patch: Patch) -> None:
    asking_another(patch, lambda chase: (chase[0] + 1, chase[1]))


def chase_window_one_shorter(patch: Patch) -> None:
    asking_another(patch, lambda chase: (chase[0] - 1, chase[1]))


def evaders_are_never_forgotten(patch: Patch) -> None:
    def keep(before: Position, after: Position) -> None:
        for mine, formerly in (("waiter", "mover"), ("mover", "waiter")):
            plies, evaders = getattr(after, f"{mine}_chase")
            evaders |= getattr(before, f"{formerly}_chase")[1]
            setattr(after, f"{mine}_chase", (plies, evaders))

    after_each(patch, "move", keep)


def own_move_may_not_be_taken_back(patch: Patch) -> None:
    find = Position.find_repetition

    def other(self: Position, side: Side, piece: int, *way: int) -> Violation | None:
        found = find(self, side, piece, *way)
        if found or side is not self.to_move or self.enemy >> way[1] & 1:
            return found
        ago = plies_since_repeat(self.pieces, self.own_chase, self.past, *way)
        return self.violation(ViolationKind.CHASE_REPEATS, *way, count=ago) if ago else None

    patch.setattr(Position, "find_repetition", other)


def spy_loses_to_the_marshal(patch: Patch) -> None:
    fighting(patch, Rank.SPY, Rank.MARSHAL, CombatResult.DEFENDER_WINS)


def miner_falls_on_bombs(patch: Patch) -> None:
    fighting(patch, Rank.MINER, Rank.BOMB, CombatResult.DEFENDER_WINS)


def infiltrator_is_stronger_than_a_spy(patch: Patch) -> None:
    fighting(patch, Rank.INFILTRATOR, Rank.SPY, CombatResult.ATTACKER_WINS)


def infiltrators_fall_together(patch: Patch) -> None:
    fighting(patch, Rank.INFILTRATOR, Rank.INFILTRATOR, CombatResult.BOTH_FALL)


def aggressor_advantage_is_ignored(patch: Patch) -> None:
    resolve = movement.resolve
    patch.setattr(
        movement, "resolve", lambda one, two, aggressor_advantage=False: resolve(one, two)
    )


def silent_defender_is_named(patch: Patch) -> None:
    def name(
        before: Position, square: int, attacker: Rank, rank: Rank, *_: object
    ) -> tuple[PlayerState, Rank | None]:
        other = before.enemy_player
        return other.with_deduction(
            other.deduction.with_revealed(before.pieces[square], rank)
        ), rank

    patch.setattr(position_updates, "_with_defender", name)


def silent_victory_proves_nothing(patch: Patch) -> None:
    learning(patch, "after_unnamed_win", nothing_learnt)


def scouts_jump(patch: Patch) -> None:
    forgive(patch, movement, "find_fault", ViolationKind.PIECE_IN_THE_WAY)


def scouts_do_not_strike_from_afar(patch: Patch) -> None:
    legal_moves = Position.legal_moves

    def listed(self: Position) -> list[Any]:
        return [
            turn
            for turn in legal_moves(self)
            if turn.target in NEIGHBOURS[turn.source] or not self.enemy >> turn.target & 1
        ]

    patch.setattr(Position, "legal_moves", listed)


def repetitions_are_listed(patch: Patch) -> None:
    patch.setattr(legal_turns, "_without_repetition", lambda position, found: found)


def long_move_proves_no_scout(patch: Patch) -> None:
    after_move = RankDeduction.after_move

    def learn(self: RankDeduction, piece: int, *, long_move: bool, ply: int) -> RankDeduction:
        return after_move(self, piece, long_move=False, ply=ply)

    learning(patch, "after_move", learn)


def move_proves_nothing(patch: Patch) -> None:
    learning(patch, "after_move", nothing_learnt)


def army_is_not_counted(patch: Patch) -> None:
    patch.setattr(Assignment, "possible", lambda self: {ranks: ranks for ranks in self._dealt})


def wrong_guess_is_not_excluded(patch: Patch) -> None:
    learning(patch, "after_wrong_guess", nothing_learnt)


def infiltrator_reaches_three_squares(patch: Patch) -> None:
    patch.setattr(movement, "_REACH", 3)


def infiltrator_needs_no_enemy_rows(patch: Patch) -> None:
    forgive(patch, position, "find_infiltration_fault", ViolationKind.NOT_IN_ENEMY_ROWS)


def shut_in_is_not_noticed(patch: Patch) -> None:
    patch.setattr(Position, "can_move", lambda self, side: True)


def last_movable_piece_is_not_counted(patch: Patch) -> None:
    patch.setattr(position_updates, "has_movable_piece", lambda after, side: True)


def wrong_side_wins(patch: Patch) -> None:
    by_rules = GameOver.by_rules

    def other(edition: Edition, winner: Side | None, *why: Any) -> GameOver:
        return by_rules(edition, winner and winner.other, *why)

    patch.setattr(GameOver, "by_rules", other)


def accepted_board_keeps_counts(patch: Patch) -> None:
    def keep(before: Position, after: Position) -> None:
        same = after.to_move is before.to_move
        runs = before.own_run, before.enemy_run
        after.own_run, after.enemy_run = runs if same else runs[::-1]

    after_each(patch, "accept", keep)


def accepted_board_shows_a_move(patch: Patch) -> None:
    accept = position_updates.accept

    def other(before: Position, shifted: tuple[Relocation, ...], *rest: Any) -> Position:
        after = accept(before, shifted, *rest)
        for shift in shifted:
            side = Side.RED if after.squares(Side.RED) >> shift.target & 1 else Side.BLUE
            player, piece = after.player(side), before.pieces[shift.source]
            learnt = player.deduction.after_move(piece, long_move=False, ply=after.plies)
            after = position_updates.with_player(after, side, player.with_deduction(learnt))
        return after

    patch.setattr(position_updates, "accept", other)


def accepted_board_leaves_the_turn(patch: Patch) -> None:
    accept = position_updates.accept

    def other(before: Position, shifted: tuple[Relocation, ...], removed: int, _: Side) -> Position:
        return accept(before, shifted, removed, before.to_move)

    patch.setattr(position_updates, "accept", other)


def flag_does_not_end_the_game(patch: Patch) -> None:
    find = position_updates.find_end_by_loss

    def other(after: Position, fallen: Rank | None) -> GameOver | bool | None:
        return find(after, None if fallen is Rank.FLAG else fallen)

    patch.setattr(position_updates, "find_end_by_loss", other)


def both_immobile_is_a_loss(patch: Patch) -> None:
    def end(stuck: Position, *, proved: bool) -> GameOver:
        return GameOver.by_rules(stuck.edition, stuck.to_move.other, Reason.NO_LEGAL_MOVE)

    patch.setattr(legal_turns, "end_without_move", end)


def moved_bomb_is_only_refused(patch: Patch) -> None:
    def refuse(moment: GameState, violation: Violation, *way: int) -> Judgement:
        return moment, (violation,)

    patch.setattr(apply_action, "_refuse", refuse)


FAULTS: dict[Callable[[Patch], None], int] = {
    limit_one_more: 3,
    limit_one_less: 2,
    moves_of_other_pieces_do_not_interrupt: 2,
    the_forms_are_exchanged: 15,
    attack_is_no_move: 15,
    infiltration_does_not_interrupt_to_and_fro: 105,
    chase_window_one_longer: 1312,
    chase_window_one_shorter: 16,
    evaders_are_never_forgotten: 1574,
    own_move_may_not_be_taken_back: 15,
    spy_loses_to_the_marshal: 19,
    miner_falls_on_bombs: 18,
    infiltrator_is_stronger_than_a_spy: 849,
    infiltrators_fall_together: 45,
    aggressor_advantage_is_ignored: 1,
    silent_defender_is_named: 2,
    silent_victory_proves_nothing: 11,
    scouts_jump: 0,
    scouts_do_not_strike_from_afar: 0,
    repetitions_are_listed: 3,
    long_move_proves_no_scout: 41,
    move_proves_nothing: 6,
    army_is_not_counted: 6,
    wrong_guess_is_not_excluded: 81,
    infiltrator_reaches_three_squares: 183,
    infiltrator_needs_no_enemy_rows: 15,
    shut_in_is_not_noticed: 22,
    last_movable_piece_is_not_counted: 19,
    wrong_side_wins: 5,
    flag_does_not_end_the_game: 5,
    both_immobile_is_a_loss: 1775,
    moved_bomb_is_only_refused: 134,
    accepted_board_keeps_counts: 105,
    accepted_board_shows_a_move: 0,
    accepted_board_leaves_the_turn: 0,
}
"""Every fault, with the number of a game that soon reveals it."""
INJECTED = Campaign("plies", part=5, whole=len(FAULTS))
"""Number of faults to inject."""


@INJECTED
@pytest.mark.parametrize("fault", INJECTED.among(list(FAULTS)), ids=lambda fault: fault.__name__)
def test_injected_fault_is_found(fault: Callable[[Patch], None], monkeypatch: Patch) -> None:
    fault(monkeypatch)
    plies = 0
    for one in map(plan, count(FAULTS[fault])):
        tally = play(one)
        plies += tally.plies
        if tally.difference:
            assert str(one) in tally.difference
            return
        assert plies < ENOUGH, "the injected fault was not found"
