"""What the maker of a board needs: looking into it, finding what is wrong, calibrating it.

From outside use an `inspection` and its `watch`, the `report` of it, the `guided_calibration` with
the simulated `maker`, built `firmware`, and the `clerk` who writes findings down. The findings
themselves are the room's own. It knows neither the commands nor the screens that use it.
"""
