"""What is plugged in: a live board in real time, the lamps at its edges, and the panel of a Pi.

From outside use all three. They stand between the table and the ports and pins that
`firmware_bridge` opens; none of them decides anything about a game.
"""
