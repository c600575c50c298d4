"""Writes the bill of materials in the CycloneDX 1.6 format, for vulnerability scanners."""

import json
import tomllib
import uuid
from typing import Final

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

from tools.sbom.parts import ROOT, Part, libraries, own_version, packages, scripts

_LICENCES: Final = LicenseFactory()


def cyclonedx() -> str:
    """Return the contents of docs/bill.cdx.json, which are reproducible and have no timestamp."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    ours = Component(
        name=project["name"],
        version=own_version(),
        type=ComponentType.APPLICATION,
        licenses=[_LICENCES.make_from_string(project["license"])],
        bom_ref=project["name"],
    )
    by_name = {part.name: _component(part, "pypi") for part in packages()}
    by_name |= {part.name: _component(part, "npm") for part in scripts()}
    bill = Bom(components=by_name.values())
    bill.metadata.component = ours
    for part in libraries().values():
        bill.components.add(held := _component(part))
        bill.register_dependency(by_name[part.package], [held])
    bill.register_dependency(ours, by_name.values())
    parts = sorted((part.name, part.version or "") for part in bill.components)
    bill.serial_number = uuid.uuid5(uuid.NAMESPACE_OID, repr(parts))
    written: str = JsonV1Dot6(bill).output_as_string(indent=1)
    return _without_timestamp(written)


def _component(part: Part, registry: str = "") -> Component:
    return Component(
        name=part.name,
        version=part.version,
        licenses=[_LICENCES.make_from_string(part.licence)],
        purl=PackageURL(registry, None, part.name, part.version) if registry else None,
        description=part.purpose,
        bom_ref=f"{part.name}@{part.version}",
    )


def _without_timestamp(text: str) -> str:
    """Remove the timestamp, which would change the file in every run."""
    bill = json.loads(text)
    del bill["metadata"]["timestamp"]
    return json.dumps(bill, indent=1, sort_keys=True) + "\n"
