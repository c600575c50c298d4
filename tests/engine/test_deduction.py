"""Tests for deductions about a piece, and for proofs that refute a declaration."""

from collections.abc import Iterable
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from engine.board.geometry import Side
from engine.board.ranks import INFILTRATOR, ORIGINAL, Army, Rank, rank_set, ranks_in
from engine.board.visibility import Secret
from engine.deduction.commitment import ArmyCommitment
from engine.deduction.possible_ranks import Evidence, Fact, PlayerState, Proof, RankDeduction
from engine.rules.movement import CombatResult, resolve
from tests.engine.cases import each
from tests.engine.examples import examples

TRIO = Army("trio", dict.fromkeys(Rank, 0) | {Rank.FLAG: 1, Rank.SCOUT: 2, Rank.MINER: 1})
ONE_EACH = Army(
    "trio", dict.fromkeys(Rank, 0) | dict.fromkeys((Rank.FLAG, Rank.SPY, Rank.SCOUT), 1)
)
KNOWN = set(Rank) - {Rank.INFILTRATOR}
"""Ranks in the original army."""
MOVABLE = KNOWN - {Rank.FLAG, Rank.BOMB}


def opened(army: Army = ORIGINAL, each: int = 4) -> RankDeduction:
    """Return what can be deduced at the start, if each side has `each` pieces."""
    return RankDeduction(army, range(1, each + 1), {})


def possible(deduction: RankDeduction, piece: int) -> set[Rank]:
    return set(ranks_in(deduction.possible(piece)))


def refuted(
    deduction: RankDeduction, piece: int, *, attacks: bool = False
) -> dict[Evidence, set[Rank]]:
    """Return the ranks that a piece cannot have, keyed by the evidence against them."""
    proofs = [deduction.refute(piece, rank, attacks=attacks) for rank in Rank]
    found: dict[Evidence, set[Rank]] = {}
    for proof in filter(None, proofs):
        found.setdefault(proof.ground, set()).add(proof.rank)
    return found


NEVER = {Evidence.NOT_IN_ARMY: {Rank.INFILTRATOR}}


def test_all_ranks_are_possible_at_first() -> None:
    deduction = opened()

    assert possible(deduction, 1) == KNOWN
    assert refuted(deduction, 1) == NEVER


def test_possible_ranks_belong_to_the_army() -> None:
    deduction = opened(TRIO)

    assert possible(deduction, 1) == {Rank.FLAG, Rank.SCOUT, Rank.MINER}
    assert refuted(deduction, 1) == {
        Evidence.NOT_IN_ARMY: set(Rank) - {Rank.FLAG, Rank.SCOUT, Rank.MINER}
    }


def test_move_excludes_flag_and_bomb() -> None:
    deduction = opened().after_move(1, long_move=False, ply=1)

    assert possible(deduction, 1) == MOVABLE
    assert possible(deduction, 2) == KNOWN
    assert refuted(deduction, 1) == NEVER | {Evidence.MOVED: {Rank.FLAG, Rank.BOMB}}


def test_a_long_move_leaves_only_the_scout() -> None:
    deduction = opened().after_move(1, long_move=True, ply=1).after_move(1, long_move=False, ply=3)

    assert possible(deduction, 1) == {Rank.SCOUT}
    assert refuted(deduction, 1) == NEVER | {
        Evidence.MOVED: {Rank.FLAG, Rank.BOMB},
        Evidence.LONG_MOVE: MOVABLE - {Rank.SCOUT},
    }


def test_moved_facts_are_stored_once() -> None:
    deduction = opened()
    for ply, piece in enumerate((1, 2, 1, 2), start=1):
        deduction = deduction.after_move(piece, long_move=True, ply=ply)

    assert [fact.ply for fact in deduction.facts[1]] == [1, 1]
    assert [fact.ply for fact in deduction.facts[2]] == [2, 2]


