"""What is proved about a piece, and the proofs that refute a declaration."""

from collections.abc import Iterable

import pytest

from engine.dossier import Dossier, Ground, Proof
from engine.ranks import ORIGINAL, Army, Rank, ranks_in
from engine.sides import Side
from tests.engine.tables import BLUE, RED

TRIO = Army("trio", dict.fromkeys(Rank, 0) | {Rank.FLAG: 1, Rank.SCOUT: 2, Rank.MINER: 1})
MOVABLE = set(Rank) - {Rank.FLAG, Rank.BOMB}


def opened(army: Army = ORIGINAL, each: int = 4) -> Dossier:
    """Red has the pieces 1, 2, ..., Blue 91, 92, ..."""
    pieces = [(side, first + n) for side, first in ((RED, 1), (BLUE, 91)) for n in range(each)]
    return Dossier(army, pieces)


def possible(dossier: Dossier, piece: int) -> set[Rank]:
    return set(ranks_in(dossier.possible(piece)))


def refuted(dossier: Dossier, piece: int, *, attacks: bool = False) -> dict[Ground, set[Rank]]:
    """Gather the ranks that a piece cannot have by the ground on which they are refused."""
    proofs = [dossier.refute(piece, rank, attacks=attacks) for rank in Rank]
    found: dict[Ground, set[Rank]] = {}
    for proof in filter(None, proofs):
        found.setdefault(proof.ground, set()).add(proof.rank)
    return found


def test_nothing_is_known_at_first() -> None:
    dossier = opened()

    assert possible(dossier, 1) == possible(dossier, 91) == set(Rank)
    assert refuted(dossier, 1) == {}


def test_only_ranks_of_the_army() -> None:
    dossier = opened(TRIO)

    assert possible(dossier, 1) == {Rank.FLAG, Rank.SCOUT, Rank.MINER}
    assert refuted(dossier, 1) == {
        Ground.NOT_IN_ARMY: set(Rank) - {Rank.FLAG, Rank.SCOUT, Rank.MINER}
    }


def test_a_move_excludes_flag_and_bomb() -> None:
    dossier = opened()
    dossier.moved(1, ran=False)

    assert possible(dossier, 1) == MOVABLE
    assert possible(dossier, 2) == possible(dossier, 91) == set(Rank)
    assert refuted(dossier, 1) == {Ground.MOVED: {Rank.FLAG, Rank.BOMB}}


def test_a_run_leaves_only_the_scout() -> None:
    dossier = opened()
    dossier.moved(1, ran=True)
    dossier.moved(1, ran=False)

    assert possible(dossier, 1) == {Rank.SCOUT}
    assert refuted(dossier, 1) == {Ground.RAN: set(Rank) - {Rank.SCOUT}}


def test_an_attack_refutes_flag_and_bomb_before_it_is_a_move() -> None:
    dossier = opened()

    assert refuted(dossier, 1, attacks=True) == {Ground.MOVED: {Rank.FLAG, Rank.BOMB}}
    assert refuted(dossier, 1) == {}


def test_a_reveal_leaves_one_rank() -> None:
    dossier = opened()
    dossier.revealed(1, Rank.MAJOR)

    assert possible(dossier, 1) == {Rank.MAJOR}
    assert refuted(dossier, 1) == {Ground.REVEALED: set(Rank) - {Rank.MAJOR}}
    assert possible(dossier, 2) == set(Rank)


