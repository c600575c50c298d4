"""Campaign of games with simulated hand movements: runs, limits and report."""
