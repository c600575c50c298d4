"""Soak test of whole sessions in simulated time.

All faults and events are drawn from a seed, and the guarantees are checked after every step. The
public module is `runner`.
"""
