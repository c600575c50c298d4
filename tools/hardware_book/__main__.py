"""Write the generated files: ``python -m tools.hardware_book`` or "make book"."""

from tools.hardware_book.pages import ROOT, files

for path, text in files().items():
    path.write_text(text, encoding="utf-8")
    print(path.relative_to(ROOT))
