"""The whole campaign of hands: what is played, by which limits it is judged, how it is told."""
