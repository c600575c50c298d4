"""A demonstration hall on one computer: simulated people at simulated boards, in real time.

`table` is one table, `rehearsal` the hall with its broker; “boomboard hall rehearse” starts it.
"""
