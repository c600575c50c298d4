"""Write docs/rules.md anew from the rules as the engine reads them: ``make rules``."""

from pathlib import Path

from companion import rulebook

DOCUMENT = Path(__file__).parents[1] / "docs" / "rules.md"


def main() -> None:
    """Write the document."""
    DOCUMENT.write_text(rulebook.document(), encoding="utf-8")
    print(f"{DOCUMENT.name}: {len(rulebook.ALL)} rulebooks")


if __name__ == "__main__":
    main()
