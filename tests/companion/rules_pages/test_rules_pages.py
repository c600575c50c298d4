"""The rules pages cover every rule of the engine, and change when a rule changes."""

from dataclasses import replace
from itertools import product

import pytest

from companion import rules_pages
from companion.rules_pages.markdown import NUMBERS
from companion.speech.announcer import Announcer
from companion.speech.i18n import SOURCE, Language, codes
from engine.board.geometry import Side
from engine.board.ranks import BARRAGE, DUEL, IMMOBILE, Army, Rank
from engine.game.clocks import TIME_CONTROLS
from engine.game.rulings import GameOver, Reason
from engine.rules.editions import EDITIONS, Edition, MovedBombPenalty, TwoSquaresForm
from engine.rules.movement import CombatResult, resolve
from engine.rules.rules import Citation, Interpretation, Rule, ViolationKind
from tests.engine.examples import editions

ISF = EDITIONS["isf"]
TRAVEL = EDITIONS["travel-2017"]
PLAYERS, ARBITERS = "rules.md", "rules/referee.md"
SHUT_IN, KNOCKED = NUMBERS[Interpretation.SHUT_IN_LOSES], NUMBERS[Interpretation.KNOCKED_BOMB]
DIFFER = "What differs between the rulebooks"
MOVABLE = [rank for rank in Rank if not IMMOBILE >> rank & 1]


@pytest.fixture(scope="module")
def text() -> str:
    """The page for players, with its line breaks removed."""
    return unbroken(rules_pages.pages()[PLAYERS])


def unbroken(text: str) -> str:
    return " ".join(text.split())


def section(title: str, page: str = PLAYERS) -> list[str]:
    _, found, rest = rules_pages.pages()[page].partition(f". {title}\n")
    assert found, f"{page} has no section {title!r}"
    return rest.partition("\n## ")[0].splitlines()


def row(of: str, title: str, page: str = PLAYERS) -> list[str]:
    """Return the cells of the table row whose first cell is `of`."""
    (found,) = [line for line in section(title, page) if line.startswith(f"| {of} |")]
    return [cell.strip() for cell in found.strip("|").split("|")]


def answers(edition: Edition) -> dict[str, str]:
    """Return a rulebook's answers, keyed by question, from the only table on the page."""
    named = f"{edition.rulebook} (`{edition.id}`)"
    return dict(zip(row("rulebook", DIFFER), row(named, DIFFER), strict=True))


class TestEveryPage:
    def test_rules_pages_exist(self) -> None:
        assert set(rules_pages.pages()) == {PLAYERS, ARBITERS}

    @pytest.mark.parametrize("path", rules_pages.pages())
    def test_page_begins_with_its_title(self, path: str) -> None:
        page = rules_pages.pages()[path]
        assert page.startswith("# ")
        assert page.endswith("\n")
        assert not page.endswith("\n\n")

    @pytest.mark.parametrize("path", rules_pages.pages())
    def test_page_quotes_only_the_trademark(self, path: str) -> None:
        for part in unbroken(rules_pages.pages()[path]).split("“")[1:]:
            assert part.partition("”")[0] == "Stratego"

    @editions
    def test_edition_page_quotes_only_its_rulebook(self, edition: Edition) -> None:
        quoted = "".join(edition.wording.values())
        for part in unbroken(rules_pages.page(edition)).split("“")[1:]:
            assert f"“{part.partition('”')[0]}”" in quoted


class TestComparisonTable:
    @editions
    def test_form_and_limit_of_two_squares(self, edition: Edition) -> None:
        listed = answers(edition)["one piece to and fro"]
        borders = edition.recurrence is TwoSquaresForm.SAME_BORDER
        assert ("across the same border" in listed) == borders
        assert ("between the same two squares" in listed) != borders
        limit = {3: "at most three times", 5: "at most five times"}[edition.two_squares_limit]
        assert listed.startswith(limit)

    @editions
    def test_chase_and_bomb(self, edition: Edition) -> None:
        listed = answers(edition)
        assert listed["an endless chase"].startswith("forbidden") == edition.more_squares
        first = {
            MovedBombPenalty.NOT_ALLOWED: "is put back",
            MovedBombPenalty.LOSES: "loses at once",
            MovedBombPenalty.ARBITER: "the arbiter decides",
        }
        assert listed["a moved bomb or flag"].startswith(first[edition.moved_bomb])

    def test_rulebooks_differ_in_every_column(self) -> None:
        listed = [answers(edition) for edition in EDITIONS.values()]
        assert all(len({each[question] for each in listed}) > 1 for question in listed[0])
        assert "if neither can move" not in listed[0]

    @editions
    def test_armies_and_infiltrator(self, edition: Edition) -> None:
        listed = answers(edition)
        assert all(army.name in listed["armies"] for army in edition.armies)
        knows = any(army.counts[Rank.INFILTRATOR] for army in edition.armies)
        assert listed["infiltrator"] == ("yes" if knows else "no")


