"""Converts solids to triangles (for printing, rendering and measuring walls) and to lines (for
drawings)."""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
import trimesh
from OCP.BRepAdaptor import BRepAdaptor_Curve
from OCP.BRepGProp import BRepGProp_Face
from OCP.BRepLib import BRepLib
from OCP.BRepMesh import BRepMesh_IncrementalMesh
from OCP.BRepTools import BRepTools
from OCP.GCPnts import GCPnts_TangentialDeflection
from OCP.gp import gp_Ax2, gp_Dir, gp_Lin, gp_Pnt, gp_Vec
from OCP.HLRAlgo import HLRAlgo_Projector
from OCP.HLRBRep import HLRBRep_Algo, HLRBRep_HLRToShape
from OCP.IntCurvesFace import IntCurvesFace_ShapeIntersector
from OCP.StlAPI import StlAPI_Writer
from OCP.TopAbs import TopAbs_EDGE
from OCP.TopoDS import TopoDS

from hardware.mechanics.solid import Point, Solid, pieces

FINE: Final = (0.05, 0.2)
"""Maximum deviation of triangles from a curved face, in millimetres and radians."""
COARSE: Final = (0.05, 0.6)
"""Like `FINE`, but with fewer triangles around small holes."""
_FACING: Final = -0.85
"""Two faces count as the sides of a wall if the angle between their normals has a cosine below this
value."""
_INSIDE: Final = 0.001


def write_stl(solid: Solid, path: Path, exactness: tuple[float, float] = FINE) -> None:
    """Write a binary STL file in millimetres. Raise RuntimeError if writing fails."""
    # Open CASCADE caches triangles in the solid and would reuse finer ones from an earlier call.
    BRepTools.Clean_s(solid.shape)
    BRepMesh_IncrementalMesh(solid.shape, exactness[0], False, exactness[1], False)
    writer = StlAPI_Writer()
    writer.ASCIIMode = False
    if not writer.Write(solid.shape, str(path)):
        raise RuntimeError(f"{path} could not be written.")


def mesh(solid: Solid, exactness: tuple[float, float] = FINE) -> trimesh.Trimesh:
    """Triangulate a solid by writing an STL file and reading the triangles back."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "solid.stl"
        write_stl(solid, path, exactness)
        return trimesh.load_mesh(path)


def thinnest(solid: Solid, triangles: trimesh.Trimesh) -> float:
    """Return the minimum wall thickness, measured inwards from points on all triangles.

    The points are the centre of each triangle and one random point per square millimetre. Only the
    material between two nearly parallel faces counts as a wall. Sharp edges are therefore ignored.
    """
    spread, on = trimesh.sample.sample_surface(triangles, int(triangles.area), seed=0)
    points = np.concatenate([triangles.triangles_center, spread])
    normals = np.concatenate([triangles.face_normals, triangles.face_normals[on]])
    rays = IntCurvesFace_ShapeIntersector()
    rays.Load(solid.shape, 1e-6)
    least = float("inf")
    for point, normal in zip(points.tolist(), (-normals).tolist(), strict=True):
        inwards = gp_Dir(*normal)
        rays.PerformNearest(gp_Lin(gp_Pnt(*point), inwards), _INSIDE, least)
        if rays.NbPnt() and _normal(rays).Dot(gp_Vec(inwards)) > -_FACING:
            least = rays.WParameter(1)
    return least


def _normal(rays: Any) -> gp_Vec:
    """Return the outward unit normal where a ray meets a solid."""
    at, normal = gp_Pnt(), gp_Vec()
    BRepGProp_Face(rays.Face(1)).Normal(rays.UParameter(1), rays.VParameter(1), at, normal)
    return normal.Normalized()


# Visible lines of a solid in an orthographic view.

Line = tuple[tuple[float, float], ...]

_EXACTNESS: Final = (0.1, 0.05)


@dataclass(frozen=True)
class Side:
    """Direction from which a solid is viewed, and the axis that points to the right in that
    view."""

    name: str
    eye: Point
    right: Point


ABOVE: Final = Side("from above", (0, 0, 1), (1, 0, 0))
FRONT: Final = Side("from the front", (0, -1, 0), (1, 0, 0))
RIGHT: Final = Side("from the right", (1, 0, 0), (0, 1, 0))
SLANTED: Final = Side("", (1, -1, 0.8), (1, 1, 0))


@dataclass(frozen=True)
class Outline:
    """Visible lines in a view. Each line is a sequence of points, with x to the right and y up."""

    lines: tuple[Line, ...]

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, bottom, right and top."""
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
    distance, angle = _EXACTNESS
    found = []
    for edge in pieces(shape, TopAbs_EDGE):
        curve = BRepAdaptor_Curve(TopoDS.Edge_s(edge))
        points = GCPnts_TangentialDeflection(curve, angle, distance)
        places = [points.Value(n + 1) for n in range(points.NbPoints())]
        found.append(tuple((place.X(), place.Y()) for place in places))
    return found
