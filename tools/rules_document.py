"""Generate docs/rules.md and docs/rules/ from the engine's data: ``make rules``."""

from pathlib import Path

from companion import rules_pages

DOCS = Path(__file__).parents[1] / "docs"


def main() -> None:
    """Write the documents, and remove documents that are no longer generated."""
    pages = rules_pages.pages()
    for path, text in pages.items():
        (DOCS / path).parent.mkdir(exist_ok=True)
        (DOCS / path).write_text(text, encoding="utf-8")
    for left_over in {*(DOCS / "rules").glob("*.md")} - {DOCS / path for path in pages}:
        left_over.unlink()
    print(", ".join(pages))


if __name__ == "__main__":
    main()
