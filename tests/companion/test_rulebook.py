"""The rules in words: everything that the engine knows is there, and follows it when it changes."""

from dataclasses import replace
from itertools import product

import pytest

from companion import rulebook
from engine.clocks import TIME_CONTROLS
from engine.combat import Result, is_boom, resolve
from engine.editions import EDITIONS, Edition, MovedBomb
from engine.ranks import BARRAGE, DUEL, IMMOBILE, Army, Rank
from engine.rules import Fault, Reading, Rule
from engine.rulings import Reason
from tests.engine.examples import editions

ISF = EDITIONS["isf"]
MEANINGS = {"+": Result.ATTACKER_WINS, "-": Result.DEFENDER_WINS, "=": Result.BOTH_FALL}
MOVABLE = [rank for rank in Rank if not IMMOBILE >> rank & 1]


@pytest.fixture(scope="module")
def text() -> str:
    """The document on one line, however its lines are broken."""
    return unbroken(rulebook.document())


def unbroken(text: str) -> str:
    return " ".join(text.split())


def section(title: str) -> list[str]:
    _, _, rest = rulebook.document().partition(f". {title}\n")
    return rest.partition("\n## ")[0].splitlines()


def row(of: str, title: str) -> list[str]:
    """The cells of the row that begins so, in a table of a section."""
    (found,) = [line for line in section(title) if line.startswith(f"| {of} |")]
    return [cell.strip() for cell in found.strip("|").split("|")]


class TestEverythingIsThere:
    @editions
    def test_edition(self, text: str, edition: Edition) -> None:
        assert f"### {edition.rulebook} (`{edition.id}`)" in text
        assert f"*{edition.rulebook}*, {edition.published}" in text
        assert all(f"The rulebook: {words}." in text for words in edition.wording.values())
        assert all(f"{article} on" in text for article in edition.articles.values())

    @pytest.mark.parametrize("reason", Reason)
    def test_reason(self, reason: Reason) -> None:
        assert len(row(f"`{reason.value}`", "How a game ends")) == 2

    def test_faults_under_their_rules(self) -> None:
        rows = [f"| `{fault.rule.value}` | {fault.meaning} |" for fault in Fault]
        assert [line for line in section("What the referee refuses") if "`" in line] == rows

    @pytest.mark.parametrize("reading", Reading)
    def test_reading_with_the_rulebooks_it_concerns(self, reading: Reading) -> None:
        (line,) = [s for s in section("Where the rulebooks are silent") if reading.meaning in s]
        concerned = [e for e in EDITIONS.values() if reading in e.readings]
        if len(concerned) == len(EDITIONS):
            assert line.endswith("| every rulebook |")
        for edition in EDITIONS.values():
            named = edition.rulebook in line
            assert named == (edition in concerned and len(concerned) < len(EDITIONS))

    @pytest.mark.parametrize("rank", Rank)
    def test_every_army_has_its_counts(self, rank: Rank) -> None:
        armies = {army.name: army for e in EDITIONS.values() for army in e.armies}
        _, _, *names = row("rank", "Board and armies")
        _, sign, *counts = row(rank.name.lower(), "Board and armies")
        assert set(names) == set(armies)
        assert sign == rank.symbol
        assert [int(n or 0) for n in counts] == [armies[n].counts[rank] for n in names]

    @pytest.mark.parametrize(
        ("control", "cells"),
        [
            ("none", ["–", "–", "–", "–"]),
            ("total", ["30 minutes", "–", "–", "–"]),
            ("bronstein", ["12 minutes", "4 seconds", "55 minutes", "5 minutes"]),
            ("bronstein-50", ["12 minutes", "4 seconds", "50 minutes", "5 minutes"]),
            ("short", ["2 minutes", "3 seconds", "10 minutes", "2 minutes"]),
        ],
    )
    def test_time_control(self, control: str, cells: list[str]) -> None:
        assert row(f"`{control}`", "Clocks")[1:] == cells

    def test_no_time_control_is_left_out(self, text: str) -> None:
        assert all(f"| `{control}` |" in text for control in TIME_CONTROLS)