def test_shown_fact_is_stored_once() -> None:
    deduction = opened().with_revealed(1, Rank.MAJOR, ply=1).with_revealed(1, Rank.MAJOR, ply=3)

    assert [fact.ply for fact in deduction.facts[1]] == [1]


def test_open_attack_excludes_flag_and_bomb() -> None:
    deduction = opened()

    assert refuted(deduction, 1, attacks=True) == NEVER | {Evidence.ATTACKS: {Rank.FLAG, Rank.BOMB}}
    assert refuted(deduction, 1) == NEVER


def test_a_reveal_leaves_one_rank() -> None:
    deduction = opened().with_revealed(1, Rank.MAJOR)

    assert possible(deduction, 1) == {Rank.MAJOR}
    assert refuted(deduction, 1) == NEVER | {Evidence.REVEALED: KNOWN - {Rank.MAJOR}}
    shown_at_no_ply = Proof(Evidence.REVEALED, Rank.SPY, other=Rank.MAJOR, ply=0)
    assert deduction.refute(1, Rank.SPY, attacks=False) == shown_at_no_ply
    assert possible(deduction, 2) == KNOWN


def test_rank_is_exhausted() -> None:
    deduction = opened(TRIO).with_revealed(1, Rank.MINER)

    assert possible(deduction, 1) == {Rank.MINER}
    assert possible(deduction, 2) == {Rank.FLAG, Rank.SCOUT}
    assert deduction.refute(2, Rank.MINER, attacks=False) == Proof(
        Evidence.ALL_FOUND, Rank.MINER, 1
    )

    deduction = deduction.with_revealed(2, Rank.SCOUT)
    assert possible(deduction, 3) == {Rank.FLAG, Rank.SCOUT}
    deduction = deduction.with_revealed(2, Rank.SCOUT)  # the same piece again
    assert possible(deduction, 3) == {Rank.FLAG, Rank.SCOUT}
    deduction = deduction.with_revealed(3, Rank.SCOUT)
    assert possible(deduction, 2) == possible(deduction, 3) == {Rank.SCOUT}
    assert possible(deduction, 4) == {Rank.FLAG}
    assert deduction.refute(4, Rank.SCOUT, attacks=False) == Proof(
        Evidence.ALL_FOUND, Rank.SCOUT, 2
    )


def test_new_fact_returns_a_new_deduction() -> None:
    before = opened()
    after = before.after_move(1, long_move=False, ply=1)

    assert before != after
    assert possible(before, 1) == KNOWN
    assert before == opened()
    assert hash(before) == hash(opened()) != hash(after)
    assert after.after_move(1, long_move=False, ply=3) == after
    assert before != opened(TRIO)
    assert before != "a deduction"


def test_ranks_known_beforehand_count_as_shown() -> None:
    deduction = RankDeduction(TRIO, range(1, 5), {1: Rank.MINER, 9: Rank.SCOUT})

    assert possible(deduction, 1) == {Rank.MINER}
    assert possible(deduction, 2) == {Rank.FLAG, Rank.SCOUT}
    assert deduction.is_revealed(1)
    assert not deduction.is_revealed(2)


@each(
    ("long_move", "revealed", "rank", "ground"),
    [
        # The first applicable reason is reported.
        (True, [], Rank.SPY, Evidence.NOT_IN_ARMY),
        (False, [], Rank.BOMB, Evidence.NOT_IN_ARMY),
        (False, [(2, Rank.FLAG)], Rank.FLAG, Evidence.MOVED),
        (True, [(2, Rank.MINER)], Rank.MINER, Evidence.LONG_MOVE),
        (False, [(2, Rank.MINER)], Rank.MINER, Evidence.ALL_FOUND),
        (False, [(1, Rank.SCOUT)], Rank.BOMB, Evidence.NOT_IN_ARMY),
        (False, [(1, Rank.SCOUT)], Rank.FLAG, Evidence.MOVED),
        (False, [(1, Rank.SCOUT), (2, Rank.MINER)], Rank.MINER, Evidence.REVEALED),
    ],
)
def test_doubly_impossible_rank(
    long_move: bool, revealed: Iterable[tuple[int, Rank]], rank: Rank, ground: Evidence
) -> None:
    deduction = opened(TRIO).after_move(1, long_move=long_move, ply=1)
    for piece, shown in revealed:
        deduction = deduction.with_revealed(piece, shown)

    proof = deduction.refute(1, rank, attacks=False)

    assert proof
    assert (proof.ground, proof.rank) == (ground, rank)


