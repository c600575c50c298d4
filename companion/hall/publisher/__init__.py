"""Publisher at the table: sends feed items to the hall and receives orders, in its own thread.

Play never waits for the publisher. `uplink` tracks the items that the hall still lacks, sends them,
and stores the state that has to survive a restart. `hall_file` has the hall's address.
"""
