"""Games of the second referee, with pieces and moves given as text."""

from tests.reference import EDITIONS, Piece, ReferenceGame

LIMITS = [(name, limit) for name, edition in EDITIONS.items() for limit in edition.limits]
FIDGETS = ["k9-k8", "i9-i8", "k8-k9", "i8-i9"]
"""Blue's waiting moves. Two miners alternate, so no move is repeated."""
WAITING_BLUE = "k10 flag, k9 miner, i9 miner"


def pieces(red: str, blue: str) -> dict[str, Piece]:
    """Parse pieces with their squares, such as "a1 flag, a5 scout"."""
    standing = {}
    for side, listed in (("red", red), ("blue", blue)):
        for entry in listed.split(", "):
            square, rank = entry.split()
            standing[square] = Piece(side, rank)
    return standing


def play(game: ReferenceGame, ways: str) -> None:
    for way in ways.split():
        game.play(*way.split("-"))


def play_red(game: ReferenceGame, ways: str) -> None:
    """Make Red's moves, with a waiting move by Blue after each."""
    for way in ways.split():
        play(game, f"{way} {FIDGETS[len(game.moves['blue']) % 4]}")


def broken(game: ReferenceGame, way: str) -> set[str]:
    return game.broken_rules(*way.split("-"))


def free(game: ReferenceGame, source: str) -> set[str]:
    """Return the squares to which the piece on `source` may move."""
    return {target for square, target in game.legal_moves() if square == source}
