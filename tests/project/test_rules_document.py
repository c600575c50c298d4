"""Tests that docs/rules.md and docs/rules/ equal the generated output."""

import re

import pytest

from companion import rules_pages
from tests.project import PACKAGES, ROOT
from tools.rules_document import DOCS

PAGES = rules_pages.pages()


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_current(path: str) -> None:
    written = (DOCS / path).read_text(encoding="utf-8")
    assert written == PAGES[path], "the page is outdated: run make rules"


def test_no_stale_pages() -> None:
    written = {path.relative_to(DOCS).as_posix() for path in (DOCS / "rules").glob("*")}
    assert written == set(PAGES) - {"rules.md"}


def test_links_lead_to_pages() -> None:
    links = [
        (DOCS / path).parent / link
        for path, text in PAGES.items()
        for link in re.findall(r"\]\(([^)]+)\)", text)
    ]
    assert len(links) >= len(PAGES)
    assert [link for link in links if not link.is_file()] == []


def test_trademark_notice_matches_the_readme() -> None:
    readme, rules = (
        " ".join(path.read_text(encoding="utf-8").split())
        for path in (ROOT / "README.md", DOCS / "rules.md")
    )
    sentence = readme[readme.index("“Stratego” is a registered") :]
    assert rules.endswith(sentence)


def test_cited_sections_exist() -> None:
    there = set(re.findall(r"^## (\d+)\. ", PAGES["rules.md"], re.MULTILINE))
    cited = {
        (str(file.relative_to(ROOT)), number)
        for package in (*PACKAGES, "tests")
        for file in (ROOT / package).rglob("*.py")
        for number in re.findall(r"rules\.md §(\d+)", file.read_text(encoding="utf-8"))
    }
    assert len(cited) > 15, "too few sections: the test would check nothing"
    assert {citation for citation in cited if citation[1] not in there} == set()
