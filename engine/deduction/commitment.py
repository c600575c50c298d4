"""Commitments to the rank of each piece, made before a game without revealing the ranks.

With sealed armies, a player gives the referee one commitment for each piece: the SHA-256 hash of
its rank and a random number. The hash does not reveal the rank, and matches no other rank. The rank
and the random number together are the commitment's opening.

The hash is computed from text such as ``boomboard/1 red e4 miner
00112233445566778899aabbccddeeff``. The text has the side, the setup square of the piece, the rank,
and 128 bits in hexadecimal digits. An opening can therefore be checked with ``sha256sum``.

Four words and a code identify the commitments of both armies (`seal_words`), so players can compare
them. By writing them down before the first move, a player can prove after the game that the record
contains the same commitments.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from engine.board import NotationError
from engine.board.board import Piece
from engine.board.geometry import Side, SquareSet, name, set_of
from engine.board.ranks import Rank

SALT_BYTES: Final = 16
"""Number of random bytes that hide a rank."""
_SALT: Final = re.compile(rf"[0-9a-f]{{{2 * SALT_BYTES}}}")
COMMITMENT: Final = re.compile(rf"[0-9a-f]{{{2 * 32}}}")


@dataclass(frozen=True, repr=False)
class Opening:
    """The rank and the salt that open a commitment.

    The salt is as secret as the rank, because the hash is public.
    """

    rank: Rank
    salt: str
    """Random number in hexadecimal digits."""

    def __post_init__(self) -> None:
        if not _SALT.fullmatch(self.salt):
            # The salt is a secret, so the error does not quote it.
            raise NotationError(f"a salt of {2 * SALT_BYTES} hexadecimal digits", "another string")

    def __repr__(self) -> str:
        return "Opening()"


@dataclass(frozen=True)
class ArmyCommitment:
    """Commitments of an army, keyed by the setup square of each piece."""

    commitments: Mapping[Piece, str]
    """Hashes in hexadecimal digits. A malformed hash raises NotationError."""

    def __post_init__(self) -> None:
        for commitment in self.commitments.values():
            if not COMMITMENT.fullmatch(commitment):
                raise NotationError("a commitment of 64 hexadecimal digits", commitment)

    @classmethod
    def of(cls, side: Side, army: Mapping[Piece, Opening]) -> "ArmyCommitment":
        """Commit a side to an army."""
        return cls({piece: commit(side, piece, opening) for piece, opening in army.items()})

    @property
    def squares(self) -> SquareSet:
        """Setup squares of the army."""
        return set_of(self.commitments)

    @property
    def digest(self) -> str:
        """Identifier under which the owner of these commitments stores the openings."""
        sums = " ".join(commitment for _, commitment in sorted(self.commitments.items()))
        return sha256(sums.encode()).hexdigest()

    def holds(self, side: Side, piece: Piece, opening: Opening | None) -> bool:
        """Whether an opening matches the side's commitment for a piece."""
        promised = self.commitments.get(piece)
        return opening is not None and promised == commit(side, piece, opening)

    def __hash__(self) -> int:
        return hash(tuple(sorted(self.commitments.items())))


def commit(side: Side, piece: Piece, opening: Opening) -> str:
    """Return a side's commitment to the rank of a piece."""
    return sha256(opening_text(side, piece, opening).encode()).hexdigest()


def opening_text(side: Side, piece: Piece, opening: Opening) -> str:
    """Return the text whose hash is the commitment. The text is as secret as the opening."""
    return f"boomboard/1 {side.value} {name(piece)} {opening.rank.name.lower()} {opening.salt}"


_WORDS: Final = tuple(
    """
    acorn amber anchor anvil apple apron arrow attic autumn bacon badge bagel bamboo banjo
    barrel basket beach beaver berry bison blanket bottle boulder branch bread brick bridge
    broom brush bucket buffalo butter cabin cactus camel canal candle canoe canvas carpet carrot
    castle cedar cellar chalk cherry chimney cider circus cliff clover coach cobalt cobra coffee
    comet compass copper coral cotton cradle crater cricket crown crystal cuckoo cushion dagger
    daisy desert diamond dinner dolphin donkey dragon drawer drum eagle ebony ember engine
    ermine fabric falcon feather fence ferry fiddle finger flute forest fossil fountain fox
    frost galaxy garden garlic geyser ginger giraffe glacier glove goblet gondola goose granite
    grape gravel guitar hammer harbour harp hazel hedge helmet heron honey hornet hotel igloo
    indigo island ivory jacket jaguar jasmine jelly jewel jungle kayak kennel kettle kitten
    ladder lagoon lantern laurel lemon leopard lily linen lizard lobster locket lotus magnet
    mango maple marble meadow melon mirror monkey mosaic moth mountain muffin mushroom nectar
    needle nest nickel nutmeg oasis ocean olive onion orchid otter oyster paddle palace panther
    parrot pasture peach pebble pelican pencil pepper piano pigeon pillow pine pirate planet
    plum pocket pony poppy potato prairie prism puffin pumpkin puzzle quartz rabbit raccoon
    radish raft rainbow raven ribbon river robin rocket rose ruby saddle saffron sailor salmon
    sandal scarf shadow shovel silver sleigh sparrow spider squirrel statue summer sunset swan
    teapot temple thistle thunder tiger timber tomato tower trumpet tulip tunnel turtle umbrella
    valley vanilla velvet village violin volcano waffle walnut whale willow window winter wizard
    wolf yacht zebra
    """.split()  # noqa: SIM905 (a list would take 256 lines)
)
"""256 English words, one for each byte value. No two share their first four letters. All languages
use the same words, so that players with different languages can compare them."""
_CODE_DIGITS: Final = 12


@dataclass(frozen=True)
class SealWords:
    """Short identifier of both armies' commitments."""

    words: str
    """Four words, separated by spaces: the first 32 bits of the hash."""
    code: str
    """Twelve hexadecimal digits in groups of four: the first 48 bits of the hash."""

    def __str__(self) -> str:
        return f"{self.words} ({self.code})"


def seal_words(commitments: Mapping[Side, ArmyCommitment]) -> SealWords:
    """Return the words and the code that identify these commitments.

    The hash is the SHA-256 of text such as ``boomboard/1 seals DIGEST DIGEST``, with the digests of
    Red and Blue (`ArmyCommitment.digest`). For an army without commitments, ``-`` replaces the
    digest.
    """
    digests = (commitments[side].digest if side in commitments else "-" for side in Side)
    found = sha256(f"boomboard/1 seals {' '.join(digests)}".encode()).digest()
    digits = found.hex()[:_CODE_DIGITS]
    groups = (digits[start : start + 4] for start in range(0, _CODE_DIGITS, 4))
    return SealWords(" ".join(_WORDS[byte] for byte in found[:4]), " ".join(groups))