class TestCombat:
    @pytest.fixture
    def signs(self) -> dict[tuple[Rank, Rank], str]:
        """The table, read back."""
        start = (lines := section("Combat")).index("```text") + 1
        table = [line.split() for line in lines[start : start + 1 + len(MOVABLE)]]
        head, rows = table[0], table[1:]
        assert head == [rank.symbol for rank in Rank]
        assert [line[:2] for line in rows] == [[r.name.lower(), r.symbol] for r in MOVABLE]
        cells = [sign for line in rows for sign in line[2:]]
        return dict(zip(product(MOVABLE, Rank), cells, strict=True))

    def test_every_attack(self, signs: dict[tuple[Rank, Rank], str]) -> None:
        for attack, sign in signs.items():
            assert (sign == "!") == is_boom(*attack)
            expected = Result.DEFENDER_WINS if sign == "!" else MEANINGS[sign]
            assert resolve(*attack) is expected

    def test_what_the_aggressor_advantage_changes(
        self, signs: dict[tuple[Rank, Rank], str]
    ) -> None:
        for attack, sign in signs.items():
            result = resolve(*attack, aggressor_advantage=True)
            expected = Result.ATTACKER_WINS if sign == "=" else resolve(*attack)
            assert result is expected


class TestExamples:
    @pytest.mark.parametrize(
        ("limit", "ways"),
        [
            ("three", "after e4–e5, e5–e4, e4–e5, whatever Blue plays, e5–e4 is refused"),
            ("five", "after e4–e5, e5–e4, e4–e5, e5–e4, e4–e5, whatever Blue plays, e5–e4 is"),
        ],
    )
    def test_to_and_fro(self, text: str, limit: str, ways: str) -> None:
        _, _, rest = text.partition(f"With {limit} crossings (")
        assert ways in rest.partition("With ")[0]

    def test_a_chase(self, text: str) -> None:
        assert "e5–e6, f6–f5, e6–f6, f5–e5, f6–f5, e5–e6, f5–e5, e6–f6. Now all stands" in text
        assert "and e5–e6 is refused" in text

    def test_the_referee_is_quoted_with_the_article(self, text: str) -> None:
        quotations = [said.partition("”")[0] for said in text.split("The referee says: “")[1:]]
        assert len(quotations) == 3
        for article in ("art. 10", "art. 11"):
            assert any(f"{ISF.rulebook}, {article}" in said for said in quotations)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (
            replace(ISF, two_squares_limit=4),
            "four crossings; the fifth is illegal (three or five may be chosen)",
        ),
        (replace(ISF, limits=()), "three crossings; the fourth is illegal."),
        (replace(ISF, more_squares=False), "no rule against it"),
        (replace(ISF, moved_bomb=MovedBomb.NOT_ALLOWED), "it is put back"),
        (replace(ISF, moved_bomb=MovedBomb.LOSES), "loses at once"),
        (replace(ISF, both_immobile_draw=False), "who is to move loses"),
        (replace(ISF, armies=(BARRAGE,)), "**Armies**: barrage (8 pieces)."),
        (replace(ISF, armies=(DUEL, BARRAGE)), ": duel (10 pieces) and barrage"),
        (replace(ISF, articles={Rule.ENDING: "art. 99"}), "(art. 99): loses"),
        (replace(ISF, wording={Rule.ENDING: "so be it"}), "The rulebook: so be it."),
        (replace(ISF, readings=(Reading.SHUT_IN_LOSES,)), "loses (if shut in: our"),
        (replace(ISF, readings=(Reading.ENEMY_ROWS,)), Reading.ENEMY_ROWS.meaning),
        (replace(ISF, published="2031, on the Moon"), "2031, on the Moon"),
        (replace(ISF, rulebook="Rules of the club"), "Rules of the club"),
    ],
)
def test_a_changed_edition_changes_its_page(changed: Edition, said: str) -> None:
    assert said not in unbroken(rulebook.page(ISF))
    assert said in unbroken(rulebook.page(changed))


def test_a_changed_edition_changes_the_whole_document() -> None:
    others = [edition for edition in EDITIONS.values() if edition is not ISF]
    army = Army("sevens", {**BARRAGE.counts, Rank.BOMB: 0})
    changed = replace(ISF, two_squares_limit=2, moved_bomb=MovedBomb.LOSES, armies=(army,))

    text = unbroken(rulebook.document([*others, changed]))

    assert "With two crossings (ISF game rules): after e4–e5, e5–e4, whatever Blue" in text
    assert (
        "and loses (Stratego as explained on Gravopedia, Stratego Travel and ISF game rules)."
        in text
    )
    assert "| rank | sign | original | duel | infiltrator | sevens |" in text


@pytest.mark.parametrize("rules", EDITIONS)
def test_the_year_of_publication_is_that_of_the_edition(rules: str) -> None:
    year = rules.rpartition("-")[2]
    assert year == "isf" or EDITIONS[rules].published.startswith(year)
