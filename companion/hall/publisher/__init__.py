"""Publisher beside the table: sends feed items to the hall, in its own thread, and receives orders.

Play never waits for any of it. `outbox` tracks the items that the hall still lacks, `line` sends
them, `hall_file` or `hall_address` gives the hall's address, and `remembered` stores the state that
has to survive a restart.
"""