def test_exactly_the_impossible_ranks_have_proofs() -> None:
    deduction = opened(TRIO).after_move(1, long_move=False, ply=1)
    deduction = deduction.after_move(2, long_move=True, ply=3)
    deduction = deduction.with_revealed(3, Rank.SCOUT)

    for piece in range(1, 5):
        for rank in Rank:
            proof = deduction.refute(piece, rank, attacks=False)
            assert (proof is None) == (rank in possible(deduction, piece)), (piece, rank)


def test_last_unmoved_piece_is_the_flag() -> None:
    deduction = opened(TRIO)
    for piece in (1, 2, 3):
        deduction = deduction.after_move(piece, long_move=False, ply=piece)

    assert possible(deduction, 4) == {Rank.FLAG}
    assert possible(deduction, 1) == {Rank.SCOUT, Rank.MINER}
    assert deduction.refute(4, Rank.MINER, attacks=False) == Proof(
        Evidence.NEEDED, Rank.MINER, other=Rank.FLAG
    )


def test_only_piece_without_a_wrong_guess_has_the_guessed_rank() -> None:
    deduction = opened(ONE_EACH, 3)
    for piece in (1, 2):
        deduction = deduction.after_wrong_guess(piece, Rank.SCOUT, ply=piece)

    assert possible(deduction, 3) == {Rank.SCOUT}
    for rank in (Rank.FLAG, Rank.SPY):
        needed = Proof(Evidence.NEEDED, rank, other=Rank.SCOUT)
        assert deduction.refute(3, rank, attacks=False) == needed


def test_long_moves_exhaust_scouts() -> None:
    deduction = opened(TRIO).after_move(1, long_move=True, ply=1)
    deduction = deduction.after_move(2, long_move=True, ply=3)

    assert possible(deduction, 3) == {Rank.FLAG, Rank.MINER}
    assert deduction.refute(3, Rank.SCOUT, attacks=False) == Proof(
        Evidence.ALL_FOUND, Rank.SCOUT, count=2
    )


def test_possible_declarations_leave_every_piece_a_rank() -> None:
    """Every piece keeps a possible rank even if players lie, because only possible ranks are
    accepted."""
    deduction = opened(TRIO)
    for piece in (1, 2, 3, 4):
        deduction = deduction.with_revealed(piece, max(possible(deduction, piece)))
        assert all(possible(deduction, other) for other in (1, 2, 3, 4))


# -- facts in a proof


def test_proof_names_ply_and_shown_rank() -> None:
    deduction = opened(each=5).after_move(1, long_move=False, ply=3)
    deduction = deduction.after_move(1, long_move=False, ply=5)  # proves nothing new
    deduction = deduction.after_move(2, long_move=True, ply=7)
    deduction = deduction.with_revealed(3, Rank.MAJOR, ply=9)
    deduction = deduction.after_unnamed_win(
        4, rank_set([Rank.BOMB, Rank.MARSHAL]), Rank.GENERAL, ply=11
    )
    deduction = deduction.after_wrong_guess(5, Rank.SPY, ply=12)

    def proof(piece: int, rank: Rank) -> Proof | None:
        return deduction.refute(piece, rank, attacks=False)

    assert proof(1, Rank.BOMB) == Proof(Evidence.MOVED, Rank.BOMB, ply=3)
    assert proof(2, Rank.MINER) == Proof(Evidence.LONG_MOVE, Rank.MINER, ply=7)
    assert proof(3, Rank.SPY) == Proof(Evidence.REVEALED, Rank.SPY, other=Rank.MAJOR, ply=9)
    assert proof(4, Rank.SPY) == Proof(Evidence.WON_UNNAMED, Rank.SPY, other=Rank.GENERAL, ply=11)
    assert proof(5, Rank.SPY) == Proof(Evidence.GUESSED_WRONG, Rank.SPY, ply=12)
    assert proof(5, Rank.SCOUT) is None


