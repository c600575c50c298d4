"""What holds the board together: printed parts, flat parts for wood, and how they fit."""
