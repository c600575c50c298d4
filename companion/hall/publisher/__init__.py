"""Beside the table: what is told to the hall, in a thread of its own, and what an arbiter orders.

Play never waits for any of it. `outbox` knows what the hall still lacks, `line` carries it,
`hall_file` or `hall_address` says where the hall is, and `remembered` what has to outlast a
restart.
"""
