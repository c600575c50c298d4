"""Results of combat."""

STRENGTH = {
    "spy": 1,
    "infiltrator": 1,
    "scout": 2,
    "miner": 3,
    "sergeant": 4,
    "lieutenant": 5,
    "captain": 6,
    "major": 7,
    "colonel": 8,
    "general": 9,
    "marshal": 10,
}
"""Movable ranks in order of strength."""


def fight(attacker: str, defender: str, aggressor_advantage: bool = False) -> str:
    """Return the winner: "attacker", "defender" or "nobody"."""
    if defender == "flag":
        return "attacker"
    if defender == "bomb":
        return "attacker" if attacker == "miner" else "defender"
    if defender == "infiltrator":
        # "Alle brikker, der angriber ham, vinder": any piece that attacks it wins, even another
        # infiltrator.
        return "attacker"
    if attacker == "spy" and defender == "marshal":
        return "attacker"
    if STRENGTH[attacker] == STRENGTH[defender]:
        return "attacker" if aggressor_advantage else "nobody"
    return "attacker" if STRENGTH[attacker] > STRENGTH[defender] else "defender"
