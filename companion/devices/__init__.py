"""What is plugged in: a live board in real time, the voice, the lamps at its edges, a Pi's panel.

From outside use all of them. They stand between the table and the ports and pins that
`firmware_bridge` opens; none of them decides anything about a game.
"""
