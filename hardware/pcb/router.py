"""Tracks, vias, and the autorouter for a board.

The autorouter routes one net after another, each along the cheapest free path.

The board is a two-layer grid with a spacing of half a millimetre. Tracks follow the grid,
preferably horizontally on the front and vertically on the back, and change layers through vias. All
copper blocks the surrounding nodes for other nets, as far as the clearance of a track or via
requires. A* finds the cheapest path: a step against a layer's preferred direction costs more, and a
via costs most. If no path is free for a net, that net moves to the front of the queue and all nets
are routed again.
"""

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Final

from hardware.pcb.design import Design, Part
from hardware.pcb.footprints import Pad, Point, pads

CLEARANCE: Final = 0.2
TRACK: Final = 0.25
THICK: Final = 0.5
VIA: Final = 0.6
DRILL: Final = 0.3
"""Sizes are in millimetres. They are large enough for every manufacturer to charge its lowest
price."""
FRONT, BACK = 0, 1


@dataclass(frozen=True)
class Track:
    """Straight track, or a via if both ends are the same point."""

    net: str
    start: Point
    end: Point
    layer: int
    width: float

    @property
    def is_via(self) -> bool:
        return self.start == self.end

    def covers(self, point: Point) -> bool:
        """Return whether a point lies on the copper of a horizontal or vertical track."""
        (left, right), (upper, lower) = map(sorted, zip(self.start, self.end, strict=True))
        half = self.width / 2
        across = left - half <= point[0] <= right + half
        return across and upper - half <= point[1] <= lower + half


def corners(points: Sequence[Point]) -> list[Point]:
    """Return the points of a line, without those that lie inside a straight run."""
    kept = [points[0]]
    for n, point in enumerate(points[1:], 1):
        if point == kept[-1]:
            continue
        if n + 1 < len(points) and _straight(kept[-1], point, points[n + 1]):
            continue
        kept.append(point)
    return kept


def _straight(start: Point, middle: Point, end: Point) -> bool:
    return start[0] == middle[0] == end[0] or start[1] == middle[1] == end[1]


GRID: Final = 0.5
EDGE: Final = 0.8
"""Minimum distance from the board edge to a track's centreline."""
ATTEMPTS: Final = 12
SPOKE: Final = 1.2
"""Length of the area next to a pad that is reserved for a spoke of its thermal relief. It includes
the 0.4 mm gap that the spoke crosses, and enough copper beyond the gap."""
PORCH: Final = 2.0
"""Within this distance of a pad, it costs more to route other nets."""

_ALONG, _ACROSS, _CHANGE, _PAST = 2, 3, 14, 4
_BARRED: Final = -1


@dataclass
class _Net:
    number: int
    name: str
    pads: list[Pad]
    width: float


