"""Write the bill of materials: `make bill`."""

from tools.sbom.cyclonedx_file import cyclonedx
from tools.sbom.page import page
from tools.sbom.parts import ROOT

(ROOT / "docs" / "bill.md").write_text(page(), encoding="utf-8")
(ROOT / "docs" / "bill.cdx.json").write_text(cyclonedx(), encoding="utf-8")
