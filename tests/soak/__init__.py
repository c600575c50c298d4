"""Soak test of whole sessions in simulated time.

A seed determines all faults and events. The guarantees are checked after every step. The public
module is `runner`.
"""
