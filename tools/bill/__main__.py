"""Write the bill of materials: `make bill`."""

from tools.bill.cyclonedx_file import cyclonedx
from tools.bill.page import page
from tools.bill.parts import ROOT

(ROOT / "docs" / "bill.md").write_text(page(), encoding="utf-8")
(ROOT / "docs" / "bill.cdx.json").write_text(cyclonedx(), encoding="utf-8")
