"""Soak test of whole sessions in simulated time: people, hardware and program from one seed.

All faults and events are drawn from the seed alone. After every step the program's guarantees are
checked. The public module is `campaign`.
"""
