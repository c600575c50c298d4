"""Solids built with Open CASCADE. Lengths are in millimetres."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import radians
from pathlib import Path
from typing import Any

from OCP.Bnd import Bnd_Box
from OCP.BRep import BRep_Builder
from OCP.BRepAlgoAPI import BRepAlgoAPI_Common, BRepAlgoAPI_Cut, BRepAlgoAPI_Fuse
from OCP.BRepBndLib import BRepBndLib
from OCP.BRepBuilderAPI import (
    BRepBuilderAPI_MakeFace,
    BRepBuilderAPI_MakePolygon,
    BRepBuilderAPI_Transform,
)
from OCP.BRepCheck import BRepCheck_Analyzer
from OCP.BRepFilletAPI import BRepFilletAPI_MakeFillet
from OCP.BRepGProp import BRepGProp
from OCP.BRepPrimAPI import (
    BRepPrimAPI_MakeBox,
    BRepPrimAPI_MakeCylinder,
    BRepPrimAPI_MakePrism,
)
from OCP.gp import gp_Ax1, gp_Ax2, gp_Dir, gp_Pnt, gp_Trsf, gp_Vec
from OCP.GProp import GProp_GProps
from OCP.IFSelect import IFSelect_RetDone
from OCP.Interface import Interface_Static
from OCP.Message import Message, Message_Gravity
from OCP.ShapeUpgrade import ShapeUpgrade_UnifySameDomain
from OCP.STEPControl import STEPControl_AsIs, STEPControl_Writer
from OCP.TopAbs import TopAbs_EDGE, TopAbs_SOLID
from OCP.TopExp import TopExp
from OCP.TopoDS import TopoDS, TopoDS_Compound
from OCP.TopTools import TopTools_IndexedMapOfShape, TopTools_ListOfShape

Point = tuple[float, float, float]

X: Point = (1, 0, 0)
Y: Point = (0, 1, 0)
Z: Point = (0, 0, 1)


@dataclass(frozen=True)
class Solid:
    """Immutable solid with operators for cutting (-), joining (+) and intersecting (&)."""

    shape: Any

    def __sub__(self, other: "Solid") -> "Solid":
        return _combined(BRepAlgoAPI_Cut(), self, [other])

    def __add__(self, other: "Solid") -> "Solid":
        return _combined(BRepAlgoAPI_Fuse(), self, [other])

    def __and__(self, other: "Solid") -> "Solid":
        return _combined(BRepAlgoAPI_Common(), self, [other])

    def without(self, others: Iterable["Solid"]) -> "Solid":
        """Return this solid with several others subtracted from it."""
        return _combined(BRepAlgoAPI_Cut(), self, list(others))

    def with_all(self, others: Iterable["Solid"]) -> "Solid":
        """Return this solid joined with several others."""
        return _combined(BRepAlgoAPI_Fuse(), self, list(others))

    def moved(self, x: float = 0, y: float = 0, z: float = 0) -> "Solid":
        move = gp_Trsf()
        move.SetTranslation(gp_Vec(x, y, z))
        return _transformed(self, move)

    def turned(self, degrees: float, axis: Point = Z) -> "Solid":
        """Return this solid rotated anticlockwise about an axis through the origin."""
        turn = gp_Trsf()
        turn.SetRotation(gp_Ax1(gp_Pnt(0, 0, 0), gp_Dir(*axis)), radians(degrees))
        return _transformed(self, turn)

    def rounded(self, radius: float) -> "Solid":
        """Return this solid with its vertical edges rounded."""
        fillet = BRepFilletAPI_MakeFillet(self.shape)
        for edge in pieces(self.shape, TopAbs_EDGE):
            low_x, low_y, _, high_x, high_y, _ = _box_of(edge)
            if high_x - low_x < 1e-3 and high_y - low_y < 1e-3:
                fillet.Add(radius, TopoDS.Edge_s(edge))
        return Solid(fillet.Shape())

    @property
    def volume(self) -> float:
        """Volume in cubic millimetres."""
        found = GProp_GProps()
        BRepGProp.VolumeProperties_s(self.shape, found)
        return float(found.Mass())

    @property
    def bounds(self) -> tuple[Point, Point]:
        """Minimum and maximum corners of the bounding box."""
        low_x, low_y, low_z, high_x, high_y, high_z = _box_of(self.shape)
        return (low_x, low_y, low_z), (high_x, high_y, high_z)

    @property
    def size(self) -> Point:
        """Size of the bounding box."""
        low, high = self.bounds
        x, y, z = (round(b - a, 3) for a, b in zip(low, high, strict=True))
        return x, y, z

    @property
    def bodies(self) -> int:
        """Number of separate bodies in the solid."""
        return len(pieces(self.shape, TopAbs_SOLID))

    @property
    def is_sound(self) -> bool:
        """Whether the solid passes Open CASCADE's validity check."""
        return bool(BRepCheck_Analyzer(self.shape).IsValid())

    def write_step(self, path: Path) -> None:
        """Write a STEP file for use in other CAD programs. Raise RuntimeError if writing fails."""
        for printer in Message.DefaultMessenger_s().Printers():
            printer.SetTraceLevel(Message_Gravity.Message_Fail)
        writer = STEPControl_Writer()
        Interface_Static.SetCVal_s("write.step.unit", "MM")
        writer.Transfer(self.shape, STEPControl_AsIs)
        if writer.Write(str(path)) != IFSelect_RetDone:
            raise RuntimeError(f"{path} could not be written.")


