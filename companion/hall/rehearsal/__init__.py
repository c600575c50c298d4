"""A hall to try out, on one computer: simulated people play at simulated boards in real time.

`table` is one of them, `rehearsal` the hall with its broker; “boomboard hall rehearse” opens it.
"""
