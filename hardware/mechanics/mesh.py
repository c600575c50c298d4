"""A solid as triangles, for printers, for pictures and for measuring the thickness of its walls."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from OCP.BRep import BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Curve
from OCP.BRepLib import BRepLib
from OCP.BRepMesh import BRepMesh_IncrementalMesh
from OCP.BRepTools import BRepTools
from OCP.GCPnts import GCPnts_TangentialDeflection
from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt
from OCP.HLRAlgo import HLRAlgo_Projector
from OCP.HLRBRep import HLRBRep_Algo, HLRBRep_HLRToShape
from OCP.TopAbs import TopAbs_EDGE, TopAbs_FACE, TopAbs_REVERSED
from OCP.TopExp import TopExp_Explorer
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS

from hardware.mechanics.solid import Point, Solid

FINE: Final = (0.05, 0.2)
"""Tolerance of triangles against a curved face, in millimetres and radians."""
COARSE: Final = (0.05, 0.6)
"""The same distance, with fewer triangles on small holes."""
_SAME: Final = 1e-4
_FACING: Final = -0.85
"""Two faces are the sides of one wall if the cosine between their normals is below this."""
_STEP: Final = 1.0
_MOST: Final = 40
_INSIDE: Final = 1e-4


@dataclass(frozen=True)
class Mesh:
    """Triangles: an array of shape (n, 3, 3), corners anticlockwise as seen from outside."""

    triangles: Any

    @property
    def normals(self) -> Any:
        """Outward normals of length 1."""
        a, b, c = (self.triangles[:, n] for n in range(3))
        across = np.cross(b - a, c - a)
        return across / np.linalg.norm(across, axis=1, keepdims=True)

    @property
    def volume(self) -> float:
        """Volume in cubic millimetres, if the mesh is watertight."""
        a, b, c = (self.triangles[:, n] for n in range(3))
        return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)

    @property
    def open_edges(self) -> int:
        """Number of edges that are not between two triangles with the same orientation."""
        corners = np.round(self.triangles.reshape(-1, 3) / _SAME).astype(np.int64)
        numbers = np.unique(corners, axis=0, return_inverse=True)[1].reshape(-1, 3)
        edges = np.concatenate([numbers[:, [n, (n + 1) % 3]] for n in range(3)])
        ways, counts = np.unique(edges, axis=0, return_counts=True)
        forth = {(int(a), int(b)): int(n) for (a, b), n in zip(ways, counts, strict=True)}
        return sum(n != 1 or forth.get((b, a)) != 1 for (a, b), n in forth.items())

    def stl(self) -> bytes:
        """Return a binary STL file, in millimetres."""
        records = np.zeros(
            len(self.triangles), dtype=[("normal", "<f4", 3), ("at", "<f4", (3, 3)), ("x", "<u2")]
        )
        records["normal"], records["at"] = self.normals, self.triangles
        return b"".join(
            (b"Boomboard".ljust(80), struct.pack("<I", len(records)), records.tobytes())
        )


def mesh(solid: Solid, exactness: tuple[float, float] = FINE) -> Mesh:
    """Triangulate a solid."""
    # Triangles stay attached to a solid, and existing finer ones would be used otherwise.
    BRepTools.Clean_s(solid.shape)
    BRepMesh_IncrementalMesh(solid.shape, exactness[0], False, exactness[1], False)
    found = [np.asarray(each) for each in _faces(solid)]
    triangles = np.concatenate(found)
    a, b, c = (triangles[:, n] for n in range(3))
    real = np.linalg.norm(np.cross(b - a, c - a), axis=1) > 1e-9
    return Mesh(triangles[real])


def _faces(solid: Solid) -> Iterator[list[list[list[float]]]]:
    explorer = TopExp_Explorer(solid.shape, TopAbs_FACE)
    while explorer.More():
        face = TopoDS.Face_s(explorer.Current())
        place = TopLoc_Location()
        drawn = BRep_Tool.Triangulation_s(face, place)
        move, turned = place.Transformation(), face.Orientation() == TopAbs_REVERSED
        nodes = [drawn.Node(n + 1).Transformed(move) for n in range(drawn.NbNodes())]
        places = [[node.X(), node.Y(), node.Z()] for node in nodes]
        triangles = []
        for n in range(drawn.NbTriangles()):
            a, b, c = drawn.Triangle(n + 1).Get()
            corners = (a, c, b) if turned else (a, b, c)
            triangles.append([places[corner - 1] for corner in corners])
        yield triangles
        explorer.Next()


def thinnest(body: Mesh) -> float:
    """Return the thickness of the thinnest wall, measured by rays inwards from points on all faces.

    A wall has two faces that point away from each other; an edge is not a wall, however sharp it
    is.
    """
    triangles, normals = body.triangles, body.normals
    least = float("inf")
    for points, inwards, own in _probes(body):
        facing = np.where(normals @ -inwards < _FACING)[0]
        facing = facing[facing != own]
        facing = facing[_behind(triangles[own], inwards, triangles[facing])]
        if len(facing):
            least = min(least, _nearest(points + _INSIDE * inwards, inwards, triangles[facing]))
    return least


def _behind(own: Any, way: Any, triangles: Any) -> Any:
    """Return a mask of the triangles that rays from `own` can hit, by projections on two axes."""
    found = np.ones(len(triangles), dtype=bool)
    first = np.cross(way, (1, 0, 0) if abs(way[0]) < 0.7 else (0, 1, 0))
    for across in (first, np.cross(way, first)):
        shadow, shadows = own @ across, triangles @ across
        found &= (shadows.max(axis=1) >= shadow.min()) & (shadows.min(axis=1) <= shadow.max())
    return found


def _probes(body: Mesh) -> Iterator[tuple[Any, Any, int]]:
    """Yield points on each triangle, with the inward direction and the triangle's index."""
    for n, ((a, b, c), normal) in enumerate(zip(body.triangles, body.normals, strict=True)):
        u, v = np.meshgrid(_shares(b - a), _shares(c - a), indexing="ij")
        # Points beyond the third side are rotated back about its middle.
        u, v = np.where(u + v < 1, (u, v), (1 - u, 1 - v))
        yield a + u.reshape(-1, 1) * (b - a) + v.reshape(-1, 1) * (c - a), -normal, n


