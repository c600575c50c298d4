"""Interpretations, and the page of one edition as Markdown or as translatable messages.

A message is a whole paragraph, a whole list item, or the title. Messages are not composed of parts,
so that every language can phrase them freely.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

from companion.rules_pages.differences import DIFFERENCES, RuleDifference, choices
from companion.rules_pages.markdown import NUMBERS, bullets, numbered, paragraph, source, word
from engine.rules.editions import EDITIONS, Edition
from engine.rules.rules import Interpretation, Rule

# Interpretations where the rulebooks are silent.


def readings() -> list[str]:
    """Return every interpretation with its number."""
    return [
        paragraph(
            "Where a rulebook is silent, we had to decide. The referee names these readings with "
            "every ruling that rests on them."
        ),
        numbered(f"{_capital(reading.meaning)}." for reading in NUMBERS),
    ]


def readings_of(edition: Edition) -> list[str]:
    """Return the interpretations that one rulebook needs."""
    return [
        paragraph(
            "Where this rulebook is silent, the referee still has to decide. These readings are "
            "ours; they are not in the rulebook."
        ),
        bullets(_reading(reading) for reading in NUMBERS if reading in edition.readings),
    ]


def _reading(reading: Interpretation) -> str:
    return f"Reading {NUMBERS[reading]}, on {word(reading.rule)}: {reading.meaning}."


# Page of one edition.


def page(edition: Edition) -> str:
    """Return the peculiarities of one edition, with our interpretations under a small heading."""
    facts = [_fact(edition, difference) for difference in DIFFERENCES]
    wording = [f"{_capital(words)}." for words in edition.wording.values()]
    blocks = [f"### {edition.rulebook} (`{edition.id}`)", bullets(facts)]
    if wording:
        blocks += [paragraph("In substance, the text says:"), bullets(wording)]
    if left := choices(edition):
        options = bullets(f"{_capital(choice)}." for choice in left)
        blocks += [paragraph("The players may choose:"), options]
    return "\n\n".join([*blocks, *readings_of(edition), paragraph(f"Source: {source(edition)}.")])


def _fact(edition: Edition, difference: RuleDifference) -> str:
    question, answer = difference.question, difference.answer(edition)
    if difference.rule is Rule.SETUP:
        sizes = (f"{army.name} ({army.size} pieces)" for army in edition.armies)
        answer = ", ".join(sizes)
    article = edition.articles.get(difference.rule)
    cited = f" ({article})" if article else ""
    return f"**{_capital(question)}**{cited}: {answer}."


def _capital(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"


_MARKS: Final = re.compile(r"[*`]")
_POINT: Final = "- "


@dataclass(frozen=True)
class Block:
    """A paragraph, or a list item."""

    text: str
    is_point: bool = False


def blocks(edition: Edition) -> list[Block]:
    """Return the blocks of an edition's page below the title, without markup and line breaks."""
    found = []
    for part in page(edition).split("\n\n"):
        if part.startswith("#"):
            continue
        for lines in re.split(rf"\n(?={_POINT})", part):
            text = _MARKS.sub("", " ".join(map(str.strip, lines.splitlines())))
            found.append(Block(text.removeprefix(_POINT), text.startswith(_POINT)))
    return found


def messages(editions: Iterable[Edition] = EDITIONS.values()) -> list[str]:
    """Return every title and block, for all choices of the players, without duplicates."""
    chosen = [each for edition in editions for each in _choices(edition)]
    texts = [text for each in chosen for text in (each.rulebook, *(b.text for b in blocks(each)))]
    return list(dict.fromkeys(texts))


def fill_pages(texts: Iterable[Block], fits: Callable[[str], bool]) -> list[str]:
    """Distribute blocks over as few pages as they need, in order, without splitting a block.

    A paragraph above a list is on the same page as the first item.
    """
    pages = [""]
    for part in _parts(texts):
        longer = f"{pages[-1]}\n{part}".lstrip("\n")
        if pages[-1] and not fits(longer):
            pages.append(part)
        else:
            pages[-1] = longer
    return pages


def _parts(texts: Iterable[Block]) -> Iterator[str]:
    """Yield the texts that must not be split."""
    above = ""
    for block in texts:
        if block.is_point:
            yield f"{above}•  {block.text}"
            above = ""
        else:
            if above:
                yield above.rstrip()
            above = f"{block.text}\n"
    if above:
        yield above.rstrip()


def _choices(edition: Edition) -> Iterator[Edition]:
    """Yield the edition with every combination of choices that changes its page."""
    limits = dict.fromkeys((edition.two_squares_limit, *edition.limits))
    costs = dict.fromkeys((edition.moved_bomb, *edition.moved_bomb_choices))
    for limit, cost in product(limits, costs):
        yield replace(edition, two_squares_limit=limit, moved_bomb=cost)
