"""docs/rules.md is what the rules, as data, say today."""

from companion import rulebook
from tests.house import ROOT
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