class TestReadings:
    @pytest.mark.parametrize("reading", Interpretation)
    def test_interpretations_are_listed(self, reading: Interpretation) -> None:
        meaning = f"{reading.meaning[0].upper()}{reading.meaning[1:]}"
        listed = f" {NUMBERS[reading]}. {meaning}. "
        readings = unbroken("\n".join(section("Our readings")))
        assert listed in f"{readings} "

    @pytest.mark.parametrize("reading", Interpretation)
    def test_interpretations_are_marked(self, text: str, reading: Interpretation) -> None:
        number = NUMBERS[reading]
        before, _, _ = text.partition(". Our readings ")
        marks = f"(reading {number})", f"(readings {number} and", f"and {number})"
        assert any(mark in before for mark in marks)

    @pytest.mark.parametrize("code", codes())
    def test_interpretations_have_announcements(self, code: str) -> None:
        announcer = Announcer(Language(code))
        for reading in Interpretation:
            cited, plain = (
                announcer.sentence(
                    GameOver(Side.RED, Reason.FORFEIT, Citation("a book", reading.rule, "", r))
                )
                for r in (reading, None)
            )
            assert len(cited) > len(plain) + 20
            if code == SOURCE:
                assert reading.meaning in cited

    @editions
    def test_edition_page_lists_its_interpretations(self, edition: Edition) -> None:
        page = unbroken(rules_pages.page(edition))
        for reading, number in NUMBERS.items():
            listed = f"Reading {number}, on" in page and reading.meaning in page
            assert listed == (reading in edition.readings)


class TestCompleteness:
    @editions
    def test_edition(self, text: str, edition: Edition) -> None:
        page = unbroken(rules_pages.page(edition))
        assert f"### {edition.rulebook} (`{edition.id}`)" in page
        assert all(words[1:] in page for words in edition.wording.values())
        for rendered in (text, page):
            assert f"*{edition.rulebook}*, {edition.published}" in rendered
            assert all(f"{article} on" in rendered for article in edition.articles.values())

    def test_reasons(self) -> None:
        ends = [line for line in section("How a game ends") if line.startswith("- **")]
        assert len(ends) == len(Reason)

    @pytest.mark.parametrize("fault", ViolationKind)
    def test_rules_that_can_be_broken(self, fault: ViolationKind) -> None:
        refusals = unbroken("\n".join(section("What it refuses", ARBITERS)))
        assert fault.rule.value.replace("-", " ") in refusals

    @pytest.mark.parametrize("rank", Rank)
    def test_army_counts(self, rank: Rank) -> None:
        armies = {army.name: army for e in EDITIONS.values() for army in e.armies}
        _, _, *names = row("rank", "The board and the armies")
        _, sign, *counts = row(rank.name.lower(), "The board and the armies")
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
        assert row(f"`{control}`", "Options")[1:] == cells

    def test_time_controls_are_complete(self, text: str) -> None:
        assert all(f"| `{control}` |" in text for control in TIME_CONTROLS)


class TestAttacks:
    def test_combat_exceptions_are_complete(self) -> None:
        """Ranks are compared by number, except for the spy, miner, bomb, flag and infiltrator."""
        apart = {Rank.FLAG, Rank.BOMB, Rank.INFILTRATOR}
        for attacker, defender in product(set(MOVABLE) - apart, set(Rank) - apart):
            if (attacker, defender) != (Rank.SPY, Rank.MARSHAL):
                higher = attacker > defender
                by_number = CombatResult.ATTACKER_WINS if higher else CombatResult.DEFENDER_WINS
                expected = CombatResult.BOTH_FALL if attacker is defender else by_number
                assert resolve(attacker, defender) is expected
        refusals = unbroken("\n".join(section("Attacking")))
        assert all(
            f"**{named}**" in refusals for named in ("The spy", "A miner", "A bomb", "The flag")
        )