def box(size: Point, at: Point = (0, 0, 0)) -> Solid:
    """Return a box whose minimum corner is at `at`."""
    return Solid(BRepPrimAPI_MakeBox(gp_Pnt(*at), *size).Shape())


def block(width: float, depth: float, height: float, at: Point = (0, 0, 0)) -> Solid:
    """Return a box with the centre of its lower face at `at`."""
    x, y, z = at
    return box((width, depth, height), (x - width / 2, y - depth / 2, z))


def cylinder(radius: float, height: float, at: Point = (0, 0, 0), axis: Point = Z) -> Solid:
    """Return a cylinder with the centre of its base at `at`."""
    place = gp_Ax2(gp_Pnt(*at), gp_Dir(*axis))
    return Solid(BRepPrimAPI_MakeCylinder(place, radius, height).Shape())


def prism(corners: Sequence[Point], along: Point) -> Solid:
    """Return a flat polygon extruded along the vector `along`."""
    polygon = BRepBuilderAPI_MakePolygon()
    for corner in corners:
        polygon.Add(gp_Pnt(*corner))
    polygon.Close()
    face = BRepBuilderAPI_MakeFace(polygon.Wire()).Face()
    return Solid(BRepPrimAPI_MakePrism(face, gp_Vec(*along)).Shape())


def together(solids: Iterable[Solid]) -> Solid:
    """Return several solids as one compound, without joining them."""
    builder, compound = BRep_Builder(), TopoDS_Compound()
    builder.MakeCompound(compound)
    for solid in solids:
        builder.Add(compound, solid.shape)
    return Solid(compound)


def pieces(shape: Any, kind: Any) -> list[Any]:
    """Return the distinct sub-shapes of one type in a shape, such as its edges."""
    found = TopTools_IndexedMapOfShape()
    TopExp.MapShapes_s(shape, kind, found)
    return [found.FindKey(n + 1) for n in range(found.Extent())]


def _combined(operation: Any, first: Solid, others: list[Solid]) -> Solid:
    arguments, tools = TopTools_ListOfShape(), TopTools_ListOfShape()
    arguments.Append(first.shape)
    for other in others:
        tools.Append(other.shape)
    operation.SetArguments(arguments)
    operation.SetTools(tools)
    operation.Build()
    # Merge coplanar faces; otherwise, drawings would show lines where there is no edge.
    unify = ShapeUpgrade_UnifySameDomain(operation.Shape(), True, True, True)
    unify.Build()
    return Solid(unify.Shape())


def _transformed(solid: Solid, move: gp_Trsf) -> Solid:
    return Solid(BRepBuilderAPI_Transform(solid.shape, move, True).Shape())


def _box_of(shape: Any) -> tuple[float, float, float, float, float, float]:
    found = Bnd_Box()
    BRepBndLib.AddOptimal_s(shape, found, False, False)
    low_x, low_y, low_z, high_x, high_y, high_z = found.Get()
    return low_x, low_y, low_z, high_x, high_y, high_z