def test_proof_uses_the_excluding_fact() -> None:
    deduction = opened().after_move(1, long_move=False, ply=1).after_wrong_guess(1, Rank.SPY, ply=2)
    deduction = deduction.after_unnamed_win(
        1, rank_set([Rank.GENERAL, Rank.MARSHAL]), Rank.COLONEL, ply=4
    )
    deduction = deduction.with_revealed(1, Rank.MARSHAL, ply=5)

    assert {ground: min(ranks) for ground, ranks in refuted(deduction, 1).items()} == {
        Evidence.MOVED: Rank.FLAG,
        Evidence.GUESSED_WRONG: Rank.SPY,
        Evidence.WON_UNNAMED: Rank.SCOUT,
        Evidence.REVEALED: Rank.GENERAL,
        Evidence.NOT_IN_ARMY: Rank.INFILTRATOR,
    }


def test_wrong_guess_excludes_one_rank() -> None:
    deduction = opened(INFILTRATOR).after_wrong_guess(1, Rank.BOMB, ply=1)

    assert possible(deduction, 1) == set(Rank) - {Rank.BOMB}
    assert possible(deduction, 2) == set(Rank)


@each("attacker", MOVABLE)
def test_silent_winner_could_have_won(attacker: Rank) -> None:
    deduction = opened()
    winners = {rank for rank in KNOWN if resolve(attacker, rank) is CombatResult.DEFENDER_WINS}
    deduction = deduction.after_unnamed_win(1, rank_set(winners), attacker, ply=1)

    assert possible(deduction, 1) == winners
    assert refuted(deduction, 1) == NEVER | {Evidence.WON_UNNAMED: KNOWN - winners}


# -- an arbiter's corrections


def test_shown_rank_can_be_replaced() -> None:
    deduction = (
        opened(TRIO).after_move(1, long_move=False, ply=1).with_revealed(1, Rank.MINER, ply=3)
    )
    corrected = deduction.with_correction(1, Rank.SCOUT, ply=5)

    assert possible(corrected, 1) == {Rank.SCOUT}
    assert possible(corrected, 2) == {Rank.FLAG, Rank.SCOUT, Rank.MINER}
    assert corrected.refute(1, Rank.FLAG, attacks=False) == Proof(Evidence.MOVED, Rank.FLAG, ply=1)
    assert corrected.refute(1, Rank.MINER, attacks=False) == Proof(
        Evidence.REVEALED, Rank.MINER, other=Rank.SCOUT, ply=5
    )


def test_a_shown_rank_can_be_forgotten() -> None:
    deduction = opened(TRIO).with_revealed(1, Rank.MINER, ply=3).without_revealed(1)

    assert not deduction.is_revealed(1)
    assert possible(deduction, 1) == possible(deduction, 2) == possible(opened(TRIO), 1)


def test_nothing_to_forget() -> None:
    deduction = opened()

    assert deduction.without_revealed(1) == deduction
    assert not deduction.has_moved_after_winning(1)


def test_long_move_can_be_forgotten() -> None:
    deduction = opened().after_move(1, long_move=True, ply=1)
    assert deduction.has_long_move(1)

    forgotten = deduction.without_long_move(1)

    assert not forgotten.has_long_move(1)
    assert possible(forgotten, 1) == MOVABLE
    again = forgotten.after_move(1, long_move=True, ply=3)
    assert possible(again, 1) == {Rank.SCOUT}, "a long move proves the scout again"


