"""Tests for the examples in docs/positions.md and for the grammar in docs/positions.abnf."""

import re
from itertools import islice
from pathlib import Path
from typing import Final

import pytest

from engine.board import NotationError
from engine.board.geometry import square
from engine.board.ranks import Rank, ranks_in
from engine.game.actions import Attack, Move
from engine.game.game_state import Phase
from engine.game.position_text import LETTERS
from engine.game.referee import Referee
from engine.game.text_api import parse_action
from tests.engine.test_position_text import FIRST, games

DOCS: Final = Path(__file__).parents[2] / "docs"
PAGE: Final = (DOCS / "positions.md").read_text(encoding="utf-8")
MORE: Final = (DOCS / "position_examples.txt").read_text(encoding="utf-8")
_EXAMPLE: Final = re.compile(r"^; (.*)\n(.*)\n= (.*)$", re.MULTILINE)
EXAMPLES: Final = [found.groups() for found in _EXAMPLE.finditer(PAGE + MORE)]


@pytest.mark.parametrize(("title", "text", "claims"), EXAMPLES, ids=[e[0] for e in EXAMPLES])
def test_an_example(title: str, text: str, claims: str) -> None:
    game = Referee.from_text(text)
    phase, *others = claims.split(", ")

    assert game.to_text() == text
    assert game.phase is Phase(phase), title
    for claim in others:
        if claim.endswith(" turns"):
            assert f"{len(game.legal_moves())} turns" == claim
            continue
        about, expected = claim.split(": ")
        if re.search("[-x]", about):
            turn = parse_action(about)
            assert isinstance(turn, Move | Attack)
            fault = game.find_violation(turn.source, turn.target)
            assert (fault.fault.rule.value if fault else "legal") == expected
        else:
            ranks = ranks_in(game.position.ranks_at(square(about)))
            assert " ".join(rank.name.lower() for rank in ranks) == expected


def test_number_of_examples() -> None:
    *_, block = PAGE.split("```text\n")
    counts = [len(block.split("\n\n")), len(MORE.split("\n\n"))]
    assert counts == [8, 22]
    assert len(EXAMPLES) == sum(counts)
    assert "has 22 more" in PAGE


def test_letters() -> None:
    letters = dict(re.findall(r"`(\w)`\s(\w+)", PAGE[PAGE.index("Letters: ") :]))
    assert {rank.name.lower(): letter for rank, letter in LETTERS.items()}.items() <= {
        name: letter for letter, name in letters.items()
    }.items()
    assert len({*LETTERS.values()}) == len(Rank)


def test_a_refusal() -> None:
    (documented,) = re.findall(r"^column .*$", PAGE, re.MULTILINE)
    with pytest.raises(NotationError) as refused:
        Referee.from_text("x" * 11 + "/xxxxxxxxxx" * 9 + " r isf")
    assert str(refused.value) == documented


# -- the grammar

_TOKEN: Final = re.compile(
    r'"[^"]*"|%x[0-9A-F]+(?:-[0-9A-F]+)?|[0-9]*\*[0-9]*|[0-9]+|[A-Za-z]+|[][()/]'
)
_CORE: Final = {"SP": " ", "DIGIT": "[0-9]", "HEXDIG": "[0-9a-f]", "ALPHA": "[a-z]"}
_CLOSED: Final = {"(": ")", "[": "]"}


class Grammar:
    """Non-recursive ABNF grammar. Its rules are compiled to regular expressions."""

    def __init__(self, written: str) -> None:
        parts = re.split(r"^(\w+) += ", written, flags=re.MULTILINE)[1:]
        self.bodies = dict(zip(parts[::2], parts[1::2], strict=True))

    def expression(self, name: str) -> str:
        if name in _CORE:
            return _CORE[name]
        tokens = _TOKEN.findall(self.bodies[name])
        made = self.alternatives(tokens)
        assert not tokens, name
        return f"(?i:{made})" if name == "row" else made

    def alternatives(self, tokens: list[str]) -> str:
        """Parse alternatives from the tokens, up to a closing bracket or the end."""
        made = [""]
        while tokens and tokens[0] not in ")]":
            token = tokens.pop(0)
            if token == "/":
                made.append("")
            else:
                made[-1] += self.element(token, tokens)
        return f"(?:{'|'.join(made)})"

    def element(self, token: str, tokens: list[str]) -> str:
        if token[0] in "*0123456789":
            least, star, most = token.partition("*")
            count = f"{{{least or 0},{most}}}" if star else f"{{{least}}}"
            return f"{self.element(tokens.pop(0), tokens)}{count}"
        if token in _CLOSED:
            inner = self.alternatives(tokens)
            assert tokens.pop(0) == _CLOSED[token]
            return inner + "?" * (token == "[")
        if token.startswith('"'):
            return f"(?:{re.escape(token[1:-1])})"
        if token.startswith("%x"):
            return f"[{'-'.join(chr(int(code, 16)) for code in token[2:].split('-'))}]"
        return self.expression(token)


def test_texts_match_the_grammar() -> None:
    _comment, _, written = (DOCS / "positions.abnf").read_text(encoding="utf-8").partition("\n\n")
    grammar = Grammar(written)
    position = re.compile(grammar.expression("position"))
    texts = [referee.to_text() for referee in islice(games(FIRST), 500)]
    for text in [*texts, *(text for _, text, _ in EXAMPLES)]:
        assert position.fullmatch(text), text
        assert not position.fullmatch(text[:-1] + "!")
    used = set(_TOKEN.findall(written)) & {*grammar.bodies}
    assert used | {"position"} == {*grammar.bodies}