class TestExamples:
    @pytest.mark.parametrize(
        ("limit", "made"),
        [
            ("three", "after e4–e5, e5–e4, e4–e5 the next e5–e4 is refused"),
            ("five", "after e4–e5, e5–e4, e4–e5, e5–e4, e4–e5 the next e5–e4 is refused"),
        ],
    )
    def test_to_and_fro(self, text: str, limit: str, made: str) -> None:
        assert f"If the limit is {limit} times: {made}" in text

    def test_partly_barred_scout_path(self, text: str) -> None:
        assert "After e3–e6, e6–e4, e4–e7 the scout may go e7–e6, but e7–e5 is refused" in text

    def test_chase_example(self, text: str) -> None:
        made = "e5–e6, f6–f5, e6–f6, f5–e5, f6–f5, e5–e6, f5–e5, e6–f6"
        assert f"{made}. Now the position is again the one in the picture, and e5–e6 is" in text

    def test_pictures_show_part_of_the_board(self) -> None:
        lines = section("Endless chases: the more-squares rule")
        start = lines.index("```text") + 1
        assert lines[start : lines.index("```", start)] == [
            " 7  .  .  .  .",
            " 6  ~  . b?  ~",
            " 5  ~ r?  .  ~",
            " 4  .  .  .  .",
            " 3  .  .  .  .",
            "    d  e  f  g",
        ]


@pytest.mark.parametrize(
    ("edition", "changed", "expected"),
    [
        (ISF, {"two_squares_limit": 4}, "four times across the same border; three times or five"),
        (ISF, {"limits": ()}, "at most three times across the same border."),
        (
            ISF,
            {"recurrence": TwoSquaresForm.SAME_SQUARES},
            "between the same two squares; five times",
        ),
        (ISF, {"more_squares": False}, "no rule against it"),
        (ISF, {"moved_bomb": MovedBombPenalty.NOT_ALLOWED}, "is put back"),
        (ISF, {"moved_bomb": MovedBombPenalty.LOSES}, "loses at once"),
        (ISF, {"readings": frozenset({Interpretation.BOTH_SHUT_IN})}, "a draw (reading 12)"),
        (ISF, {"armies": (BARRAGE,)}, "**Armies**: barrage (8 pieces)."),
        (ISF, {"armies": (DUEL, BARRAGE)}, ": duel (10 pieces), barrage"),
        (ISF, {"articles": {Rule.ENDING: "art. 99"}}, "(art. 99): loses"),
        (ISF, {"wording": {Rule.ENDING: "so be it"}}, "says: - So be it."),
        (
            ISF,
            {"readings": frozenset({Interpretation.SHUT_IN_LOSES})},
            f"loses (reading {SHUT_IN})",
        ),
        (
            ISF,
            {"readings": frozenset({Interpretation.ENEMY_ROWS})},
            Interpretation.ENEMY_ROWS.meaning,
        ),
        (ISF, {"published": "2031, on the Moon"}, "2031, on the Moon"),
        (ISF, {"rulebook": "Rules of the club"}, "Rules of the club"),
        (TRAVEL, {"moved_bomb_choices": ()}, f"flag**: is put back (reading {KNOCKED})."),
    ],
)
def test_changed_edition_changes_the_arbiter_page(
    edition: Edition, changed: dict[str, object], expected: str
) -> None:
    other = replace(edition, **changed)  # type: ignore[arg-type]
    assert expected not in unbroken(rules_pages.page(edition))
    assert expected in unbroken(rules_pages.page(other))


def test_changed_edition_changes_the_player_page() -> None:
    others = [edition for edition in EDITIONS.values() if edition is not ISF]
    army = Army("sevens", {**BARRAGE.counts, Rank.BOMB: 0})
    changed = replace(
        ISF,
        two_squares_limit=2,
        recurrence=TwoSquaresForm.SAME_SQUARES,
        moved_bomb=MovedBombPenalty.LOSES,
        armies=(army,),
    )

    text = unbroken(rules_pages.pages([*others, changed])[PLAYERS])

    assert "If the limit is twice: after e4–e5, e5–e4 the next e4–e5 is refused" in text
    assert "Across the same border" not in text
    assert (
        "at once under the rules of Stratego as explained on Gravopedia and ISF game rules" in text
    )
    assert "| rank | sign | original | duel | infiltrator | sevens |" in text


def test_missing_chase_rule_is_stated() -> None:
    calm = [edition for edition in EDITIONS.values() if not edition.more_squares]
    assert "None of these rulebooks has a rule against" in rules_pages.pages(calm)[PLAYERS]


@pytest.mark.parametrize("rules", EDITIONS)
def test_year_of_publication(rules: str) -> None:
    year = rules.rpartition("-")[2]
    assert year == "isf" or EDITIONS[rules].published.startswith(year)
