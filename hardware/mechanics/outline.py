"""The visible lines of a solid in an orthographic view, without hidden lines."""

from dataclasses import dataclass
from typing import Any, Final

from OCP.BRepAdaptor import BRepAdaptor_Curve
from OCP.BRepLib import BRepLib
from OCP.GCPnts import GCPnts_TangentialDeflection
from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt
from OCP.HLRAlgo import HLRAlgo_Projector
from OCP.HLRBRep import HLRBRep_Algo, HLRBRep_HLRToShape
from OCP.TopAbs import TopAbs_EDGE
from OCP.TopExp import TopExp_Explorer
from OCP.TopoDS import TopoDS

from hardware.mechanics.solid import Point, Solid

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
