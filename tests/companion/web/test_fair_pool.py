"""A limited pool of slots is shared fairly among owners."""

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.web.security import FairPool, network_of


@dataclass(eq=False)
class Guest:
    name: str = ""
    is_idle: bool = True
    has_left: bool = False
    left: list[str] = field(default_factory=list)

    def end(self) -> None:
        self.has_left = True


def pool_of(limit: int, per_owner: int) -> FairPool[Guest]:
    return FairPool(limit, per_owner, lambda guest: guest.is_idle)


def test_owner_replaces_its_oldest_idle_place() -> None:
    pool = pool_of(9, 2)
    busy, idle, newest = Guest(is_idle=False), Guest(), Guest()
    assert all(pool.add("ada", each) for each in (busy, idle, newest))
    assert [each.has_left for each in (busy, idle, newest)] == [False, True, False]
    assert pool.owned_by("ada") == len(pool) == 2


def test_busy_owner_gets_no_place() -> None:
    pool = pool_of(9, 2)
    assert all(pool.add("ada", Guest(is_idle=False)) for _ in range(2))
    assert not pool.add("ada", Guest())
    assert pool.add("bo", Guest())


def test_newcomer_replaces_an_idle_place_of_the_largest_owner() -> None:
    pool = pool_of(3, 2)
    few, many = Guest(), [Guest(), Guest()]
    pool.add("bo", few)
    for each in many:
        pool.add("ada", each)
    assert pool.add("cy", Guest())
    assert [each.has_left for each in (few, *many)] == [False, True, False]


def test_busy_places_are_taken_only_from_owners_with_two_more() -> None:
    pool = pool_of(3, 3)
    ada = [Guest(is_idle=False) for _ in range(2)]
    for each in ada:
        pool.add("ada", each)
    pool.add("bo", Guest(is_idle=False))
    assert pool.add("cy", Guest(is_idle=False))
    assert [each.has_left for each in ada] == [True, False]
    assert not pool.add("di", Guest(is_idle=False))


def test_idle_places_are_taken_before_busy_ones() -> None:
    pool = pool_of(3, 3)
    ada, bo = [Guest(is_idle=False) for _ in range(2)], Guest()
    for owner, guest in (("ada", ada[0]), ("ada", ada[1]), ("bo", bo)):
        pool.add(owner, guest)
    assert pool.add("cy", Guest())
    assert [each.has_left for each in (*ada, bo)] == [False, False, True]


def test_owner_takes_no_place_from_an_equal_owner() -> None:
    pool = pool_of(4, 4)
    for owner in ("ada", "ada", "ada", "bo"):
        pool.add(owner, Guest(is_idle=False))
    assert [pool.add("bo", Guest(is_idle=False)) for _ in range(2)] == [True, False]
    assert pool.owned_by("ada") == pool.owned_by("bo") == 2


def test_place_is_released_once() -> None:
    pool = pool_of(1, 1)
    first, second = Guest(), Guest()
    pool.add("ada", first)
    pool.add("bo", second)
    pool.remove("ada", first)
    assert len(pool) == pool.owned_by("bo") == 1
    pool.remove("bo", second)
    assert len(pool) == 0


@given(
    st.lists(st.tuples(st.integers(0, 5), st.booleans(), st.booleans()), max_size=60),
    st.integers(0, 6),
    st.integers(1, 4),
)
def test_limits_hold_for_random_requests(
    steps: list[tuple[int, bool, bool]], limit: int, per_owner: int
) -> None:
    pool = pool_of(limit, per_owner)
    inside: list[tuple[str, Guest]] = []
    for number, is_idle, leaves in steps:
        owner, guest = str(number), Guest(is_idle=is_idle)
        is_full = len(inside) >= limit or sum(each == owner for each, _ in inside) >= per_owner
        rivals = [each for name, each in inside if name == owner or len(inside) >= limit]
        was_let_in = pool.add(owner, guest)
        assert was_let_in or is_full
        if any(each.is_idle for each in rivals if limit > 0) and len(inside) >= limit:
            own = [each for name, each in inside if name == owner]
            assert was_let_in or len(own) >= per_owner
        if was_let_in:
            inside.append((owner, guest))
        inside = [each for each in inside if not each[1].has_left]
        assert len(pool) == len(inside) <= limit
        assert all(pool.owned_by(name) <= per_owner for name, _ in inside)
        if leaves and inside:
            pool.remove(*inside.pop(0))


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("10.0.0.5", "10.0.0.5"),
        ("::ffff:10.0.0.5", "10.0.0.5"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8:0:0:ffff::2", "2001:db8::/64"),
        ("2001:db8:0:1::2", "2001:db8:0:1::/64"),
        ("", ""),
    ],
)
def test_addresses_of_a_network_count_as_one(address: str, network: str) -> None:
    assert network_of(address) == network