def _shares(side: Any) -> Any:
    steps = max(2, min(_MOST, int(np.linalg.norm(side) / _STEP)))
    return (np.arange(steps) + 0.5) / steps


def _nearest(points: Any, way: Any, triangles: Any) -> float:
    """Return how far parallel rays go to the nearest triangle (Möller and Trumbore, 1997)."""
    a, ab, ac = (
        triangles[:, 0],
        triangles[:, 1] - triangles[:, 0],
        triangles[:, 2] - triangles[:, 0],
    )
    across, beside, normal = np.cross(way, ac), np.cross(ab, way), np.cross(ab, ac)
    turn = np.einsum("ij,ij->i", ab, across)
    u, v, far = (
        (points @ each.T - np.einsum("ij,ij->i", a, each)) / turn
        for each in (across, beside, normal)
    )
    hit = (u >= -_SAME) & (v >= -_SAME) & (u + v <= 1 + _SAME) & (far > 0)
    return float(np.where(hit, far, np.inf).min())


# The visible lines of a solid in an orthographic view, without hidden lines.

Line = tuple[tuple[float, float], ...]

_EXACTNESS: Final = (0.1, 0.05)


@dataclass(frozen=True)
class Side:
    """A direction from which a solid is viewed, and the axis that then points to the right."""

    name: str
    eye: Point
    right: Point


ABOVE: Final = Side("from above", (0, 0, 1), (1, 0, 0))
FRONT: Final = Side("from the front", (0, -1, 0), (1, 0, 0))
RIGHT: Final = Side("from the right", (1, 0, 0), (0, 1, 0))
SLANTED: Final = Side("", (1, -1, 0.8), (1, 1, 0))


@dataclass(frozen=True)
class Outline:
    """The visible lines, each through several points, to the right and up."""

    lines: tuple[Line, ...]

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, bottom, right, top."""
        xs = [x for line in self.lines for x, _ in line]
        ys = [y for line in self.lines for _, y in line]
        return min(xs), min(ys), max(xs), max(ys)


def outline(solid: Solid, side: Side) -> Outline:
    found = HLRBRep_Algo()
    found.Add(solid.shape)
    eye = gp_Ax2(gp_Pnt(0, 0, 0), gp_Dir(*side.eye), gp_Dir(*side.right))
    found.Projector(HLRAlgo_Projector(eye))
    found.Update()
    found.Hide()
    shapes = HLRBRep_HLRToShape(found)
    lines: list[Line] = []
    for seen in (shapes.VCompound(), shapes.OutLineVCompound()):
        if seen is not None and not seen.IsNull():
            BRepLib.BuildCurves3d_s(seen)
            lines += _lines(seen)
    return Outline(tuple(lines))


def _lines(shape: Any) -> list[Line]:
    explorer, found = TopExp_Explorer(shape, TopAbs_EDGE), []
    distance, angle = _EXACTNESS
    while explorer.More():
        curve = BRepAdaptor_Curve(TopoDS.Edge_s(explorer.Current()))
        points = GCPnts_TangentialDeflection(curve, angle, distance)
        places = [points.Value(n + 1) for n in range(points.NbPoints())]
        found.append(tuple((place.X(), place.Y()) for place in places))
        explorer.Next()
    return found
