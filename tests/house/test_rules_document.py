"""docs/rules.md is what the rules, as data, say today."""

import re

from companion import rulebook
from tests.house import PACKAGES, ROOT
from tools.rules_document import DOCUMENT


def test_the_document_is_current() -> None:
    written = DOCUMENT.read_text(encoding="utf-8")
    assert written == rulebook.document(), "the rules have changed: make rules"


def test_it_names_the_trademark_as_the_readme_does() -> None:
    readme, rules = (
        " ".join(path.read_text(encoding="utf-8").split())
        for path in (ROOT / "README.md", DOCUMENT)
    )
    sentence = readme[readme.index("“Stratego” is a registered") :]
    assert rules.endswith(sentence)


def test_the_code_cites_sections_that_are_there() -> None:
    there = set(re.findall(r"^## (\d+)\. ", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE))
    cited = {
        (str(file.relative_to(ROOT)), number)
        for package in (*PACKAGES, "tests")
        for file in (ROOT / package).rglob("*.py")
        for number in re.findall(r"rules\.md §(\d+)", file.read_text(encoding="utf-8"))
    }
    assert len(cited) > 20, "nothing found: the test would be blind"
    assert {citation for citation in cited if citation[1] not in there} == set()