def test_all_pieces_of_a_rank_found() -> None:
    dossier = opened(TRIO)
    dossier.revealed(1, Rank.MINER)

    assert possible(dossier, 1) == {Rank.MINER}
    assert possible(dossier, 2) == {Rank.FLAG, Rank.SCOUT}
    assert dossier.refute(2, Rank.MINER, attacks=False) == Proof(Ground.ALL_FOUND, Rank.MINER, 1)

    dossier.revealed(2, Rank.SCOUT)
    assert possible(dossier, 3) == {Rank.FLAG, Rank.SCOUT}
    dossier.revealed(2, Rank.SCOUT)  # the same piece once more: still one scout
    assert possible(dossier, 3) == {Rank.FLAG, Rank.SCOUT}
    dossier.revealed(3, Rank.SCOUT)
    assert possible(dossier, 2) == possible(dossier, 3) == {Rank.SCOUT}
    assert possible(dossier, 4) == {Rank.FLAG}
    assert dossier.refute(4, Rank.SCOUT, attacks=False) == Proof(Ground.ALL_FOUND, Rank.SCOUT, 2)


def test_what_is_found_of_one_side_says_nothing_about_the_other() -> None:
    dossier = opened(TRIO)
    dossier.revealed(1, Rank.MINER)

    assert possible(dossier, 91) == {Rank.FLAG, Rank.SCOUT, Rank.MINER}


@pytest.mark.parametrize(
    ("ran", "revealed", "rank", "ground"),
    [
        # The first ground that is true is told, and always a true one.
        (True, [], Rank.SPY, Ground.NOT_IN_ARMY),
        (False, [], Rank.BOMB, Ground.NOT_IN_ARMY),
        (False, [(2, Rank.FLAG)], Rank.FLAG, Ground.MOVED),
        (True, [(2, Rank.MINER)], Rank.MINER, Ground.RAN),
        (False, [(2, Rank.MINER)], Rank.MINER, Ground.ALL_FOUND),
        (False, [(1, Rank.SCOUT)], Rank.BOMB, Ground.REVEALED),
    ],
)
def test_a_rank_that_is_impossible_twice_over(
    ran: bool, revealed: Iterable[tuple[int, Rank]], rank: Rank, ground: Ground
) -> None:
    dossier = opened(TRIO)
    dossier.moved(1, ran=ran)
    for piece, shown in revealed:
        dossier.revealed(piece, shown)

    proof = dossier.refute(1, rank, attacks=False)

    assert proof
    assert (proof.ground, proof.rank) == (ground, rank)


@pytest.mark.parametrize("side", Side)
def test_a_proof_is_found_exactly_for_the_impossible_ranks(side: Side) -> None:
    dossier = opened(TRIO)
    first = 1 if side is RED else 91
    dossier.moved(first, ran=False)
    dossier.moved(first + 1, ran=True)
    dossier.revealed(first + 2, Rank.SCOUT)

    for piece in range(first, first + 4):
        for rank in Rank:
            proof = dossier.refute(piece, rank, attacks=False)
            assert (proof is None) == (rank in possible(dossier, piece)), (piece, rank)


def test_the_last_piece_that_has_not_moved_is_the_flag() -> None:
    dossier = opened(TRIO)
    for piece in (1, 2, 3):
        dossier.moved(piece, ran=False)

    assert possible(dossier, 4) == {Rank.FLAG}
    assert possible(dossier, 1) == {Rank.SCOUT, Rank.MINER}
    assert dossier.refute(4, Rank.MINER, attacks=False) == Proof(
        Ground.NEEDED, Rank.MINER, needed=Rank.FLAG
    )


def test_runs_use_a_rank_up_as_reveals_do() -> None:
    dossier = opened(TRIO)
    dossier.moved(1, ran=True)
    dossier.moved(2, ran=True)

    assert possible(dossier, 3) == {Rank.FLAG, Rank.MINER}
    assert dossier.refute(3, Rank.SCOUT, attacks=False) == Proof(
        Ground.ALL_FOUND, Rank.SCOUT, count=2
    )


def test_whatever_is_declared_within_the_possible_leaves_every_piece_a_rank() -> None:
    """Nobody gets stuck: not even players who lie, as long as the lie is possible."""
    dossier = opened(TRIO)
    for piece in (1, 2, 3, 4):
        dossier.revealed(piece, max(possible(dossier, piece)))
        assert all(possible(dossier, other) for other in (1, 2, 3, 4))