@dataclass
class Router:
    design: Design
    _columns: int = field(init=False)
    _rows: int = field(init=False)
    _pads: list[Pad] = field(init=False)

    def __post_init__(self) -> None:
        self._pads = [
            pad
            for part in self.design.parts
            for pad in pads(part.kind.footprint, part.at, part.turn)
        ]
        width, height = self.design.size
        self._columns = 2 * int((width / 2 - EDGE) / GRID) + 1
        self._rows = 2 * int((height / 2 - EDGE) / GRID) + 1
        self._layer = self._columns * self._rows

    def tracks(self) -> list[Track]:
        """Route all nets. Raise ValueError with the name of a net for which no path is found."""
        nets = self._nets()
        for _ in range(ATTEMPTS):
            self._clear(nets)
            laid: list[Track] = []
            for net in nets:
                try:
                    laid += self._lay(net)
                except LookupError:
                    nets.remove(net)
                    nets.insert(0, net)
                    break
            else:
                return laid
        raise ValueError(f"{self.design.name}: no path was found for net {nets[0].name}.")

    # ---------------------------------------------------------------- nets and blocked nodes

    def _nets(self) -> list[_Net]:
        found: dict[str, list[Pad]] = {}
        for part in self.design.parts:
            for pad in pads(part.kind.footprint, part.at, part.turn):
                if pad.name in part.nets:
                    found.setdefault(part.nets[pad.name], []).append(pad)
        nets = [
            _Net(0, name, of, THICK if name in self.design.thick else TRACK)
            for name, of in found.items()
        ]
        nets.sort(key=lambda net: (net.width == THICK, len(net.pads) != 2, _span(net.pads)))
        for number, net in enumerate(nets, 1):
            net.number = number
        return nets

    def _clear(self, nets: Iterable[_Net]) -> None:
        """Reset the grid, so that only pads and holes block nodes."""
        cells = 2 * self._layer
        # One list each for thin tracks, thick tracks and vias. For each node, the list contains the
        # number of the only net that may have such a track or via centred there. The number is 0 if
        # any net may, and _BARRED if none may.
        self._free = {reach: [0] * cells for reach in (TRACK / 2, THICK / 2, VIA / 2)}
        self._crowd = bytearray(cells)
        owners = {(pad.at, pad.name): net.number for net in nets for pad in net.pads}
        for part in self.design.parts:
            for pad in pads(part.kind.footprint, part.at, part.turn):
                owner = owners.get((pad.at, pad.name), _BARRED)
                layers = (FRONT, BACK) if pad.through else (FRONT,)
                for layer in layers:
                    self._bar(owner, pad.at, pad.reach, layer)
                    self._avoid(pad, layer)
                self._bar_vias(pad)
            if part.kind.keep_out:
                self._bar_around(part)
        for net in nets:
            for layer in (FRONT, BACK):
                if net.name == self.design.pours[layer]:
                    self._reserve_spokes(net, layer)

    def _avoid(self, pad: Pad, layer: int) -> None:
        """Raise the cost of paths near a pad, so that other nets do not block the pad's own net."""
        for node, _, _ in self._around(pad.at, pad.reach, PORCH, layer):
            self._crowd[node] = _PAST

    def _bar_vias(self, pad: Pad) -> None:
        """Forbid vias in a pad, even for its own net, because they would wick solder away."""
        gap = VIA / 2 + 0.1
        for layer in (FRONT, BACK):
            for node, dx, dy in self._around(pad.at, pad.reach, gap, layer):
                if dx < gap and dy < gap:
                    self._free[VIA / 2][node] = _BARRED

    def _reserve_spokes(self, net: _Net, layer: int) -> None:
        """Keep other nets away from the spokes that join a net's pins to its copper pour.

        Space is reserved only in directions without an adjacent pin, because a spoke fits nowhere
        else.
        """
        pins = [pad for pad in self._pads if pad.through]
        for pad in net.pads:
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)) if pad.through else ():
                out = pad.reach[0] + SPOKE / 2
                at = (pad.at[0] + dx * out, pad.at[1] + dy * out)
                if all(_far(pin.at, at) > pin.reach[0] + SPOKE for pin in pins if pin != pad):
                    self._bar(net.number, at, (SPOKE / 2, SPOKE / 2), layer)

    def _bar_around(self, part: Part) -> None:
        """Keep all tracks and vias out of the keep-out circle around a part."""
        for layer in (FRONT, BACK):
            for half, free in self._free.items():
                gap = part.kind.keep_out + half
                for node, dx, dy in self._around(part.at, (0, 0), gap, layer):
                    if dx * dx + dy * dy < gap * gap:
                        free[node] = _BARRED

    def _bar(self, owner: int, at: Point, reach: Point, layer: int) -> None:
        """Keep other nets away from a rectangle of copper."""
        for half, free in self._free.items():
            gap = half + CLEARANCE + 1e-6
            for node, dx, dy in self._around(at, reach, gap, layer):
                if dx * dx + dy * dy < gap * gap and free[node] != owner:
                    free[node] = owner if free[node] == 0 else _BARRED

    def _around(
        self, at: Point, reach: Point, gap: float, layer: int
    ) -> Iterator[tuple[int, float, float]]:
        """Yield the nodes near a rectangle, each with its distances from the rectangle along both
        axes."""
        wide, high = reach[0] + gap, reach[1] + gap
        for column in self._between(at[0] - wide, at[0] + wide, 0):
            for row in self._between(at[1] - high, at[1] + high, 1):
                x, y = self._point(column, row)
                dx, dy = max(abs(x - at[0]) - reach[0], 0), max(abs(y - at[1]) - reach[1], 0)
                yield layer * self._layer + row * self._columns + column, dx, dy

    def _between(self, low: float, high: float, axis: int) -> range:
        count = (self._columns, self._rows)[axis]
        middle = count // 2
        first = max(0, int(low / GRID) + middle - 1)
        return range(first, min(count, int(high / GRID) + middle + 2))

    def _point(self, column: int, row: int) -> Point:
        return (column - self._columns // 2) * GRID, (row - self._rows // 2) * GRID

    def _place(self, node: int) -> tuple[int, Point]:
        layer, rest = divmod(node, self._layer)
        row, column = divmod(rest, self._columns)
        return layer, self._point(column, row)

    # ---------------------------------------------------------------- one net

    def _lay(self, net: _Net) -> list[Track]:
        laid: list[Track] = []
        waiting = net.pads[1:]
        # A path that starts at a pad's access node needs a track into the pad. A path that starts
        # on an existing track does not.
        tree: dict[int, Pad | None] = dict.fromkeys(self._doors(net, net.pads[0]), net.pads[0])
        reached = [net.pads[0]]
        while waiting:
            pad = min(waiting, key=lambda each: min(_far(each.at, one.at) for one in reached))
            waiting.remove(pad)
            doors = self._doors(net, pad)
            way = self._way(net, tree, doors)
            first = tree.get(way[0])
            if len(way) > 1 or first or not any(track.covers(pad.at) for track in laid):
                laid += self._copper(net, way, first, pad)
            tree |= dict.fromkeys(doors, pad) | dict.fromkeys(way, None)
            reached.append(pad)
        return laid

    def _doors(self, net: _Net, pad: Pad) -> list[int]:
        """Return the pad's access nodes, from which a straight track can lead into it."""
        free, near = self._free[net.width / 2], GRID / 2 + 1e-6
        found = [
            node
            for layer in ((FRONT, BACK) if pad.through else (FRONT,))
            for node, dx, dy in self._around(pad.at, (0, 0), GRID, layer)
            if max(dx, dy) <= near and free[node] in (0, net.number)
        ]
        if not found:
            raise LookupError(pad.name)
        return found

    def _way(self, net: _Net, tree: Iterable[int], doors: Sequence[int]) -> list[int]:
        """Return the cheapest path from the tree to an access node. Raise LookupError if none
        exists."""
        number, columns, layer_size = net.number, self._columns, self._layer
        free, vias, crowd = self._free[net.width / 2], self._free[VIA / 2], self._crowd
        goals = set(doors)
        aims = [(door % layer_size % columns, door % layer_size // columns) for door in doors]
        left, right = min(x for x, _ in aims), max(x for x, _ in aims)
        upper, lower = min(y for _, y in aims), max(y for _, y in aims)

        def rest(node: int) -> int:
            row, column = divmod(node % layer_size, columns)
            dx = left - column if column < left else max(0, column - right)
            dy = upper - row if row < upper else max(0, row - lower)
            return _ALONG * (dx + dy)

        costs = dict.fromkeys(tree, 0)
        before: dict[int, int] = {}
        queue = [(rest(node), node) for node in costs]
        heapq.heapify(queue)
        done: set[int] = set()
        while queue:
            _, node = heapq.heappop(queue)
            if node in done:
                continue
            if node in goals:
                return _back(before, node)
            done.add(node)
            layer, place = divmod(node, layer_size)
            row, column = divmod(place, columns)
            across, upright = (_ALONG, _ACROSS) if layer == FRONT else (_ACROSS, _ALONG)
            steps = []
            if column:
                steps.append((node - 1, across))
            if column + 1 < columns:
                steps.append((node + 1, across))
            if row:
                steps.append((node - columns, upright))
            if row + 1 < self._rows:
                steps.append((node + columns, upright))
            other = place if layer else place + layer_size
            if vias[place] in (0, number) and vias[place + layer_size] in (0, number):
                steps.append((other, _CHANGE))
            cost = costs[node]
            for step, price in steps:
                if free[step] not in (0, number):
                    continue
                total = cost + price + crowd[step]
                if total < costs.get(step, 1 << 30):
                    costs[step] = total
                    before[step] = node
                    heapq.heappush(queue, (total + rest(step), step))
        raise LookupError(net.name)

    def _copper(
        self, net: _Net, way: Sequence[int], first: Pad | None, last: Pad
    ) -> Iterator[Track]:
        """Yield the tracks and vias of a path, including the end segments that lead into the
        pads."""
        runs = [
            (layer, [point for _, point in run])
            for layer, run in groupby(map(self._place, way), key=itemgetter(0))
        ]
        if first:
            runs[0][1].insert(0, first.at)
        runs[-1][1].append(last.at)
        for n, (layer, points) in enumerate(runs):
            for start, end in pairwise(corners(points)):
                middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
                wide = (abs(start[0] - end[0]) + net.width) / 2
                high = (abs(start[1] - end[1]) + net.width) / 2
                self._bar(net.number, middle, (wide, high), layer)
                yield Track(net.name, start, end, layer, net.width)
            if n + 1 < len(runs):
                via = points[-1]
                for each in (FRONT, BACK):
                    self._bar(net.number, via, (VIA / 2, VIA / 2), each)
                yield Track(net.name, via, via, layer, VIA)


def _back(before: dict[int, int], node: int) -> list[int]:
    way = [node]
    while node in before:
        node = before[node]
        way.append(node)
    return way[::-1]


def _far(one: Point, other: Point) -> float:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def _span(of: Sequence[Pad]) -> float:
    xs, ys = [pad.at[0] for pad in of], [pad.at[1] for pad in of]
    return max(xs) - min(xs) + max(ys) - min(ys)
