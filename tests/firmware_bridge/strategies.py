"""Hypothesis strategies shared by several tests."""

from hypothesis import strategies as st

from engine.board.geometry import ALL, SQUARES
from firmware_bridge.image import Image
from firmware_bridge.wire import (
    CHANNELS,
    FELT_BANDS,
    FELT_SQUARES,
    FULL_SCALE,
    MOST_CHANGES,
    MOST_MULTIPLEXERS,
    PROTOCOL,
    BoardKind,
    BoardMessage,
    BoardSettings,
    Calibrate,
    CalibrationReply,
    CalibrationResult,
    CalibrationStep,
    Configure,
    Configured,
    ConfigureResult,
    Fault,
    FaultCode,
    FieldReadings,
    ForeignHello,
    Geometry,
    Hello,
    HostCommand,
    Identify,
    Lamps,
    Raw,
    RequestField,
    RequestRaw,
    ResetCause,
    State,
    Status,
)

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
    Hello,
    *(st.tuples(u8, u8, u8), st.sampled_from(BoardKind), u8.map(ResetCause), u16),
    *(st.sampled_from(Geometry), u32),
)
foreign_hellos = st.builds(
    ForeignHello, u8.filter(lambda number: number != PROTOCOL), st.binary(max_size=57)
)
changes = st.lists(
    st.tuples(st.sampled_from(list(SQUARES)), u8),
    max_size=MOST_CHANGES,
    unique_by=lambda change: change[0],
)
states = st.builds(State, u32, images, changes.map(tuple), square_sets)
faults = st.builds(
    Fault, st.sampled_from(FaultCode), st.none() | st.sampled_from(list(SQUARES)), u16
)
raws = st.builds(
    Raw,
    st.integers(0, MOST_MULTIPLEXERS - 1),
    st.tuples(*[st.integers(0, FULL_SCALE)] * CHANNELS),
)
learneds = st.builds(
    CalibrationReply,
    st.sampled_from(CalibrationStep),
    st.dictionaries(st.sampled_from(CalibrationResult), square_sets, min_size=1, max_size=3),
)
settings = st.builds(BoardSettings, st.sampled_from(BoardKind), st.sampled_from(Geometry), u8, u16)
configureds = st.builds(Configured, st.sampled_from(ConfigureResult), settings)
felts = st.builds(
    FieldReadings,
    st.integers(0, FELT_BANDS - 1),
    st.tuples(*[st.integers(-128, 127)] * FELT_SQUARES),
)
messages: st.SearchStrategy[BoardMessage] = st.one_of(
    *(hellos, foreign_hellos, states, faults, raws, learneds, st.builds(Status, u16), configureds),
    felts,
)
commands: st.SearchStrategy[HostCommand] = st.one_of(
    st.just(Identify()),
    st.just(RequestRaw()),
    st.just(RequestField()),
    st.builds(Calibrate, st.sampled_from(CalibrationStep)),
    st.builds(Lamps, square_sets),
    st.builds(
        Configure, st.sampled_from([0, *BoardKind]), st.sampled_from([0, *Geometry]), u8, u16
    ),
)