def test_silent_declaration_informs_only_its_owner() -> None:
    deduction = opened(TRIO)

    informed = deduction.with_known({1: Rank.MINER})

    assert possible(deduction, 2) == {Rank.FLAG, Rank.SCOUT, Rank.MINER}
    assert possible(informed, 2) == {Rank.FLAG, Rank.SCOUT}
    assert refuted(informed, 1)[Evidence.DECLARED] == {Rank.FLAG, Rank.SCOUT}


# -- an arbiter's decisions


def test_conceded_rank_overrides_proofs() -> None:
    deduction = opened(TRIO).after_move(1, long_move=True, ply=1)
    deduction = deduction.with_conceded(1, Rank.MINER, ply=3)

    assert possible(deduction, 1) == {Rank.MINER}
    assert possible(deduction, 2) == {Rank.FLAG, Rank.SCOUT}, "the other piece cannot be the miner"
    assert deduction.refute(1, Rank.SCOUT, attacks=False) == Proof(
        Evidence.REVEALED, Rank.SCOUT, other=Rank.MINER, ply=3
    )


@each("rank", [Rank.FLAG, Rank.SPY])
def test_rank_outside_the_army_can_be_conceded(rank: Rank) -> None:
    deduction = opened(TRIO).with_conceded(1, rank, ply=1)

    assert possible(deduction, 1) == {rank}
    assert possible(deduction.without_long_move(1), 1) == {rank}


def test_all_remaining_facts_count_after_a_correction() -> None:
    deduction = opened().after_wrong_guess(1, Rank.SPY, ply=1)
    deduction = deduction.after_wrong_guess(1, Rank.MINER, ply=2)

    corrected = deduction.with_revealed(1, Rank.SCOUT, ply=3).without_revealed(1)

    assert possible(corrected, 1) == KNOWN - {Rank.SPY, Rank.MINER}


def test_accepted_unnamed_win_allows_every_rank() -> None:
    moved = opened(TRIO).after_move(1, long_move=True, ply=1)
    winner = rank_set([Rank.MINER])
    deduction = moved.after_unnamed_win(1, winner, Rank.SPY, ply=3, by_decision=True)

    assert possible(deduction, 1) == {Rank.FLAG, Rank.SCOUT, Rank.MINER}
    assert not deduction.has_moved_after_winning(1)
    assert not deduction.moved | deduction.long_moved
    assert deduction.facts[1][-1] == Fact(
        Evidence.WON_UNNAMED, TRIO.ranks, 3, Rank.SPY, decided=True
    )


def test_inconsistent_armies_are_equal() -> None:
    """A deduction ignores how often the army has each rank if the pieces' ranks contradict this, or
    if the deduction is overruled. The reason does not matter for equality."""
    for rank, is_equal in ((Rank.MINER, True), (Rank.SCOUT, False)):
        ranks = {1: 1 << Rank.MINER, 2: 1 << rank}
        found, overruled = (
            RankDeduction.stated(TRIO, ranks, is_overruled=each) for each in (False, True)
        )
        assert (found == overruled) is is_equal


def test_players_differ_in_every_part() -> None:
    army = ArmyCommitment({1: "a" * 64})
    players = [
        PlayerState(opened()),
        PlayerState(opened(), captured={Rank.SPY: 1}),
        PlayerState(opened(), sealed={1: Secret(Side.RED, Rank.SPY)}),
        PlayerState(opened(), commitment=army),
        PlayerState(opened(), proved={1: Rank.SPY}),
        PlayerState(opened().with_revealed(1, Rank.SPY)),
    ]
    for (n, one), (m, other) in product(enumerate(players), repeat=2):
        assert (one == other) is (n == m)
    assert hash(players[0]) != hash(players[-1])


def test_small_army_ranks_are_exhausted() -> None:
    deduction = opened(ONE_EACH, 3).with_revealed(1, Rank.SCOUT)

    assert possible(deduction, 2) == {Rank.FLAG, Rank.SPY}


