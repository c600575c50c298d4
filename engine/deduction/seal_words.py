"""Four words and a code for the commitments of both armies, to be read aloud and compared.

Whoever has noted them before the first move can check after the game that the record contains the
same commitments. Red and Blue see the same words if they were given the same commitments.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from engine.board.geometry import Side
from engine.deduction.commitment import ArmyCommitment

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
"""256 English words, one for each byte. Their first four letters differ. All languages use the same
words, so that two players can compare them."""
_CODE_DIGITS: Final = 12


@dataclass(frozen=True)
class SealWords:
    """Short identification of the commitments of both armies."""

    words: str
    """Four words, separated by spaces: 32 bits of the hash."""
    code: str
    """Twelve hexadecimal digits in groups of four: 48 bits of the same hash."""

    def __str__(self) -> str:
        return f"{self.words} ({self.code})"


def seal_words(commitments: Mapping[Side, ArmyCommitment]) -> SealWords:
    """Return the words for these commitments; an army without commitments counts as empty.

    The hash is SHA-256 of a text such as ``boomboard/1 seals DIGEST DIGEST``, with the digests of
    Red and Blue (`ArmyCommitment.digest`), or ``-`` for an army without commitments.
    """
    digests = (commitments[side].digest if side in commitments else "-" for side in Side)
    found = sha256(f"boomboard/1 seals {' '.join(digests)}".encode()).digest()
    digits = found.hex()[:_CODE_DIGITS]
    groups = (digits[start : start + 4] for start in range(0, _CODE_DIGITS, 4))
    return SealWords(" ".join(_WORDS[byte] for byte in found[:4]), " ".join(groups))
