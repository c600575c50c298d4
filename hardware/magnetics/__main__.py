"""Search for magnets and save the results: ``python -m hardware.magnetics`` or ``make
magnetics``."""

import sys

from hardware.magnetics.found_file import CHOSEN, FILE, write
from hardware.magnetics.search import GAPS, SOLD, Found, best, search


def main() -> int:
    """Run the search. Return 1 if the best design is not the one in `CHOSEN`."""
    found: list[Found] = []
    for n, (disc, gap, one) in enumerate(search(), start=1):
        result = f"on at {100 * one.design.on:.0f} %" if one else "detects too few pieces"
        print(
            f"\r{n}/{len(SOLD) * len(GAPS)}  {disc}, gap {gap:g} mm: {result}    ",
            end="",
            flush=True,
        )
        if one:
            found.append(one)
    write(found)
    design = best(found).design
    print(
        f"\n{FILE.name}: {len(found)} boards detect enough pieces. The best has {design.disc}, gap "
        f"{design.gap:g} mm, {design.sensor.name}, on at {100 * design.on:.0f} %, "
        f"{design.counts:.0f} counts."
    )
    if design != CHOSEN:
        print("It differs from the board in hardware/magnetics/found_file.py.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
