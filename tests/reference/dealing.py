"""Finds the possible ranks of an army's pieces by assigning every rank of the army to a piece."""

from itertools import permutations


def can_be_dealt(army: list[str], facts: list[set[str]]) -> bool:
    """Whether every piece can be assigned a rank that its facts allow.

    Each piece in turn is assigned a rank. If no suitable rank is free, a piece that holds a
    suitable rank has to switch to a different rank.
    """
    holder: dict[int, int] = {}

    def deal(piece: int, asked: set[int]) -> bool:
        for tile, rank in enumerate(army):
            if rank in facts[piece] and tile not in asked:
                asked.add(tile)
                if tile not in holder or deal(holder[tile], asked):
                    holder[tile] = piece
                    return True
        return False

    return all(deal(piece, set()) for piece in range(len(facts)))


def possible_ranks(army: list[str], facts: list[set[str]]) -> list[set[str]]:
    """Return each piece's possible ranks, taking the whole army into account.

    Pieces about which the same facts are known have the same possible ranks, so only one of them is
    checked.
    """
    found: dict[frozenset[str], set[str]] = {}
    for piece, ranks in enumerate(facts):
        if frozenset(ranks) not in found:
            before, after = facts[:piece], facts[piece + 1 :]
            found[frozenset(ranks)] = {
                rank for rank in ranks if can_be_dealt(army, [*before, {rank}, *after])
            }
    return [found[frozenset(ranks)] for ranks in facts]


def possible_ranks_by_trying(army: list[str], facts: list[set[str]]) -> list[set[str]]:
    """Compute `possible_ranks` by enumeration, which is feasible only for tiny armies."""
    dealt = [
        way
        for way in set(permutations(army))
        if all(rank in ranks for rank, ranks in zip(way, facts, strict=True))
    ]
    return [{way[piece] for way in dealt} for piece in range(len(facts))]
