"""The page of one edition: the peculiarities of this rulebook."""

from companion.rules_pages.differences import DIFFERENCES, Difference
from companion.rules_pages.markdown import bullets, paragraph
from companion.rules_pages.open_choices import choices
from companion.rules_pages.our_readings import readings_of
from companion.rules_pages.prose import source
from engine.rules.editions import Edition
from engine.rules.rules import Rule


def page(edition: Edition) -> str:
    """Return the peculiarities of one edition, with our interpretations under a small heading."""
    facts = [_fact(edition, difference) for difference in DIFFERENCES]
    wording = [f"{_capital(words)}." for words in edition.wording.values()]
    blocks = [f"### {edition.rulebook} (`{edition.id}`)", bullets(facts)]
    if wording:
        blocks += [paragraph("In substance its text says:"), bullets(wording)]
    if left := choices(edition):
        told = bullets(f"{_capital(choice)}." for choice in left)
        blocks += [paragraph("It leaves a choice to the players:"), told]
    return "\n\n".join([*blocks, *readings_of(edition), paragraph(f"Source: {source(edition)}.")])


def _fact(edition: Edition, difference: Difference) -> str:
    question, answer = difference.question, difference.answer(edition)
    if difference.rule is Rule.SETUP:
        sizes = (f"{army.name} ({army.size} pieces)" for army in edition.armies)
        answer = ", ".join(sizes)
    article = edition.articles.get(difference.rule)
    cited = f" ({article})" if article else ""
    return f"**{_capital(question)}**{cited}: {answer}."


def _capital(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"
