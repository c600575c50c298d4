"""A bounded number of places, shared fairly among the addresses that ask for them."""

import ipaddress
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Final, Generic, Protocol, TypeVar

_IPV6_NETWORK: Final = 64
"""Length of the prefix that a site assigns to one network; within it, a computer may choose any
IPv6 address."""


def network_of(address: str) -> str:
    """Return what counts as one address: an IPv4 address, or the /64 network of an IPv6 address."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return address
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((int(found), _IPV6_NETWORK), strict=False))


class Place(Protocol):
    """Something that takes a place until it ends."""

    def end(self) -> None:
        """End at once; the pool has already removed this place."""


T = TypeVar("T", bound=Place)


class FairPool(Generic[T]):
    """Places of limited number, each with an owner.

    If an owner has no place left, a newcomer replaces the owner's oldest replaceable place. If the
    whole pool is full, the newcomer replaces the oldest replaceable place of the owner with the
    most places. If no place is replaceable, the newcomer takes one from an owner with at least two
    places more than its own owner. Otherwise the newcomer is refused.
    """

    def __init__(self, limit: int, per_owner: int, is_replaceable: Callable[[T], bool]) -> None:
        """Create an empty pool for `limit` places in all, and `per_owner` places per owner."""
        self._limit, self._per_owner = limit, per_owner
        self._is_replaceable = is_replaceable
        self._places: dict[str, OrderedDict[T, None]] = {}
        self._count = 0

    def __len__(self) -> int:
        """Return the number of places taken."""
        return self._count

    def owned_by(self, owner: str) -> int:
        """Return the number of places of an owner."""
        return len(self._places.get(owner, ()))

    def add(self, owner: str, place: T) -> bool:
        """Take a place, and end the place that is replaced; return whether there was room."""
        if self.owned_by(owner) >= self._per_owner:
            has_room = self._replace(self._oldest_replaceable([owner]))
        elif self._count >= self._limit:
            has_room = self._replace(self._find_replaceable(owner))
        else:
            has_room = True
        if has_room:
            self._places.setdefault(owner, OrderedDict())[place] = None
            self._count += 1
        return has_room

    def remove(self, owner: str, place: T) -> None:
        """Give a place back; without effect if it has been replaced."""
        own = self._places.get(owner)
        if own is None or place not in own:
            return
        del own[place]
        self._count -= 1
        if not own:
            del self._places[owner]

    def _find_replaceable(self, newcomer: str) -> tuple[str, T] | None:
        owners = sorted(self._places, key=self.owned_by, reverse=True)
        found = self._oldest_replaceable(owners)
        if found or not owners or self.owned_by(owners[0]) < self.owned_by(newcomer) + 2:
            return found
        return owners[0], next(iter(self._places[owners[0]]))

    def _oldest_replaceable(self, owners: list[str]) -> tuple[str, T] | None:
        return next(self._replaceable(owners), None)

    def _replaceable(self, owners: list[str]) -> Iterator[tuple[str, T]]:
        for owner in owners:
            for place in self._places[owner]:
                if self._is_replaceable(place):
                    yield owner, place

    def _replace(self, found: tuple[str, T] | None) -> bool:
        if found is None:
            return False
        self.remove(*found)
        found[1].end()
        return True
