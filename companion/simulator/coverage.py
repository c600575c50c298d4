"""Coverage of the engine's actions: how often each occurred in games."""

from collections import Counter
from collections.abc import Iterable, Mapping

from engine.game.actions import Action
from engine.records.serialization import WORDS, write_action


def count_actions(actions: Iterable[Action]) -> dict[str, int]:
    """Count actions by keyword, in the order of the notation."""
    counted = Counter(write_action(action)["do"] for action in actions)
    return {word: counted[word] for word in WORDS if counted[word]}


def add_up(games: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Sum the counts of several games."""
    total = Counter[str]()
    for counts in games:
        total.update(counts)
    return {word: total[word] for word in WORDS if total[word]}


def find_missing(counts: Mapping[str, int]) -> list[str]:
    """List the keywords of the actions that never occurred."""
    return [word for word in WORDS if not counts.get(word)]


def tell_coverage(games: int, counts: Mapping[str, int]) -> str:
    """Report how often each action occurred in a number of games, and which never did."""
    occurred = ", ".join(f"{word} {times}" for word, times in counts.items())
    missing = ", ".join(find_missing(counts))
    never = f"never: {missing}" if missing else "every action occurred"
    return f"{games} games: {occurred}; {never}"
