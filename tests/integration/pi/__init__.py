"""Tests of the appliance image, run by ``make appliance``, part of ``make heavy``."""
