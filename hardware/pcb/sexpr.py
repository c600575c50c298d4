"""S-expressions, the syntax of all files written by KiCad 6 and later."""

import re
from collections.abc import Iterator
from typing import TypeAlias

Tree: TypeAlias = "str | list[Tree]"


class Quoted(str):
    """String that appears in quotes in the file."""

    __slots__ = ()


_WORD = re.compile(r'\s*(?:([()])|"((?:[^"\\]|\\.)*)"|([^\s()"]+))')


def parse(text: str) -> list[Tree]:
    """Parse one expression. Raise ValueError if it is incomplete or followed by more text."""
    stack: list[list[Tree]] = [[]]
    place, end = 0, len(text.rstrip())
    while place < end:
        found = _WORD.match(text, place)
        if not found:
            raise ValueError(f"Expected an S-expression at character {place}.")
        bracket, quoted, word = found.groups()
        if bracket == "(":
            stack.append([])
        elif bracket == ")":
            done = stack.pop()
            if not stack:
                raise ValueError(f"Unmatched closing bracket at character {place}.")
            stack[-1].append(done)
        elif word is not None:
            stack[-1].append(word)
        else:
            stack[-1].append(Quoted(re.sub(r"\\(.)", r"\1", quoted)))
        place = found.end()
    if len(stack) != 1 or len(stack[0]) != 1 or isinstance(stack[0][0], str):
        raise ValueError("Expected a single complete S-expression.")
    return stack[0][0]


def write(tree: Tree, depth: int = 0) -> str:
    """Format an expression on a single line if it fits, or with one line per element."""
    if isinstance(tree, str):
        return _word(tree)
    flat = f"({' '.join(write(part) for part in tree)})"
    if len(flat) + 2 * depth <= 110:
        return flat
    heads = 0
    while heads < len(tree) and isinstance(tree[heads], str):
        heads += 1
    inner = "".join(f"\n{'  ' * (depth + 1)}{write(part, depth + 1)}" for part in tree[heads:])
    return f"({' '.join(map(write, tree[:heads]))}{inner})"


def _word(word: str) -> str:
    if isinstance(word, Quoted):
        escaped = word.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return word


def point(place: tuple[float, float]) -> str:
    return f"{number(place[0])} {number(place[1])}"


def number(value: float) -> str:
    """Format a number as KiCad does, with at most six decimals and no trailing zeros."""
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def children(tree: Tree, name: str) -> Iterator[list[Tree]]:
    """Yield the child expressions with the given name."""
    for part in tree:
        if isinstance(part, list) and part and part[0] == name:
            yield part


def child(tree: Tree, name: str) -> list[Tree]:
    """Return the only child with the given name. Raise ValueError unless there is exactly one."""
    (found,) = children(tree, name)
    return found


def words(tree: Tree) -> list[str]:
    """Return the words that follow an expression's name."""
    return [part for part in tree[1:] if isinstance(part, str)]
