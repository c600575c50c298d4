"""Sends a table's feed items to the hall and receives orders, in its own thread.

Play never waits for the hall. `uplink` sends the items that the hall does not have yet, and stores
the state that has to survive a restart. `hall_file` has the hall's address.
"""
