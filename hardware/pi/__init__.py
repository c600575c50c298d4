"""What makes a Raspberry Pi the board's own, and what tries the image of its card."""
