"""Strategies for the Hypothesis library, shared by several tests."""

from hypothesis import strategies as st

from engine.board.geometry import ALL, SQUARES
from firmware_bridge import wire
from firmware_bridge.image import Image

square_sets = st.integers(0, ALL)
images = st.builds(
    lambda low, high: Image(red=low & ~high, blue=high & ~low, unknown=low & high),
    square_sets,
    square_sets,
)

u8 = st.integers(0, 0xFF)
u16 = st.integers(0, 0xFFFF)
u32 = st.integers(0, 0xFFFFFFFF)
hellos = st.builds(
    wire.Hello,
    *(st.tuples(u8, u8, u8), st.sampled_from(wire.BoardKind), u8.map(wire.ResetCause), u16),
    *(st.sampled_from(wire.Geometry), u32),
)
foreign_hellos = st.builds(
    wire.ForeignHello, u8.filter(lambda number: number != wire.PROTOCOL), st.binary(max_size=57)
)
changes = st.lists(
    st.tuples(st.sampled_from(list(SQUARES)), u8),
    max_size=wire.MOST_CHANGES,
    unique_by=lambda change: change[0],
)
states = st.builds(wire.State, u32, images, changes.map(tuple), square_sets)
faults = st.builds(
    wire.Fault, st.sampled_from(wire.FaultCode), st.none() | st.sampled_from(list(SQUARES)), u16
)
raws = st.builds(
    wire.Raw,
    st.integers(0, wire.MOST_MULTIPLEXERS - 1),
    st.tuples(*[st.integers(0, wire.FULL_SCALE)] * wire.CHANNELS),
)
learneds = st.builds(
    wire.CalibrationReply,
    st.sampled_from(wire.CalibrationStep),
    st.dictionaries(st.sampled_from(wire.CalibrationResult), square_sets, min_size=1, max_size=3),
)
settings = st.builds(
    wire.BoardSettings, st.sampled_from(wire.BoardKind), st.sampled_from(wire.Geometry), u8, u16
)
configureds = st.builds(wire.Configured, st.sampled_from(wire.ConfigureResult), settings)
felts = st.builds(
    wire.FieldReadings,
    st.integers(0, wire.FELT_BANDS - 1),
    st.tuples(*[st.integers(-128, 127)] * wire.FELT_SQUARES),
)
messages: st.SearchStrategy[wire.BoardMessage] = st.one_of(
    *(
        hellos,
        foreign_hellos,
        states,
        faults,
        raws,
        learneds,
        st.builds(wire.Status, u16),
        configureds,
    ),
    felts,
)
commands: st.SearchStrategy[wire.HostCommand] = st.one_of(
    st.just(wire.Identify()),
    st.just(wire.RequestRaw()),
    st.just(wire.RequestField()),
    st.builds(wire.Calibrate, st.sampled_from(wire.CalibrationStep)),
    st.builds(wire.Lamps, square_sets),
    st.builds(
        wire.Configure,
        st.sampled_from([0, *wire.BoardKind]),
        st.sampled_from([0, *wire.Geometry]),
        u8,
        u16,
    ),
)
