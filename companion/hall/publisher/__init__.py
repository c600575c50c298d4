"""Sends a table's feed items to the hall and receives orders, in its own thread.

The game never waits for the hall. `uplink` sends the items that the hall lacks, and saves the state
that must survive a restart. `hall_file` reads the hall's address.
"""
