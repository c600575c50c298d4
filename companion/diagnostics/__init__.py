"""Board maintenance: inspection, diagnosis, calibration and firmware updates.

From outside use an `inspection` and its `watch`, the `report` of it, the `guided_calibration` with
the simulated `maker`, built `firmware`, and the `clerk`, which writes findings. The modules of the
findings themselves are internal. The package imports neither the commands nor the screens that use
it.
"""
