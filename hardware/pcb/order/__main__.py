"""Pack the orders for all boards into dist/order: ``make order FAB=jlc`` or ``FAB=generic``."""

import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Final

from hardware.pcb import tile_map
from hardware.pcb.__main__ import BOARDS
from hardware.pcb.design import Design
from hardware.pcb.erc import check
from hardware.pcb.order.factories import FACTORIES, Factory
from hardware.pcb.order.lists import faults, parts_list, placement
from hardware.pcb.order.page import page
from hardware.pcb.picture import picture
from hardware.pcb.project import designs

ORDERS: Final = Path(__file__).parents[3] / "dist" / "order"


def order_files(design: Design, factory: Factory) -> dict[str, str]:
    """Return the text files of an order, keyed by file name. Raise ValueError if the parts list or
    the placement list contains errors."""
    parts, places = parts_list(design, factory), placement(design, factory)
    if problems := [*faults(design, factory, parts, places)]:
        raise ValueError("\n".join(f"{design.name}: {each}" for each in problems))
    return {
        f"{design.name}-parts.csv": parts,
        f"{design.name}-placement.csv": places,
        f"{design.name}-preview.svg": picture(design, [], marked=True),
        "order.html": page(design, factory),
    }


def pack(design: Design, factory: Factory, folder: Path) -> Path:
    """Check a board with KiCad and write its order files. Raise ValueError if KiCad finds a
    fault."""
    target = folder / f"{factory.name}-{design.name}.zip"
    texts = order_files(design, factory)
    with tempfile.TemporaryDirectory() as work:
        plots = Path(work) / "plots"
        found = check(BOARDS / f"{design.name}.kicad_pcb", Path(work) / "report", plots)
        if found.all:
            raise ValueError("\n".join(f"{design.name}: {each}" for each in found.all))
        gerbers = Path(work) / f"{design.name}-gerbers.zip"
        with zipfile.ZipFile(gerbers, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(plots.iterdir()):
                archive.write(file, file.name)
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.write(gerbers, gerbers.name)
            for name, text in texts.items():
                archive.writestr(name, text)
    return target


def main(name: str = "generic") -> None:
    """Pack the orders for the factory with the given name. If the name is unknown, exit with status
    1."""
    if name not in FACTORIES:
        sys.exit(f"FAB must be {' or '.join(FACTORIES)}, not {name}.")
    ORDERS.mkdir(parents=True, exist_ok=True)
    wiring, _ = tile_map.read()
    for design in designs(wiring):
        target = pack(design, FACTORIES[name], ORDERS)
        print(f"{target.relative_to(ORDERS.parents[1])}: unpack it and open order.html.")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (RuntimeError, ValueError) as error:
        sys.exit(str(error))
