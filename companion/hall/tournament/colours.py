"""Colour allocation of the Dutch system, with Red for White.

The pairing engine's allocation is not used: where two players want the same colour equally, it
prefers the better seed, while the rules prefer the player with more points.
"""

from collections.abc import Sequence

from engine.board.geometry import Side


def preference(colours: Sequence[Side]) -> tuple[Side | None, int]:
    """Return the colour that a player should have next, by the colours of the games so far.

    The second value is the strength of the preference: 3 if absolute, after two games of one colour
    or with two more games of it; 2 with one more, 1 to alternate, 0 if nothing was played.
    """
    if not colours:
        return None, 0
    surplus = colours.count(Side.RED) - colours.count(Side.BLUE)
    had_twice = len(colours) > 1 and colours[-1] is colours[-2]
    needed = Side.BLUE if surplus > 0 else Side.RED
    strength = 3 if had_twice or abs(surplus) > 1 else 2 if surplus else 1
    return needed if surplus else colours[-1].other, strength


def red_of(higher: int, lower: int, colours: dict[int, list[Side]], seeds: dict[int, int]) -> int:
    """Return which of two players plays Red; `higher` has more points or the better seed."""
    (wish, strength), (other_wish, other_strength) = (
        preference(colours[number]) for number in (higher, lower)
    )

    def give(number: int, side: Side) -> int:
        return number if side is Side.RED else higher + lower - number

    if wish and other_wish and wish is not other_wish:
        return give(higher, wish)
    if wish and strength > other_strength:
        return give(higher, wish)
    if other_wish and other_strength > strength:
        return give(lower, other_wish)
    if wish and strength == 3:
        wide, other_wide = (_imbalance(colours[number]) for number in (higher, lower))
        if wide != other_wide:
            return give(higher if wide > other_wide else lower, wish)
    latest = zip(reversed(colours[higher]), reversed(colours[lower]), strict=False)
    for own, other in latest:
        if own is not other:
            return give(higher, own.other)
    if wish:
        return give(higher, wish)
    return give(higher, Side.RED if seeds[higher] % 2 else Side.BLUE)


def _imbalance(colours: Sequence[Side]) -> int:
    return abs(colours.count(Side.RED) - colours.count(Side.BLUE))