def test_inconsistent_army_gives_no_deductions() -> None:
    deduction = opened(TRIO).with_revealed(1, Rank.MINER, ply=1).with_conceded(2, Rank.MINER, ply=3)
    deduction = deduction.after_move(3, long_move=False, ply=5)

    assert possible(deduction, 3) == {Rank.SCOUT, Rank.MINER}, "only the piece's own facts count"
    assert possible(deduction, 4) == {Rank.FLAG, Rank.SCOUT, Rank.MINER}
    assert deduction.refute(4, Rank.MINER, attacks=False) is None
    assert deduction.may_move(4)


known = st.lists(
    st.tuples(
        st.integers(1, 4),
        st.sampled_from(["moves", "goes far", "shows", "wins", "guessed", "concedes"]),
        st.sampled_from(sorted(KNOWN)),
    ),
    max_size=12,
)


@given(known)
@examples(60)
def test_concessions_leave_every_piece_a_rank(facts: list[tuple[int, str, Rank]]) -> None:
    """Every piece keeps a possible rank, whatever the referee concedes."""
    deduction = opened(TRIO)
    for ply, (piece, what, rank) in enumerate(facts, start=1):
        can_be = possible(deduction, piece)
        if what == "concedes":
            deduction = deduction.with_conceded(piece, rank, ply=ply)
        if what == "moves" and can_be & MOVABLE:
            deduction = deduction.after_move(piece, long_move=False, ply=ply)
        if what == "goes far" and Rank.SCOUT in can_be:
            deduction = deduction.after_move(piece, long_move=True, ply=ply)
        if what == "shows" and rank in can_be:
            deduction = deduction.with_revealed(piece, rank, ply=ply)
        if what == "wins" and can_be & {Rank.MINER, Rank.FLAG}:
            ranks = rank_set([Rank.MINER, Rank.FLAG])
            deduction = deduction.after_unnamed_win(piece, ranks, Rank.SCOUT, ply=ply)
        if what == "guessed" and can_be - {rank}:
            deduction = deduction.after_wrong_guess(piece, rank, ply=ply)
        for standing in (1, 2, 3, 4):
            assert possible(deduction, standing)
            for other in Rank:
                proof = deduction.refute(standing, other, attacks=False)
                assert (proof is None) == (other in possible(deduction, standing))


def test_stated_ranks() -> None:
    """Ranks stated in a text count as facts. They also show which pieces have moved."""
    unknown, walked = ORIGINAL.ranks, ORIGINAL.ranks & rank_set(MOVABLE)
    strong = rank_set([Rank.GENERAL, Rank.MARSHAL])
    shut = rank_set([Rank.SPY, Rank.BOMB])
    ranks = dict.fromkeys(range(40), unknown)
    ranks |= {1: walked, 2: strong, 3: shut, 4: 1 << Rank.SCOUT, 5: 1 << Rank.BOMB}
    stated = RankDeduction.stated(ORIGINAL, ranks)

    assert (stated.army, stated.individual) == (ORIGINAL, ranks)
    assert not stated.is_overruled
    assert stated.moved == {1, 2, 4}
    assert stated.long_moved == {4}
    assert {*stated.facts} == {1, 2, 3, 4, 5}
    assert refuted(stated, 1) == {Evidence.MOVED: {Rank.FLAG, Rank.BOMB}, **NEVER}
    assert refuted(stated, 2)[Evidence.MOVED] == {Rank.FLAG, Rank.BOMB}
    assert refuted(stated, 2)[Evidence.STATED] == MOVABLE - {Rank.GENERAL, Rank.MARSHAL}
    for piece, possible_ranks in ((3, shut), (4, 1 << Rank.SCOUT), (5, 1 << Rank.BOMB)):
        left = KNOWN - {*ranks_in(possible_ranks)}
        assert refuted(stated, piece) == {Evidence.STATED: left, **NEVER}
    assert {fact.ply for facts in stated.facts.values() for fact in facts} == {0}
    assert not any(stated.is_revealed(piece) for piece in ranks)
    assert stated.after_move(2, long_move=False, ply=9) == stated
