"""Writes the page of one edition, with our interpretations and the differences between editions.

A page is written either as Markdown or as translatable messages. A message is a whole paragraph, a
whole list item, or the title. Messages are not assembled from parts, so translators can phrase them
freely.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

from companion.rules_pages.markdown import (
    NUMBERS,
    bullets,
    join,
    mark,
    needed,
    numbered,
    paragraph,
    source,
    table,
    times,
    word,
)
from engine.board.ranks import Rank
from engine.game.clocks import TIME_CONTROLS
from engine.rules.editions import EDITIONS, Edition, MovedBombPenalty, TwoSquaresForm
from engine.rules.rules import Interpretation, Rule


def options() -> list[str]:
    return [
        paragraph("Off unless both players want them:"),
        bullets(
            [
                "**Silent defence.** The rank of a defender that wins is not named, unless a scout "
                "has attacked it, and a bomb is not announced with *Boom!* A defender that falls "
                "is shown"
                f"{mark(Interpretation.SILENT_SURVIVOR)}.",
                "**Aggressor advantage.** If two equal ranks meet, only the defender falls.",
                "**Touch-move.** If you lift a piece that has been seen to move, you have to move "
                "it. The same applies to a piece that you set down beyond the squares adjacent to "
                "its own, unless you declare in private that it cannot move. A piece stays where "
                "you release it. Without this option, you may change your move for two seconds, "
                "unless your opponent touches a piece.",
                "**[Sealed armies](sealed.md).** Before the game, each of you commits to your "
                "setup, on your phone or on the screen. A piece can then only be declared as the "
                "rank that was sealed.",
            ]
        ),
        paragraph("Clocks:"),
        clocks(),
        paragraph(
            "Tournaments use `bronstein` or `bronstein-50`; duel and barrage use `short`. You can "
            "also choose each number freely. After a turn, the time used is given back, up to the "
            "amount in the column *given back*. The limit for the whole game includes the full "
            "time of every turn, but not the setup."
        ),
    ]


def choices(edition: Edition) -> list[str]:
    """Return the choices, other than the army, that a rulebook leaves to the players."""
    left = []
    if edition.limits:
        options = join(map(times, edition.limits), "or")
        left.append(f"a piece may go to and fro {options}")
    if edition.moved_bomb_choices:
        options = join((MOVED_BOMB[choice] for choice in edition.moved_bomb_choices), "or")
        left.append(f"a moved bomb or flag {options}")
    return left


def clocks() -> str:
    rows = [
        [
            f"`{control.id}`",
            _span(control.each),
            _span(control.delay or None),
            _span(control.whole),
            _span(control.setup),
        ]
        for control in TIME_CONTROLS.values()
    ]
    return table(["clock", "each side", "given back", "whole game", "setting up, both"], rows)


def _span(seconds: float | None) -> str:
    if seconds is None:
        return "–"
    minutes, rest = divmod(round(seconds), 60)
    parts = [(minutes, "minute"), (rest, "second")]
    return " ".join(f"{n} {unit}{'s' * (n != 1)}" for n, unit in parts if n)


@dataclass(frozen=True)
class RuleDifference:
    """One question, with a short answer for each rulebook."""

    question: str
    rule: Rule
    answer: Callable[[Edition], str]


_FORMS: Final = {
    TwoSquaresForm.SAME_SQUARES: "between the same two squares",
    TwoSquaresForm.SAME_BORDER: "across the same border",
}
MOVED_BOMB: Final = {
    MovedBombPenalty.NOT_ALLOWED: "is put back",
    MovedBombPenalty.LOSES: "loses at once",
    MovedBombPenalty.ARBITER: "the arbiter decides",
}
"""The penalty for moving a bomb or a flag."""


def _to_and_fro(edition: Edition) -> str:
    limit = edition.two_squares_limit
    others = [times(other) for other in edition.limits if other != limit]
    choice = f"; {join(others, 'or')} if so chosen" if others else ""
    return f"at most {times(limit)} {_FORMS[edition.recurrence]}{choice}"


def _chase(edition: Edition) -> str:
    if not edition.more_squares:
        return "no rule against it"
    return f"forbidden{needed(edition, Interpretation.CHASE_AS_ISF)}"


def _moved_bomb(edition: Edition) -> str:
    others = [MOVED_BOMB[c] for c in edition.moved_bomb_choices if c is not edition.moved_bomb]
    choice = f"; {join(others, 'or')} if so chosen" if others else ""
    return f"{MOVED_BOMB[edition.moved_bomb]}{choice}{needed(edition, Interpretation.KNOCKED_BOMB)}"


def _stuck(edition: Edition) -> str:
    return f"loses{needed(edition, Interpretation.SHUT_IN_LOSES, Interpretation.REPETITION_LOSES)}"


def _both_stuck(edition: Edition) -> str:
    return f"a draw{needed(edition, Interpretation.BOTH_SHUT_IN)}"


def _armies(edition: Edition) -> str:
    return join(army.name for army in edition.armies)


def _infiltrator(edition: Edition) -> str:
    return "yes" if has_infiltrator(edition) else "no"


def has_infiltrator(edition: Edition) -> bool:
    return any(army.counts[Rank.INFILTRATOR] for army in edition.armies)


_MARK: Final = re.compile(r" \(readings? [\d, and]+\)")
ARMIES: Final = RuleDifference("armies", Rule.SETUP, _armies)
DIFFERENCES: Final = (
    RuleDifference("one piece to and fro", Rule.TWO_SQUARES, _to_and_fro),
    RuleDifference("an endless chase", Rule.MORE_SQUARES, _chase),
    RuleDifference("a moved bomb or flag", Rule.IMMOBILE_PIECE, _moved_bomb),
    RuleDifference("a player who cannot move", Rule.ENDING, _stuck),
    RuleDifference("if neither can move", Rule.ENDING, _both_stuck),
    ARMIES,
    RuleDifference("infiltrator", Rule.INFILTRATION, _infiltrator),
)
"""The facts that an arbiter must know about a rulebook before a game."""


def one_table(editions: Sequence[Edition]) -> str:
    """Return a table of the questions on which the rulebooks differ.

    The answers come from the rulebooks, without references to the interpretations.
    """
    answers = {
        each.question: [_MARK.sub("", each.answer(edition)) for edition in editions]
        for each in DIFFERENCES
    }
    differing = {question: texts for question, texts in answers.items() if len(set(texts)) > 1}
    rows = [
        [f"{edition.rulebook} (`{edition.id}`)", *texts]
        for edition, *texts in zip(editions, *differing.values(), strict=True)
    ]
    return table(["rulebook", *differing], rows)


# Interpretations fill the gaps in the rulebooks.


def readings() -> list[str]:
    """Return every interpretation with its number."""
    return [
        paragraph(
            "Where a rulebook is silent, the referee follows these readings, and cites them in its "
            "rulings."
        ),
        numbered(f"{_capital(reading.meaning)}." for reading in NUMBERS),
    ]


def readings_of(edition: Edition) -> list[str]:
    return [
        paragraph(
            "Where this rulebook is silent, the referee still has to decide. These readings are "
            "ours; they are not in the rulebook."
        ),
        bullets(_reading(reading) for reading in NUMBERS if reading in edition.readings),
    ]


def _reading(reading: Interpretation) -> str:
    return f"Reading {NUMBERS[reading]}, on {word(reading.rule)}: {reading.meaning}."


def page(edition: Edition) -> str:
    """Return the special rules of one edition, and our interpretations of it."""
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
    """Return the blocks of an edition's page below the title, without markup or line breaks."""
    found = []
    for part in page(edition).split("\n\n"):
        if part.startswith("#"):
            continue
        for lines in re.split(rf"\n(?={_POINT})", part):
            text = _MARKS.sub("", " ".join(map(str.strip, lines.splitlines())))
            found.append(Block(text.removeprefix(_POINT), text.startswith(_POINT)))
    return found


def messages(editions: Iterable[Edition] = EDITIONS.values()) -> list[str]:
    """Return every title and block, without duplicates, for all combinations of options."""
    chosen = [each for edition in editions for each in _choices(edition)]
    texts = [text for each in chosen for text in (each.rulebook, *(b.text for b in blocks(each)))]
    return list(dict.fromkeys(texts))


def fill_pages(texts: Iterable[Block], fits: Callable[[str], bool]) -> list[str]:
    """Distribute blocks over as few pages as possible, in order, without splitting a block.

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
    """Yield the passages that must not be split."""
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
    """Yield one variant of the edition for each combination of choices that affects its page."""
    limits = dict.fromkeys((edition.two_squares_limit, *edition.limits))
    costs = dict.fromkeys((edition.moved_bomb, *edition.moved_bomb_choices))
    for limit, cost in product(limits, costs):
        yield replace(edition, two_squares_limit=limit, moved_bomb=cost)
